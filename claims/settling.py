"""What a mentor may settle on the page of a task: its pull requests, their co-authors, and what may be for it too."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Q

from claims.evidence import is_part, merged_or_landed, shares_of
from claims.models import Claim, PullRequest, PullRequestLink
from portal.models import Person
from rewards.rules import WHOLE
from tasks_board.chains import write_chain
from tasks_board.models import Task

_WORD = re.compile(r"[A-Za-z]{1,40}|\d{1,9}")
LONGEST_BRANCH = 250
OVER = ("done", "declined", "superseded")  # claims whose pull requests need no link any more


@dataclass(frozen=True, slots=True)
class Share:
    """Somebody to credit for a pull request. `percent` as settled, None before that; `is_declined` by a mentor."""

    person: Person
    percent: Decimal | None
    is_declined: bool


@dataclass(frozen=True, slots=True)
class LinkedPullRequest:
    """A pull request of the task, also one that a mentor took off."""

    pull_request: PullRequest
    is_part: bool
    is_off: bool
    is_merged: bool
    shares: Sequence[Share]
    author_percent: Decimal

    @property
    def is_to_split(self) -> bool:
        """Whether co-authors are proposed and nobody has settled their part."""
        return any(share.percent is None and not share.is_declined for share in self.shares)


@dataclass(frozen=True, slots=True)
class Settling:
    """All of it. `offers`: merged pull requests whose branch names the task, and that nothing else ties to it."""

    pull_requests: Sequence[LinkedPullRequest]
    offers: Sequence[PullRequest]
    claims: Sequence[Claim]
    chain: str


def describe_settling(task: Task) -> Settling:
    """What there is to settle, in a fixed number of queries."""
    links = PullRequestLink.objects.filter(task=task).select_related("pull_request__author")
    links = links.prefetch_related("pull_request__co_authors__person").order_by(
        "pull_request__opened_at", "pk"
    )
    by_pr: dict[int, list[PullRequestLink]] = {}
    for link in links:
        by_pr.setdefault(link.pull_request_id, []).append(link)
    claims = list(
        Claim.objects.filter(task=task, shown=True)
        .select_related("person", "team")
        .order_by("created_at", "pk")
    )
    return Settling(
        pull_requests=[_described(of_pr) for of_pr in by_pr.values()],
        offers=list_offers([task]).get(task.pk, []),
        claims=claims,
        chain=write_chain(task.steps),
    )


def _described(links: Sequence[PullRequestLink]) -> LinkedPullRequest:
    pull_request = links[0].pull_request
    shares = [
        Share(
            co_author.person,
            percent_of(co_author.share_points) if co_author.share_points else None,
            co_author.is_credited is False,
        )
        for co_author in sorted(pull_request.co_authors.all(), key=lambda c: c.pk)
    ]
    return LinkedPullRequest(
        pull_request=pull_request,
        is_part=is_part(links),
        is_off=all(link.unlinked_at is not None for link in links),
        is_merged=merged_or_landed(pull_request) is not None,
        shares=shares,
        author_percent=percent_of(shares_of(pull_request)[0][1]),
    )


def percent_of(points: int) -> Decimal:
    """Share points as a percentage."""
    return (Decimal(points) * 100 / WHOLE).normalize().quantize(Decimal("0.01"))


def list_offers(tasks: Sequence[Task]) -> dict[int, list[PullRequest]]:
    """By task, merged pull requests of its claimants in watched repositories whose head branch alone names it. Two queries."""
    return list_offers_of(tasks, _claimants_of(tasks))


def _claimants_of(tasks: Sequence[Task]) -> dict[int, set[int]]:
    claims = Claim.objects.filter(task__in=tasks, shown=True, person__isnull=False).exclude(standing__in=OVER)
    claimants: dict[int, set[int]] = {}
    for task_id, person, canonical in claims.values_list("task_id", "person_id", "person__canonical_id"):
        claimants.setdefault(task_id, set()).update({person, canonical or person})
    return claimants


def list_offers_of(
    tasks: Sequence[Task], claimants: Mapping[int, Collection[int]]
) -> dict[int, list[PullRequest]]:
    """As `list_offers`, for those whom one knows to have a claim on the tasks that is not over. One query."""
    everybody = set().union(*claimants.values()) if claimants else set()
    by_author = Q(author__in=everybody) | Q(author__canonical__in=everybody)
    merged = PullRequest.objects.filter(by_author, links=None, state=PullRequest.State.MERGED)
    by_person: dict[int, list[PullRequest]] = {}
    for pull_request in merged.exclude(head_branch="").select_related("author").order_by("merged_at", "pk"):
        by_person.setdefault(pull_request.author.whole_id, []).append(pull_request)
    found: dict[int, list[PullRequest]] = {}
    for task in tasks:
        theirs = [pr for person in claimants.get(task.pk, ()) for pr in by_person.get(person, ())]
        named = {pr.pk: pr for pr in theirs if _is_offer(pr, task)}
        if named:
            found[task.pk] = sorted(named.values(), key=lambda pr: (str(pr.merged_at), pr.pk))
    return found


def _is_offer(pull_request: PullRequest, task: Task) -> bool:
    watched = {name.lower() for name in (*task.event.repositories, *task.event.proposal_repositories)}
    prefix = task.event.title_prefix
    return pull_request.repository.lower() in watched and names_task(
        pull_request.head_branch, number=task.number, prefix=prefix
    )


def names_task(branch: str, *, number: str, prefix: str) -> bool:
    """Whether a branch names the task: its number, right behind a word of the event's prefix, `no` or `task`."""
    words, wanted = _words(branch[:LONGEST_BRANCH]), _words(number)
    before = {word for word in _words(prefix) if not word.isdigit()} | {"no", "task"}
    return any(
        words[place : place + len(wanted)] == wanted and words[place - 1] in before
        for place in range(1, len(words) - len(wanted) + 1)
        if wanted
    )


def _words(text: str) -> list[str]:
    found: Iterable[str] = (match[0].lower() for match in _WORD.finditer(text))
    return [word.lstrip("0") or "0" if word.isdigit() else word for word in found]
