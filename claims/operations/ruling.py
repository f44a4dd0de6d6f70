"""The rules of an event and of a task are changed by organizers; what follows for claims is settled in the same moment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from claims.operations import standings
from claims.task_fields import read_steps
from portal import audit, locks
from portal.common.errors import DomainError
from portal.models import Person
from tasks_board import rights
from tasks_board.models import Event, Task
from tasks_board.rules import EventRules, Preset


@dataclass(frozen=True, slots=True)
class TaskRules:
    """What holds for one task alone. None: as the event says. `requires`: tasks that have to be done first.

    Whether it needs a proposal is not among it: a table may carry that, so it is changed with the task's other fields.
    """

    places: int | None = None
    claims_open_at: datetime | None = None
    claims_close_at: datetime | None = None
    requires: Sequence[Task] = ()


@transaction.atomic
def change_rules(
    *, event: Event, changes: Mapping[str, Any], acting_user: Person, now: datetime
) -> EventRules:
    """Change rules of the event; those not named stay, and only what differs from the preset is kept. Raises NotAllowed, DomainError (bad_rule), LockBusy."""
    rights.check_may_organize(event, acting_user)
    tasks = locks.lock_rows(Task.objects.filter(event=event))
    event.refresh_from_db(fields=["rules", "kind"])
    stored = {**event.rules, **changes}
    try:
        rules = EventRules.from_json(Preset(event.kind), stored)
    except (TypeError, ValueError) as error:
        raise DomainError("bad_rule", _("This is not a rule that Regatta knows.")) from error
    problems = rules.list_problems()
    if problems:
        raise DomainError("bad_rule", _("This is not a rule that Regatta knows."), rules=problems)
    usual = EventRules.from_json(Preset(event.kind), {}).to_json()
    event.rules = {key: value for key, value in stored.items() if key not in usual or value != usual[key]}
    event.save(update_fields=["rules"])
    audit.record(
        "claims.rules_changed",
        actor=acting_user,
        target=event,
        now=now,
        event_id=event.pk,
        data={"changes": dict(changes)},
    )
    for task in tasks:
        standings.recompute_task(task=task, now=now)
    return rules


@transaction.atomic
def change_task_rules(*, task: Task, wanted: TaskRules, acting_user: Person, now: datetime) -> Task:
    """Set what holds for one task alone. Raises NotAllowed, DomainError, LockBusy."""
    rights.check_may_organize(task.event, acting_user)
    event_tasks = locks.lock_rows(Task.objects.filter(event=task.event_id).select_related("event"))
    task = next(found for found in event_tasks if found.pk == task.pk)
    _check(task, wanted, {found.pk for found in event_tasks})
    task.places = wanted.places
    task.claims_open_at, task.claims_close_at = wanted.claims_open_at, wanted.claims_close_at
    task.save(update_fields=["places", "claims_open_at", "claims_close_at"])
    task.requires.set(wanted.requires)
    audit.record(
        "claims.task_rules_changed",
        actor=acting_user,
        target=task,
        now=now,
        event_id=task.event_id,
        data={"places": wanted.places, "requires": [found.pk for found in wanted.requires]},
    )
    standings.recompute_task(task=task, now=now)
    return task


@transaction.atomic
def change_task_chain(*, task: Task, text: str, acting_user: Person, now: datetime) -> Task:
    """Set what has to be merged for one task, as people write it; empty: as the event says. Raises NotAllowed, DomainError, LockBusy."""
    rights.check_may_organize(task.event, acting_user)
    chain = read_steps(text)
    [locked] = locks.lock_rows(Task.objects.filter(pk=task.pk).select_related("event"))
    locked.chain = [step.to_json() for step in chain]
    locked.save(update_fields=["chain"])
    audit.record(
        "claims.task_chain_changed",
        actor=acting_user,
        target=locked,
        now=now,
        event_id=locked.event_id,
        data={"chain": locked.chain},
    )
    standings.recompute_task(task=locked, now=now)
    return locked


def _check(task: Task, wanted: TaskRules, known: set[int]) -> None:
    if wanted.places is not None and wanted.places < 1:
        raise DomainError("bad_places", _("A task has at least one place."))
    opens, closes = wanted.claims_open_at, wanted.claims_close_at
    if opens is not None and closes is not None and closes <= opens:
        raise DomainError("bad_window", _("Claiming has to end after it begins."))
    required = {found.pk for found in wanted.requires}
    if not required <= known:
        raise DomainError("other_event", _("Tasks depend on tasks of the same event."))
    if task.pk in _reached(task, required):
        raise DomainError("circular", _("These tasks would wait for each other."))


def _reached(task: Task, required: set[int]) -> set[int]:
    """Everything that has to be done before, through any number of steps."""
    needs: dict[int, set[int]] = {}
    edges = Task.requires.through._default_manager.filter(from_task__event=task.event_id)
    for source, target in edges.values_list("from_task", "to_task"):
        needs.setdefault(source, set()).add(target)
    reached: set[int] = set()
    waiting = list(required)
    while waiting:
        key = waiting.pop()
        if key not in reached:
            reached.add(key)
            waiting += needs.get(key, ())
    return reached
