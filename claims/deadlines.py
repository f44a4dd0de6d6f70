"""Whose turn it is on a claim, and when its time is over. Pure: neither the clock nor the database is read."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from claims.standing import DecisionFact, PullRequestFact, last_word
from tasks_board.rules import EventRules

# Standings on their way, and those of them in which nothing is under review.
ON_ITS_WAY = frozenset({"claimed", "rfc_submitted", "rfc_merged", "pr_open", "approved", "closed_unmerged"})
_NOTHING_TO_REVIEW = frozenset({"claimed", "rfc_merged", "closed_unmerged"})
# States of a task in which nobody is asked to go on with it.
PUT_ASIDE = frozenset({"deferred", "blocked", "removed"})


def whose_turn(state: str, pull_requests: Iterable[PullRequestFact], *, task_state: str = "") -> str:
    """`claimant`, `reviewer`, or nobody's (empty): a draft and a request for changes are with the claimant.

    A task that is put aside asks nothing of its claimants; what is open may still be reviewed.
    """
    if state not in ON_ITS_WAY:
        return ""
    under_review = [p for p in pull_requests if p.state == "open"]
    if any(not p.is_with_author for p in under_review):
        return "reviewer"
    if not under_review and state not in _NOTHING_TO_REVIEW:
        return "reviewer"
    return "" if task_state in PUT_ASIDE else "claimant"


@dataclass(frozen=True, slots=True)
class Clock:
    """When a claim's time began and is over. `renewed`: how often its claimant began it anew."""

    began_at: datetime
    due_at: datetime | None
    renewed: int


def clock_of(
    rules: EventRules,
    *,
    turn: str,
    decisions: Iterable[DecisionFact],
    pull_requests: Sequence[PullRequestFact],
    known_since: datetime,
) -> Clock:
    """The claim's clock. It runs only while it is the claimant's turn; an extension only ever gives more time."""
    ordered = sorted(decisions)
    life = last_word(ordered)
    since = life.at if life is not None else known_since
    renewals = [d.at for d in ordered if d.kind == "renewed" and d.at >= since]
    extensions = [d.until for d in ordered if d.kind == "extended" and d.until and d.at >= since]
    began = max([since, *renewals])
    if turn != "claimant":
        return Clock(began, None, len(renewals))
    end = end_of(rules, began, pull_requests)
    return Clock(began, max([end, *extensions]) if end is not None else None, len(renewals))


def end_of(rules: EventRules, began: datetime, pull_requests: Sequence[PullRequestFact]) -> datetime | None:
    """When a time that began then is over by the limits of the event; None if it has none."""
    return min(_ends(rules, began, pull_requests), default=None)


def _ends(rules: EventRules, began: datetime, pull_requests: Sequence[PullRequestFact]) -> Iterable[datetime]:
    if rules.days_to_pull_request is not None and not pull_requests:
        yield began + timedelta(days=rules.days_to_pull_request)
    if rules.days_of_silence is not None:
        touched = [p.touched_at or p.updated_at for p in pull_requests]
        yield max([began, *touched]) + timedelta(days=rules.days_of_silence)


def reminds_from(rules: EventRules, due_at: datetime) -> datetime:
    """From when on a reminder is due."""
    return due_at - timedelta(days=rules.reminder_days)


def expires_at(rules: EventRules, due_at: datetime, reminded_at: datetime) -> datetime:
    """When a claim runs out: the grace after its end has passed, and as much time since the reminder as was promised."""
    grace = timedelta(days=rules.grace_days)
    return max(due_at, reminded_at + timedelta(days=rules.reminder_days)) + grace
