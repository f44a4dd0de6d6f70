"""A long event, straight into the database: what is measured is reading it."""

from claims.models import Claim, PullRequest, PullRequestLink
from portal.common import clock
from portal.models import Person
from tasks_board.models import Direction, Event, Task, TaskHelper
from tasks_board.numbers import sort_key

_STATES = ("open", "claimed", "pr_open", "done")


def seed_long_event(rows: int) -> Event:
    """An event of so many tasks: three in four with claimants, every other of those with a pull request."""
    now = clock.now()
    event = Event.objects.create(
        slug="long",
        name="Long",
        kind="happy_open_source",
        status="running",
        title_prefix="Long No.",
        repositories=["o/r"],
        created_at=now,
    )
    directions = [Direction.objects.create(event=event, name=f"D{n}", position=n) for n in range(12)]
    people = [
        Person.objects.create(github_id=10_000 + n, login=f"oar-{n}", login_seen_at=now) for n in range(120)
    ]
    tasks = Task.objects.bulk_create(
        Task(
            event=event,
            direction=directions[n * 12 // rows],
            number=str(n + 1),
            sort_key=sort_key(str(n + 1)),
            title=f"Add the operator number {n + 1}",
            position=n,
            state=_STATES[n % 4],
            state_at=now,
            star_steps=1_000 * (n % 3 + 1),
            created_at=now,
        )
        for n in range(rows)
    )
    TaskHelper.objects.bulk_create(
        TaskHelper(task=task, person=people[n % 10], role="mentor") for n, task in enumerate(tasks)
    )
    claimed = [(n, task) for n, task in enumerate(tasks) if n % 4]
    Claim.objects.bulk_create(
        Claim(
            task=task,
            person=people[(n * 7 + k) % 120],
            standing=_STATES[n % 4],
            standing_at=now,
            created_at=now,
        )
        for n, task in claimed
        for k in range(1 + n % 2)
    )
    pull_requests = PullRequest.objects.bulk_create(
        PullRequest(
            github_id=500_000 + n,
            repository="o/r",
            number=60_000 + n,
            title=f"【Long No.{n + 1}】",
            author=people[n * 7 % 120],
            state="open",
            base_branch="develop",
            opened_at=now,
            updated_at=now,
        )
        for n, _task in claimed[::2]
    )
    PullRequestLink.objects.bulk_create(
        PullRequestLink(pull_request=pr, task=task, reason="title")
        for pr, (_n, task) in zip(pull_requests, claimed[::2], strict=True)
    )
    return event
