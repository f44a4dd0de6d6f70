"""Notices are seen, and forgotten once they are old."""

from datetime import datetime, timedelta

from django.db import transaction

from claims.mine import notices
from claims.models import Notice
from portal.models import Person

KEPT_FOR = timedelta(days=180)


@transaction.atomic
def mark_seen(*, person: Person, notice: Notice | None, now: datetime) -> int:
    """Mark one notice of the person as seen, or all of them; how many were new. Again: none."""
    new = notices.notices_of(person).filter(seen_at=None)
    if notice is not None:
        new = new.filter(pk=notice.pk)
    return new.update(seen_at=now)


def forget_old_notices(now: datetime) -> int:
    """Delete what was seen and is older than half a year; how many. What nobody has seen stays."""
    deleted, _by_model = Notice.objects.filter(seen_at__isnull=False, at__lt=now - KEPT_FOR).delete()
    return deleted
