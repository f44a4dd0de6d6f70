"""Pull requests as pages show them: one state, one mark for the review, where it is."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import Q

from claims.evidence import is_part
from claims.models import CoAuthor, PullRequest, PullRequestLink, Review
from rewards.rules import WHOLE
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
    is_landed: bool = False  # closed by a bot that had put it onto the branch: shown as merged
    counts_for: frozenset[int] = frozenset()  # people: the author, and whom a mentor credits

    @property
    def url(self) -> str:
        """Where it stands at GitHub."""
        return f"{settings.GITHUB_WEB_URL}/{self.repository}/pull/{self.number}"

    @property
    def address(self) -> str:
        """owner/name#number."""
        return f"{self.repository}#{self.number}"


def list_by_task(which: Q) -> Mapping[int, list[SeenPullRequest]]:
    """The pull requests linked to tasks, by task, oldest first. `which` filters links by their task. Five queries."""
    links = PullRequestLink.objects.holding().filter(which).select_related("pull_request__author")
    grouped: dict[tuple[int, int], list[PullRequestLink]] = defaultdict(list)
    for link in links.order_by("task_id", "pull_request__opened_at", "pk"):
        grouped[link.task_id, link.pull_request_id].append(link)
    marks, credited = _reviews(which), _credited(which)
    found: dict[int, list[SeenPullRequest]] = defaultdict(list)
    for (task_id, pk), of_pr in grouped.items():
        found[task_id].append(_seen(of_pr, marks.get(pk, ""), credited.get(pk, {})))
    return found


def _credited(which: Q) -> dict[int, dict[int, int]]:
    """The share points of those whom mentors credit beside the author, by pull request and person."""
    found: dict[int, dict[int, int]] = defaultdict(dict)
    settled = CoAuthor.objects.filter(
        is_credited=True, pull_request__in=PullRequestLink.objects.filter(which).values("pull_request")
    )
    rows = settled.values_list("pull_request_id", "person_id", "person__canonical_id", "share_points")
    for pk, person, canonical, points in rows:
        found[pk][canonical or person] = points or 0
    return found


def _seen(links: Sequence[PullRequestLink], review: str, credited: Mapping[int, int]) -> SeenPullRequest:
    link, pr = links[0], links[0].pull_request
    author = pr.author.whole_id
    landed_at = pr.landed_at if pr.state == PullRequest.State.CLOSED and pr.landed_sha else None
    is_draft = pr.is_draft and pr.state == PullRequest.State.OPEN
    return SeenPullRequest(
        repository=pr.repository,
        number=pr.number,
        state="draft" if is_draft else "merged" if landed_at else pr.state,
        review=review,
        title=pr.title,
        author=pr.author.login,
        author_id=author,
        is_proposal=all(each.is_proposal for each in links),
        is_partial=is_part(links),
        is_revert=any(each.is_revert for each in links),
        reason=link.reason,
        opened_at=pr.opened_at,
        merged_at=landed_at or pr.merged_at,
        closed_at=pr.closed_at,
        is_landed=landed_at is not None,
        counts_for=frozenset(credited) | ({author} if sum(credited.values()) < WHOLE else set()),
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
