"""Facts about pull requests arrive: upserted by GitHub's own time, linked to tasks, and standings derived anew."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from django.db import transaction
from django.db.models import Q

from claims.grammar.model import TitleReading
from claims.models import PullRequest, PullRequestLink, Review
from claims.operations import landing, standings, strays, telling, titles, unread_titles
from portal import locks
from portal.accounts import people
from portal.github import types
from portal.models import Person
from tasks_board.models import Event, Task


@dataclass(frozen=True, slots=True)
class Seen:
    """How a fact was come by: read from GitHub just now, or told by an event, with what the event itself was about."""

    is_current: bool = False
    previous_title: str | None = None
    retitled_by: types.Account | None = None
    label_added: str = ""
    label_removed: str = ""
    closed_by: types.Account | None = None


TOLD = Seen()
READ = Seen(is_current=True)
_RANK = {"open": 0, "closed": 1, "merged": 2}


@transaction.atomic
def record_pull_request(
    *, fact: types.PullRequest, now: datetime, seen: Seen = TOLD, is_named: bool = False
) -> PullRequest | None:
    """Take in a pull request of a watched repository, or one that a text names; None if nobody asked for it.

    Older news changes nothing; on a tie the terminal state wins; merged is final. Raises LockBusy.
    """
    before = PullRequest.objects.filter(github_id=fact.id).only("state", "updated_at").first()
    stored, tasks = _store_pull_request(fact, seen, is_named=is_named)
    _recompute(tasks, now)
    if stored is not None and tasks:
        strays.tell_of_strays(stored, now=now)
        if not _is_old_merge(before, seen):
            landing.look_into(stored, now=now)
    elif stored is not None and (before is None or before.updated_at != stored.updated_at):
        unread_titles.tell_of_unread_title(stored, events=watching(stored.repository), now=now)
    return stored


def _is_old_merge(before: PullRequest | None, seen: Seen) -> bool:
    """Whether its commits were looked at when it was merged, and its title names what it named then."""
    return before is not None and before.state == PullRequest.State.MERGED and seen.previous_title is None


def _store_pull_request(
    fact: types.PullRequest, seen: Seen, *, is_named: bool
) -> tuple[PullRequest | None, list[Task]]:
    """Upsert the facts and the links by title; with the tasks that this bears on, none if it is no news."""
    events = watching(fact.repository)
    if not events and not is_named and not PullRequest.objects.filter(github_id=fact.id).exists():
        return None, []
    author = people.remember(fact.author, seen_at=fact.updated_at)
    values = {
        "repository": fact.repository,
        "number": fact.number,
        "title": fact.title,
        "body": fact.body,
        "state": fact.state.value,
        "is_draft": fact.is_draft,
        "base_branch": fact.base_branch,
        "head_branch": fact.head_branch,
        "labels": sorted(fact.labels),
        "head_sha": fact.head_sha,
        "reviewers_asked": sorted(fact.reviewers_asked),
        "opened_at": fact.created_at,
        "updated_at": fact.updated_at,
        "closed_at": fact.closed_at,
        "merged_at": fact.merged_at if fact.state is types.PullRequestState.MERGED else None,
    }
    stored, created = PullRequest.objects.select_for_update(no_key=True).get_or_create(
        github_id=fact.id, defaults={**values, "author": author}
    )
    is_mended = titles.learn_title(
        stored, fact, previous=seen.previous_title, editor=seen.retitled_by, events=events
    )
    if not created and not _is_news(stored, fact, seen):
        left = _link_by_title(stored, events) if is_mended else []
        is_more = _learn_beside(stored, fact, seen) or is_mended
        return stored, [*left, *_linked_tasks(stored)] if is_more else []
    if fact.state is types.PullRequestState.OPEN:
        stored.closed_by = None
    for name, value in values.items():
        setattr(stored, name, value)
    stored.save()
    _learn_beside(stored, fact, seen)
    left = _link_by_title(stored, events)
    return stored, [*left, *_linked_tasks(stored)]


@transaction.atomic
def record_review(*, fact: types.Review, now: datetime, on: types.PullRequest | None = None) -> Review | None:
    """Take in a review; None if its pull request is not known, nor told with it (`on`). Raises LockBusy."""
    tasks: list[Task] = []
    if on is not None:
        pull_request, tasks = _store_pull_request(on, TOLD, is_named=False)
    else:
        pull_request = find_pull_request(fact.repository, fact.pull_request_number)
    if pull_request is None or fact.state is types.ReviewState.PENDING:
        _recompute(tasks, now)
        return None
    reviewer = people.remember(fact.reviewer, seen_at=fact.submitted_at)
    review, created = Review.objects.select_for_update().get_or_create(
        github_id=fact.id,
        defaults={
            "pull_request": pull_request,
            "reviewer": reviewer,
            "association": fact.association,
            "state": fact.state.value,
            "submitted_at": fact.submitted_at,
            "commit_sha": fact.commit_sha,
        },
    )
    if not created and review.state != "dismissed":
        review.state, review.commit_sha = fact.state.value, review.commit_sha or fact.commit_sha
        review.save(update_fields=["state", "commit_sha"])
    linked = _linked_tasks(pull_request)
    _recompute([*tasks, *linked], now)
    if created:
        telling.tell_review(review, linked, now)
    return review


@transaction.atomic
def note_answer(*, comment: types.Comment, now: datetime) -> None:
    """A comment under a pull request that is known: its author's answers whoever asked for changes. Raises LockBusy."""
    stored = find_pull_request(comment.repository, comment.issue_number)
    if stored is None or not _is_of(comment.author, stored.author):
        return
    locks.lock_rows(PullRequest.objects.filter(pk=stored.pk).only("pk"))
    is_older = Q(author_wrote_at=None) | Q(author_wrote_at__lt=comment.created_at)
    if PullRequest.objects.filter(is_older, pk=stored.pk).update(author_wrote_at=comment.created_at):
        _recompute(_linked_tasks(stored), now)


