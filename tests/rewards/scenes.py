"""Events, tasks and people for the tests of rewards, and a few words to move them."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Sum

from portal.models import Person
from rewards import ledger, operations
from rewards.models import Account, Completion, EventReward, Pool
from tasks_board.models import Event, Task, Team

NOW = datetime(2024, 4, 12, 8, 0, tzinfo=UTC)
PULL = {"pull_request": "PaddlePaddle/Paddle#63000"}


def later(hours: int) -> datetime:
    return NOW + timedelta(hours=hours)


def make_event(slug: str = "pir", **values: Any) -> Event:
    return Event.objects.create(
        slug=slug,
        name=values.pop("name", slug.upper()),
        kind="happy_open_source",
        status="running",
        created_at=NOW,
        **values,
    )


def make_task(event: Event, number: str = "1", **values: Any) -> Task:
    return Task.objects.create(event=event, number=number, title=f"Task {number}", created_at=NOW, **values)


def make_person(login: str, github_id: int | None = None, **values: Any) -> Person:
    return Person.objects.create(login=login, github_id=github_id, **values)


def make_team(event: Event, name: str = "Tide") -> Team:
    return Team.objects.create(event=event, name=name, created_at=NOW)


def points(name: str = "Happy open source") -> Pool:
    return operations.get_or_create_pool(name=name, unit=Pool.Unit.POINT, acting_user=None, now=NOW)


def stars(name: str = "Stars") -> Pool:
    return operations.get_or_create_pool(name=name, unit=Pool.Unit.STAR, acting_user=None, now=NOW)


def pay(
    event: Event, pool: Pool, amount: str = "1", per: str = "task", partly_percent: int = 0
) -> EventReward:
    return operations.set_event_reward(
        event=event,
        pool=pool,
        per=EventReward.Per(per),
        amount=Decimal(amount),
        partly_percent=partly_percent,
        acting_user=None,
        now=NOW,
    )


def complete(
    task: Task, who: Person | Team, degree: str = "done", at: datetime = NOW, now: datetime = NOW
) -> Completion:
    return operations.record_completion(
        task=task,
        **_claimant(who),
        degree=Completion.Degree(degree),
        completed_at=at,
        evidence=PULL,
        acting_user=None,
        now=now,
    )


def revoke(
    task: Task, who: Person | Team, reason: str = "reverted", now: datetime = NOW
) -> Completion | None:
    return operations.revoke_completion(task=task, **_claimant(who), reason=reason, now=now)


def held(pool: Pool, who: Person | Team) -> int:
    return balance(ledger.account_of(pool=pool, **_claimant(who)))


def balance(account: Account) -> int:
    """The steps that lie in an account."""
    return account.entries.aggregate(steps=Sum("amount_steps"))["steps"] or 0


def _claimant(who: Person | Team) -> dict[str, Any]:
    return {"person": who} if isinstance(who, Person) else {"team": who}
