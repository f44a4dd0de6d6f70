"""What the mentor's desk looks at, loaded in a fixed number of queries as plain rows: a long event has thousands of them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Q

from claims.circumstances import list_missing
from claims.models import IssueComment, PullRequest
from claims.pull_requests import SeenPullRequest
from claims.unread_titles import UnreadTitle
from tasks_board.models import Event, Task


class TaskRow(NamedTuple):
    """A task with its direction."""

    pk: int
    number: str
    title: str
    state: str
    direction_id: int | None
    places: int | None
    is_removed: bool
    is_excluded: bool
    claims_open_at: datetime | None
    claims_close_at: datetime | None
    direction_name: str | None
    direction_source: str | None
    direction_position: int | None
    has_requirements: bool  # other tasks have to be done first

    def as_task(self, event: Event) -> Task:
        """The task as the rules on claims look at it; not to be stored."""
        return Task(
            pk=self.pk,
            event=event,
            number=self.number,
            state=self.state,
            places=self.places,
            is_excluded=self.is_excluded,
            claims_open_at=self.claims_open_at,
            claims_close_at=self.claims_close_at,
        )


class ClaimRow(NamedTuple):
    """A claim with its claimant."""

    pk: int
    task_id: int
    person_id: int | None
    canonical_id: int | None
    login: str | None
    team_id: int | None
    team_name: str | None
    standing: str
    standing_at: datetime
    created_at: datetime
    basis: str
    reason: dict[str, Any]
    doubts: list[dict[str, Any]]
    turn: str
    due_at: datetime | None
    given_until: datetime | None  # the end of the time that a mentor gave

    @property
    def name(self) -> str:
        """The claimant's."""
        return self.login or self.team_name or ""

    @property
    def whose(self) -> tuple[str, int]:
        """The claimant, under whichever account."""
        if self.team_id is not None:
            return "team", self.team_id
        return "person", self.canonical_id or self.person_id or 0


class LinkRow(NamedTuple):
    """A pull request and the task it is for."""

    task_id: int
    pull_request_id: int
    reason: str
    is_partial: bool
    is_proposal: bool
    author_id: int
    canonical_id: int | None
    login: str
    repository: str
    number: int
    title: str
    state: str
    is_draft: bool
    opened_at: datetime
    updated_at: datetime
    merged_at: datetime | None
    closed_at: datetime | None
    landed_at: datetime | None
    has_unsettled_authors: bool = False

    @property
    def is_in(self) -> bool:
        """Whether the work is in: merged, or landed by a bot that closed it."""
        return self.state == PullRequest.State.MERGED or (
            self.state == PullRequest.State.CLOSED and self.landed_at is not None
        )

    @property
    def author(self) -> int:
        """The author, under whichever account."""
        return self.canonical_id or self.author_id

    @property
    def address(self) -> str:
        """owner/name#number."""
        return f"{self.repository}#{self.number}"


