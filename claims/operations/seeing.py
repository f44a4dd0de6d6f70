"""Notices are seen, by a button or by opening what they lead to, and forgotten once they are old."""

from datetime import datetime, timedelta

from django.db import transaction

from claims.mine import notices
from claims.models import Notice
from portal.models import Person
from tasks_board.models import Event, Task

KEPT_FOR = timedelta(days=180)


@transaction.atomic
def mark_seen(*, person: Person, notice: Notice | None, now: datetime) -> int:
    """Mark one notice of the person as seen, or all of them; how many were new. Again: none."""
    new = notices.notices_of(person).filter(seen_at=None)
    if notice is not None:
        new = new.filter(pk=notice.pk)
    return new.update(seen_at=now)


def see_page(
    *, person: Person | None, page: str, event: Event | None = None, task: Task | None = None, now: datetime
) -> None:
    """Whoever opens a page, in whatever way, has seen the notices that lead there. Opened again, nothing is written."""
    if person is None:
        return
    new = notices.unseen_at(person, page, event=event, task=task)
    if new.exists():
        new.update(seen_at=now)


def forget_old_notices(now: datetime) -> int:
    """Delete what was seen and is older than half a year; how many. What nobody has seen stays."""
    deleted, _by_model = Notice.objects.filter(seen_at__isnull=False, at__lt=now - KEPT_FOR).delete()
    return deleted
