"""The words of our one answer to a comment: what was understood, what was not and why, with a form that works.

Inert by construction: whatever a stranger wrote stands in a code span of at most 80 characters, and the only live mention
is the author's. In the language of the comment.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import translation
from django.utils.translation import gettext as _

from claims import words
from claims.policy import Ruling
from tasks_board.titles import begin_title

ECHO_LIMIT = 80
LONGEST_LIST = 60  # lines of one answer; somebody may name every task there is
_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Line:
    """What became of one number in a comment: a stable code, with the ruling where a rule said no."""

    number: str
    # claimed already requested waiting released refused unknown ambiguous finished nothing linked, and those about teams
    code: str
    ruling: Ruling | None = None


@dataclass(frozen=True, slots=True)
class Overtaken:
    """A task that the comment claimed and another claimant finished first, with some that are still free near it."""

    number: str
    free: Sequence[tuple[str, str]] = ()  # number and title


@dataclass(frozen=True, slots=True)
class Circumstance:
    """What the answer is about: its author, the event's board, and a number that would work as an example."""

    author: str
    board_url: str
    title_prefix: str
    example: str
    teams_url: str = ""


def language_of(text: str) -> str:
    """The language to answer in: Chinese if the text has a Chinese character."""
    return "zh-hans" if _HAN.search(text) else "en"


def echo(text: str) -> str:
    """Somebody's words as inert data: one code span, at most 80 characters, no backtick, no line break."""
    flat = " ".join(text.replace("`", "'").split())
    if len(flat) > ECHO_LIMIT:
        flat = flat[: ECHO_LIMIT - 1] + "…"
    return f"`{flat or ' '}`"


def compose(*, comment: str, lines: Sequence[Line], about: Circumstance, hint: bool = True) -> str:
    """The answer to a comment, as Markdown. Without lines it is the hint with the right form, where one is called for."""
    with translation.override(language_of(comment)):
        parts = [_said(lines, about)] if lines else [_hint(about)] if hint else []
        if any(line.code == "claimed" for line in lines) and about.title_prefix:
            parts.append(_how_to_link(lines, about))
        if about.teams_url and any(line.code.startswith("team_") for line in lines):
            parts.append(_("The teams of this event: %(url)s") % {"url": about.teams_url})
        parts.append(_("The board with everybody’s standing: %(url)s") % {"url": about.board_url})
        return "\n\n".join(parts) + "\n"


# What became of the claims since stands behind this line of an answer, so that it can be brought up to date alone.
NEWS = "<!-- since then -->"
# What a reaction says: all of it is done; a part of it, or a mentor has to answer; nothing could be done.
DONE, IN_PART, NOT_DONE = "+1", "eyes", "confused"
REACTIONS = frozenset({DONE, IN_PART, NOT_DONE})
_CARRIED_OUT = frozenset({"claimed", "already", "waiting", "released", "finished", "linked"})


def reaction_for(lines: Sequence[Line], *, hint: bool) -> str:
    """The answer of a quiet event: one reaction in place of words; none where there is nothing to say."""
    codes = {line.code for line in lines}
    if not codes and not hint:
        return ""
    if not codes & {*_CARRIED_OUT, "requested"}:
        return NOT_DONE
    return IN_PART if hint or codes - _CARRIED_OUT else DONE


def with_news(answer: str, overtaken: Sequence[Overtaken], *, comment: str, board_url: str) -> str:
    """The answer with what became of its claims since: kindly, and with what is still free."""
    said = answer.partition(NEWS)[0].rstrip("\n") + "\n"
    if not overtaken:
        return said
    with translation.override(language_of(comment)):
        news = [_overtaken(lost, board_url) for lost in overtaken[:LONGEST_LIST]]
    return "\n".join([said, NEWS, "", *news, ""])


def _overtaken(lost: Overtaken, board_url: str) -> str:
    told = _(
        "%(number)s: somebody else’s work was merged first, so this claim has ended. "
        "That says nothing against yours; thank you for taking part."
    ) % {"number": echo(lost.number)}
    if not lost.free:
        more = _("What else is free: %(url)s") % {"url": board_url}
        return f"- {told} {more}"
    head = _("Still free in the same direction:")
    free = [f"  - {echo(f'{number} {title}')}" for number, title in lost.free]
    return "\n".join([f"- {told} {head}", *free])


def _said(lines: Sequence[Line], about: Circumstance) -> str:
    head = _("@%(author)s, this is how your comment was read:") % {"author": about.author}
    shown = [f"- {_sentence(line)}" for line in lines[:LONGEST_LIST]]
    more = len(lines) - len(shown)
    return "\n".join([head, "", *shown, *([f"- … (+{more})"] if more else [])])


def _sentence(line: Line) -> str:
    number = echo(line.number)
    sentences = {
        "claimed": _("%(number)s is yours: claimed."),
        "already": _("%(number)s is yours already."),
        "requested": _("%(number)s is asked for; a mentor will answer."),
        "waiting": _("%(number)s has no free place. You wait in line and move up when one becomes free."),
        "released": _("%(number)s is released."),
        "finished": _("%(number)s is finished already and stays so."),
        "nothing": _("%(number)s was not yours, so there was nothing to release."),
        "unknown": _("%(number)s is not a task of this event."),
        "ambiguous": _("%(number)s is the number of several tasks. Claim the right one on the board."),
        "linked": _("%(number)s: the pull request is noted."),
        "team_created": _("The team %(number)s is made, and you lead it."),
        "team_invited": _("%(number)s is invited into the team, and a member once they accept."),
        "team_unknown_login": _(
            "%(number)s is not known here yet. Ask them to sign in once, then invite them."
        ),
        "team_full": _("%(number)s is not invited: the team is as large as the event allows."),
        "team_is_another": _("%(number)s is not the team that you are in, so this is about you alone."),
        "team_is_others": _("%(number)s is a team that you are not in, so this is about you alone."),
        "team_invites_you": _(
            "You are invited into the team %(number)s. Accept first; until then this is about you alone."
        ),
    }
    if line.code == "refused" and line.ruling is not None:
        reasons = "; ".join(f"{rule} ({how})" for rule, how in map(words.rule, line.ruling.failed))
        return _("%(number)s is not claimed. What stands against it: %(reasons)s") % {
            "number": number,
            "reasons": reasons,
        }
    return sentences[line.code] % {"number": number}


def _hint(about: Circumstance) -> str:
    return _(
        "@%(author)s, this looks like a claim or a release, but it could not be read. "
        "Write a line of its own like %(claim)s to claim, or %(release)s to release."
    ) % {
        "author": about.author,
        "claim": echo(_("/claim %(number)s") % {"number": about.example}),
        "release": echo(_("/release %(number)s") % {"number": about.example}),
    }


def _how_to_link(lines: Sequence[Line], about: Circumstance) -> str:
    number = next(line.number for line in lines if line.code == "claimed")
    title = f"{begin_title(about.title_prefix, number)}…"
    return _("Begin the title of your pull request with %(title)s, then it is found by itself.") % {
        "title": echo(title)
    }
