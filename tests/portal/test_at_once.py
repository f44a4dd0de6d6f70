"""What several workers and requests do at the same moment, with real commits."""

import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from celery import Celery
from django.db import connection, transaction
from pytest_django import Settings

from portal import inbox, outbox
from portal.accounts import people
from portal.github.gateway import Gateway
from portal.github.types import Account
from portal.locks import LockBusy, lock_rows
from portal.models import Delivery, OutboxMessage, Person
from portal.outbox import Drained
from tests.portal.routes import Log
from tests.portal.threads import at_once
from tests.services.deliveries import process_due

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _database_for_threads(transactional_db: None) -> None:
    if connection.vendor == "sqlite" and "memory" in str(connection.settings_dict["NAME"]):
        pytest.skip("threads share an in-memory SQLite without waiting for each other")


def no_gateway() -> Gateway:
    return None  # type: ignore[return-value]  # the effect of these tests never looks at it


def test_the_same_delivery_five_times_is_processed_once(now: datetime, log: Log) -> None:
    log.on_event = lambda: time.sleep(0.05)

    def arrive(_: int) -> bool:
        delivery = inbox.receive(delivery_id="d-1", event="issues", payload={"n": 1}, now=now)
        return inbox.process_delivery(delivery.pk, now)

    assert sum(at_once(5, arrive)) == 1
    assert (len(log.events), Delivery.objects.count()) == (1, 1)
    assert Person.objects.filter(login="witness 1").count() == 1


def test_two_workers_send_a_message_once(now: datetime, log: Log) -> None:
    log.on_perform = lambda: time.sleep(0.1)
    message = outbox.enqueue("send", key="k", now=now)
    results = at_once(2, lambda _: outbox.drain_one(message.pk, no_gateway, now))
    assert sorted(results) == [Drained.NOT_DUE, Drained.SENT]
    assert len(log.performed) == 1


def test_a_wish_that_comes_while_the_old_one_is_sent_is_sent_afterwards(now: datetime, log: Log) -> None:
    message = outbox.enqueue("send", key="k", payload={"text": "old"}, now=now)
    is_sending, is_newer = threading.Event(), threading.Event()

    def wait() -> None:
        is_sending.set()
        assert is_newer.wait(10)

    log.on_perform = wait

    def work(index: int) -> None:
        if index == 0:
            outbox.drain_one(message.pk, no_gateway, now)
        else:
            assert is_sending.wait(10)
            outbox.enqueue("send", key="k", payload={"text": "new"}, now=now)
            is_newer.set()

    at_once(2, work)
    assert outbox.drain_due(now, no_gateway) == 1
    assert [plan["text"] for plan in log.performed] == ["old", "new"]
    assert not OutboxMessage.objects.exists()


def test_many_wishes_for_one_key_are_one_message(now: datetime) -> None:
    at_once(8, lambda index: outbox.enqueue("send", key="k", payload={"text": str(index)}, now=now))
    assert OutboxMessage.objects.get().version == 8


def test_a_person_seen_at_once_is_one_person(now: datetime) -> None:
    account = Account(id=7, login="alice")
    assert len(set(at_once(6, lambda _: people.remember(account, seen_at=now).pk))) == 1


def test_a_wish_of_a_transaction_that_fails_is_none(now: datetime) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        outbox.enqueue("send", key="k", now=now)
        raise ZeroDivisionError
    assert not OutboxMessage.objects.exists()


