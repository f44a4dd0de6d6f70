"""Where every way in ends: the standings of a task's claims and its state are derived anew and stored.

Completions are written in the same transaction, through rewards; a table that no longer says what holds is put on the
outbox. Running it again changes nothing.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from django.db import transaction

from claims import deadlines, evidence, standing
from claims.evidence import Evidence
from claims.models import Decision
from claims.operations import aside, places, tables, telling, twice
from claims.operations.telling import Before
from portal import audit, locks
from rewards import operations as rewards
from rewards.models import Completion
from rewards.rules import Split
from tasks_board import rights
from tasks_board.models import Task, TrackingIssue
from tasks_board.operations.states import set_task_state


@transaction.atomic
def recompute_task(*, task: Task, now: datetime) -> None:
    """Derive the standings of all claims of a task, and its state, under the task's lock."""
    recompute_tasks(tasks=[task], now=now)


@transaction.atomic
def recompute_tasks(*, tasks: Collection[Task], now: datetime) -> None:
    """The same for several tasks, locked in the order of their keys; what they share is read once."""
    locked = locks.lock_rows(Task.objects.filter(pk__in=[task.pk for task in tasks]).select_related("event"))
    deciders = {
        pk: rights.deciders(event) for pk, event in {task.event_id: task.event for task in locked}.items()
    }
    issues = TrackingIssue.objects.defer("body", "agreed_body", "configuration").in_bulk(
        {task.tracking_issue_id for task in locked if task.tracking_issue_id}
    )
    may_decide = {
        task.pk: deciders[task.event_id][0] | deciders[task.event_id][1].get(task.pk, set())
        for task in locked
    }
    found = evidence.gather(locked, may_decide)
    completions = _completions(locked)
    for task in locked:
        if task.tracking_issue_id:
            task.tracking_issue = issues[task.tracking_issue_id]
        _settle_first_merged(task, found[task.pk], now)
        if twice.give_way(found[task.pk], now):
            found |= evidence.gather([task], may_decide)
            _settle_first_merged(task, found[task.pk], now)
        _recompute(task, found[task.pk], completions[task.pk], now)


Held = Mapping[
    tuple[int | None, int | None], tuple[str, Split]
]  # degree and split of completions by person and team


def _recompute(task: Task, found: Sequence[Evidence], held: Held, now: datetime) -> None:
    places.settle_places(task, found, now)
    results = [(entry, entry.derive(superseded_at=entry.superseded_at)) for entry in found]
    winner = standing.first_finished((entry.claim.pk, result) for entry, result in results)
    shown = [result for entry, result in results if entry.is_shown]
    state = standing.derive_task_state(shown, stated_mark=task.stated_mark, removed=task.is_removed)
    aside.settle_pause(task, state, results, now)
    for entry, result in results:
        before = Before.of(entry.claim)
        _store(task, entry, result, state, now)
        completion = _credit(task, entry, result, held, now)
        telling.tell_change(before, entry.claim, result, completion, winner=winner, now=now)
    is_new = _store_task_state(task, state, max((r.at for r in shown), default=now), now)
    if is_new and state == Task.State.REMOVED:
        telling.tell_removed(task, [entry.claim for entry in found if entry.claim.shown], now)
    tables.request_write(task=task, now=now)


def _settle_first_merged(task: Task, found: Sequence[Evidence], now: datetime) -> None:
    """First merged wins: decide, dated, which claims another one has overtaken, and lift that when it no longer holds."""
    if not task.event.rule_set.first_merged_wins:
        return
    free = [(entry, entry.derive(superseded_at=None)) for entry in found]
    winner = standing.first_finished((entry.claim.pk, result) for entry, result in free)
    won = next((result for entry, result in free if entry.claim.pk == winner), None)
    won_at = won.at if won else None
    for entry, result in free:
        accepted = result.state == "done" and result.basis is standing.Basis.DECISION
        accepted = accepted or _is_part_of_it(result, won_at) or _is_same_work(result, won)
        loses = winner not in (None, entry.claim.pk) and not accepted and result.state not in standing.GONE
        wanted = won_at if loses else None
        if (wanted is None) != (entry.superseded_at is None):
            _decide_by_rules(entry, "superseded" if loses else "restored", wanted or now)
            entry.superseded_at = wanted


