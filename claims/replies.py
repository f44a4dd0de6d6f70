"""The words of our one answer to a comment: what was understood, what was not and why, with a form that works.

Inert by construction: whatever a stranger wrote stands in a code span of at most 80 characters, and the only live mention
is the author's. In the language of the comment.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from claims import since, words
from claims.echoes import echo
from claims.grammar.model import Attempt
from claims.policy import Ruling, Verdict
from claims.since import Since
from tasks_board.title_starts import title_start

LONGEST_LIST = 60  # lines of one answer; somebody may name every task there is
_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Line:
    """What became of one number in a comment: a stable code, with the ruling where a rule said no.

    `about`: the address of the pull request that the comment names for it.
    """

    number: str
    # claimed already requested waiting closed_unmerged released refused unknown ambiguous finished nothing alternative
    # looked_for linked not_found unlinked, and those about teams
    code: str
    ruling: Ruling | None = None
    about: str = ""

    def to_json(self) -> dict[str, Any]:
        """As it is kept."""
        failed = self.ruling.failed if self.ruling else ()
        kept = {
            "number": self.number,
            "code": self.code,
            "about": self.about,
            "failed": [{"rule": verdict.rule, "values": verdict.values} for verdict in failed],
        }
        return {name: value for name, value in kept.items() if value}

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> "Line":
        """As it was kept."""
        failed = tuple(Verdict(v["rule"], passed=False, values=v["values"]) for v in kept.get("failed", ()))
        ruling = Ruling(failed, needs_mentor=False) if failed else None
        return cls(kept["number"], kept["code"], ruling, kept.get("about", ""))


@dataclass(frozen=True, slots=True)
class Circumstance:
    """What the answer is about: its author, the event's board, and a number that would work as an example."""

    author: str
    board_url: str
    title_prefix: str
    example: str
    teams_url: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """What one event made of a comment, and what became of it since. An answer has one part for each event that says something.

    `event`: its name; `is_on`: it is running; `in_words`: it answers in words, not by a reaction.
    """

    about: Circumstance
    lines: Sequence[Line] = ()
    attempt: Attempt | None = None
    since: Sequence[Since] = ()
    event: str = ""
    is_on: bool = True
    in_words: bool = True


def language_of(text: str) -> str:
    """The language to answer in: Chinese if the text has a Chinese character."""
    return "zh-hans" if _HAN.search(text) else "en"


def compose(*, comment: str, parts: Sequence[Part]) -> str:
    """The answer to a comment, as Markdown: what each event made of it, and below what became of it since."""
    with translation.override(language_of(comment)):
        told = list(_told(parts))
        news = [_news(part, is_one=len(parts) == 1) for part in parts if part.since]
    said = "\n\n".join(told) + "\n"
    return "\n".join([said, NEWS, "", "\n\n".join(news), ""]) if news else said


def _news(part: Part, *, is_one: bool) -> str:
    told = "\n".join(since.tell(entry, part.about.board_url) for entry in part.since[:LONGEST_LIST])
    return told if is_one else f"{_in_event(part)}\n\n{told}"


def _in_event(part: Part) -> str:
    return _("In %(event)s:") % {"event": echo(part.event)}


def _told(parts: Sequence[Part]) -> Iterator[str]:
    if any(part.lines for part in parts):
        yield _("@%(author)s, this is how your comment was read:") % {"author": parts[0].about.author}
    for part in parts:
        if len(parts) > 1:
            yield _in_event(part)
        yield from _told_by(part)


def _told_by(part: Part) -> Iterator[str]:
    """What an event made of the comment. Without lines it says why an attempt was no more, and the right form."""
    about, lines = part.about, part.lines
    if lines:
        yield _said(lines)
    elif part.attempt:
        yield _hint(part.attempt, about)
    if any(line.code == "claimed" for line in lines) and about.title_prefix:
        yield _how_to_link(lines, about)
    if about.teams_url and any(line.code.startswith("team_") for line in lines):
        yield _("The teams of this event: %(url)s") % {"url": about.teams_url}
    yield _("The board with everybody’s standing: %(url)s") % {"url": about.board_url}


# What became of the claims since stands behind this line of an answer.
NEWS = "<!-- since then -->"
# What a reaction says: all of it is done; a part of it, or a mentor has to answer; nothing could be done.
DONE, IN_PART, NOT_DONE = "+1", "eyes", "confused"
REACTIONS = frozenset({DONE, IN_PART, NOT_DONE})
_CARRIED_OUT = frozenset({"claimed", "already", "waiting", "released", "finished", "linked", "yours", "done"})
_TAKEN_NOTE_OF = frozenset(
    {"requested", "alternative", "looked_for", "partly_done", "deferred", "blocked", "closed_unmerged"}
)


def reaction_for(parts: Sequence[Part]) -> str:
    """The answer of quiet events: one reaction in place of words; none where there is nothing to say."""
    codes = {code for part in parts for code in _codes(part)}
    hint = any(part.attempt for part in parts)
    if not codes and not hint:
        return ""
    if not codes & {*_CARRIED_OUT, *_TAKEN_NOTE_OF}:
        return NOT_DONE
    return IN_PART if hint or codes - _CARRIED_OUT else DONE


def _codes(part: Part) -> list[str]:
    """How everything stands that the comment asked for; a reminder changes nothing of that."""
    now = {entry.number: entry.code for entry in part.since if entry.code != "reminded"}
    return [
        now.get(line.number, line.code) if line.code in since.AS_SAID else line.code for line in part.lines
    ]


def _said(lines: Sequence[Line]) -> str:
    shown = [f"- {sentence(line)}" for line in lines[:LONGEST_LIST]]
    more = len(lines) - len(shown)
    return "\n".join([*shown, *([f"- … (+{more})"] if more else [])])


def sentence(line: Line, *, show: Callable[[str], str] = echo) -> str:
    """What became of one number. `show` dresses the words that stand in comments."""
    number = show(line.number)
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
        "closed_unmerged": _(
            "%(number)s is still yours, though its pull request was closed without merging. "
            "It is your turn: open it again, or open another one."
        ),
        "looked_for": _("%(number)s: the pull request %(about)s is being looked for."),
        "linked": _("%(number)s: the pull request %(about)s is noted."),
        "not_found": _(
            "%(number)s: GitHub shows no pull request %(about)s; an issue may have that number. "
            "Correct it in your comment, like %(form)s."
        ),
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
    return sentences[line.code] % {
        "number": number,
        "about": show(line.about),
        "form": _submit_form(line.number, show),
    }


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


def _submit_form(number: str, show: Callable[[str], str] = echo) -> str:
    return show(f"【提交】：{number} #12345")


def _how_to_link(lines: Sequence[Line], about: Circumstance) -> str:
    number = next(line.number for line in lines if line.code == "claimed")
    title = f"{title_start(about.title_prefix, number)}…"
    return _("Begin the title of your pull request with %(title)s, then it is found by itself.") % {
        "title": echo(title)
    }
