"""What commits tell of a pull request: that a bot landed what it closed, and who else is to be credited.

Facts, upserted: what is read twice changes nothing. Nobody is credited here; a mentor settles that.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Min

from claims import trailers
from claims.models import CoAuthor, PullRequest
from claims.operations import standings
from portal import locks, outbox
from portal.accounts import people
from portal.github import types
from portal.models import Person
from tasks_board.models import Task


def look_into(pull_request: PullRequest, *, now: datetime) -> None:
    """Ask for the commits of a pull request that has to do with a task, once it is merged or closed. The last of a transaction.

    What was closed before Regatta knew the event is history, which organizers confirm.
    """
    since = pull_request.links.holding().aggregate(since=Min("task__event__created_at"))["since"]
    if pull_request.closed_at is None or since is None:
        return
    if pull_request.closed_at < since.replace(microsecond=0):  # GitHub's times are whole seconds
        return
    outbox.enqueue(
        "read_commits",
        key=f"pull_request:{pull_request.pk}",
        payload={"pull_request": pull_request.pk},
        now=now,
    )


@transaction.atomic
def record_commits(
    *,
    pull_request: PullRequest,
    closed_by: types.Account | None,
    landed: types.Commit | None,
    co_authors: Sequence[types.Account],
    ids: Sequence[int],
    now: datetime,
) -> PullRequest:
    """Take in what the commits say. `ids`: co-authors known by number alone, if we know them. Raises LockBusy."""
    [stored] = locks.lock_rows(PullRequest.objects.filter(pk=pull_request.pk))
    if closed_by is not None and stored.state == PullRequest.State.CLOSED:
        stored.closed_by = people.remember(closed_by, seen_at=now)
    if landed is not None and stored.state == PullRequest.State.CLOSED:
        stored.landed_at, stored.landed_sha = landed.committed_at, landed.sha
    stored.save(update_fields=["closed_by", "landed_at", "landed_sha"])
    found = [people.remember(account, seen_at=now) for account in co_authors]
    found += Person.objects.filter(github_id__in=ids).order_by("pk")
    _propose(stored, found, now)
    tasks = list(Task.objects.filter(pull_request_links__pull_request=stored).distinct())
    standings.recompute_tasks(tasks=tasks, now=now)
    return stored


def _propose(pull_request: PullRequest, found: Sequence[Person], now: datetime) -> None:
    author = pull_request.author.whole_id
    for person in found:
        whole = person.canonical or person
        if whole.pk != author and not trailers.is_tool(whole.login, is_bot=whole.is_bot):
            CoAuthor.objects.get_or_create(
                pull_request=pull_request, person=whole, defaults={"proposed_at": now}
            )