def _is_of(account: types.Account, person: Person) -> bool:
    """Whether an account is the person's, or another one of theirs."""
    writer = Person.objects.filter(github_id=account.id).first()
    return writer is not None and writer.whole_id == person.whole_id


def unanswered_since(pull_request: PullRequest) -> datetime | None:
    """When changes were asked for last on an open pull request, if its author has written no comment since that we know."""
    if pull_request.state != PullRequest.State.OPEN:
        return None
    asked = pull_request.reviews.filter(state="changes_requested").order_by("submitted_at").last()
    wrote_at = pull_request.author_wrote_at
    if asked is None or (wrote_at is not None and wrote_at > asked.submitted_at):
        return None
    return asked.submitted_at


@transaction.atomic
def link_pull_request(
    *, pull_request: PullRequest, task: Task, reason: PullRequestLink.Reason, now: datetime
) -> PullRequestLink:
    """Tie a pull request to a task for another reason than its title. Raises LockBusy."""
    off = taken_off(pull_request).get(task.pk, {})
    link, created = PullRequestLink.objects.get_or_create(
        pull_request=pull_request,
        task=task,
        reason=reason,
        defaults={"is_proposal": is_proposal(task.event, pull_request.repository), **off},
    )
    if created:
        standings.recompute_task(task=task, now=now)
        strays.tell_of_strays(pull_request, now=now)
        landing.look_into(pull_request, now=now)
    return link


def taken_off(pull_request: PullRequest) -> dict[int, dict[str, Any]]:
    """The tasks that a mentor took the pull request off, with when and who: every further link of it stays off too."""
    off = pull_request.links.filter(unlinked_at__isnull=False)
    return {
        link.task_id: {"unlinked_at": link.unlinked_at, "unlinked_by_id": link.unlinked_by_id}
        for link in off.order_by("pk")
    }


def find_pull_request(repository: str, number: int) -> PullRequest | None:
    """The pull request at this address, if it is known."""
    return PullRequest.objects.filter(repository__iexact=repository, number=number).first()


def watching(repository: str) -> list[Event]:
    """The events, archived ones aside, that look at this repository for pull requests."""
    events = Event.objects.exclude(status=Event.Status.ARCHIVED).exclude(title_prefix="", title_aliases=[])
    return [event for event in events.order_by("pk") if repository.lower() in watched_by(event)]


def watched_by(event: Event) -> set[str]:
    """The repositories of an event, proposals included, in lower case."""
    return {name.lower() for name in (*event.repositories, *event.proposal_repositories)}


@transaction.atomic
def relink(
    *, event: Event, now: datetime, numbers: Collection[str] | None = None, also_in: Collection[str] = ()
) -> None:
    """Read the titles of known pull requests anew, after an event's tasks or prefixes changed. Raises LockBusy.

    `numbers` narrows it to titles that hold one of these numbers, new or no longer used; `also_in` are repositories that
    the event watched before.
    """
    wanted = _in_repositories({*watched_by(event), *also_in})
    if numbers is not None:
        named = Q(pk=None)
        for number in numbers:
            named |= Q(title__icontains=number.lstrip("0") or "0")
        wanted &= named
    touched: list[Task] = []
    events_of = cache(watching)
    for pull_request in locks.lock_rows(PullRequest.objects.filter(wanted)):
        before = _tasks_of(pull_request)
        left = _link_by_title(pull_request, events_of(pull_request.repository))
        if _tasks_of(pull_request) != before:
            touched += [*left, *_linked_tasks(pull_request)]
    _recompute(
        touched, now
    )  # all at once: tasks are locked by their keys, not in the order of the pull requests


