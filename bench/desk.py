"""Figures of the mentor's desk: an event of 300 claimants and 1,500 pull requests, with everything that waits in one."""

from datetime import datetime, timedelta

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bench.clocks import best_seconds
from claims.models import Claim, Decision, IssueComment, PullRequest, PullRequestLink, Review
from portal.common import clock
from portal.models import Person, User
from tasks_board.models import Direction, Event, EventRole, Task, Team, TeamMember, TrackingIssue
from tasks_board.numbers import sort_key

CLAIMANTS, TASKS, PULL_REQUESTS, COMMENTS = 300, 500, 1_500, 40
_STANDINGS = (
    ("claimed", "claimant", {"code": "claimed"}),
    ("pr_open", "reviewer", {"code": "open"}),
    ("requested", "", {"code": "requested"}),
    ("done", "", {"code": "merged"}),
    ("approved", "reviewer", {"code": "approved"}),
)


def measure() -> dict[str, float]:
    """Milliseconds and queries of the desk as it opens: all that waits, the first item open."""
    event, organizer = seed_crowded_event()
    client = Client()
    client.force_login(User.objects.create(username="bench-mentor", person=organizer))
    desk = f"/events/{event.slug}/desk/"
    with CaptureQueriesContext(connection) as queries:
        _get(client, desk)
        count = len(queries)
    return {
        "mentor_queue_300_ms": 1_000 * best_seconds(lambda: _get(client, desk), runs=15),
        "mentor_queue_300_queries": float(count),
    }


def seed_crowded_event() -> tuple[Event, Person]:
    """The event, and somebody who decides on all of it."""
    now = clock.now()
    event = Event.objects.create(
        slug="crowded",
        name="Crowded",
        kind="hackathon",
        status="running",
        title_prefix="Crowded No.",
        repositories=["o/crowded"],
        rules={"days_of_silence": 20},
        created_at=now - timedelta(days=90),
    )
    organizer = Person.objects.create(github_id=880_000, login="keel", login_seen_at=now)
    EventRole.objects.create(event=event, person=organizer, role="organizer", granted_at=now)
    people = Person.objects.bulk_create(
        Person(github_id=881_000 + n, login=f"rower-{n}", login_seen_at=now) for n in range(CLAIMANTS)
    )
    tasks = _seed_tasks(event, now)
    _seed_team(event, tasks[-1], people[:3], now)
    _seed_claims(tasks, people, now)
    _seed_pull_requests(tasks, people, now)
    _seed_comments(event, people, now)
    return event, organizer


def _seed_tasks(event: Event, now: datetime) -> list[Task]:
    directions = [Direction.objects.create(event=event, name=f"C{n}", position=n) for n in range(12)]
    return Task.objects.bulk_create(
        Task(
            event=event,
            direction=directions[n % 12],
            number=str(n + 1),
            sort_key=sort_key(str(n + 1)),
            title=f"Add the operator number {n + 1}",
            position=n,
            state="pr_open",
            state_at=now,
            created_at=now,
        )
        for n in range(TASKS)
    )


def _seed_team(event: Event, task: Task, people: list[Person], now: datetime) -> None:
    team = Team.objects.create(event=event, name="Seagulls", created_at=now)
    TeamMember.objects.bulk_create(
        TeamMember(team=team, person=person, invited_at=now, accepted_at=now) for person in people
    )
    Claim.objects.create(
        task=task, team=team, standing="claimed", standing_at=now, created_at=now, turn="claimant"
    )


def _seed_claims(tasks: list[Task], people: list[Person], now: datetime) -> None:
    claims = []
    for n in range(3 * CLAIMANTS):
        standing, turn, reason = _STANDINGS[n % 5]
        since = now - timedelta(days=n % 60, minutes=n)
        doubts = [{"code": "table_says", "about": "done", "at": since.isoformat()}] if n % 15 == 0 else []
        claims.append(
            Claim(
                task=tasks[n % TASKS],
                person=people[n % CLAIMANTS],
                standing=standing,
                standing_at=since,
                created_at=since,
                turn=turn,
                reason=reason,
                doubts=doubts,
                due_at=since + timedelta(days=20) if turn == "claimant" else None,
            )
        )
    stored = Claim.objects.bulk_create(claims)
    Decision.objects.bulk_create(
        Decision(
            claim=claim,
            kind="claimed",
            at=claim.created_at,
            decided_by=claim.person,
            source="web",
            key=f"bench:{claim.pk}",
            recorded_at=claim.created_at,
        )
        for claim in stored
    )


def _seed_pull_requests(tasks: list[Task], people: list[Person], now: datetime) -> None:
    found, links, reviews = [], [], []
    for n in range(PULL_REQUESTS):
        opened = now - timedelta(days=n % 60, minutes=n)
        merged = opened if n % 3 == 0 else None
        # As the claims go round; every tenth is by somebody who has none on the task.
        found.append(
            PullRequest(
                github_id=900_000 + n,
                repository="o/crowded",
                number=n + 1,
                title=f"【Crowded No.{n % TASKS + 1}】",
                author=people[(n % (3 * CLAIMANTS) + (7 if n % 10 == 0 else 0)) % CLAIMANTS],
                state="merged" if merged else "open",
                base_branch="develop",
                opened_at=opened,
                updated_at=opened,
                merged_at=merged,
                closed_at=merged,
            )
        )
    for n, pull_request in enumerate(PullRequest.objects.bulk_create(found)):
        links.append(
            PullRequestLink(
                pull_request=pull_request, task=tasks[n % (3 * CLAIMANTS) % TASKS], reason="title"
            )
        )
        if n % 2:
            reviews.append(
                Review(
                    pull_request=pull_request,
                    github_id=990_000 + n,
                    reviewer=people[n % 9],
                    association="MEMBER",
                    state="approved" if n % 4 == 1 else "commented",
                    submitted_at=pull_request.opened_at,
                )
            )
    PullRequestLink.objects.bulk_create(links)
    Review.objects.bulk_create(reviews)


def _seed_comments(event: Event, people: list[Person], now: datetime) -> None:
    issue = TrackingIssue.objects.create(event=event, repository="o/crowded", number=1, read_at=now)
    texts = (
        "我想试试第十三题和六十四题",
        "I'd like to take 12 and 40, is that fine?",
        "报名 第九百题",
        "求带",
    )
    IssueComment.objects.bulk_create(
        IssueComment(
            tracking_issue=issue,
            github_id=n + 1,
            author=people[n],
            body=texts[n % 4],
            written_at=now - timedelta(hours=n),
            updated_at=now - timedelta(hours=n),
            needs_help=True,
        )
        for n in range(COMMENTS)
    )


def _get(client: Client, path: str) -> bytes:
    answer = client.get(path, secure=True)
    if answer.status_code != 200:
        raise RuntimeError(f"{path} answers {answer.status_code}")
    return answer.content
