"""The kernel's jobs: one delivery, one message, and the sweeps that find what a lost wake-up left behind."""

from celery import shared_task

from portal import inbox, outbox
from portal.common import clock
from portal.github.connect import connect


@shared_task
def process_delivery(*, delivery_pk: int, **_: object) -> None:
    """Process one delivery."""
    inbox.process_delivery(delivery_pk, clock.now())


@shared_task
def drain_outbox_message(*, message_pk: int, **_: object) -> None:
    """Carry out one message."""
    outbox.drain_one(message_pk, connect, clock.now())


@shared_task
def sweep_inbox(**_: object) -> None:
    """Process the deliveries that are due. Done here, not sent on, so that sweeps never pile up in the queue."""
    for pk in inbox.sweep(clock.now()):
        inbox.process_delivery(pk, clock.now())


@shared_task
def sweep_outbox(**_: object) -> None:
    """Carry out the messages that are due. One that fails ends the run: GitHub may be away, and time is limited."""
    for pk in outbox.sweep(clock.now(), limit=20):
        if outbox.drain_one(pk, connect, clock.now()) is outbox.Drained.WILL_RETRY:
            break


@shared_task
def forget_old_deliveries(**_: object) -> None:
    """Delete what was processed long ago."""
    inbox.forget_old(clock.now())