@dataclass(slots=True)
class DeskRows:
    """Everything of one event that the desk looks at. `own`: the tasks that the viewer decides on (None: all)."""

    tasks: Mapping[int, TaskRow]
    claims: Sequence[ClaimRow]
    links: Mapping[int, Sequence[LinkRow]]  # by task
    members: Mapping[int, frozenset[int]]  # by team, under whichever account
    reviews: Mapping[int, Sequence[tuple[str, datetime]]]  # by pull request: the last word of each reviewer
    comments: Sequence[IssueComment]
    own: frozenset[int] | None
    claimed: Mapping[int, set[int]] = field(
        default_factory=dict
    )  # by task, the people who have a claim on it
    offers: Mapping[int, Sequence[LinkRow]] = field(
        default_factory=dict
    )  # by task, merged pull requests of claimants that their branch alone ties to it
    titles: Sequence[UnreadTitle] = ()  # pull requests that seem to mean a task and are tied to none

    def people_of(self, claim: ClaimRow) -> frozenset[int]:
        """Those whose work counts for the claim."""
        kind, pk = claim.whose
        return self.members.get(pk, frozenset()) if kind == "team" else frozenset({pk})

    def links_of(self, claim: ClaimRow) -> list[LinkRow]:
        """The claimant's pull requests for the task, each once."""
        people = self.people_of(claim)
        found = {
            row.pull_request_id: row for row in self.links.get(claim.task_id, ()) if row.author in people
        }
        return list(found.values())

    def may_decide_on(self, task_id: int) -> bool:
        """Whether the task is the viewer's to decide on."""
        return self.own is None or task_id in self.own

    def missing_for(self, tasks: Iterable[TaskRow]) -> Mapping[int, tuple[str, ...]]:
        """By task, the numbers of those that have to be done first and are not. One query, where any has to."""
        asking = [task.pk for task in tasks if task.has_requirements]
        return list_missing(Q(pk__in=asking)) if asking else {}

    def by_number(self) -> dict[str, list[int]]:
        """The tasks on the board, by their number."""
        found: dict[str, list[int]] = defaultdict(list)
        for task in self.tasks.values():
            if task.number and not task.is_removed:
                found[task.number].append(task.pk)
        return found

    def seen(self, link: LinkRow) -> SeenPullRequest:
        """The pull request as pages show it."""
        states = {state for state, _at in self.reviews.get(link.pull_request_id, ())}
        review = next((word for word in ("changes_requested", "approved") if word in states), "")
        return SeenPullRequest(
            repository=link.repository,
            number=link.number,
            state="draft" if link.is_draft and link.state == PullRequest.State.OPEN else link.state,
            review=review,
            title=link.title,
            author=link.login,
            author_id=link.author,
            is_proposal=link.is_proposal,
            is_partial=link.is_partial,
            reason=link.reason,
            opened_at=link.opened_at,
            merged_at=link.merged_at,
            closed_at=link.closed_at,
        )

    def last_activity(self, link: LinkRow) -> datetime:
        """When something happened to the pull request last."""
        return max([link.updated_at, *(at for _state, at in self.reviews.get(link.pull_request_id, ()))])


def offer(task: int, pull_request: PullRequest, *, is_proposal: bool) -> LinkRow:
    """A pull request beside a task that it may be for."""
    return LinkRow(
        task_id=task,
        pull_request_id=pull_request.pk,
        reason="",
        is_partial=False,
        is_proposal=is_proposal,
        author_id=pull_request.author_id,
        canonical_id=pull_request.author.canonical_id,
        login=pull_request.author.login,
        repository=pull_request.repository,
        number=pull_request.number,
        title=pull_request.title,
        state=pull_request.state,
        is_draft=pull_request.is_draft,
        opened_at=pull_request.opened_at,
        updated_at=pull_request.updated_at,
        merged_at=pull_request.merged_at,
        closed_at=pull_request.closed_at,
        landed_at=pull_request.landed_at,
    )


def list_directions(rows: DeskRows) -> list[tuple[int, str]]:
    """The directions that have tasks, as ids and names: sections before columns, in their order."""
    found = {
        (
            task.direction_source == "column",
            task.direction_position or 0,
            task.direction_id,
            task.direction_name or "",
        )
        for task in rows.tasks.values()
        if task.direction_id is not None
    }
    return [(pk, name) for _is_column, _position, pk, name in sorted(found)]


def strays_of(rows: DeskRows) -> Iterable[LinkRow]:
    """The pull requests, open or merged, of people without a claim on the task; each once for a task."""
    for task_id, links in rows.links.items():
        claimed, known = rows.claimed.get(task_id, set()), set()
        for link in links:
            is_live = link.state != PullRequest.State.CLOSED or link.landed_at is not None
            if is_live and link.author not in claimed and link.pull_request_id not in known:
                known.add(link.pull_request_id)
                yield link
