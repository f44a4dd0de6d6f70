"""Wake a job when the transaction has committed. The kernel knows jobs by name only, and imports none.

The row in the database is what counts: a wake-up that is lost (no broker, a killed worker) costs only time, because
the sweep finds the row. A broker that did not take one is left alone for a moment, so that nobody waits for it twice.
"""

import functools
import logging

from celery import current_app
from django.db import transaction

from portal.common.outage import Outage

logger = logging.getLogger(__name__)
outage = Outage()


def on_commit(job: str, *, countdown: float = 0, **kwargs: object) -> None:
    """Send the job of this name after the current transaction commits (at once if there is none)."""
    transaction.on_commit(functools.partial(_send, job, countdown, kwargs), robust=True)


def _send(job: str, countdown: float, kwargs: dict[str, object]) -> None:
    if outage.is_on:
        return
    try:
        current_app.send_task(job, kwargs=kwargs, countdown=countdown or None, retry=False)
    except Exception as error:
        # Every transport has its own errors, and none may fail a request whose row is stored.
        outage.begin()
        logger.warning("The broker did not take %s %s; the sweep will find the row. %s", job, kwargs, error)
