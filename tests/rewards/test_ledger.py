from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from portal.models import Person
from rewards import ledger
from rewards.ledger import KeyAlreadyPosted, Line, NotReversible, UnbalancedTransaction
from rewards.models import Account, LedgerEntry, Pool, Transaction
from tests.rewards import scenes
from tests.rewards.scenes import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def pool() -> Pool:
    return scenes.points()


@pytest.fixture
def alice() -> Person:
    return scenes.make_person("alice", 1)


def award(pool: Pool, person: Person, steps: int = 1_000, key: str = "") -> Transaction:
    event = scenes.make_event(f"event-{Transaction.objects.count()}")
    completion = scenes.complete(scenes.make_task(event), person)
    return ledger.post(
        kind=Transaction.Kind.AWARD,
        key=key or f"test:{completion.pk}",
        lines=lines(pool, person, steps),
        at=NOW,
        now=NOW,
        completion=completion,
    )


def lines(pool: Pool, person: Person, steps: int = 1_000) -> list[Line]:
    return [
        Line(account=ledger.account_of(pool=pool), amount_steps=-steps),
        Line(account=ledger.account_of(pool=pool, person=person), amount_steps=steps),
    ]


def committed() -> None:
    """Run what PostgreSQL puts off until the commit."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")


class TestPosting:
    def test_it_moves_steps_from_one_account_to_another(self, pool: Pool, alice: Person) -> None:
        posted = award(pool, alice)
        committed()
        assert scenes.balance(ledger.account_of(pool=pool)) == -1_000
        assert scenes.held(pool, alice) == 1_000
        assert posted.entries.count() == 2

    def test_an_account_without_lines_is_empty(self, pool: Pool, alice: Person) -> None:
        assert scenes.held(pool, alice) == 0

    def test_an_unresolved_name_has_an_account_like_anybody(self, pool: Pool) -> None:
        somebody = scenes.make_person("somebody-of-an-old-table")
        award(pool, somebody)
        assert scenes.held(pool, somebody) == 1_000

    def test_the_same_key_and_lines_are_posted_once(self, pool: Pool, alice: Person) -> None:
        first = award(pool, alice, key="once")
        again = ledger.post(
            kind=Transaction.Kind.AWARD,
            key="once",
            lines=lines(pool, alice),
            at=NOW,
            now=scenes.later(1),
            completion=first.completion,
        )
        assert again == first
        assert again.created_at == NOW
        assert scenes.held(pool, alice) == 1_000

    def test_the_same_key_with_other_lines_is_refused(self, pool: Pool, alice: Person) -> None:
        award(pool, alice, key="once")
        with pytest.raises(KeyAlreadyPosted):
            award(pool, alice, steps=2_000, key="once")
        assert scenes.held(pool, alice) == 1_000

    @pytest.mark.parametrize("steps", [(), (1,), (1, -2), (0, 0)])
    def test_lines_that_do_not_balance_are_refused(
        self, pool: Pool, alice: Person, steps: tuple[int, ...]
    ) -> None:
        accounts = [ledger.account_of(pool=pool), ledger.account_of(pool=pool, person=alice)]
        broken = [Line(account=account, amount_steps=n) for account, n in zip(accounts, steps, strict=False)]
        with pytest.raises(UnbalancedTransaction):
            ledger.post(kind=Transaction.Kind.AWARD, key="k", lines=broken, at=NOW, now=NOW)

    def test_an_account_stands_in_one_line_only(self, pool: Pool) -> None:
        account = ledger.account_of(pool=pool)
        twice = [Line(account=account, amount_steps=1), Line(account=account, amount_steps=-1)]
        with pytest.raises(UnbalancedTransaction):
            ledger.post(kind=Transaction.Kind.AWARD, key="k", lines=twice, at=NOW, now=NOW)

    def test_stars_do_not_balance_against_points(self, pool: Pool, alice: Person) -> None:
        mixed = [
            Line(account=ledger.account_of(pool=scenes.stars()), amount_steps=-1_000),
            Line(account=ledger.account_of(pool=pool, person=alice), amount_steps=1_000),
        ]
        with pytest.raises(UnbalancedTransaction):
            ledger.post(kind=Transaction.Kind.AWARD, key="k", lines=mixed, at=NOW, now=NOW)

    def test_an_award_names_its_completion(self, pool: Pool, alice: Person) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            ledger.post(kind=Transaction.Kind.AWARD, key="k", lines=lines(pool, alice), at=NOW, now=NOW)


class TestReversal:
    def test_it_is_the_mirror_image_and_points_back(self, pool: Pool, alice: Person) -> None:
        posted = award(pool, alice)
        reversal = ledger.reverse(posted=posted, at=scenes.later(1), now=scenes.later(2), memo="reverted")
        committed()
        assert scenes.held(pool, alice) == 0
        assert (reversal.reverses, reversal.completion) == (posted, posted.completion)
        assert (reversal.at, reversal.created_at, reversal.memo) == (
            scenes.later(1),
            scenes.later(2),
            "reverted",
        )

    def test_a_transaction_is_reversed_once(self, pool: Pool, alice: Person) -> None:
        posted = award(pool, alice)
        first = ledger.reverse(posted=posted, at=NOW, now=NOW)
        assert ledger.reverse(posted=posted, at=NOW, now=NOW) == first
        assert scenes.held(pool, alice) == 0

    def test_a_reversal_is_not_reversed(self, pool: Pool, alice: Person) -> None:
        reversal = ledger.reverse(posted=award(pool, alice), at=NOW, now=NOW)
        with pytest.raises(NotReversible):
            ledger.reverse(posted=reversal, at=NOW, now=NOW)


class TestAccounts:
    def test_each_owner_has_one_in_each_pool(self, pool: Pool, alice: Person) -> None:
        team = scenes.make_team(scenes.make_event())
        accounts = {
            ledger.account_of(pool=pool),
            ledger.account_of(pool=pool, person=alice),
            ledger.account_of(pool=pool, team=team),
            ledger.account_of(pool=scenes.stars(), person=alice),
        }
        assert len(accounts) == 4
        assert ledger.account_of(pool=pool, person=alice) in accounts
        assert {account.owner for account in accounts if account.pool == pool} == {pool, alice, team}

    @pytest.mark.parametrize("owner", ["pool", "person", "team"])
    def test_the_database_refuses_a_second_one(self, pool: Pool, alice: Person, owner: str) -> None:
        team = scenes.make_team(scenes.make_event())
        owners: dict[str, dict[str, Any]] = {"pool": {}, "person": {"person": alice}, "team": {"team": team}}
        who = owners[owner]
        ledger.account_of(pool=pool, **who)
        with pytest.raises(IntegrityError), transaction.atomic():
            Account.objects.create(pool=pool, **who)

    def test_nobody_owns_one_together_with_a_team(self, pool: Pool, alice: Person) -> None:
        team = scenes.make_team(scenes.make_event())
        with pytest.raises(IntegrityError, match="an_account_has_exactly_one_owner"), transaction.atomic():
            Account.objects.create(pool=pool, person=alice, team=team)

    def test_they_say_whose_they_are(self, pool: Pool, alice: Person) -> None:
        assert str(ledger.account_of(pool=pool)) == "Happy open source"
        assert str(ledger.account_of(pool=pool, person=alice)) == "alice in Happy open source"
        posted = award(pool, alice, key="words")
        assert str(posted) == "words"
        assert {str(entry)[:5] for entry in LedgerEntry.objects.filter(transaction=posted)} == {
            "+1000",
            "-1000",
        }
