"""What organizers note about people in an event: bans, invitations, who takes part unpaid. Nobody marks themselves."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from portal import audit
from portal.common.errors import NotAllowed
from portal.models import Person
from tasks_board import rights
from tasks_board.models import Event, EventMark


@transaction.atomic
def set_mark(
    *, event: Event, person: Person, kind: EventMark.Kind, acting_user: Person, now: datetime, note: str = ""
) -> EventMark:
    """Mark a person in an event; marking them again changes the note alone. Raises NotAllowed."""
    person = _check(event, person, acting_user)
    mark, created = EventMark.objects.get_or_create(
        event=event,
        person=person,
        kind=kind,
        lifted_at=None,
        defaults={"note": note, "set_by": acting_user, "set_at": now},
    )
    if created:
        _note("tasks_board.mark_set", mark, acting_user, now)
    elif note and note != mark.note:
        mark.note = note
        mark.save(update_fields=["note"])
        _note("tasks_board.mark_noted", mark, acting_user, now)
    return mark


@transaction.atomic
def lift_mark(
    *, event: Event, person: Person, kind: EventMark.Kind, acting_user: Person, now: datetime
) -> None:
    """Take a mark off a person; where there is none nothing changes. Raises NotAllowed."""
    person = _check(event, person, acting_user)
    for mark in EventMark.objects.filter(event=event, person=person, kind=kind, lifted_at=None):
        mark.lifted_at = now
        mark.save(update_fields=["lifted_at"])
        _note("tasks_board.mark_lifted", mark, acting_user, now)


def _check(event: Event, person: Person, acting_user: Person) -> Person:
    """The person behind the account; NotAllowed for anybody but an organizer, and for one's own marks."""
    rights.check_may_organize(event, acting_user)
    whole = person.canonical or person
    if whole.pk == acting_user.whole_id:
        raise NotAllowed("own_mark", _("Nobody marks themselves. Ask another organizer."))
    return whole


def _note(action: str, mark: EventMark, acting_user: Person, now: datetime) -> None:
    audit.record(
        action,
        actor=acting_user,
        target=mark,
        now=now,
        event_id=mark.event_id,
        data={"person": mark.person_id, "kind": mark.kind},
    )
