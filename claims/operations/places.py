"""The places of a task and the line before them: what becomes free is granted in the order of asking, as a dated decision."""

from collections.abc import Sequence
from datetime import datetime

from claims.circumstances import rule_on
from claims.evidence import Evidence, decision_fact
from claims.models import Claim, Decision
from claims.operations.decisions import record_decision
from claims.standing import Standing
from portal import locks
from portal.models import Person
from tasks_board import schedule
from tasks_board.models import Event, Task, Team


def settle_places(task: Task, found: Sequence[Evidence], now: datetime) -> None:
    """Let people in line move up as far as there is room. The task is locked.

    Whoever may not move up now (a ban, the cap, no invitation any more, busy with another claim at this moment) keeps
    their place in the line.
    """
    results = [(entry, entry.derive(superseded_at=entry.superseded_at)) for entry in found]
    line = sorted(
        ((result.at, entry.claim.pk, entry) for entry, result in results if result.state == "waiting"),
        key=lambda place: place[:2],
    )
    if not line or not _moves(task, now):
        return
    free = _free(task, [result for _entry, result in results])
    for asked_at, _pk, entry in line:
        if free is not None and free <= 0:
            return
        if _may_move_up(entry.claim, now) and _promote(entry, asked_at, now):
            free = None if free is None else free - 1


def list_tasks_with_line() -> list[Task]:
    """The tasks of running events before which somebody waits."""
    waiting = Claim.objects.filter(standing=Claim.Standing.WAITING, shown=True).values("task")
    tasks = Task.objects.filter(pk__in=waiting, event__status=Event.Status.RUNNING)
    return list(tasks.select_related("event").order_by("pk"))


def _free(task: Task, results: Sequence[Standing]) -> int | None:
    capacity = task.capacity
    return None if capacity is None else capacity - sum(r.state in Claim.HOLDS_PLACE for r in results)


def _moves(task: Task, now: datetime) -> bool:
    """Whether the line moves: the event is on, and the task neither gone nor put aside."""
    is_on = task.event.status == Event.Status.RUNNING and not schedule.has_ended(task.event, now)
    return is_on and not task.is_removed and task.stated_mark not in ("deferred", "blocked")


def _may_move_up(claim: Claim, now: datetime) -> bool:
    """By the rules about the claimant, under their lock; it is not waited for, since the task is locked already."""
    person, team = claim.person, claim.team
    if team is not None:
        locked = bool(locks.try_lock_rows(Team.objects.filter(pk=team.pk)))
        people = [m.person for m in team.members.seated().select_related("person")]
    else:
        assert person is not None  # noqa: S101 (a constraint says so)
        locked = bool(locks.try_lock_rows(Person.objects.filter(pk=person.whole_id)))
        people = [person]
    if not locked or not people:
        return False
    return rule_on(claim, now).allows_claimant


def _promote(entry: Evidence, asked_at: datetime, now: datetime) -> bool:
    at, key = max(now, asked_at), f"rules:{entry.claim.pk}:promoted:{asked_at.isoformat()}"
    created = record_decision(
        claim=entry.claim,
        kind=Decision.Kind.PROMOTED,
        at=at,
        decided_by=None,
        source=Decision.Source.RULES,
        key=key,
        now=now,
    )
    if created:
        entry.decisions.append(decision_fact(Decision.objects.get(key=key)))
    return created
