import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from portal.models import Person
from rewards import guards, ledger
from rewards.models import Completion, LedgerEntry, Pool, Transaction
from tasks_board.models import Task
from tests.rewards import scenes
from tests.rewards.scenes import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def pool() -> Pool:
    return scenes.points()


@pytest.fixture
def alice() -> Person:
    return scenes.make_person("alice", 1)


@pytest.fixture
def award(pool: Pool, alice: Person) -> Transaction:
    event = scenes.make_event()
    scenes.pay(event, pool)
    return Transaction.objects.get(completion=scenes.complete(scenes.make_task(event), alice))


@contextmanager
def unguarded() -> Iterator[None]:
    """As after a manipulation: the triggers are gone for a moment."""
    migration = importlib.import_module("rewards.migrations.0002_append_only")
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for statement in migration.dropping(connection.vendor):
            cursor.execute(statement)
        yield
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for statement in migration.making(connection.vendor):
            cursor.execute(statement)


def codes() -> list[str]:
    return [problem.code for problem in guards.problems()]


def test_it_says_that_all_is_well(award: Transaction) -> None:
    out = StringIO()
    call_command("check_ledger", stdout=out, skip_checks=True)
    assert out.getvalue() == "The ledger holds: 1 transactions, 2 lines, all in balance.\n"


def test_it_says_what_is_wrong_and_fails(award: Transaction) -> None:
    Completion.objects.update(revoked_at=NOW)
    errors = StringIO()
    with pytest.raises(CommandError, match="does not hold: 1 problems"):
        call_command("check_ledger", stderr=errors, skip_checks=True)
    assert "award_outlives_completion: Award" in errors.getvalue()


def test_missing_awards_are_found_and_posted_on_request(pool: Pool, alice: Person) -> None:
    event = scenes.make_event()
    scenes.pay(event, pool, per="star")
    scenes.complete(scenes.make_task(event), alice)
    assert codes() == []
    Task.objects.update(star_steps=2_000)
    assert codes() == ["award_missing"]
    out = StringIO()
    call_command("check_ledger", post_missing=True, stdout=out, skip_checks=True)
    assert out.getvalue().startswith("Posted 1 missing awards.\nThe ledger holds")
    assert scenes.held(pool, alice) == 2_000


def test_an_award_that_was_reversed_while_its_completion_holds_is_found(award: Transaction) -> None:
    ledger.reverse(posted=award, at=NOW, now=NOW)
    assert codes() == ["award_reversed_too_soon"]


def test_a_changed_line_is_found(award: Transaction) -> None:
    with unguarded():
        LedgerEntry.objects.filter(amount_steps__gt=0).update(amount_steps=9_000)
        assert [code for code in codes() if code != "trigger_missing"] == ["unbalanced"]


def test_a_lost_line_is_found(award: Transaction) -> None:
    with unguarded():
        LedgerEntry.objects.filter(amount_steps__gt=0).delete()
        assert {"unbalanced", "too_few_lines"} <= set(codes())


def test_a_line_in_another_pool_is_found(award: Transaction) -> None:
    with unguarded():
        LedgerEntry.objects.update(pool=scenes.stars())
        assert "wrong_pool" in codes()


def test_a_line_to_another_person_is_found(award: Transaction, pool: Pool) -> None:
    mallory = ledger.account_of(pool=pool, person=scenes.make_person("mallory", 666))
    with unguarded():
        LedgerEntry.objects.filter(amount_steps__gt=0).update(account=mallory)
        assert "award_to_another" in codes()


def test_a_reversal_that_is_no_mirror_is_found(award: Transaction) -> None:
    assert award.completion is not None
    reversal = ledger.reverse(posted=award, at=NOW, now=NOW)
    Completion.objects.update(revoked_at=NOW)
    assert codes() == []
    with unguarded():
        for entry in LedgerEntry.objects.filter(transaction=reversal):
            LedgerEntry.objects.filter(pk=entry.pk).update(amount_steps=entry.amount_steps * 2)
        assert "reversal_differs" in codes()


def test_a_team_holds_what_it_was_awarded(pool: Pool) -> None:
    event = scenes.make_event()
    scenes.pay(event, pool)
    scenes.complete(scenes.make_task(event), scenes.make_team(event))
    assert codes() == []


def test_missing_guards_are_found(award: Transaction) -> None:
    with unguarded():
        assert set(codes()) == {"trigger_missing"}
    assert codes() == []
