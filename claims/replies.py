"""The words of our one answer to a comment: what was understood, what was not and why, with a form that works.

Inert by construction: whatever a stranger wrote stands in a code span of at most 80 characters, and the only live mention
is the author's. In the language of the comment.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils import translation
from django.utils.translation import gettext as _

from claims import words
from claims.grammar.model import Attempt
from claims.policy import Ruling
from tasks_board.title_starts import title_start

ECHO_LIMIT = 80
LONGEST_LIST = 60  # lines of one answer; somebody may name every task there is
_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Line:
    """What became of one number in a comment: a stable code, with the ruling where a rule said no."""

    number: str
    # claimed already requested waiting released refused unknown ambiguous finished nothing alternative linked unlinked,
    # and those about teams
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


def compose(
    *, comment: str, lines: Sequence[Line], about: Circumstance, attempt: Attempt | None = None
) -> str:
    """The answer to a comment, as Markdown. Without lines it says why an attempt was no more, and the right form."""
    with translation.override(language_of(comment)):
        parts = [_said(lines, about)] if lines else [_hint(attempt, about)] if attempt else []
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
_TAKEN_NOTE_OF = frozenset({"requested", "alternative"})


def reaction_for(lines: Sequence[Line], *, hint: bool) -> str:
    """The answer of a quiet event: one reaction in place of words; none where there is nothing to say."""
    codes = {line.code for line in lines}
    if not codes and not hint:
        return ""
    if not codes & {*_CARRIED_OUT, *_TAKEN_NOTE_OF}:
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
        "alternative": _("%(number)s is noted as another choice; that claims nothing."),
        "linked": _("%(number)s: the pull request is noted."),
        "unlinked": _(
            "%(number)s: no pull request is named, so nothing is noted. Write it on the same line, like %(form)s."
        ),
        "team_created": _("The team %(number)s is made, and you lead it."),
        "team_invited": _("%(number)s is invited into the team, and a member once they accept."),
        "team_looked_up": _(
            "%(number)s has never been here: GitHub is asked now, and whom it knows is invited while there is room."
        ),
        "team_unknown_login": _("%(number)s is not a person whom GitHub knows, so nobody is invited."),
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
    return sentences[line.code] % {"number": number, "form": _submit_form(line.number)}


def _hint(attempt: Attempt, about: Circumstance) -> str:
    return _("@%(author)s, nothing is booked by this comment. %(why)s %(form)s") % {
        "author": about.author,
        "why": why_no_more(attempt, show=echo),
        "form": _right_form(attempt, about.example),
    }


def why_no_more(attempt: Attempt, *, show: Callable[[str], str] = str) -> str:
    """Why it was no more than an attempt. `show` dresses the words that stand in comments."""
    match attempt:
        case Attempt.HEAD:
            return _("No number of a task could be read behind the word that claims or releases.")
        case Attempt.SUBMIT:
            return _("No number of a task could be read behind %(head)s.") % {"head": show("【提交】")}
        case Attempt.WORDS:
            return _("More words stand beside the number, so it is not certain what is meant.")
        case Attempt.FORM:
            return _("The form needs a number behind %(number)s and one state behind %(state)s.") % {
                "number": show("【序号】"),
                "state": show("【状态】"),
            }
        case Attempt.LIST:
            return _("Numbers alone do not say what is meant.")
        case Attempt.TABLE:
            return _("A table in a comment is not read as a claim.")


def _right_form(attempt: Attempt, number: str) -> str:
    if attempt is Attempt.SUBMIT:
        return _("Write the number first, then the pull request, like %(form)s.") % {
            "form": _submit_form(number)
        }
    return _("Write a line of its own like %(claim)s to claim, or %(release)s to release.") % {
        "claim": echo(_("/claim %(number)s") % {"number": number}),
        "release": echo(_("/release %(number)s") % {"number": number}),
    }


def _submit_form(number: str) -> str:
    return echo(f"【提交】：{number} #12345")


def _how_to_link(lines: Sequence[Line], about: Circumstance) -> str:
    number = next(line.number for line in lines if line.code == "claimed")
    title = f"{title_start(about.title_prefix, number)}…"
    return _("Begin the title of your pull request with %(title)s, then it is found by itself.") % {
        "title": echo(title)
    }
