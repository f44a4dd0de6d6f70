"""Whoever touches several tasks locks them all, by key, before anything that others wait for."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from claims.models import Claim
from claims.operations import comments, issues, tables
from claims.operations.issues import Revision
from claims.operations.speaking import Written
from portal import locks
from portal.github import types
from tasks_board.models import Task, TrackingIssue
from tests.concurrency.test_claims import NOON, event

BODY = "| 序号 | 题目 | 认领人 |\n| - | - | - |\n| 1 | One | |\n| 2 | Two | |\n"


def issue() -> TrackingIssue:
    made = TrackingIssue.objects.create(event=event(), repository="o/r", number=7)
    issues.apply_issue_revision(tracking_issue=made, revision=Revision(BODY, NOON), now=NOON)
    TrackingIssue.objects.update(writing="on")
    made.refresh_from_db()
    return made


def comment_on(made: TrackingIssue, body: str) -> Callable[[], object]:
    author = types.Account(id=5, login="racer")
    fact = types.Comment(1, "o/r", 7, body, author, NOON, NOON)
    return lambda: comments.record_comment(tracking_issue=made, written=Written(fact), now=NOON)


def edit_of(made: TrackingIssue) -> Callable[[], object]:
    body = BODY.replace("One | ", "One | @a ").replace("Two | ", "Two | @b ")
    revision = Revision(body, NOON.replace(hour=13))
    return lambda: issues.apply_issue_revision(tracking_issue=made, revision=revision, now=NOON)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("change", [lambda i: comment_on(i, "/claim 1, 2"), edit_of], ids=["comment", "edit"])
def test_a_task_and_the_table_s_writing_are_never_waited_for_crosswise(
    change: Callable[[TrackingIssue], Callable[[], object]],
) -> None:
    """One holds task 2, as an event of its pull request does, and then wants the table written."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer at a time.")
    made = issue()
    run = change(made)

    def in_thread() -> object:
        try:
            return run()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            second = locks.lock_rows(Task.objects.filter(number="2"))[0]
            other = threads.submit(in_thread)
            time.sleep(0.7)  # it has come as far as it can
            assert not other.done()
            tables.request_write(task=Task.objects.get(pk=second.pk), now=NOON)
        other.result(timeout=10)
    assert Claim.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_comments_that_name_the_same_tasks_in_either_order_both_count() -> None:
    made = issue()
    barrier = threading.Barrier(2)

    def claim(account: int, body: str) -> object:
        author = types.Account(id=account, login=f"racer-{account}")
        fact = types.Comment(account, "o/r", 7, body, author, NOON, NOON)
        barrier.wait()
        try:
            return comments.record_comment(tracking_issue=made, written=Written(fact), now=NOON)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(claim, [1, 2], ["/claim 1, 2", "/claim 2, 1"]))
    assert Claim.objects.filter(standing="claimed").count() == 4
