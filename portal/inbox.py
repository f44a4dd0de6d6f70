"""What comes from GitHub: every webhook is a row first, processed afterwards, and processed once.

`receive` stores a delivery and wakes its job; `process_delivery` routes it inside one transaction. What failed waits,
longer each time, for the sweep. See docs/architecture.md.
"""

import logging
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import F, Q

from portal.common import backoff, texts, wake
from portal.github import routing
from portal.models import Delivery

logger = logging.getLogger(__name__)

PROCESS_JOB = "portal.jobs.process_delivery"
FIRST_RETRY = timedelta(seconds=5)
KEPT_FOR = timedelta(days=90)


@transaction.atomic
def receive(*, delivery_id: str, event: str, payload: dict[str, Any], now: datetime) -> Delivery:
    """Store a webhook and wake its job. GitHub's delivery id makes it idempotent.

    A redelivery of one that is still unprocessed makes it due at once; of a processed one, it changes nothing.
    """
    new = {"event": event, "payload": texts.storable(payload), "received_at": now}
    delivery, _ = Delivery.objects.get_or_create(delivery_id=delivery_id, defaults=new)
    if delivery.processed_at is None:
        requeue(delivery.pk, now=now)
    return delivery


def process_delivery(delivery_pk: int, now: datetime) -> bool:
    """Route one delivery, once; whether it was processed by this call.

    A handler's error undoes everything the handler did, and is logged and noted on the row with the time of the next
    attempt. False also if the delivery was processed before, or another worker holds it.
    """
    try:
        return _process(delivery_pk, now)
    except Exception as error:
        logger.exception("Delivery %s could not be processed.", delivery_pk)
        _note_failure(delivery_pk, error, now)
        return False


@transaction.atomic(durable=True)
def _process(delivery_pk: int, now: datetime) -> bool:
    skip = connection.features.has_select_for_update_skip_locked
    waiting = Delivery.objects.select_for_update(skip_locked=skip).filter(pk=delivery_pk, processed_at=None)
    delivery = waiting.first()
    if delivery is None:
        return False
    handler = routing.find_handler(delivery.event)
    if handler is not None:
        handler(delivery.payload, received_at=delivery.received_at, now=now)
    Delivery.objects.filter(pk=delivery_pk).update(processed_at=now, next_attempt_at=None, last_error="")
    return True


@transaction.atomic(durable=True)
def _note_failure(delivery_pk: int, error: Exception, now: datetime) -> None:
    waiting = Delivery.objects.filter(pk=delivery_pk, processed_at=None)
    waiting.update(attempts=F("attempts") + 1, last_error=f"{type(error).__name__}: {error}"[:2000])
    for delivery in waiting:
        pause = backoff.delay(delivery.attempts, first=FIRST_RETRY)
        waiting.update(next_attempt_at=now + pause)


def sweep(now: datetime, *, limit: int = 200) -> list[int]:
    """Primary keys of the deliveries that are due, oldest first."""
    due = Delivery.objects.filter(processed_at=None).filter(
        Q(next_attempt_at=None) | Q(next_attempt_at__lte=now)
    )
    return list(due.order_by("received_at", "pk").values_list("pk", flat=True)[:limit])


@transaction.atomic
def requeue(delivery_pk: int, *, now: datetime) -> None:
    """Try an unprocessed delivery again at once."""
    if Delivery.objects.filter(pk=delivery_pk, processed_at=None).update(next_attempt_at=now):
        wake.on_commit(PROCESS_JOB, delivery_pk=delivery_pk)


def forget_old(now: datetime) -> int:
    """Delete deliveries that were processed long ago; how many. What they told is in the domain's own tables."""
    return Delivery.objects.filter(processed_at__lt=now - KEPT_FOR).delete()[0]
