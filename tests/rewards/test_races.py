"""Two at once, with real threads and real commits."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction

from portal.models import Person
from rewards import guards, ledger, operations
from rewards.ledger import Line
from rewards.models import Account, Completion, LedgerEntry, Pool, Transaction
from tasks_board.models import Event
from tests.rewards import scenes
from tests.rewards.scenes import NOW, complete, held, make_task, pay, revoke

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite lets one write at a time"),
]


@pytest.fixture
def pool() -> Pool:
    return scenes.points()


@pytest.fixture
def event(pool: Pool) -> Event:
    event = scenes.make_event()
    pay(event, pool)
    return event


@pytest.fixture
def alice() -> Person:
    return scenes.make_person("alice", 1)


def at_once(*deeds: Callable[[], Any]) -> list[Any]:
    """Do all of them at the same moment, each with a connection of its own; what they returned or raised."""
    results: list[Any] = [None] * len(deeds)
    barrier = threading.Barrier(len(deeds))

    def run(index: int, deed: Callable[[], Any]) -> None:
        try:
            connection.ensure_connection()
            barrier.wait(timeout=10)
            results[index] = deed()
        except Exception as error:
            results[index] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(deeds)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    return results


def wait_until_somebody_waits() -> None:
    """Until another connection waits for a lock that ours holds."""
    deadline = time.monotonic() + 10
    with connection.cursor() as cursor:
        while time.monotonic() < deadline:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))"
            )
            if cursor.fetchone()[0]:
                return
            time.sleep(0.01)
    raise AssertionError("Nobody waits.")


@pytest.mark.parametrize("repeat", range(5))
def test_the_same_completion_twice_at_once_is_one_award(
    event: Event, pool: Pool, alice: Person, repeat: int
) -> None:
    task = make_task(event)
    first, second, third = at_once(*[lambda: complete(task, alice)] * 3)
    assert first == second == third
    assert Completion.objects.count() == Transaction.objects.count() == 1
    assert held(pool, alice) == 1_000


def test_two_tasks_of_one_newcomer_at_once_share_one_account(event: Event, pool: Pool, alice: Person) -> None:
    tasks = [make_task(event, str(number)) for number in range(4)]
    results = at_once(*[lambda task=task: complete(task, alice) for task in tasks])
    assert {type(result) for result in results} == {Completion}
    assert Account.objects.filter(person=alice).count() == 1
    assert held(pool, alice) == 4_000


def test_landing_and_reverting_at_once_end_in_one_of_the_two(event: Event, pool: Pool, alice: Person) -> None:
    task = make_task(event)
    complete(task, alice)
    results = at_once(
        lambda: revoke(task, alice),
        lambda: complete(task, alice, degree="partly"),
        lambda: revoke(task, alice),
    )
    assert not [result for result in results if isinstance(result, Exception)]
    assert Completion.objects.active().count() <= 1
    assert held(pool, alice) == 0  # a part earns nothing here
    assert list(guards.problems()) == []


def test_a_pool_that_comes_while_work_lands_pays_all_of_it_once(event: Event, alice: Person) -> None:
    stars = scenes.stars()
    tasks = [make_task(event, str(number)) for number in range(3)]
    for task in tasks:
        complete(task, alice)
    at_once(*[lambda: pay(event, stars)] * 2, lambda: revoke(tasks[0], alice))
    assert held(stars, alice) == 2_000
    assert list(guards.problems()) == []


def test_a_completion_that_is_just_being_recorded_is_paid_by_the_new_pool_too(
    event: Event, alice: Person
) -> None:
    stars, task = scenes.stars(), make_task(event)
    recorded = threading.Event()

    def record() -> None:
        with transaction.atomic():
            complete(task, alice)
            recorded.set()
            wait_until_somebody_waits()

    def set_reward() -> None:
        recorded.wait(timeout=10)
        pay(event, stars)

    at_once(record, set_reward)
    assert held(stars, alice) == 1_000
    assert list(guards.problems()) == []


def test_a_key_that_another_is_just_posting_is_waited_for(event: Event, pool: Pool, alice: Person) -> None:
    completion = complete(make_task(event, star_steps=1), alice)
    accounts = ledger.account_of(pool=pool), ledger.account_of(pool=pool, person=alice)

    def post() -> Transaction:
        return ledger.post(
            kind=Transaction.Kind.AWARD,
            key="bonus",
            lines=[Line(account=accounts[0], amount_steps=-5), Line(account=accounts[1], amount_steps=5)],
            at=NOW,
            now=NOW,
            completion=completion,
        )

    posted = threading.Event()

    def slower() -> Transaction:
        with transaction.atomic():
            mine = post()
            posted.set()
            wait_until_somebody_waits()
        return mine

    def faster() -> Transaction:
        posted.wait(timeout=10)
        return post()

    mine, theirs = at_once(slower, faster)
    assert mine == theirs
    assert Transaction.objects.filter(key="bonus").count() == 1
    assert held(pool, alice) == 1_005


def test_a_commit_that_does_not_balance_is_refused_whole(event: Event, pool: Pool, alice: Person) -> None:
    award = Transaction.objects.get(completion=complete(make_task(event), alice))
    stray = LedgerEntry(
        transaction=award,
        account=ledger.account_of(pool=pool, person=scenes.make_person("bob", 2)),
        pool=pool,
        amount_steps=7,
    )
    with pytest.raises(Exception, match="does not balance"):
        stray.save(force_insert=True)
    assert LedgerEntry.objects.count() == 2


def test_two_make_the_shared_pool_at_once() -> None:
    def get() -> Pool:
        return operations.get_or_create_pool(name="New", unit=Pool.Unit.STAR, acting_user=None, now=NOW)

    first, second = at_once(get, get)
    assert first == second
