"""What is left of a claim's time: when it is over, when the claim then ends, and how often it may be begun anew."""

from dataclasses import dataclass
from datetime import datetime

from claims import deadlines, evidence
from claims.evidence import Evidence
from claims.models import Claim


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """The end of a claim's time. `ends_at`: when the claim ends if nothing happens, a reminder and the grace included."""

    due_at: datetime
    ends_at: datetime
    renewals_left: int
    is_over: bool = False  # the claimant's own time; what is left are the reminder's days and the grace


def time_left(entry: Evidence, now: datetime) -> TimeLeft | None:
    """The time of a claim by what is known of it; None while no time runs."""
    claim = entry.claim
    rules = claim.task.event.rule_set
    if claim.due_at is None:
        return None
    reminded = [d.at for d in entry.decisions if d.kind == "reminded" and d.until == claim.due_at]
    from_when = min(reminded, default=max(now, deadlines.reminds_from(rules, claim.due_at)))
    renewed = entry.clock(rules, turn=claim.turn).renewed
    return TimeLeft(
        due_at=claim.due_at,
        ends_at=deadlines.expires_at(rules, claim.due_at, from_when),
        renewals_left=max(0, rules.renewals - renewed),
        is_over=claim.due_at <= now,
    )


def time_left_of(claim: Claim | None, now: datetime) -> TimeLeft | None:
    """The same for one claim alone."""
    if claim is None or claim.due_at is None:
        return None
    found = evidence.gather([claim.task], {claim.task_id: set()})[claim.task_id]
    return next((time_left(entry, now) for entry in found if entry.claim.pk == claim.pk), None)
