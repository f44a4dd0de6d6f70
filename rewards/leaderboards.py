"""Who stands where in an event, ranked by what its completions earned: a fixed number of queries, however many rows."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Count, F, Max, OrderBy, Q, QuerySet, Sum, Value, Window
from django.db.models.functions import Coalesce, Rank, RowNumber

from portal.models import Person
from rewards import queries, rules
from rewards.models import Completion, Pool
from rewards.unpaid import unpaid_in
from tasks_board.models import Event, Team

# Whom a completion counts for: two accounts of one person add up.
_CANONICAL = Coalesce("person__canonical", "person")


@dataclass(frozen=True, slots=True)
class CompletedTask:
    """A task in a row of the leaderboard."""

    task_id: int
    number: str
    title: str
    degree: Completion.Degree
    completed_at: datetime


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """A person (all accounts of theirs together) or a team, with what stands to their name in the event.

    `amount` is in units of the pool that ranks, None in an event that pays nothing. `reached_at` is the latest of
    the completions that made it. For a team `login` is its name, and `github_id` is None.
    """

    rank: int
    login: str
    github_id: int | None
    amount: Decimal | None
    completions: int
    reached_at: datetime
    tasks: tuple[CompletedTask, ...]
    person_id: int | None
    team_id: int | None
    is_unpaid: bool = False  # takes part for the honour of it


def leaderboard(*, event: Event, pool: Pool | None = None, share_ranks: bool = False) -> list[LeaderboardRow]:
    """The event's leaderboard in the unit of `pool`, else of its leading pool; without any, by completions.

    Of two with the same amount the one who reached it first stands above, then the one known to us first.
    `share_ranks` gives equal amounts equal ranks: 1, 2, 2, 4. Bots do not take part.
    """
    pool = pool or queries.find_leading_pool(event=event)
    rows = list(_ranked(event, pool, share_ranks=share_ranks))
    people = Person.objects.in_bulk([row["by_person"] for row in rows if row["by_person"]])
    teams = Team.objects.in_bulk([row["by_team"] for row in rows if row["by_team"]])
    tasks = _tasks_by_claimant(event)
    unpaid = unpaid_in(event.pk)
    return [
        LeaderboardRow(
            rank=row["rank"],
            login=people[row["by_person"]].login if row["by_person"] else teams[row["by_team"]].name,
            github_id=people[row["by_person"]].github_id if row["by_person"] else None,
            amount=rules.from_steps(int(row["steps"]), scale=pool.scale) if pool else None,
            completions=row["completions"],
            reached_at=row["reached_at"],
            # A completion may be revoked between the two queries: then its task is just not listed.
            tasks=tuple(tasks.get((row["by_person"], row["by_team"]), ())),
            person_id=row["by_person"],
            team_id=row["by_team"],
            is_unpaid=row["by_person"] in unpaid.people or row["by_team"] in unpaid.teams,
        )
        for row in rows
    ]


def _taking_part(event: Event) -> QuerySet[Completion]:
    """The completions that count."""
    of_a_bot = Q(person__is_bot=True) | Q(person__canonical__is_bot=True)
    return Completion.objects.active().filter(task__event=event).exclude(of_a_bot)


def _ranked(event: Event, pool: Pool | None, *, share_ranks: bool) -> Iterable[Mapping[str, Any]]:
    earned = Sum(
        "transactions__entries__amount_steps",
        filter=Q(transactions__entries__pool=pool)
        & (
            Q(transactions__entries__account__person__isnull=False)
            | Q(transactions__entries__account__team__isnull=False)
        ),
    )
    points = F("steps" if pool else "completions").desc()
    order: list[OrderBy] = [
        points,
        F("reached_at").asc(),
        F("by_person").asc(nulls_last=True),
        F("by_team").asc(nulls_last=True),
    ]
    rank = Window(Rank(), order_by=points) if share_ranks else Window(RowNumber(), order_by=order)
    return (
        _taking_part(event)
        .values(by_person=_CANONICAL, by_team=F("team"))
        .annotate(
            steps=Coalesce(earned, Value(0)) if pool else Value(0),
            completions=Count("pk", distinct=True),
            reached_at=Max("completed_at"),
        )
        .annotate(rank=rank)
        .order_by(*order)
    )


def _tasks_by_claimant(event: Event) -> dict[tuple[int | None, int | None], list[CompletedTask]]:
    found: dict[tuple[int | None, int | None], list[CompletedTask]] = {}
    completions = _taking_part(event).values_list(
        _CANONICAL, "team_id", "task_id", "task__number", "task__title", "degree", "completed_at"
    )
    for person, team, task, number, title, degree, at in completions.order_by("completed_at", "pk"):
        done = CompletedTask(
            task_id=task, number=number, title=title, degree=Completion.Degree(degree), completed_at=at
        )
        found.setdefault((person, team), []).append(done)
    return found
