"""What became of a claim since a comment was answered: a code for how it stands, and the words that our answer adds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from claims.echoes import REASON_LIMIT, echo

# How a claim stands where an answer said so.
AS_SAID: Mapping[str, str] = {
    "claimed": "yours",
    "already": "yours",
    "requested": "requested",
    "waiting": "waiting",
    "finished": "done",
    "closed_unmerged": "closed_unmerged",
}


@dataclass(frozen=True, slots=True)
class Since:
    """How the claim of a number stands now, where that is not what the answer said.

    `why`: the reason of the standing in words; `note`: what whoever decided it added; `until`: the end of the time that a
    reminder spoke of; `free`: number and title of what is still free near an overtaken task.
    """

    number: str
    code: str  # yours requested waiting done partly_done deferred blocked closed_unmerged declined taken_back released
    # expired superseded reminded
    why: str = ""
    note: str = ""
    until: str = ""
    free: Sequence[tuple[str, str]] = ()


def tell(since: Since, board_url: str) -> str:
    """One item of a list: what became of the claim, kindly, and what can be done now."""
    said = _SENTENCES[since.code]() % {
        "number": echo(since.number),
        "why": since.why,
        "until": since.until,
    }
    if since.note:
        said = _("%(said)s Reason: %(reason)s") % {"said": said, "reason": echo(since.note, REASON_LIMIT)}
    if since.code != "superseded":
        return f"- {said}"
    if not since.free:
        more = _("What else is free: %(url)s") % {"url": board_url}
        return f"- {said} {more}"
    head = _("Still free in the same direction:")
    free = [f"  - {echo(f'{number} {title}')}" for number, title in since.free]
    return "\n".join([f"- {said} {head}", *free])


_SENTENCES: Mapping[str, Callable[[], str]] = {
    "yours": lambda: _("%(number)s is yours now."),
    "requested": lambda: _("%(number)s is asked for again; a mentor will answer."),
    "waiting": lambda: _("%(number)s has no free place. You wait in line and move up when one becomes free."),
    "done": lambda: _("%(number)s is done. Thank you! (%(why)s)"),
    "partly_done": lambda: _("A part of %(number)s is done. (%(why)s)"),
    "deferred": lambda: _("%(number)s is put aside by a mentor for now."),
    "blocked": lambda: _("%(number)s is held up, as a mentor says; nothing is asked of you for now."),
    "closed_unmerged": lambda: _(
        "%(number)s is still yours, though its pull request was closed without merging. "
        "It is your turn: open it again, or open another one."
    ),
    "declined": lambda: _("%(number)s was declined by a mentor."),
    "taken_back": lambda: _("%(number)s was taken back by a mentor and is not yours any more."),
    "released": lambda: _("%(number)s is released."),
    "expired": lambda: _(
        "%(number)s: the time ran out without work to see, so this claim has ended. "
        "If you go on, claim it again while there is room."
    ),
    "reminded": lambda: _(
        "%(number)s: the time for it ends on %(until)s. Open a pull request before, or ask a mentor for more time."
    ),
    "superseded": lambda: _(
        "%(number)s: somebody else’s work was merged first, so this claim has ended. "
        "That says nothing against yours; thank you for taking part."
    ),
}
