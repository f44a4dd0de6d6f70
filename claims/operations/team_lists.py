"""Registration lists as organizers take them in: whoever is invited into a team by it hears so."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from claims.operations import telling
from portal.models import Person
from tasks_board.models import Event
from tasks_board.operations import list_effects, registrations
from tasks_board.operations.list_effects import Effects, Settled
from tasks_board.operations.registrations import Entry


@transaction.atomic
def take_in_list(
    *, event: Event, entries: Sequence[Entry], effects: Effects, acting_user: Person, now: datetime
) -> Settled:
    """Take a list in, and tell whom it invites into teams. Raises NotAllowed, LockBusy."""
    done = registrations.take_in(
        event=event, entries=entries, effects=effects, acting_user=acting_user, now=now
    )
    return _told(done, acting_user, now)


@transaction.atomic
def settle_list(*, event: Event, effects: Effects, acting_user: Person, now: datetime) -> Settled:
    """Do again what the list leads to, and tell whom it invites into teams now. Raises NotAllowed, LockBusy."""
    done = list_effects.settle(event=event, effects=effects, acting_user=acting_user, now=now)
    return _told(done, acting_user, now)


def _told(done: Settled, acting_user: Person, now: datetime) -> Settled:
    for seat in done.invitations:
        telling.tell_invited(seat, acting_user, now)
    return done
