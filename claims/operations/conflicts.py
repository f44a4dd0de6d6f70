"""Conflicts of tables, settled all at once."""

from datetime import datetime

from django.db import transaction

from claims.belonging import is_own
from claims.models import TableConflict
from claims.operations import deciding
from portal import locks
from portal.models import Person
from tasks_board import rights
from tasks_board.models import Event, Task


@transaction.atomic
def settle_all(*, event: Event, keep_ours: bool, acting_user: Person, now: datetime) -> tuple[int, int]:
    """One answer to every open conflict; how many it settled, and how many are left: own claims, for another organizer.

    Raises NotAllowed, LockBusy.
    """
    rights.check_may_organize(event, acting_user)
    opened = TableConflict.objects.filter(claim__task__event=event, settled_at=None)
    waiting = list(
        opened.select_related("claim__task__event", "claim__person", "claim__team").order_by(
            "claim__task_id", "pk"
        )
    )
    locks.lock_rows(Task.objects.filter(pk__in={conflict.claim.task_id for conflict in waiting}))
    left = 0
    for conflict in waiting:
        if is_own(conflict.claim, acting_user):
            left += 1
        else:
            deciding.settle_conflict(conflict=conflict, keep_ours=keep_ours, acting_user=acting_user, now=now)
    return len(waiting) - left, left
