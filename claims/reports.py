"""What the desk says became of one thing or of several, and why something was refused."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from claims import words
from claims.models import Claim
from claims.operations import undoing
from claims.operations.claiming import ClaimRefused
from claims.operations.deciding_many import Outcome
from portal.common.errors import DomainError


def list_things(outcomes: Sequence[Outcome]) -> str:
    """Whose they are, with the numbers of their tasks."""
    numbered, comment = _("%(claimant)s, No.%(number)s"), _("A comment by %(name)s")
    return _("; ").join(
        numbered % {"claimant": o.whose, "number": o.number} if o.number else comment % {"name": o.whose}
        for o in outcomes
    )


def refused(outcomes: Sequence[Outcome]) -> list[str]:
    """Each reason once, with everything that it kept from being done."""
    kept: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.refusal is not None:
            kept.setdefault(explain(outcome.refusal), []).append(outcome)
    return [
        _("%(things)s: %(reason)s") % {"things": list_things(of_it), "reason": reason}
        for reason, of_it in kept.items()
    ]


def explain(error: DomainError) -> str:
    """A refusal in words: of a claim, each rule that said no."""
    return words.refused(error.ruling) if isinstance(error, ClaimRefused) else str(error.message)


def taken_back(claim: Claim) -> str:
    """How a claim stands once a decision about it is taken back."""
    said = _("Taken back: %(claimant)s, No.%(number)s stands as before (%(state)s).") % {
        "claimant": claim.claimant,
        "number": claim.task.number,
        "state": words.state_word(claim.standing),
    }
    over = undoing.count_over_capacity(claim)
    if not over:
        return said
    more = ngettext(
        "The place had gone to somebody else meanwhile, who keeps it: the task has %(n)d claimant more than places.",
        "The places had gone to others meanwhile, who keep them: the task has %(n)d claimants more than places.",
        over,
    )
    return f"{said} {more % {'n': over}}"