def test_without_a_broker_the_row_waits_for_the_sweep(
    now: datetime, log: Log, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from portal import celery

    down = Celery("down", broker="redis://127.0.0.1:1/0", set_as_current=False)
    down.conf.broker_transport_options = celery.app.conf.broker_transport_options
    monkeypatch.setattr("portal.common.wake.current_app", down)
    inbox.receive(delivery_id="d-1", event="issues", payload={"n": 1}, now=now)
    assert "the sweep will find the row" in caplog.text
    assert process_due(now) == 1


class TestTheDatabaseGoesAway:
    """The connection is cut in the middle: that is noted over another one, and the work is done later, once."""

    @pytest.fixture
    def cut(self) -> Callable[[], None]:
        if connection.vendor != "postgresql":
            pytest.skip("SQLite has no connection to lose")

        def cut() -> None:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_backend_pid()")
                [pid] = cursor.fetchone()

            def end(_index: int) -> None:
                with connection.cursor() as cursor:
                    cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])

            at_once(1, end)

        return cut

    @pytest.mark.parametrize("place", ["on_perform", "on_record"])
    def test_a_message_is_sent_later(
        self, now: datetime, log: Log, cut: Callable[[], None], place: str
    ) -> None:
        message = outbox.enqueue("send", key="k", payload={"text": "x"}, now=now)
        setattr(log, place, cut)
        assert outbox.drain_one(message.pk, no_gateway, now) is Drained.WILL_RETRY
        setattr(log, place, lambda: None)
        assert outbox.sweep(now) == []
        assert outbox.drain_one(message.pk, no_gateway, now + outbox.FIRST_RETRY) is Drained.SENT
        assert Person.objects.count() == 1
        assert not OutboxMessage.objects.exists()

    def test_a_delivery_is_processed_once(self, now: datetime, log: Log, cut: Callable[[], None]) -> None:
        delivery = inbox.receive(delivery_id="d-1", event="issues", payload={"n": 1}, now=now)
        log.on_event = cut
        assert not inbox.process_delivery(delivery.pk, now)
        log.on_event = lambda: None
        assert process_due(now) == 0
        assert process_due(now + inbox.FIRST_RETRY) == 1
        assert Person.objects.count() == 1


class TestLocks:
    @pytest.fixture
    def rows(self) -> list[int]:
        return [Person.objects.create(login=f"person {n}").pk for n in range(3)]

    def test_they_come_in_the_order_of_their_keys(self, rows: list[int]) -> None:
        with transaction.atomic():
            assert [row.pk for row in lock_rows(Person.objects.order_by("-login"))] == rows

    def test_they_want_a_transaction(self, rows: list[int]) -> None:
        with pytest.raises(transaction.TransactionManagementError):
            lock_rows(Person.objects.all())

    def test_who_waits_too_long_is_told(self, rows: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
        if connection.vendor != "postgresql":
            pytest.skip("SQLite has one writer at a time and waits by its own timeout")
        monkeypatch.setattr("portal.locks.LONGEST_WAIT", "200ms")
        is_locked, is_told = threading.Event(), threading.Event()

        def work(index: int) -> None:
            with transaction.atomic():
                if index == 0:
                    lock_rows(Person.objects.all())
                    is_locked.set()
                    assert is_told.wait(10)
                    return
                assert is_locked.wait(10)
                with pytest.raises(LockBusy):
                    lock_rows(Person.objects.filter(pk=rows[1]))
                is_told.set()
                transaction.set_rollback(True)

        at_once(2, work)

    def test_the_short_patience_ends_with_the_lock(self, rows: list[int]) -> None:
        if connection.vendor != "postgresql":
            pytest.skip("only PostgreSQL has lock_timeout")
        with transaction.atomic(), connection.cursor() as cursor:
            lock_rows(Person.objects.all())
            cursor.execute("SHOW lock_timeout")
            assert cursor.fetchone() == ("0",)


def test_a_lost_wake_up_costs_only_time(now: datetime, log: Log, settings: Settings) -> None:
    """Nobody ran the jobs that were sent: beat's sweeps do the same work."""
    from portal import jobs

    inbox.receive(delivery_id="d-1", event="issues", payload={"n": 1}, now=now)
    outbox.enqueue("send", key="k", now=now - timedelta(days=300))
    settings.GITHUB_TOKEN = "token"
    jobs.sweep_inbox()
    jobs.sweep_outbox()
    assert (len(log.events), len(log.performed)) == (1, 1)
