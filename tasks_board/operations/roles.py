"""Who has which right in an event: granted and taken back by its organizers, never by a text.

Whoever changes mentors goes through `claims.operations.eligibility`, since reviews of mentors weigh in standings.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from portal import audit, locks
from portal.common.errors import DomainError
from portal.models import Person
from tasks_board import rights
from tasks_board.models import Event, EventRole, Task, TaskHelper
from tasks_board.operations import events


@transaction.atomic
def grant(
    *, event: Event, person: Person, role: EventRole.Role, acting_user: Person, now: datetime
) -> EventRole:
    """Give a right in the whole event. Raises NotAllowed, DomainError (only_a_name)."""
    rights.check_may_organize(event, acting_user)
    return events.grant_role(
        event=event, person=_account(person), role=role, acting_user=acting_user, now=now
    )


@transaction.atomic
def revoke(*, event: Event, granted: EventRole, acting_user: Person, now: datetime) -> None:
    """Take a right in the whole event back. An event keeps one organizer. Raises NotAllowed, DomainError: last_organizer."""
    rights.check_may_organize(event, acting_user)
    locks.lock_rows(Event.objects.filter(pk=event.pk).only("pk"))
    rights.check_may_organize(event, acting_user)  # somebody may have taken it from them while we waited
    found = EventRole.objects.filter(pk=granted.pk, event=event).select_related("person").first()
    if found is None:
        return
    others = event.roles.filter(role=EventRole.Role.ORGANIZER).exclude(person=found.person_id)
    if found.role == EventRole.Role.ORGANIZER and not others.exists():
        raise DomainError(
            "last_organizer", _("An event keeps at least one organizer. Grant it to somebody else first.")
        )
    found.delete()
    _note("tasks_board.role_revoked", event, found.person, found.role, acting_user, now)


@transaction.atomic
def grant_tasks(
    *,
    event: Event,
    person: Person,
    role: TaskHelper.Role,
    tasks: Sequence[Task],
    acting_user: Person,
    now: datetime,
) -> None:
    """Make somebody the mentor or assistant of single tasks. Raises NotAllowed, DomainError (only_a_name)."""
    rights.check_may_organize(event, acting_user)
    person = _account(person)
    granted = []
    for task in tasks:
        helper, _created = TaskHelper.objects.get_or_create(
            task=task, person=person, role=role, defaults={"in_table": False}
        )
        if helper.granted_at is None:
            helper.granted_by, helper.granted_at = acting_user, now
            helper.save(update_fields=["granted_by", "granted_at"])
            granted.append(task.number)
    if granted:
        _note("tasks_board.task_role_granted", event, person, role, acting_user, now, tasks=granted)


@transaction.atomic
def revoke_tasks(
    *, event: Event, person: Person, role: TaskHelper.Role, acting_user: Person, now: datetime
) -> None:
    """Take the right in single tasks back; a name that stands in the tables stays there, as a name. Raises NotAllowed."""
    rights.check_may_organize(event, acting_user)
    held = TaskHelper.objects.filter(task__event=event, person=person, role=role, granted_at__isnull=False)
    numbers = list(held.order_by("task__sort_key", "task_id").values_list("task__number", flat=True))
    if numbers:
        held.filter(in_table=False).delete()
        held.update(granted_at=None, granted_by=None)
        _note("tasks_board.task_role_revoked", event, person, role, acting_user, now, tasks=numbers)


def _account(person: Person) -> Person:
    """A bare name, or a program, can hold no right; of several accounts it is the one that counts."""
    person = person.canonical or person
    if not person.is_resolved or person.is_bot or person.is_portal:
        raise DomainError("only_a_name", _("A right needs a GitHub account of a person."))
    return person


def _note(
    action: str, event: Event, person: Person, role: str, acting_user: Person, now: datetime, **more: object
) -> None:
    audit.record(
        action,
        actor=acting_user,
        target=event,
        now=now,
        event_id=event.pk,
        data={"person": person.pk, "role": str(role), **more},
    )
