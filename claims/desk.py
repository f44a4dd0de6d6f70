"""What waits for a mentor: doubts, claims asked for, pull requests of people without a claim, comments nobody could read."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from claims import words
from claims.models import Claim, IssueComment, PullRequest, PullRequestLink
from claims.pull_requests import SeenPullRequest
from portal.models import Person
from tasks_board import rights
from tasks_board.models import Event, Task


@dataclass(frozen=True, slots=True)
class ClaimItem:
    """A claim that waits for a word: what is in doubt, or that it was asked for. `is_own`: another mentor's turn."""

    claim: Claim
    why: str
    doubts: Sequence[str]
    is_own: bool

    @property
    def is_outside(self) -> bool:
        """Whether the claimant is no longer (or not yet) on the task."""
        return self.claim.standing in ("withdrawn", "declined", "expired", "requested")


@dataclass(frozen=True, slots=True)
class StrayPullRequest:
    """A pull request for a task by somebody without a claim on it."""

    pull_request: PullRequest
    task: Task

    @property
    def seen(self) -> SeenPullRequest:
        """The pull request as pages show it."""
        pr = self.pull_request
        state = "draft" if pr.is_draft and pr.state == PullRequest.State.OPEN else pr.state
        return SeenPullRequest(pr.repository, pr.number, state, title=pr.title, author=pr.author.login)


@dataclass(frozen=True, slots=True)
class Desk:
    """Everything that waits, what hurts people most first."""

    doubts: Sequence[ClaimItem]
    requests: Sequence[ClaimItem]
    strays: Sequence[StrayPullRequest]
    comments: Sequence[IssueComment]

    @property
    def count(self) -> int:
        """How many things wait."""
        return len(self.doubts) + len(self.requests) + len(self.strays) + len(self.comments)

    @property
    def oldest(self) -> datetime | None:
        """Since when the oldest of them waits."""
        times = [item.claim.standing_at for item in (*self.doubts, *self.requests)]
        times += [stray.pull_request.opened_at for stray in self.strays]
        return min([*times, *(comment.written_at for comment in self.comments)], default=None)


def gather_desk(event: Event, *, viewer: Person) -> Desk:
    """What waits for this person in the event: of all tasks for its organizers and mentors, else of their own tasks."""
    tasks = _tasks_of(event, viewer)
    claims = Claim.objects.filter(task__in=tasks, shown=True).select_related("task", "person", "team")
    doubts = claims.exclude(doubts=[]).order_by("standing_at", "pk")
    requests = claims.filter(standing=Claim.Standing.REQUESTED, doubts=[]).order_by("created_at", "pk")
    return Desk(
        doubts=_items(doubts, viewer),
        requests=_items(requests, viewer),
        strays=_strays(tasks),
        comments=list(_comments(event)),
    )


def _tasks_of(event: Event, viewer: Person) -> QuerySet[Task]:
    whole, by_task = rights.deciders(event)
    tasks = Task.objects.filter(event=event)
    if viewer.pk in whole:
        return tasks
    return tasks.filter(pk__in=[pk for pk, people in by_task.items() if viewer.pk in people])


def _items(claims: Iterable[Claim], viewer: Person) -> list[ClaimItem]:
    seats = viewer.team_memberships.filter(accepted_at__isnull=False)
    teams = set(seats.values_list("team_id", flat=True))
    return [
        ClaimItem(
            claim=claim,
            why=words.why(claim),
            doubts=[words.doubt(entry) for entry in claim.doubts],
            is_own=claim.person_id == viewer.pk or (claim.team_id is not None and claim.team_id in teams),
        )
        for claim in claims
    ]


def _strays(tasks: QuerySet[Task]) -> list[StrayPullRequest]:
    author = OuterRef("pull_request__author")
    canonical = OuterRef("pull_request__author__canonical")
    claimed = Claim.objects.filter(task=OuterRef("task"), shown=True).filter(
        Q(person=author)
        | Q(person=canonical)
        | Q(person__canonical=author)
        | Q(team__members__person=author, team__members__accepted_at__isnull=False)
    )
    links = PullRequestLink.objects.holding().filter(~Exists(claimed), task__in=tasks, is_revert=False)
    live = links.exclude(pull_request__state=PullRequest.State.CLOSED).select_related(
        "task", "pull_request__author"
    )
    found: dict[tuple[int, int], StrayPullRequest] = {}
    for link in live.order_by("pull_request__opened_at", "pk"):
        found.setdefault((link.pull_request_id, link.task_id), StrayPullRequest(link.pull_request, link.task))
    return list(found.values())


def _comments(event: Event) -> QuerySet[IssueComment]:
    unread = IssueComment.objects.filter(
        tracking_issue__event=event, needs_help=True, handled_at=None, deleted_at=None
    )
    return unread.select_related("author", "tracking_issue").order_by("written_at", "pk")