def _is_part_of_it(result: standing.Standing, won_at: datetime | None) -> bool:
    """A part that was finished before the whole was stays finished."""
    return result.state == "partly_done" and result.is_credited and won_at is not None and result.at <= won_at


def _is_same_work(result: standing.Standing, won: standing.Standing | None) -> bool:
    """Whoever is credited for the very merge that won shares it."""
    of_facts = result.state == "done" and result.basis is standing.Basis.FACT
    return of_facts and won is not None and (result.at, result.about) == (won.at, won.about)


def _decide_by_rules(entry: Evidence, kind: str, at: datetime) -> None:
    entry.rule_decisions += 1
    Decision.objects.create(
        claim=entry.claim,
        kind=Decision.Kind(kind),
        at=at,
        source=Decision.Source.RULES,
        key=f"rules:{entry.claim.pk}:{entry.rule_decisions}",
    )


def _store(task: Task, entry: Evidence, result: standing.Standing, state: str, now: datetime) -> None:
    claim = entry.claim
    before = claim.standing
    turn = deadlines.whose_turn(result.state, entry.pull_requests, task_state=state)
    wanted = {
        "standing": result.state,
        "standing_at": result.at,
        "basis": result.basis.value,
        "reason": {"code": result.reason, "about": result.about},
        "doubts": [{"code": d.code, "about": d.about, "at": d.at.isoformat()} for d in result.doubts],
        "shown": entry.is_shown,
        "turn": turn,
        "due_at": entry.clock(task.event.rule_set, turn=turn).due_at,
    }
    changed = [name for name, value in wanted.items() if getattr(claim, name) != value]
    for name in changed:
        setattr(claim, name, wanted[name])
    if changed:
        claim.save(update_fields=changed)
    if before != result.state:
        audit.record(
            "claims.standing_changed",
            actor=None,
            target=claim,
            now=now,
            event_id=task.event_id,
            data={"from": before, "to": result.state, "task": task.pk, "reason": result.reason},
        )


def _completions(tasks: Sequence[Task]) -> Mapping[int, Held]:
    """The completions that hold, by task."""
    found: dict[int, dict[tuple[int | None, int | None], tuple[str, Split]]] = defaultdict(dict)
    for completion in Completion.objects.active().filter(task__in=tasks):
        whose = completion.person_id, completion.team_id
        found[completion.task_id][whose] = completion.degree, completion.split
    return found


def _credit(
    task: Task,
    entry: Evidence,
    result: standing.Standing,
    held: Held,
    now: datetime,
) -> Completion | None:
    """A finished standing has its completion, any other has none. Returns the one that was recorded or revoked."""
    claim, split = entry.claim, entry.split()
    degree = Completion.Degree.DONE if result.state == "done" else Completion.Degree.PARTLY
    wanted = (degree, split) if result.is_credited else None
    if held.get((claim.person_id, claim.team_id)) == wanted:
        return None
    if result.is_credited:
        return rewards.record_completion(
            task=task,
            person=claim.person,
            team=claim.team,
            degree=degree,
            completed_at=result.at,
            evidence={"basis": result.basis.value, "reason": result.reason, "about": result.about},
            acting_user=None,
            now=now,
            split=split,
        )
    return rewards.revoke_completion(
        task=task, person=claim.person, team=claim.team, reason=result.reason, now=now
    )


def _store_task_state(task: Task, state: str, at: datetime, now: datetime) -> bool:
    """Whether it is another one than before."""
    is_new = set_task_state(task=task, state=state, at=at)
    if is_new:
        audit.record(
            "tasks_board.task_state_changed",
            actor=None,
            target=task,
            now=now,
            event_id=task.event_id,
            data={"to": state},
        )
    return is_new
