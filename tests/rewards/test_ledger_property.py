"""Whatever happens in whatever order: the ledger sums to zero, and a balance is what active completions earned."""

from decimal import Decimal

from django.db.models import Sum
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from portal.models import Person
from rewards import guards
from rewards.models import LedgerEntry
from tasks_board.models import Team
from tests.rewards import scenes

MOVES = st.one_of(
    st.tuples(st.just("done"), st.integers(0, 1), st.integers(0, 2)),
    st.tuples(st.just("partly"), st.integers(0, 1), st.integers(0, 2)),
    st.tuples(st.just("revoke"), st.integers(0, 1), st.integers(0, 2)),
    st.tuples(st.just("pay"), st.integers(0, 1), st.integers(0, 3)),
)


class TestAnySequence(TestCase):
    def setUp(self) -> None:
        self.event = scenes.make_event()
        self.pools = [scenes.points(), scenes.stars()]
        self.tasks = [scenes.make_task(self.event, str(n), star_steps=n * 500) for n in range(2)]
        self.who: list[Person | Team] = [
            scenes.make_person("alice", 1),
            scenes.make_person("bob-of-an-old-table"),
            scenes.make_team(self.event),
        ]

    @settings(max_examples=40)
    @given(st.lists(MOVES, max_size=14))
    def test_sums_and_balances_hold(self, moves: list[tuple[str, int, int]]) -> None:
        prices = [0, 0]
        standing: dict[tuple[int, int], tuple[str, list[int]]] = {}
        for hour, (move, first, second) in enumerate(moves):
            now = scenes.later(hour)
            if move == "pay":
                prices[first] = second * 1_000
                scenes.pay(self.event, self.pools[first], str(Decimal(second)), partly_percent=50)
                for degree, earned in standing.values():  # what has no award from this pool yet gets one
                    earned[first] = earned[first] or self.earned(prices[first], degree)
            elif move == "revoke":
                scenes.revoke(self.tasks[first], self.who[second], now=now)
                standing.pop((first, second), None)
            else:
                scenes.complete(self.tasks[first], self.who[second], degree=move, at=now, now=now)
                if standing.get((first, second), ("", []))[0] != move:
                    standing[first, second] = move, [self.earned(price, move) for price in prices]
        self.check(standing)

    def earned(self, price: int, degree: str) -> int:
        return price // 2 if degree == "partly" else price

    def check(self, standing: dict[tuple[int, int], tuple[str, list[int]]]) -> None:
        assert not LedgerEntry.objects.aggregate(sum=Sum("amount_steps"))["sum"]
        for index, pool in enumerate(self.pools):
            for number, who in enumerate(self.who):
                due = sum(earned[index] for (_, whose), (_, earned) in standing.items() if whose == number)
                assert scenes.held(pool, who) == due
        assert list(guards.problems()) == []
