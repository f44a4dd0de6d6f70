from decimal import Decimal

import pytest
from pytest_django import DjangoAssertNumQueries

from rewards import queries
from rewards.models import Transaction
from tests.rewards import scenes
from tests.rewards.scenes import complete, later, make_person, make_task, pay, revoke

pytestmark = pytest.mark.django_db


class TestEventFigures:
    def test_an_event_that_begins_has_none(self) -> None:
        figures = queries.event_figures(event=scenes.make_event())
        assert (figures.completions, figures.people, figures.teams, figures.paid) == (0, 0, 0, ())

    def test_they_count_what_holds_and_each_person_once(
        self, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        event, pool, stars = scenes.make_event(), scenes.points(), scenes.stars()
        pay(event, pool)
        pay(event, stars, per="star")
        alice = make_person("alice", 1)
        one, two, three = (make_task(event, str(number), star_steps=25) for number in (1, 2, 3))
        complete(one, alice)
        complete(one, make_person("bob", 2), degree="partly")
        complete(two, make_person("alice-at-work", 3, canonical=alice))
        complete(three, scenes.make_team(event))
        complete(three, alice)
        revoke(three, alice)
        with django_assert_num_queries(3):
            figures = queries.event_figures(event=event)
        assert (figures.completions, figures.partly, figures.tasks) == (4, 1, 3)
        assert (figures.people, figures.teams) == (2, 1)
        assert [(paid.pool, paid.amount) for paid in figures.paid] == [
            (pool, Decimal(3)),
            (stars, Decimal("0.075")),
        ]


class TestPersonTotals:
    def test_they_tell_the_amount_and_the_reasons_line_by_line(self) -> None:
        event, pool = scenes.make_event(), scenes.points()
        pay(event, pool)
        alice = make_person("alice", 1)
        work = make_person("alice-at-work", 2, canonical=alice)
        first, second = make_task(event, "1"), make_task(event, "2")
        complete(first, alice, now=later(1))
        complete(second, work, now=later(2))
        revoke(first, alice, reason="reverted", now=later(3))
        (total,) = queries.person_totals(person=work, viewer=None)
        assert (total.pool, total.amount) == (pool, Decimal(1))
        assert [(line.amount, line.kind, line.memo) for line in total.lines] == [
            (Decimal(-1), Transaction.Kind.REVERSAL, "reverted"),
            (Decimal(1), Transaction.Kind.AWARD, ""),
            (Decimal(1), Transaction.Kind.AWARD, ""),
        ]
        assert [line.is_reversal for line in total.lines] == [True, False, False]
        completion = total.lines[1].completion
        assert completion is not None
        assert (completion.task, completion.evidence) == (second, scenes.PULL)
        assert queries.person_totals(person=alice, viewer=None) == [total]

    def test_they_take_one_query(self, django_assert_num_queries: DjangoAssertNumQueries) -> None:
        event, alice = scenes.make_event(), make_person("alice", 1)
        for pool in (scenes.points(), scenes.stars()):
            pay(event, pool)
        for number in range(4):
            complete(make_task(event, str(number)), alice)
        with django_assert_num_queries(1):
            totals = queries.person_totals(person=alice, viewer=None)
            tasks = [
                line.completion.task.event.name for total in totals for line in total.lines if line.completion
            ]
        assert len(tasks) == 8


class TestPools:
    def test_the_oldest_pool_leads(self) -> None:
        event, points, stars = scenes.make_event(), scenes.points(), scenes.stars()
        assert queries.find_leading_pool(event=event) is None
        pay(event, stars)
        pay(event, points, "1")
        pay(event, points, "2")
        assert queries.find_leading_pool(event=event) == points
        assert [reward.pool for reward in queries.list_event_rewards(event=event)] == [points, stars]
