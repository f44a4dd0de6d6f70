"""Deliveries: stored once, processed once, and never lost."""

import logging
from datetime import datetime, timedelta
from typing import Any

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from portal import inbox
from portal.models import Delivery, Person
from tests.portal.routes import Log
from tests.services.deliveries import process_due

pytestmark = pytest.mark.django_db

SentJobs = list[tuple[str, dict[str, Any]]]


def receive(now: datetime, *, delivery_id: str = "d-1", event: str = "issues", **payload: Any) -> Delivery:
    return inbox.receive(delivery_id=delivery_id, event=event, payload={"n": 1, **payload}, now=now)


class TestReceive:
    def test_it_stores_the_delivery_and_wakes_its_job_on_commit(
        self,
        now: datetime,
        sent_jobs: SentJobs,
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            delivery = receive(now)
            assert sent_jobs == []
        assert sent_jobs == [("portal.jobs.process_delivery", {"delivery_pk": delivery.pk})]

    def test_the_job_it_wakes_exists(self) -> None:
        from portal import jobs

        assert jobs.process_delivery.name == inbox.PROCESS_JOB

    def test_a_redelivery_is_the_same_row(self, now: datetime) -> None:
        assert receive(now) == receive(now)
        assert Delivery.objects.count() == 1

    def test_a_redelivery_of_a_processed_one_changes_nothing(
        self,
        now: datetime,
        log: Log,
        sent_jobs: SentJobs,
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        delivery = receive(now)
        inbox.process_delivery(delivery.pk, now)
        with django_capture_on_commit_callbacks(execute=True):
            receive(now + timedelta(hours=1), n=2)
        assert (sent_jobs, len(log.events)) == ([], 1)
        assert Delivery.objects.get().received_at == now

    def test_a_redelivery_of_a_failed_one_makes_it_due(self, now: datetime, log: Log) -> None:
        log.on_event = lambda: 1 / 0
        delivery = receive(now)
        inbox.process_delivery(delivery.pk, now)
        assert inbox.sweep(now) == []
        receive(now)
        assert inbox.sweep(now) == [delivery.pk]

    def test_what_postgresql_cannot_store_is_taken_out(self, now: datetime) -> None:
        payload = {"te\0xt": ["a\0b", "half \ud83d pair", {"deep": "\0"}], "whole": "😀"}
        inbox.receive(delivery_id="d-1", event="issues", payload=payload, now=now)
        stored = Delivery.objects.get().payload
        assert stored == {"text": ["ab", "half \ufffd pair", {"deep": ""}], "whole": "😀"}


class TestProcess:
    def test_it_routes_and_marks(self, now: datetime, log: Log) -> None:
        delivery = receive(now)
        assert inbox.process_delivery(delivery.pk, now + timedelta(seconds=1))
        delivery.refresh_from_db()
        assert (log.events, delivery.processed_at) == ([{"n": 1}], now + timedelta(seconds=1))

    def test_again_changes_nothing(self, now: datetime, log: Log) -> None:
        delivery = receive(now)
        inbox.process_delivery(delivery.pk, now)
        assert not inbox.process_delivery(delivery.pk, now)
        assert len(log.events) == 1

    def test_an_event_that_nobody_cares_about_is_marked_too(self, now: datetime, log: Log) -> None:
        delivery = receive(now, event="star")
        assert inbox.process_delivery(delivery.pk, now)
        assert log.events == []

    def test_an_unknown_key_is_no_error(self, now: datetime, log: Log) -> None:
        assert not inbox.process_delivery(999, now)


class TestFailure:
    @pytest.fixture
    def failing(self, log: Log, now: datetime) -> Delivery:
        def fail() -> None:
            raise ValueError("the table has no head")

        log.on_event = fail
        return receive(now)

    def test_it_is_noted_logged_and_undone(
        self, failing: Delivery, now: datetime, caplog: pytest.LogCaptureFixture
    ) -> None:
        with caplog.at_level(logging.ERROR):
            assert not inbox.process_delivery(failing.pk, now)
        failing.refresh_from_db()
        assert failing.processed_at is None
        assert (failing.attempts, failing.last_error) == (1, "ValueError: the table has no head")
        assert "the table has no head" in caplog.text
        assert not Person.objects.filter(login="witness 1").exists()

    def test_the_pause_doubles_up_to_an_hour(self, failing: Delivery, now: datetime) -> None:
        pauses = []
        for _ in range(12):
            inbox.process_delivery(failing.pk, now)
            failing.refresh_from_db()
            assert failing.next_attempt_at is not None
            pauses.append((failing.next_attempt_at - now).total_seconds())
        assert pauses[:4] == [5, 10, 20, 40]
        assert pauses[-1] == 3600

    def test_the_sweep_finds_it_when_it_is_due(self, failing: Delivery, now: datetime, log: Log) -> None:
        inbox.process_delivery(failing.pk, now)
        assert process_due(now + timedelta(seconds=4)) == 0
        log.on_event = lambda: None
        assert process_due(now + timedelta(seconds=5)) == 1
        failing.refresh_from_db()
        assert (failing.last_error, failing.next_attempt_at) == ("", None)

    def test_one_that_fails_does_not_stop_the_others(self, failing: Delivery, now: datetime) -> None:
        other = receive(now, delivery_id="d-2", event="star")
        assert process_due(now) == 1
        other.refresh_from_db()
        assert other.processed_at == now


def test_old_ones_are_forgotten_once_processed(now: datetime, log: Log) -> None:
    receive(now - timedelta(days=100), delivery_id="waits")
    for days in (100, 80):
        then = now - timedelta(days=days)
        inbox.process_delivery(receive(then, delivery_id=f"d-{days}", n=days).pk, then)
    assert inbox.forget_old(now) == 1
    assert set(Delivery.objects.values_list("delivery_id", flat=True)) == {"waits", "d-80"}


def test_the_sweep_goes_by_age(now: datetime, log: Log) -> None:
    keys = [receive(now - timedelta(minutes=age), delivery_id=f"d-{age}", n=age).pk for age in (1, 3, 2)]
    assert inbox.sweep(now) == [keys[1], keys[2], keys[0]]
    assert process_due(now, limit=2) == 2
    assert [event["n"] for event in log.events] == [3, 2]
