"""Marks of people in an event, with what follows for their rewards in the same transaction."""

from datetime import datetime

from django.db import transaction

from portal import locks
from portal.models import Person
from rewards import operations as rewards
from tasks_board.models import Event, EventMark, Task
from tasks_board.operations import marks


@transaction.atomic
def set_mark(
    *, event: Event, person: Person, kind: EventMark.Kind, acting_user: Person, now: datetime, note: str = ""
) -> EventMark:
    """Mark a person. Who takes part unpaid from now on keeps what they completed, and its awards are reversed.

    Raises NotAllowed, LockBusy.
    """
    mark = marks.set_mark(event=event, person=person, kind=kind, acting_user=acting_user, now=now, note=note)
    _settle(event, kind, now)
    return mark


@transaction.atomic
def lift_mark(
    *, event: Event, person: Person, kind: EventMark.Kind, acting_user: Person, now: datetime
) -> None:
    """Take a mark off. Who was unpaid is awarded what their completions earn. Raises NotAllowed, LockBusy."""
    marks.lift_mark(event=event, person=person, kind=kind, acting_user=acting_user, now=now)
    _settle(event, kind, now)


def _settle(event: Event, kind: EventMark.Kind, now: datetime) -> None:
    if kind == EventMark.Kind.UNPAID:
        locks.lock_rows(Task.objects.filter(event=event).only("pk"))
        rewards.award_outstanding(event=event, now=now)
