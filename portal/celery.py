"""The Celery app: where jobs are found, and when the periodic ones run."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_init
from kombu.transport import TRANSPORT_ALIASES

from portal.common import memory

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings.local")

TRANSPORT_ALIASES["folder"] = "portal.common.folder_broker:Transport"

app = Celery("regatta")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(related_name="jobs")
app.set_default()  # in every thread, so that the kernel's wake-ups find the broker


@app.on_after_configure.connect
def give_up_soon(sender: Celery, **_: object) -> None:
    """A broker that is down or silent must not hold up a web request, whose row is stored: the sweep finds it later.

    kombu would try for six seconds, and wait for ever for one that takes connections and says nothing;
    GitHub waits ten for the answer to a webhook.
    """
    quick = {"max_retries": 0, "interval_start": 0, "socket_connect_timeout": 2, "socket_timeout": 2}
    sender.conf.broker_transport_options = {**quick, **sender.conf.broker_transport_options}


@worker_init.connect
def settle_memory(**_: object) -> None:
    """Everything is loaded, and no process is forked yet."""
    memory.settle()


def _every(seconds: int, job: str) -> dict[str, Any]:
    # A run that waited longer than its own period is skipped: the next one does the same work.
    return {"task": job, "schedule": seconds, "options": {"expires": seconds}}


app.conf.beat_schedule = {
    # Deliveries whose wake-up was lost (no broker, a killed worker) and those that wait for another attempt.
    "sweep-inbox": _every(5, "portal.jobs.sweep_inbox"),
    # The same for what goes to GitHub.
    "sweep-outbox": _every(5, "portal.jobs.sweep_outbox"),
    # GitHub does not redeliver failed webhooks: look whether an issue's body or comments moved on without us.
    "poll-tracking-issues": _every(120, "claims.jobs.poll_tracking_issues"),
    # And whether pull requests or reviews did.
    "reconcile-pull-requests": _every(300, "claims.jobs.reconcile_pull_requests"),
    # Time limits, where an event has them, and whoever in line could not move up when a place became free.
    "settle-deadlines": _every(600, "claims.jobs.settle_deadlines"),
    # What was seen half a year ago is of no use to anybody.
    "forget-old-notices": _every(86_400, "claims.jobs.forget_old_notices"),
    # Payloads are large, and nobody looks at old ones.
    "forget-old-deliveries": _every(86_400, "portal.jobs.forget_old_deliveries"),
}
