from decimal import Decimal

import pytest
from pytest_django import DjangoAssertNumQueries

from portal.models import Person
from rewards.leaderboards import LeaderboardRow, leaderboard
from rewards.models import Completion, Pool
from tasks_board.models import Event
from tests.rewards import scenes
from tests.rewards.scenes import complete, later, make_person, make_task, pay, revoke

pytestmark = pytest.mark.django_db


@pytest.fixture
def pool() -> Pool:
    return scenes.points()


@pytest.fixture
def event(pool: Pool) -> Event:
    event = scenes.make_event()
    pay(event, pool, partly_percent=50)
    return event


def finish(event: Event, person: Person, *hours: int) -> None:
    for hour in hours:
        task = make_task(event, f"{person.pk}-{hour}")
        complete(task, person, at=later(hour))


def brief(rows: list[LeaderboardRow]) -> list[tuple[int, str, Decimal | None]]:
    return [(row.rank, row.login, row.amount) for row in rows]


def test_nobody_stands_on_the_board_of_an_event_without_completions(event: Event) -> None:
    assert leaderboard(event=event) == []


def test_more_points_stand_above(event: Event) -> None:
    alice, bob = make_person("alice", 1), make_person("bob", 2)
    finish(event, alice, 1)
    finish(event, bob, 2, 3)
    assert brief(leaderboard(event=event)) == [(1, "bob", Decimal(2)), (2, "alice", Decimal(1))]


def test_of_equals_the_one_who_was_there_first_stands_above(event: Event) -> None:
    alice, bob, carol = make_person("alice", 1), make_person("bob", 2), make_person("carol", 3)
    finish(event, alice, 1, 9)
    finish(event, bob, 2, 5)
    finish(event, carol, 3, 5)
    assert [row.login for row in leaderboard(event=event)] == ["bob", "carol", "alice"]


def test_ranks_are_shared_where_the_event_wants_it(event: Event) -> None:
    for number, (login, hours) in enumerate(
        {"alice": (1, 2), "bob": (3,), "carol": (4,), "dan": ()}.items(), start=1
    ):
        finish(event, make_person(login, number), *hours)
    eve = make_person("eve", 9)
    complete(make_task(event, "half"), eve, degree="partly")
    ranks = [(row.rank, row.login) for row in leaderboard(event=event, share_ranks=True)]
    assert ranks == [(1, "alice"), (2, "bob"), (2, "carol"), (4, "eve")]
    assert [row.rank for row in leaderboard(event=event)] == [1, 2, 3, 4]


def test_a_row_tells_what_stands_behind_it(event: Event) -> None:
    alice = make_person("alice", 42)
    first = make_task(event, "7")
    complete(first, alice, at=later(3))
    complete(make_task(event, "3"), alice, degree="partly", at=later(1))
    (row,) = leaderboard(event=event)
    assert (row.github_id, row.person_id, row.team_id) == (42, alice.pk, None)
    assert (row.amount, row.completions, row.reached_at) == (Decimal("1.5"), 2, later(3))
    assert [(task.number, task.degree) for task in row.tasks] == [
        ("3", Completion.Degree.PARTLY),
        ("7", Completion.Degree.DONE),
    ]
    assert (row.tasks[1].task_id, row.tasks[1].title) == (first.pk, "Task 7")


def test_two_accounts_of_one_person_add_up_to_the_canonical_one(event: Event) -> None:
    alice = make_person("alice", 1)
    finish(event, make_person("alice-at-work", 2, canonical=alice), 1)
    finish(event, make_person("alice_of_an_old_table", canonical=alice), 2)
    finish(event, alice, 3)
    (row,) = leaderboard(event=event)
    assert (row.login, row.github_id, row.amount, row.completions) == ("alice", 1, Decimal(3), 3)
    assert len(row.tasks) == 3


def test_bots_do_not_take_part(event: Event) -> None:
    bot = make_person("dependabot[bot]", 1, is_bot=True)
    finish(event, bot, 1)
    finish(event, make_person("mask", 2, canonical=bot), 2)
    finish(event, make_person("alice", 3), 3)
    assert [row.login for row in leaderboard(event=event)] == ["alice"]


def test_a_team_stands_as_one_and_an_unresolved_name_too(event: Event) -> None:
    team = scenes.make_team(event, "Tide")
    complete(make_task(event, "1"), team, at=later(1))
    finish(event, make_person("somebody"), 2)
    rows = leaderboard(event=event)
    assert [(row.login, row.github_id, row.team_id) for row in rows] == [
        ("Tide", None, team.pk),
        ("somebody", None, None),
    ]
    assert [len(row.tasks) for row in rows] == [1, 1]


def test_what_was_revoked_counts_for_nothing(event: Event) -> None:
    alice = make_person("alice", 1)
    gone, back = make_task(event, "1"), make_task(event, "2")
    complete(gone, alice)
    revoke(gone, alice)
    complete(back, alice, at=later(1))
    revoke(back, alice)
    complete(back, alice, at=later(2))
    (row,) = leaderboard(event=event)
    assert (row.amount, row.completions, row.reached_at) == (Decimal(1), 1, later(2))


def test_only_what_this_event_paid_from_the_pool_counts(event: Event, pool: Pool) -> None:
    alice, camp = make_person("alice", 1), scenes.make_event("camp")
    pay(camp, pool, "5")
    finish(event, alice, 1)
    finish(camp, alice, 2)
    assert [row.amount for row in leaderboard(event=event)] == [Decimal(1)]
    assert [row.amount for row in leaderboard(event=camp)] == [Decimal(5)]


def test_another_pool_ranks_when_asked_for(event: Event, pool: Pool) -> None:
    stars = scenes.stars()
    pay(event, stars, per="star")
    complete(make_task(event, "1", star_steps=25), make_person("alice", 1), at=later(1))
    complete(make_task(event, "2", star_steps=500), make_person("bob", 2), at=later(2))
    assert brief(leaderboard(event=event)) == [(1, "alice", Decimal(1)), (2, "bob", Decimal(1))]
    assert brief(leaderboard(event=event, pool=stars)) == [
        (1, "bob", Decimal("0.5")),
        (2, "alice", Decimal("0.025")),
    ]


def test_an_event_that_pays_nothing_ranks_by_completions() -> None:
    contest = scenes.make_event("contest")
    finish(contest, make_person("alice", 1), 1)
    finish(contest, make_person("bob", 2), 2, 3)
    finish(contest, make_person("carol", 3), 4)
    assert brief(leaderboard(event=contest)) == [(1, "bob", None), (2, "alice", None), (3, "carol", None)]
    assert [row.rank for row in leaderboard(event=contest, share_ranks=True)] == [1, 2, 2]


def test_the_number_of_queries_does_not_grow_with_the_rows(
    event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    complete(make_task(event, "t"), scenes.make_team(event))
    for wave in range(2):
        for number in range(1, 6):
            finish(event, make_person(f"p{wave}-{number}", wave * 10 + number), *range(number))
        with django_assert_num_queries(6):
            rows = leaderboard(event=event)
        assert len(rows) == 5 * (wave + 1) + 1
