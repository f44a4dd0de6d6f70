import importlib

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from rewards import guards, ledger
from rewards.models import Account, LedgerEntry, Pool, Transaction
from tests.rewards import scenes
from tests.rewards.scenes import NOW

ON_POSTGRESQL = pytest.mark.skipif(connection.vendor != "postgresql", reason="PostgreSQL's own guards")
TABLES = ["rewards_transaction", "rewards_ledgerentry"]


@pytest.fixture
def award(db: None) -> Transaction:
    event = scenes.make_event()
    scenes.pay(event, scenes.points())
    completion = scenes.complete(scenes.make_task(event), scenes.make_person("alice", 1))
    return Transaction.objects.get(completion=completion)


def run(statement: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize("table", TABLES)
class TestChanges:
    @pytest.mark.parametrize("verb", ["UPDATE {} SET id = id", "DELETE FROM {}"])
    def test_a_line_once_written_is_neither_changed_nor_deleted(
        self, award: Transaction, table: str, verb: str
    ) -> None:
        with pytest.raises(IntegrityError, match="append-only"):
            run(verb.format(table))
        assert LedgerEntry.objects.filter(transaction=award).count() == 2

    @ON_POSTGRESQL
    def test_the_table_is_not_emptied(self, award: Transaction, table: str) -> None:
        run("SET CONSTRAINTS ALL IMMEDIATE")  # as after a commit: nothing is pending that would refuse it too
        with pytest.raises(IntegrityError, match="append-only"):
            run(f"TRUNCATE {table} CASCADE")
        assert LedgerEntry.objects.filter(transaction=award).count() == 2


class TestMeaning:
    def test_a_line_lies_in_the_pool_of_its_account(self, award: Transaction) -> None:
        account = ledger.account_of(pool=scenes.stars())
        with pytest.raises(IntegrityError, match="pool of its account"), transaction.atomic():
            LedgerEntry.objects.create(
                transaction=award, account=account, pool=scenes.points(), amount_steps=1
            )

    def test_an_account_keeps_its_owner(self, award: Transaction) -> None:
        with pytest.raises(IntegrityError, match="never change"), transaction.atomic():
            Account.objects.update(person=scenes.make_person("mallory", 666))

    def test_a_pool_keeps_its_unit_and_may_be_renamed(self, award: Transaction) -> None:
        with pytest.raises(IntegrityError, match="never change"), transaction.atomic():
            Pool.objects.update(scale=10)
        assert Pool.objects.update(name="Another name") == 1


@ON_POSTGRESQL
class TestBalanceAtCommit:
    def commit(self, row: LedgerEntry | Transaction) -> None:
        with transaction.atomic():
            row.save(force_insert=True)
            run("SET CONSTRAINTS ALL IMMEDIATE")

    def test_a_transaction_that_does_not_balance_is_refused(self, award: Transaction) -> None:
        third = ledger.account_of(pool=scenes.points(), person=scenes.make_person("bob", 2))
        line = LedgerEntry(transaction=award, account=third, pool=third.pool, amount_steps=1)
        with pytest.raises(IntegrityError, match="does not balance"):
            self.commit(line)

    def test_a_transaction_without_lines_is_refused(self, award: Transaction) -> None:
        empty = Transaction(key="empty", kind="award", completion=award.completion, at=NOW, created_at=NOW)
        with pytest.raises(IntegrityError, match="fewer than two lines"):
            self.commit(empty)

    def test_what_the_operations_write_passes(self, award: Transaction) -> None:
        ledger.reverse(posted=award, at=NOW, now=NOW)
        run("SET CONSTRAINTS ALL IMMEDIATE")


class TestGuards:
    @pytest.mark.parametrize("vendor", ["postgresql", "sqlite"])
    def test_the_check_knows_the_triggers_that_the_migration_makes(self, vendor: str) -> None:
        migration = importlib.import_module("rewards.migrations.0002_append_only")
        made = {
            words[words.index("TRIGGER") + 1]
            for words in (statement.split() for statement in migration.making(vendor))
            if "TRIGGER" in words
        }
        assert made == guards.TRIGGERS[vendor]

    def test_the_migration_can_be_taken_back_and_made_again(self, transactional_db: None) -> None:
        def migrate(name: str) -> None:
            MigrationExecutor(connection).migrate([("rewards", name)])

        migrate("0001_initial")
        try:
            assert {problem.code for problem in guards.problems()} == {"trigger_missing"}
        finally:
            call_command("migrate", "rewards", verbosity=0)  # up to the newest
        assert list(guards.problems()) == []

    def test_a_test_that_commits_is_cleaned_up_and_the_guards_stand_again(
        self, transactional_db: None
    ) -> None:
        event = scenes.make_event()
        scenes.pay(event, scenes.points())
        scenes.complete(scenes.make_task(event), scenes.make_person("alice", 1))
        call_command("flush", interactive=False, verbosity=0, inhibit_post_migrate=True)
        assert not LedgerEntry.objects.exists()
        assert list(guards.problems()) == []
