"""The rules of an event and of a task are changed by organizers; what follows for claims is settled in the same moment."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from claims.operations import standings
from claims.task_fields import check_watched, read_steps
from portal import audit, locks
from portal.common.errors import DomainError
from portal.models import Person
from tasks_board import rights
from tasks_board.models import Event, Task
from tasks_board.rules import EventRules, Preset


@transaction.atomic
def change_rules(
    *, event: Event, changes: Mapping[str, Any], acting_user: Person, now: datetime
) -> EventRules:
    """Change rules of the event; those not named stay, and only what differs from the preset is kept. Raises NotAllowed, DomainError (bad_rule, step_not_watched), LockBusy."""
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
    if "chain" in changes:
        check_watched(rules.chain, event)
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
    standings.recompute_tasks(tasks=tasks, now=now)
    return rules


@transaction.atomic
def change_task_chain(*, task: Task, text: str, acting_user: Person, now: datetime) -> Task:
    """Set what has to be merged for one task, as people write it; empty: as the event says. Raises NotAllowed, DomainError, LockBusy."""
    rights.check_may_organize(task.event, acting_user)
    chain = read_steps(text)
    [locked] = locks.lock_rows(Task.objects.filter(pk=task.pk).select_related("event"))
    check_watched(chain, locked.event)
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
