from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from portal.common.errors import DomainError
from portal.models import AuditEntry
from rewards import guards, operations, pools
from rewards.models import Account, EventReward, Pool, Transaction
from tasks_board.models import Task
from tests.rewards import scenes
from tests.rewards.scenes import NOW, complete, held, later, make_task, pay

pytestmark = pytest.mark.django_db


def create(**values: Any) -> Pool:
    plain: dict[str, Any] = {"name": "Prizes", "unit": Pool.Unit.POINT, "acting_user": None, "now": NOW}
    return operations.create_pool(**{**plain, **values})


class TestMaking:
    @pytest.mark.parametrize(
        ("unit", "currency", "scale"),
        [(Pool.Unit.STAR, "", 1_000), (Pool.Unit.POINT, "", 1_000), (Pool.Unit.CURRENCY, "CNY", 100)],
    )
    def test_each_unit_is_divided_as_usual(self, unit: Pool.Unit, currency: str, scale: int) -> None:
        pool = create(unit=unit, currency=currency)
        assert (pool.scale, pool.budget_steps) == (scale, None)
        assert Account.objects.get(pool=pool, person=None, team=None).owner == pool

    def test_a_budget_is_kept_in_steps_and_the_making_is_audited(self) -> None:
        mei = scenes.make_person("mei", 7)
        pool = create(
            unit=Pool.Unit.CURRENCY, currency="CNY", scale=1, budget=Decimal(30_000), acting_user=mei
        )
        assert pool.budget_steps == 30_000
        entry = AuditEntry.objects.get(action="rewards.pool_created")
        assert (entry.actor, entry.target_id, entry.data["currency"]) == (mei, pool.pk, "CNY")

    @pytest.mark.parametrize(
        ("values", "code"),
        [
            ({"name": "  "}, "pool_without_name"),
            ({"scale": 12}, "pool_scale_unknown"),
            ({"unit": Pool.Unit.CURRENCY}, "currency_missing"),
            ({"currency": "CNY"}, "currency_unneeded"),
            ({"budget": Decimal("0.0001")}, "amount_not_in_steps"),
            ({"budget": Decimal(-1)}, "amount_not_in_steps"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, values: dict[str, Any], code: str) -> None:
        with pytest.raises(DomainError) as refusal:
            create(**values)
        assert refusal.value.code == code
        assert not Pool.objects.exists()

    def test_a_name_is_taken_in_any_case(self) -> None:
        create(name="Happy Open Source")
        with pytest.raises(DomainError) as refusal:
            create(name="happy open source ")
        assert refusal.value.code == "pool_name_taken"

    def test_another_broken_constraint_is_not_taken_for_the_name(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(
            pools, "_new_pool", lambda **_: Pool(name="x", unit="mile", scale=1, created_at=NOW)
        )
        with pytest.raises(IntegrityError), transaction.atomic():
            create()


class TestSharing:
    def get(self, **values: Any) -> Pool:
        plain: dict[str, Any] = {"name": "Shared", "unit": Pool.Unit.POINT, "acting_user": None, "now": NOW}
        return operations.get_or_create_pool(**{**plain, **values})

    def test_it_is_made_on_first_use_and_found_after_that(self) -> None:
        assert self.get() == self.get(name=" shared") == self.get(scale=1_000)
        assert AuditEntry.objects.filter(action="rewards.pool_created").count() == 1

    @pytest.mark.parametrize(
        "values",
        [{"unit": Pool.Unit.STAR}, {"unit": Pool.Unit.CURRENCY, "currency": "CNY"}, {"scale": 1}],
    )
    def test_another_unit_under_the_same_name_is_refused(self, values: dict[str, Any]) -> None:
        self.get()
        with pytest.raises(DomainError) as refusal:
            self.get(**values)
        assert refusal.value.code == "pool_differs"

    def test_one_that_somebody_made_meanwhile_is_found(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def slower(**values: Any) -> Pool:
            create(name="Shared")
            return create(**values)

        monkeypatch.setattr(pools, "create_pool", slower)
        assert self.get().name == "Shared"

    def test_what_else_is_wrong_is_told(self) -> None:
        with pytest.raises(DomainError) as refusal:
            self.get(scale=3)
        assert refusal.value.code == "pool_scale_unknown"


class TestWhatAnEventPays:
    def test_a_change_ends_the_one_and_begins_the_next(self) -> None:
        event, pool = scenes.make_event(), scenes.points()
        first = pay(event, pool, "1")
        second = pay(event, pool, "2")
        first.refresh_from_db()
        assert (first.ended_at, second.ended_at) == (NOW, None)
        data = AuditEntry.objects.filter(action="rewards.event_reward_set").order_by("-pk")[0].data
        assert data == {"pool": pool.pk, "per": "task", "amount": "2", "partly_percent": 0}

    def test_the_same_again_changes_nothing(self) -> None:
        event, pool = scenes.make_event(), scenes.points()
        assert pay(event, pool) == pay(event, pool)
        assert AuditEntry.objects.filter(action="rewards.event_reward_set").count() == 1

    def test_the_database_holds_one_active_reward_per_event_and_pool(self) -> None:
        reward = pay(scenes.make_event(), scenes.points())
        with pytest.raises(IntegrityError), transaction.atomic():
            EventReward.objects.create(
                event=reward.event, pool=reward.pool, per="task", amount_steps=5, started_at=NOW
            )

    @pytest.mark.parametrize(
        ("amount", "per", "percent", "code"),
        [
            ("0.0005", "task", 0, "amount_not_in_steps"),
            ("-1", "task", 0, "amount_not_in_steps"),
            ("0.001", "task", 50, "reward_not_in_steps"),
            ("0.5", "star", 0, "reward_not_in_steps"),
            ("1", "task", 101, "reward_not_in_steps"),
        ],
    )
    def test_what_could_not_be_paid_exactly_is_refused(
        self, amount: str, per: str, percent: int, code: str
    ) -> None:
        with pytest.raises(DomainError) as refusal:
            pay(scenes.make_event(), scenes.points(), amount, per=per, partly_percent=percent)
        assert refusal.value.code == code
        assert not EventReward.objects.exists()

    @pytest.mark.parametrize(
        ("values", "name"),
        [
            ({"per": "star", "amount_steps": 1_500}, "a_thousandth_of_a_star_earns_whole_steps"),
            ({"per": "mile"}, "reward_measure_is_known"),
            ({"partly_percent": 101}, "a_part_earns_at_most_the_whole"),
        ],
    )
    def test_the_database_refuses(self, values: dict[str, Any], name: str) -> None:
        plain: dict[str, Any] = {"per": "task", "amount_steps": 1_000, "started_at": NOW}
        event, pool = scenes.make_event(), scenes.points()
        with pytest.raises(IntegrityError, match=name), transaction.atomic():
            EventReward.objects.create(event=event, pool=pool, **{**plain, **values})

    def test_stars_are_paid_in_money_at_their_price(self) -> None:
        event = scenes.make_event()
        yuan = create(name="Cash", unit=Pool.Unit.CURRENCY, currency="CNY")
        alice = scenes.make_person("alice", 1)
        pay(event, yuan, "2000", per="star")
        complete(make_task(event, star_steps=25), alice)
        assert held(yuan, alice) == 5_000


class TestWhatWasDoneBefore:
    def test_a_new_pool_pays_for_what_holds(self) -> None:
        event, pool = scenes.make_event(), scenes.points()
        alice, bob = scenes.make_person("alice", 1), scenes.make_person("bob", 2)
        done, undone = make_task(event, "1"), make_task(event, "2")
        complete(done, alice)
        complete(undone, bob)
        scenes.revoke(undone, bob)
        pay(event, pool)
        assert (held(pool, alice), held(pool, bob)) == (1_000, 0)
        assert list(guards.problems()) == []

    def test_a_changed_amount_holds_from_then_on(self) -> None:
        event, pool = scenes.make_event(), scenes.points()
        alice = scenes.make_person("alice", 1)
        pay(event, pool, "1")
        complete(make_task(event, "1"), alice)
        pay(event, pool, "5")
        complete(make_task(event, "2"), alice)
        assert held(pool, alice) == 6_000

    def test_stars_that_were_named_late_are_paid_once(self) -> None:
        event, pool = scenes.make_event(), scenes.points()
        alice = scenes.make_person("alice", 1)
        pay(event, pool, per="star")
        complete(make_task(event), alice)
        Task.objects.update(star_steps=3_000)
        assert [operations.award_outstanding(event=event, now=later(n)) for n in (1, 2)] == [1, 0]
        assert held(pool, alice) == 3_000
        assert Transaction.objects.get().created_at == later(1)

    def test_rules_read_well(self) -> None:
        reward = pay(scenes.make_event(), scenes.points())
        assert str(reward) == f"1000 steps per task from {reward.pool_id}"
