import pytest
from django.db import IntegrityError, transaction

from portal.models import AuditEntry, Person
from rewards import guards, ledger, operations
from rewards.models import Completion, LedgerEntry, Pool, Transaction
from tasks_board.models import Event, Task
from tests.rewards import scenes
from tests.rewards.scenes import NOW, complete, held, later, make_task, pay, revoke

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return scenes.make_event()


@pytest.fixture
def pool() -> Pool:
    return scenes.points()


@pytest.fixture
def task(event: Event) -> Task:
    return make_task(event, star_steps=500)


@pytest.fixture
def alice() -> Person:
    return scenes.make_person("alice", 1)


def no_problems() -> bool:
    return list(guards.problems()) == []


class TestRecording:
    def test_a_completion_earns_a_point_from_the_events_pool(
        self, event: Event, pool: Pool, task: Task, alice: Person
    ) -> None:
        pay(event, pool)
        completion = operations.record_completion(
            task=task,
            person=alice,
            degree=Completion.Degree.DONE,
            completed_at=NOW,
            evidence=scenes.PULL,
            acting_user=alice,
            now=later(1),
        )
        assert held(pool, alice) == 1_000
        posted = Transaction.objects.get(completion=completion)
        assert (posted.at, posted.created_at) == (NOW, later(1))
        assert (completion.sequence, completion.evidence, completion.recorded_by) == (1, scenes.PULL, alice)
        assert Completion.objects.active().get(task=task) == completion
        assert no_problems()

    def test_it_is_audited_with_who_and_what(self, event: Event, task: Task, alice: Person) -> None:
        completion = complete(task, alice)
        entry = AuditEntry.objects.get(action="rewards.completion_recorded")
        assert (entry.target_id, entry.event_id, entry.at) == (completion.pk, event.pk, NOW)
        assert entry.data == {"task": task.pk, "degree": "done", "person": alice.pk, "team": None}

    def test_each_pool_pays_by_its_own_measure(
        self, event: Event, pool: Pool, task: Task, alice: Person
    ) -> None:
        stars = scenes.stars()
        pay(event, pool, "1")
        pay(event, stars, "1", per="star")
        complete(task, alice)
        assert held(pool, alice) == 1_000
        assert held(stars, alice) == 500

    def test_a_pool_is_shared_by_events(self, event: Event, pool: Pool, task: Task, alice: Person) -> None:
        camp = scenes.make_event("camp")
        pay(event, pool, "1")
        pay(camp, pool, "2")
        complete(task, alice)
        complete(make_task(camp), alice)
        assert held(pool, alice) == 3_000

    def test_a_team_is_awarded_as_one(self, event: Event, pool: Pool, task: Task) -> None:
        team = scenes.make_team(event)
        pay(event, pool)
        completion = complete(task, team)
        assert completion.claimant == team
        assert held(pool, team) == 1_000

    @pytest.mark.parametrize(("amount", "per", "star_steps"), [("0", "task", 500), ("1", "star", None)])
    def test_what_earns_nothing_posts_nothing(
        self,
        event: Event,
        pool: Pool,
        task: Task,
        alice: Person,
        amount: str,
        per: str,
        star_steps: int | None,
    ) -> None:
        pay(event, pool, amount, per=per)
        Task.objects.update(star_steps=star_steps)
        assert complete(task, alice).is_active
        assert not Transaction.objects.exists()

    def test_the_stars_that_count_are_those_in_the_database(
        self, event: Event, pool: Pool, task: Task, alice: Person
    ) -> None:
        pay(event, pool, per="star")
        Task.objects.update(star_steps=2_000)
        complete(task, alice)
        assert held(pool, alice) == 2_000

    def test_the_same_again_changes_nothing(
        self, event: Event, pool: Pool, task: Task, alice: Person
    ) -> None:
        pay(event, pool)
        first = complete(task, alice)
        assert complete(task, alice, at=later(5), now=later(6)) == first
        assert held(pool, alice) == 1_000
        assert AuditEntry.objects.filter(action="rewards.completion_recorded").count() == 1

    def test_two_may_complete_the_same_task(
        self, event: Event, pool: Pool, task: Task, alice: Person
    ) -> None:
        bob = scenes.make_person("bob", 2)
        pay(event, pool)
        complete(task, alice)
        complete(task, bob)
        assert (held(pool, alice), held(pool, bob)) == (1_000, 1_000)

    def test_somebody_completes_it_and_only_one(self, event: Event, task: Task, alice: Person) -> None:
        team = scenes.make_team(event)
        for who in ({}, {"person": alice, "team": team}):
            with pytest.raises(ValueError, match="by a person or by a team"):
                operations.revoke_completion(task=task, reason="", now=NOW, **who)  # type: ignore[arg-type]
            with pytest.raises(ValueError, match="by a person or by a team"):
                operations.record_completion(
                    task=task,
                    degree=Completion.Degree.DONE,
                    completed_at=NOW,
                    evidence={},
                    acting_user=None,
                    now=NOW,
                    **who,  # type: ignore[arg-type]
                )

    def test_an_unknown_degree_is_refused(self, task: Task, alice: Person) -> None:
        with pytest.raises(ValueError, match="almost"):
            complete(task, alice, degree="almost")

    def test_an_award_that_fails_leaves_no_completion(
        self, event: Event, pool: Pool, task: Task, alice: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pay(event, pool)

        def fail(**_: object) -> None:
            raise ConnectionError

        monkeypatch.setattr(ledger, "post", fail)
        with pytest.raises(ConnectionError):
            complete(task, alice)
        assert not Completion.objects.exists()
        assert not AuditEntry.objects.filter(action="rewards.completion_recorded").exists()


class TestDegrees:
    def test_partly_becomes_done_with_the_full_award(
        self, event: Event, pool: Pool, task: Task, alice: Person
    ) -> None:
        pay(event, pool, "10", partly_percent=30)
        first = complete(task, alice, degree="partly")
        assert held(pool, alice) == 3_000
        second = complete(task, alice, degree="done", at=later(2), now=later(2))
        first.refresh_from_db()
        assert held(pool, alice) == 10_000
        assert (first.revoked_at, first.revoked_reason) == (later(2), "degree_changed")
        assert (second.sequence, second.is_active) == (2, True)
        assert no_problems()

    def test_done_may_turn_out_to_be_partly(
        self, event: Event, pool: Pool, task: Task, alice: Person
    ) -> None:
        pay(event, pool, "10", partly_percent=30)
        complete(task, alice)
        complete(task, alice, degree="partly", now=later(1))
        assert held(pool, alice) == 3_000
        assert no_problems()


class TestRevoking:
    def test_the_award_is_reversed_with_the_reason(
        self, event: Event, pool: Pool, task: Task, alice: Person
    ) -> None:
        pay(event, pool)
        completion = complete(task, alice)
        assert revoke(task, alice, reason="reverted", now=later(1)) == completion
        completion.refresh_from_db()
        assert (completion.revoked_at, completion.revoked_reason) == (later(1), "reverted")
        assert held(pool, alice) == 0
        assert Transaction.objects.get(kind="reversal").memo == "reverted"
        assert AuditEntry.objects.get(action="rewards.completion_revoked").data["reason"] == "reverted"
        assert no_problems()

    def test_again_changes_nothing(self, event: Event, pool: Pool, task: Task, alice: Person) -> None:
        pay(event, pool)
        complete(task, alice)
        revoke(task, alice)
        assert revoke(task, alice) is None
        assert Transaction.objects.count() == 2

    def test_what_was_never_completed_is_not_revoked(self, task: Task, alice: Person) -> None:
        assert revoke(task, alice) is None

    def test_landing_again_awards_again(self, event: Event, pool: Pool, task: Task, alice: Person) -> None:
        pay(event, pool)
        complete(task, alice)
        revoke(task, alice, now=later(1))
        again = complete(task, alice, at=later(2), now=later(2))
        amounts = LedgerEntry.objects.filter(account__person=alice).order_by("pk")
        assert [entry.amount_steps for entry in amounts] == [1_000, -1_000, 1_000]
        assert again.sequence == 2
        assert no_problems()

    def test_it_takes_back_what_was_paid_not_what_would_be_paid_now(
        self, event: Event, pool: Pool, task: Task, alice: Person
    ) -> None:
        pay(event, pool, "1")
        complete(task, alice)
        pay(event, pool, "5")
        revoke(task, alice)
        assert held(pool, alice) == 0


class TestConstraints:
    @pytest.mark.parametrize(
        ("values", "name"),
        [
            ({"sequence": 2}, "one_active_completion_per_task_and_person"),
            ({"revoked_at": NOW}, "one_completion_per_task_person_and_sequence"),
            ({"sequence": 0}, "completions_are_counted_from_one"),
            ({"sequence": 3, "degree": "almost"}, "degree_is_known"),
            ({"sequence": 3, "person": None}, "a_completion_is_by_a_person_or_a_team"),
            ({"sequence": 3, "revoked_reason": "because"}, "only_what_is_revoked_says_why"),
        ],
    )
    def test_the_database_refuses(
        self, task: Task, alice: Person, values: dict[str, object], name: str
    ) -> None:
        complete(task, alice)
        plain = {"task": task, "person": alice, "degree": "done", "completed_at": NOW, "recorded_at": NOW}
        with pytest.raises(IntegrityError) as refusal, transaction.atomic():
            Completion.objects.create(**{**plain, **values})
        # SQLite names columns instead of a unique constraint.
        assert name in str(refusal.value) or "UNIQUE constraint failed" in str(refusal.value)

    def test_a_completion_says_who_and_what(self, task: Task, alice: Person) -> None:
        assert str(complete(task, alice)) == f"alice on {task.pk}: done"