def lock_known(repositories: Iterable[str]) -> None:
    """Lock the known pull requests of repositories, ahead of any task: who changes many takes them in this order."""
    locks.lock_rows(PullRequest.objects.filter(_in_repositories(repositories)).only("pk"))


def _in_repositories(names: Iterable[str]) -> Q:
    repositories = Q(pk=None)
    for name in names:
        repositories |= Q(repository__iexact=name)
    return repositories


def _tasks_of(pull_request: PullRequest) -> set[int]:
    return set(pull_request.links.values_list("task_id", flat=True))


def _is_news(stored: PullRequest, fact: types.PullRequest, seen: Seen) -> bool:
    if stored.state == "merged" and fact.state is not types.PullRequestState.MERGED:
        return False
    if fact.updated_at != stored.updated_at:
        return fact.updated_at > stored.updated_at
    # GitHub's times are whole seconds. In one second: the state nearer to the end, then what says it came after.
    rank, stored_rank = _RANK[fact.state.value], _RANK[stored.state]
    if rank != stored_rank:
        return rank > stored_rank
    return seen.is_current or (seen.previous_title is not None and seen.previous_title == stored.title)


def _learn_beside(stored: PullRequest, fact: types.PullRequest, seen: Seen) -> bool:
    """What an event tells beyond the facts' own time: who closed it, and a label put on or taken off in the same second."""
    labels = set(stored.labels)
    if fact.updated_at == stored.updated_at:
        labels = (labels | {seen.label_added}) - {seen.label_removed, ""}
    is_that_closing = fact.closed_at is not None and fact.closed_at == stored.closed_at
    closer = seen.closed_by if is_that_closing and stored.closed_by_id is None else None
    if labels == set(stored.labels) and closer is None:
        return False
    stored.labels = sorted(labels)
    if closer is not None:
        stored.closed_by = people.remember(closer, seen_at=fact.updated_at)
    stored.save(update_fields=["labels", "closed_by"])
    return True


def _link_by_title(pull_request: PullRequest, events: Sequence[Event]) -> list[Task]:
    """Make the links by title what the titles say now; returns the tasks that none names any more.

    What is archived is left as it is.
    """
    counted = titles.title_that_counts(pull_request)
    named = titles.read_for(pull_request, counted, events)
    left = _make_links(pull_request, PullRequestLink.Reason.TITLE, named.tasks, named.reading)
    later: dict[int, Task] = {}
    reading = named.reading
    if counted != pull_request.title:
        renamed = titles.read_for(pull_request, pull_request.title, events)
        later = {pk: task for pk, task in renamed.tasks.items() if pk not in named.tasks}
        reading = renamed.reading
    return left + _make_links(pull_request, PullRequestLink.Reason.RETITLED, later, reading)


def _make_links(
    pull_request: PullRequest,
    reason: PullRequestLink.Reason,
    wanted: Mapping[int, Task],
    reading: TitleReading,
) -> list[Task]:
    values = {"is_partial": reading.partial, "is_revert": reading.revert, "is_proposal": reading.rfc}
    holding = pull_request.links.holding().filter(reason=reason)
    left = holding.exclude(task__in=wanted).exclude(task__event__status=Event.Status.ARCHIVED)
    gone = list(left.select_related("task__event"))
    PullRequestLink.objects.filter(pk__in=[link.pk for link in gone]).delete()
    off = taken_off(pull_request) if wanted else {}
    for task in wanted.values():
        PullRequestLink.objects.update_or_create(
            pull_request=pull_request,
            task=task,
            reason=reason,
            defaults={**values, **off.get(task.pk, {})},
        )
    return [link.task for link in gone]


def is_proposal(event: Event, repository: str) -> bool:
    return repository.lower() in {name.lower() for name in event.proposal_repositories}


def _linked_tasks(pull_request: PullRequest) -> list[Task]:
    linked = Task.objects.filter(pull_request_links__pull_request=pull_request)
    return list(linked.select_related("event").distinct())


def _recompute(tasks: Iterable[Task], now: datetime) -> None:
    """Each of them once, locked in the order of their keys."""
    standings.recompute_tasks(tasks=list(tasks), now=now)
