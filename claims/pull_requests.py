"""Pull requests as pages show them: one state, one mark for the review, where it is."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import Q

from claims.models import PullRequest, PullRequestLink, Review
from tasks_board.models import EventRole, TaskHelper

_ADDRESS = re.compile(r"([\w.-]+/[\w.-]+)#(\d+)")
_COUNTS = frozenset({"OWNER", "MEMBER", "COLLABORATOR"})


@dataclass(frozen=True, slots=True)
class SeenPullRequest:
    """A pull request with what is worth a glance. `named` is one that only the table names: GitHub has not told us yet."""

    repository: str
    number: int
    state: str  # open, draft, merged, closed, named
    review: str = ""  # approved, changes_requested
    title: str = ""
    author: str = ""
    author_id: int | None = None
    is_proposal: bool = False
    is_partial: bool = False
    is_revert: bool = False
    reason: str = ""
    opened_at: datetime | None = None
    merged_at: datetime | None = None
    closed_at: datetime | None = None

    @property
    def url(self) -> str:
        """Where it stands at GitHub."""
        return f"{settings.GITHUB_WEB_URL}/{self.repository}/pull/{self.number}"

    @property
    def address(self) -> str:
        """owner/name#number."""
        return f"{self.repository}#{self.number}"


def list_by_task(which: Q) -> Mapping[int, list[SeenPullRequest]]:
    """The pull requests linked to tasks, by task, oldest first. `which` filters links by their task. Four queries."""
    links = PullRequestLink.objects.holding().filter(which).select_related("pull_request__author")
    first: dict[tuple[int, int], PullRequestLink] = {}
    for link in links.order_by("task_id", "pull_request__opened_at", "pk"):
        first.setdefault((link.task_id, link.pull_request_id), link)
    marks = _reviews(which)
    found: dict[int, list[SeenPullRequest]] = defaultdict(list)
    for (task_id, _pk), link in first.items():
        found[task_id].append(_seen(link, marks.get(link.pull_request_id, "")))
    return found


def _seen(link: PullRequestLink, review: str) -> SeenPullRequest:
    pr = link.pull_request
    is_draft = pr.is_draft and pr.state == PullRequest.State.OPEN
    return SeenPullRequest(
        repository=pr.repository,
        number=pr.number,
        state="draft" if is_draft else pr.state,
        review=review,
        title=pr.title,
        author=pr.author.login,
        author_id=pr.author.canonical_id or pr.author_id,
        is_proposal=link.is_proposal,
        is_partial=link.is_partial,
        is_revert=link.is_revert,
        reason=link.reason,
        opened_at=pr.opened_at,
        merged_at=pr.merged_at,
        closed_at=pr.closed_at,
    )


def _reviews(which: Q) -> dict[int, str]:
    linked = PullRequestLink.objects.filter(which).values("pull_request_id")
    reviews = Review.objects.filter(pull_request__in=linked).exclude(state="commented")
    latest: dict[tuple[int, int], tuple[str, bool]] = {}
    mentors = _mentors(which)
    for review in reviews.order_by("submitted_at", "pk"):
        counts = review.association in _COUNTS or review.reviewer_id in mentors
        latest[review.pull_request_id, review.reviewer_id] = (review.state, counts)
    marks: dict[int, str] = {}
    for (pk, _reviewer), (state, counts) in latest.items():
        if state == "changes_requested":
            marks[pk] = state
        elif state == "approved" and counts:
            marks.setdefault(pk, state)
    return marks


def _mentors(which: Q) -> set[int]:
    tasks = PullRequestLink.objects.filter(which)
    granted = TaskHelper.objects.filter(
        role=TaskHelper.Role.MENTOR, granted_at__isnull=False, task__in=tasks.values("task_id")
    )
    whole = EventRole.objects.filter(
        role__in=[EventRole.Role.MENTOR, EventRole.Role.ORGANIZER], event__in=tasks.values("task__event_id")
    )
    return set(granted.values_list("person_id", flat=True).union(whole.values_list("person_id", flat=True)))


def named_only(addresses: Iterable[str], known: Iterable[SeenPullRequest]) -> list[SeenPullRequest]:
    """Those that a table names beside what GitHub told us."""
    have = {pr.address.lower() for pr in known}
    found = []
    for address in addresses:
        match = _ADDRESS.fullmatch(str(address))
        if match and str(address).lower() not in have:
            found.append(SeenPullRequest(match[1], int(match[2]), "named"))
    return found
