"""While a task is put aside the time of its claims stands still: their claimants are told, and begin anew when it goes on."""

from collections.abc import Iterable
from datetime import datetime

from claims import deadlines
from claims.evidence import Evidence, decision_fact
from claims.models import Decision
from claims.operations import telling
from claims.operations.decisions import record_decision
from claims.standing import Standing
from tasks_board.models import Task


def settle_pause(task: Task, state: str, results: Iterable[tuple[Evidence, Standing]], now: datetime) -> None:
    """Tell of a task that is put aside now, or goes on. `state`: its new one. What came to us put aside tells nobody.

    Whoever has a task that leaves the list hears that in words of its own (`telling.tell_removed`).
    """
    was_aside, is_aside = task.state in deadlines.PUT_ASIDE, state in deadlines.PUT_ASIDE
    if was_aside == is_aside or task.state_at is None:
        return
    for entry, result in results:
        if entry.is_shown and result.state in deadlines.ON_ITS_WAY:
            if was_aside:
                _begin_time_anew(entry, result, now)
            if state != Task.State.REMOVED:
                telling.tell_pause(entry.claim, state if is_aside else "resumed", now)


def _begin_time_anew(entry: Evidence, result: Standing, now: datetime) -> None:
    """Where it is the claimant's turn, as much time as a new claim has; it costs no renewal."""
    rules, work = entry.claim.task.event.rule_set, entry.pull_requests
    until = deadlines.end_of(rules, now, work)
    if until is None or deadlines.whose_turn(result.state, work) != "claimant":
        return
    key = f"rules:{entry.claim.pk}:resumed:{now.isoformat()}"
    record_decision(
        claim=entry.claim,
        kind=Decision.Kind.EXTENDED,
        at=now,
        decided_by=None,
        source=Decision.Source.RULES,
        key=key,
        until=until,
        now=now,
    )
    entry.decisions.append(decision_fact(Decision.objects.select_related("comment").get(key=key)))
