"""Who did what: one entry per thing done, written in the transaction that did it."""

from datetime import datetime
from typing import Any

from django.db import models

from portal.models import AuditEntry, Person


def record(
    action: str,
    *,
    actor: Person | None,
    target: models.Model,
    now: datetime,
    event_id: int | None = None,
    data: dict[str, Any] | None = None,
) -> AuditEntry:
    """Note that `actor` (None: the system) did `action` to `target`. `data` holds plain JSON, never secrets."""
    return AuditEntry.objects.create(
        action=action,
        actor=actor,
        event_id=event_id,
        target_type=target._meta.label_lower,
        target_id=target.pk,
        data=data or {},
        at=now,
    )
