"""An event's life: open, closed, archived, and back; its phases.

Closed: nobody claims and nobody moves up in line; what happens at GitHub is read, counted and written as before, so that
work under way can be finished and judged. Archived: nothing is read and nothing is written any more. Both can be undone,
and nothing is lost by either.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from portal import audit, locks
from portal.common.errors import DomainError
from portal.models import Person
from tasks_board import rights
from tasks_board.models import Event, Phase

# From which state into which; a draft is opened by `events.publish_event`, and was never anybody's to see before.
STEPS: Mapping[str, tuple[str, ...]] = {
    Event.Status.RUNNING: (Event.Status.CLOSED,),
    Event.Status.CLOSED: (Event.Status.RUNNING, Event.Status.ARCHIVED),
    Event.Status.ARCHIVED: (Event.Status.CLOSED,),
}


@transaction.atomic
def set_status(*, event: Event, status: Event.Status, acting_user: Person, now: datetime) -> None:
    """Close an event, open it again, archive it, or take it out of the archive (closed). Raises NotAllowed, DomainError."""
    rights.check_may_organize(event, acting_user)
    locked = locks.lock_rows(Event.objects.filter(pk=event.pk))[0]
    if locked.status == status:
        return
    if status not in STEPS.get(locked.status, ()):
        raise DomainError(
            "no_such_step",
            _("The event cannot become that from what it is now: %(status)s.")
            % {"status": locked.get_status_display()},
        )
    before, locked.status = locked.status, status
    locked.save(update_fields=["status"])
    event.status = status
    audit.record(
        "tasks_board.event_status_changed",
        actor=acting_user,
        target=event,
        now=now,
        event_id=event.pk,
        data={"from": before, "to": status.value},
    )


@transaction.atomic
def save_phase(
    *, event: Event, phase: Phase | None, values: Mapping[str, Any], acting_user: Person, now: datetime
) -> Phase:
    """Add a phase behind the others, or change one. `values`: name, starts_at, ends_at, claims_open.

    Raises NotAllowed, DomainError (phase_name_taken, phase_ends_first).
    """
    rights.check_may_organize(event, acting_user)
    locks.lock_rows(Event.objects.filter(pk=event.pk).only("pk"))
    others = event.phases.all() if phase is None else event.phases.exclude(pk=phase.pk)
    if others.filter(name__iexact=values["name"]).exists():
        raise DomainError("phase_name_taken", _("There is a phase of that name already."), field="name")
    if values["starts_at"] and values["ends_at"] and values["ends_at"] <= values["starts_at"]:
        raise DomainError("phase_ends_first", _("A phase has to end after it begins."), field="ends_at")
    if phase is None:
        last = others.order_by("position").values_list("position", flat=True).last()
        phase = Phase(event=event, position=0 if last is None else last + 1)
    for name, value in values.items():
        setattr(phase, name, value)
    phase.save()
    _record("tasks_board.phase_changed", phase, acting_user, now)
    return phase


@transaction.atomic
def remove_phase(*, phase: Phase, acting_user: Person, now: datetime) -> None:
    """Take a phase out of the event. Raises NotAllowed."""
    rights.check_may_organize(phase.event, acting_user)
    _record("tasks_board.phase_removed", phase, acting_user, now)
    phase.delete()


def _record(kind: str, phase: Phase, acting_user: Person, now: datetime) -> None:
    said = {
        "name": phase.name,
        "starts_at": phase.starts_at.isoformat() if phase.starts_at else None,
        "ends_at": phase.ends_at.isoformat() if phase.ends_at else None,
        "claims_open": phase.claims_open,
    }
    audit.record(kind, actor=acting_user, target=phase.event, now=now, event_id=phase.event_id, data=said)
