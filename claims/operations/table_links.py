"""Pull requests that a table names beside its claimants: read from GitHub where they are not known, and tied to the task."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Self

from django.db import transaction

from claims.models import PullRequest, PullRequestLink
from claims.operations import pull_requests
from claims.operations.pull_requests import READ, find_pull_request, link_pull_request
from portal import locks, outbox
from portal.github import types
from tasks_board.models import Task

KIND = "read_named_pull_requests"
AT_ONCE = 20  # of one message; the rest follows in the next


@dataclass(frozen=True, slots=True)
class NamedLink:
    """A pull request that a row names, and as what: an entitled editor's word ties it for good, anybody else's asks."""

    task: int
    repository: str
    number: int
    reason: str

    @classmethod
    def of(cls, task: Task, address: str, reason: PullRequestLink.Reason) -> Self:
        """From owner/name#number."""
        repository, _sign, number = address.rpartition("#")
        return cls(task.pk, repository, int(number), reason.value)


@dataclass(frozen=True, slots=True)
class Read:
    """A pull request as read just now, with its reviews."""

    pull_request: types.PullRequest
    reviews: Sequence[types.Review]


def request_links(named: Iterable[NamedLink], *, key: str, now: datetime) -> None:
    """Ask for these to be read and tied, after this transaction. `key` says which text names them."""
    found = list(dict.fromkeys(named))
    if found:
        payload: dict[str, Any] = {"key": key, "named": [asdict(entry) for entry in found]}
        outbox.enqueue(KIND, key=key, payload=payload, now=now)


def first_of(payload: dict[str, Any]) -> tuple[list[NamedLink], list[NamedLink]]:
    """The entries to do now, and those that are left for the next message."""
    named = [NamedLink(**entry) for entry in payload["named"]]
    return named[:AT_ONCE], named[AT_ONCE:]


def is_to_be_read(entry: NamedLink) -> bool:
    """Whether GitHub has to be asked: of a watched repository's known ones, the facts come by themselves."""
    known = find_pull_request(entry.repository, entry.number)
    return known is None or not pull_requests.watching(known.repository)


@transaction.atomic
def record_links(
    *, named: Sequence[NamedLink], read: Sequence[Read], rest: Sequence[NamedLink], key: str, now: datetime
) -> None:
    """Store what was read, tie what is known, and go on with the rest. One that GitHub does not know is tied to nothing.

    Raises LockBusy.
    """
    known = [pr for entry in named if (pr := find_pull_request(entry.repository, entry.number))]
    locks.lock_rows(PullRequest.objects.filter(pk__in=[pr.pk for pr in known]).only("pk"))
    tasks = {task.pk: task for task in locks.lock_rows(Task.objects.filter(pk__in=[e.task for e in named]))}
    for found in read:
        pull_requests.record_pull_request(fact=found.pull_request, seen=READ, now=now, is_named=True)
        for review in found.reviews:
            pull_requests.record_review(fact=review, now=now)
    for entry in named:
        pull_request = find_pull_request(entry.repository, entry.number)
        if pull_request is not None and entry.task in tasks:
            link_pull_request(
                pull_request=pull_request,
                task=tasks[entry.task],
                reason=PullRequestLink.Reason(entry.reason),
                now=now,
            )
    request_links(rest, key=f"{key}+", now=now)
