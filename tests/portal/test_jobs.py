"""The jobs are thin, take keywords only, and are known to Celery and its beat."""

import threading
from datetime import datetime, timedelta

import pytest
from celery import current_app
from pytest_django import Settings

from portal import celery, inbox, jobs, outbox
from portal.github.errors import GitHubUnavailable
from portal.models import Delivery, OutboxMessage
from tests.portal.routes import Log

pytestmark = pytest.mark.django_db


def test_a_delivery_is_processed(now: datetime, log: Log) -> None:
    delivery = inbox.receive(delivery_id="d-1", event="issues", payload={"n": 1}, now=now)
    jobs.process_delivery(delivery_pk=delivery.pk, sent_by="a newer version")
    assert Delivery.objects.get().processed_at is not None


def test_a_message_is_sent(now: datetime, log: Log, settings: Settings) -> None:
    message = outbox.enqueue("send", key="k", now=now)
    jobs.drain_outbox_message(message_pk=message.pk, sent_by="a newer version")
    assert not OutboxMessage.objects.exists()


def test_a_sweep_leaves_off_when_github_is_away(now: datetime, log: Log) -> None:
    def away() -> None:
        raise GitHubUnavailable

    log.on_perform = away
    for key in "abc":
        outbox.enqueue("send", key=key, now=now)
    jobs.sweep_outbox()
    assert len(log.performed) == 1


def test_old_deliveries_are_forgotten(now: datetime, log: Log) -> None:
    inbox.process_delivery(inbox.receive(delivery_id="d", event="issues", payload={"n": 1}, now=now).pk, now)
    Delivery.objects.update(processed_at=now - timedelta(days=3650))
    jobs.forget_old_deliveries()
    assert not Delivery.objects.exists()


def test_the_app_finds_them(settings: Settings) -> None:
    celery.app.loader.import_default_modules()
    names = {"process_delivery", "drain_outbox_message", "sweep_inbox", "sweep_outbox"}
    assert {f"portal.jobs.{name}" for name in names} <= set(celery.app.tasks)


def test_it_is_the_app_of_every_thread() -> None:
    """A web server's threads wake jobs through `current_app`, which Celery keeps per thread."""
    seen = []
    thread = threading.Thread(target=lambda: seen.append(current_app.main))
    thread.start()
    thread.join()
    assert seen == ["regatta"]


def test_a_run_that_waited_too_long_is_skipped() -> None:
    for entry in celery.app.conf.beat_schedule.values():
        assert entry["options"]["expires"] <= entry["schedule"]


def test_a_broker_that_is_down_is_given_up_soon() -> None:
    assert celery.app.conf.broker_transport_options["max_retries"] == 0
