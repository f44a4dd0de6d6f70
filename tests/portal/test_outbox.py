"""Messages to GitHub: the newest wins, one sender at a time, and what GitHub cannot take now waits."""

import logging
from datetime import datetime, timedelta
from typing import Any

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from portal import outbox
from portal.common import transactions
from portal.github.errors import GitHubRefused, GitHubUnavailable, TokenMissing
from portal.github.gateway import Gateway
from portal.models import OutboxMessage, Person
from portal.outbox import Drained
from tests.portal.routes import Log

pytestmark = pytest.mark.django_db

SentJobs = list[tuple[str, dict[str, Any]]]
SECOND = timedelta(seconds=1)


def no_gateway() -> Gateway:
    return None  # type: ignore[return-value]  # the effect of these tests never looks at it


def enqueue(now: datetime, text: str = "hello", *, key: str = "k", **options: Any) -> OutboxMessage:
    return outbox.enqueue("send", key=key, payload={"text": text}, now=now, **options)


def drain(message: OutboxMessage, now: datetime) -> Drained:
    return outbox.drain_one(message.pk, no_gateway, now)


class TestEnqueue:
    def test_it_wakes_the_job_on_commit(
        self,
        now: datetime,
        sent_jobs: SentJobs,
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        from portal import jobs

        with django_capture_on_commit_callbacks(execute=True):
            message = enqueue(now)
        assert sent_jobs == [(jobs.drain_outbox_message.name, {"message_pk": message.pk})]

    def test_it_wakes_later_what_is_due_later(
        self,
        now: datetime,
        sent_jobs: SentJobs,
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            soon = enqueue(now, key="soon", not_before=now + 4 * SECOND)
            enqueue(now, key="late", not_before=now + timedelta(hours=1))
        assert sent_jobs == [(outbox.DRAIN_JOB, {"message_pk": soon.pk, "countdown": 4.0})]

    def test_the_newest_payload_wins_for_a_key(self, now: datetime) -> None:
        first, second = enqueue(now, "old"), enqueue(now, "new")
        assert first == second
        assert (second.payload, second.version) == ({"text": "new"}, 2)

    def test_other_keys_and_kinds_are_others(self, now: datetime) -> None:
        enqueue(now)
        enqueue(now, key="another")
        outbox.enqueue("send_by_name", key="k", now=now)
        assert OutboxMessage.objects.count() == 3

    def test_it_keeps_the_earlier_time(self, now: datetime) -> None:
        enqueue(now, not_before=now + 9 * SECOND)
        assert enqueue(now, not_before=now + 5 * SECOND).due_at == now + 5 * SECOND
        assert enqueue(now, not_before=now + 9 * SECOND).due_at == now + 5 * SECOND
        assert enqueue(now).due_at == now

    def test_it_does_not_shorten_the_pause_after_a_failure(self, now: datetime, log: Log) -> None:
        log.on_perform = unavailable
        message = enqueue(now)
        drain(message, now)
        assert enqueue(now + SECOND, "new").due_at == now + 5 * SECOND


class TestDrain:
    def test_it_plans_performs_records_and_deletes(self, now: datetime, log: Log) -> None:
        message = enqueue(now)
        assert drain(message, now) is Drained.SENT
        assert (log.performed, log.recorded) == ([{"text": "hello"}], ["sent hello"])
        assert not OutboxMessage.objects.exists()

    def test_it_performs_outside_of_any_transaction(self, now: datetime, log: Log) -> None:
        seen = []
        log.on_perform = lambda: seen.append(transactions.is_open())
        log.on_record = lambda: seen.append(transactions.is_open())
        drain(enqueue(now), now)
        assert seen == [False, True]

    def test_an_effect_may_be_routed_by_name(self, now: datetime, log: Log) -> None:
        message = outbox.enqueue("send_by_name", key="k", payload={"text": "x"}, now=now)
        assert drain(message, now) is Drained.SENT

    def test_nothing_to_do_deletes_it_without_a_call(self, now: datetime, log: Log) -> None:
        message = outbox.enqueue("send", key="k", payload={"skip": True}, now=now)
        assert drain(message, now) is Drained.NOTHING_TO_DO
        assert (log.performed, OutboxMessage.objects.count()) == ([], 0)

    def test_it_leaves_alone_what_is_not_due_or_gone(self, now: datetime, log: Log) -> None:
        message = enqueue(now, not_before=now + SECOND)
        assert drain(message, now) is Drained.NOT_DUE
        message.delete()
        assert outbox.drain_one(999, no_gateway, now) is Drained.NOT_DUE
        assert log.planned == []

    def test_a_plan_may_ask_for_another_time(self, now: datetime, log: Log) -> None:
        log.on_plan = lambda: outbox.Postpone(now + 3 * SECOND)
        message = enqueue(now)
        assert drain(message, now) is Drained.POSTPONED
        message.refresh_from_db()
        assert (message.due_at, message.taken_until, message.attempts) == (now + 3 * SECOND, None, 0)

    def test_what_became_newer_meanwhile_stays_and_is_due(self, now: datetime, log: Log) -> None:
        message = enqueue(now, "old")
        log.on_perform = lambda: enqueue(now, "new")
        assert drain(message, now) is Drained.SENT
        log.on_perform = lambda: None
        assert outbox.drain_due(now, no_gateway) == 1
        assert [plan["text"] for plan in log.performed] == ["old", "new"]
        assert not OutboxMessage.objects.exists()

    def test_it_asks_for_a_gateway_only_when_there_is_something_to_perform(
        self, now: datetime, log: Log
    ) -> None:
        def no_token() -> Gateway:
            raise TokenMissing

        idle = outbox.enqueue("send", key="idle", payload={"skip": True}, now=now)
        assert outbox.drain_one(idle.pk, no_token, now) is Drained.NOTHING_TO_DO
        busy = enqueue(now)
        assert outbox.drain_one(busy.pk, no_token, now) is Drained.WILL_RETRY
        busy.refresh_from_db()
        assert "GITHUB_TOKEN" in busy.last_error


def unavailable() -> None:
    raise GitHubUnavailable


class TestUnavailable:
    def test_the_pause_doubles_up_to_an_hour(self, now: datetime, log: Log) -> None:
        log.on_perform = unavailable
        message, pauses = enqueue(now), []
        for _ in range(12):
            assert drain(message, now) is Drained.WILL_RETRY
            message.refresh_from_db()
            pauses.append((message.due_at - now).total_seconds())
            now = message.due_at
        assert (pauses[:4], pauses[-1]) == ([5, 10, 20, 40], 3600)
        assert (message.attempts, message.taken_until) == (12, None)

    def test_github_may_say_how_long(self, now: datetime, log: Log) -> None:
        def limited() -> None:
            raise GitHubUnavailable(retry_after=77)

        log.on_perform = limited
        message = enqueue(now)
        drain(message, now)
        message.refresh_from_db()
        assert message.due_at == now + 77 * SECOND

    def test_success_after_failure_is_success(self, now: datetime, log: Log) -> None:
        log.on_perform = unavailable
        message = enqueue(now)
        drain(message, now)
        log.on_perform = lambda: None
        assert outbox.drain_due(now + 5 * SECOND, no_gateway) == 1
        assert not OutboxMessage.objects.exists()


class TestRefused:
    @pytest.fixture
    def refused(self, now: datetime, log: Log) -> OutboxMessage:
        def refuse() -> None:
            raise GitHubRefused(status=404, what="harbor/lantern#5")

        log.on_perform = refuse
        message = enqueue(now)
        assert drain(message, now) is Drained.REFUSED
        message.refresh_from_db()
        log.on_perform = lambda: None
        return message

    def test_it_is_kept_with_the_reason(self, refused: OutboxMessage, now: datetime) -> None:
        assert refused.refused_at == now
        assert "harbor/lantern#5" in refused.last_error
        assert outbox.sweep(now + timedelta(days=1)) == []

    def test_a_new_wish_gives_it_a_new_chance(self, refused: OutboxMessage, now: datetime) -> None:
        again = enqueue(now, "again")
        assert (again.refused_at, again.attempts, again.last_error) == (None, 0, "")
        assert drain(again, now) is Drained.SENT

    def test_the_admin_may_requeue_it(self, refused: OutboxMessage, now: datetime) -> None:
        outbox.requeue(refused.pk, now=now)
        assert outbox.drain_due(now, no_gateway) == 1

    def test_what_became_newer_meanwhile_is_tried(self, now: datetime, log: Log) -> None:
        def refuse() -> None:
            enqueue(now, "newer")
            raise GitHubRefused(status=422)

        log.on_perform = refuse
        message = enqueue(now)
        drain(message, now)
        assert outbox.sweep(now) == [message.pk]

    def test_a_bad_token_is_not_the_messages_fault(self, now: datetime, log: Log) -> None:
        def refuse() -> None:
            raise GitHubRefused(status=401)

        log.on_perform = refuse
        assert drain(enqueue(now), now) is Drained.WILL_RETRY


class TestUnexpected:
    def test_an_error_is_logged_noted_and_tried_again(
        self, now: datetime, log: Log, caplog: pytest.LogCaptureFixture
    ) -> None:
        log.on_perform = lambda: 1 / 0
        message = enqueue(now)
        with caplog.at_level(logging.ERROR):
            assert drain(message, now) is Drained.WILL_RETRY
        message.refresh_from_db()
        assert (message.attempts, message.last_error) == (1, "ZeroDivisionError: division by zero")
        assert "Traceback" in caplog.text

    def test_a_record_that_fails_leaves_nothing_behind_but_the_message(self, now: datetime, log: Log) -> None:
        log.on_record = lambda: 1 / 0
        message = enqueue(now)
        assert drain(message, now) is Drained.WILL_RETRY
        assert not Person.objects.exists()
        assert OutboxMessage.objects.filter(pk=message.pk, attempts=1).exists()

    def test_a_kind_without_effect_is_an_error_too(self, now: datetime, log: Log) -> None:
        assert drain(outbox.enqueue("unheard_of", key="k", now=now), now) is Drained.WILL_RETRY


class TestLease:
    def test_a_taken_message_is_left_alone_until_the_lease_ends(self, now: datetime, log: Log) -> None:
        message = enqueue(now)
        OutboxMessage.objects.update(taken_until=now + outbox.LEASE)
        assert drain(message, now) is Drained.NOT_DUE
        assert outbox.sweep(now) == []
        assert outbox.sweep(now + outbox.LEASE) == [message.pk]
        assert drain(message, now + outbox.LEASE) is Drained.SENT

    def test_the_lease_outlives_the_longest_job(self) -> None:
        from django.conf import settings

        assert outbox.LEASE.total_seconds() > settings.CELERY_TASK_TIME_LIMIT

    def test_enqueueing_while_it_is_taken_keeps_the_lease(self, now: datetime) -> None:
        enqueue(now)
        OutboxMessage.objects.update(taken_until=now + outbox.LEASE)
        enqueue(now, "newer")
        assert outbox.sweep(now) == []


def test_the_sweep_goes_by_due_time(now: datetime) -> None:
    late, early = enqueue(now - SECOND, key="late"), enqueue(now - 2 * SECOND, key="early")
    assert outbox.sweep(now) == [early.pk, late.pk]
    assert outbox.sweep(now, limit=1) == [early.pk]
