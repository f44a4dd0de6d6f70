"""An event with people and tasks, for tests of rules: everything happens through the operations, at times of one's choice."""

from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from claims.models import Claim, Decision, PullRequest, PullRequestLink, Review
from claims.operations import claiming, standings, teaming
from claims.operations.claiming import Asked
from portal.common.errors import DomainError
from portal.models import Person
from tasks_board.models import Event, EventRole, Task, Team
from tasks_board.operations import teams

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
_keys = count(1)


def at(days: float) -> datetime:
    """That many days after noon of the first day."""
    return NOON + timedelta(days=days)


def make_event(**rules: object) -> Event:
    return Event.objects.create(
        slug="race",
        name="Race",
        kind="happy_open_source",
        status="running",
        repositories=["o/r"],
        title_prefix="Race No.",
        rules=rules,
        created_at=NOON,
    )


def make_task(of: Event, number: int, **values: object) -> Task:
    return Task.objects.create(
        event=of,
        number=str(number),
        sort_key=f"{number:05}",
        title=f"Task {number}",
        created_at=NOON,
        **values,
    )


def make_person(number: int) -> Person:
    return Person.objects.create(github_id=number, login=f"racer-{number}")


def make_organizer(of: Event, number: int = 900) -> Person:
    person = make_person(number)
    EventRole.objects.create(event=of, person=person, role="organizer", granted_at=NOON)
    return person


def event_of_two() -> tuple[Event, Person, Person]:
    """An event, and two people who take part in it."""
    return make_event(), make_person(1), make_person(2)


def make_team(event: Event, captain: Person, *members: Person, name: str = "Oars") -> Team:
    """A team whose members have accepted."""
    team = teams.create_team(event=event, name=name, captain=captain, now=at(0))
    for member in members:
        teams.invite(team=team, login=member.login, acting_user=captain, now=at(0))
        teaming.accept_invitation(team=team, person=member, now=at(0))
    return team


def code_of(error: type[DomainError], call: object, **values: object) -> str:
    """The code of the refusal that the call ends in."""
    with pytest.raises(error) as refusal:
        call(**values)  # type: ignore[operator]
    return refusal.value.code


def claim(task: Task, person: Person, days: float = 0, *, team: Team | None = None) -> Claim:
    """Press the button on that day."""
    asked = Asked(Decision.Source.WEB, at(days), f"test:{next(_keys)}")
    return claiming.claim_task(task=task, claimant=person, asked=asked, now=at(days), team=team)


def release(task: Task, person: Person, days: float = 0) -> Claim:
    asked = Asked(Decision.Source.WEB, at(days), f"test:{next(_keys)}")
    return claiming.release_task(task=task, claimant=person, asked=asked, now=at(days))


def standings_of(task: Task) -> dict[str, str]:
    """Who stands how on a task."""
    claims = task.claims.select_related("person", "team").order_by("pk")
    return {str(c.claimant): c.standing for c in claims}


def pull_request(
    task: Task, author: Person, days: float, *, merged: float | None = None, is_draft: bool = False
) -> PullRequest:
    """A pull request for the task, opened on that day, and perhaps merged."""
    number = next(_keys)
    made = PullRequest.objects.create(
        github_id=number,
        repository="o/r",
        number=number,
        title=f"【Race No.{task.number}】",
        author=author,
        state="open" if merged is None else "merged",
        is_draft=is_draft,
        base_branch="develop",
        opened_at=at(days),
        updated_at=at(days if merged is None else merged),
        merged_at=None if merged is None else at(merged),
        closed_at=None if merged is None else at(merged),
    )
    PullRequestLink.objects.create(pull_request=made, task=task, reason="title")
    standings.recompute_task(task=task, now=at(days if merged is None else merged))
    return made


def review(of: PullRequest, task: Task, state: str, days: float) -> None:
    """A maintainer's word about a pull request."""
    reviewer, _created = Person.objects.get_or_create(github_id=800, login="maintainer")
    Review.objects.create(
        pull_request=of,
        github_id=next(_keys),
        reviewer=reviewer,
        association="MEMBER",
        state=state,
        submitted_at=at(days),
    )
    standings.recompute_task(task=task, now=at(days))
