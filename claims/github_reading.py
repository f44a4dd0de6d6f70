"""Reading GitHub and handing what was read to one operation each: used by jobs, commands and the wizard.

Nothing here stands in a transaction; every read may be repeated, since operations ignore what they know.
"""

import logging
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import TypeVar

from django.db import DatabaseError

from claims.github_texts import Text, list_edits, read_text
from claims.models import PullRequest, WatchedRepository
from claims.operations import (
    comment_texts,
    comments,
    deadlines,
    issues,
    naming,
    places,
    pull_requests,
    retracing,
    standings,
    tables,
    texts,
)
from claims.operations.importing import IssueText
from claims.operations.issues import Revision
from claims.operations.pull_requests import READ
from claims.operations.speaking import Written
from portal.accounts import people
from portal.common.errors import DomainError
from portal.github import connect, types
from portal.github.errors import GitHubError, GitHubRefused
from portal.github.gateway import Gateway
from portal.locks import LockBusy
from portal.models import Person
from tasks_board.documents.model import Reading
from tasks_board.models import Event, TrackingIssue
from tasks_board.tracking import address_of, list_bodies

logger = logging.getLogger(__name__)

_Found = TypeVar("_Found")
NAMES_AT_ONCE = 20
_LOGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}")
OVERLAP = timedelta(minutes=5)  # GitHub's lists lag behind its objects a little


def list_tracking_issues_to_poll() -> list[int]:
    """The tracking issues of events that are neither drafts nor archived."""
    live = TrackingIssue.objects.filter(event__status__in=[Event.Status.RUNNING, Event.Status.CLOSED])
    return list(
        live.filter(number__isnull=False, retired_at=None).order_by("pk").values_list("pk", flat=True)
    )


def list_repositories_to_watch() -> list[str]:
    """Every repository that some event watches, once, in lower case."""
    live = Event.objects.filter(status__in=[Event.Status.RUNNING, Event.Status.CLOSED])
    return sorted({name for event in live for name in pull_requests.watched_by(event)})


def poll_tracking_issue(*, tracking_issue: TrackingIssue, gateway: Gateway, now: datetime) -> None:
    """Take in the body, with every step of its history that is new, and the comments since the last reading.

    The comments of a draft's issue are left for the first reading after it was opened.
    Names in its tables that nobody has looked up yet become people where GitHub knows them.

    Raises GitHubUnavailable, GitHubRefused, LockBusy.
    """
    if tracking_issue.comment_id is not None:
        _poll_comment_text(tracking_issue, gateway, now)
        return
    repository, number = address_of(tracking_issue)
    fact = gateway.get_issue(repository, number)
    if (fact.repository.lower(), fact.number) != (repository.lower(), number):
        _follow_address(tracking_issue, (fact.repository, fact.number), gateway, now)
        if tracking_issue.retired_at is not None:  # another text of the event stands there already
            return
    repository, number = fact.repository, fact.number
    if fact.body not in (tracking_issue.body, "") or retracing.has_loose_ends(tracking_issue):
        _take_in_history(tracking_issue, fact, gateway.list_body_edits(repository, number), now)
    _look_up_names(tracking_issue, gateway, now)
    if tracking_issue.event.status != Event.Status.DRAFT:
        _read_comments(tracking_issue, fact, gateway, now)
    TrackingIssue.objects.filter(pk=tracking_issue.pk).update(read_at=now, title=fact.title[:300])


def _read_comments(tracking_issue: TrackingIssue, fact: types.Issue, gateway: Gateway, now: datetime) -> None:
    since = tracking_issue.comments_read_until

    def take_in(comment: types.Comment) -> None:
        for written in _texts_of(tracking_issue, comment, fact.author.id, gateway):
            comments.record_comment(tracking_issue=tracking_issue, written=written, now=now)

    found = gateway.list_issue_comments(
        fact.repository, fact.number, since=since - OVERLAP if since else None
    )
    _one_by_one(found, take_in)
    TrackingIssue.objects.filter(pk=tracking_issue.pk).update(comments_read_until=now)


def _texts_of(
    tracking_issue: TrackingIssue, comment: types.Comment, issue_author: int, gateway: Gateway
) -> list[Written]:
    """The texts of a comment that are new, oldest first, each with its editor: maintainers may edit anybody's comment."""
    is_by_issue_author = comment.author.id == issue_author
    now_stands = Written(comment, is_by_issue_author=is_by_issue_author)
    known = tracking_issue.comments.filter(github_id=comment.id).values_list("body", flat=True).first()
    if comment.updated_at == comment.created_at or known == comment.body:
        return [now_stands]
    edits = gateway.list_comment_edits(comment.repository, comment.id)
    bodies = [edit.body for edit in edits]
    if not edits or bodies[-1] != comment.body:  # the history is cut short, or somebody was quicker
        return [now_stands]
    first = bodies.index(known) if known in bodies else 0
    return [
        Written(
            replace(comment, body=edit.body, updated_at=edit.edited_at),
            edited_from=bodies[place - 1] if place else None,
            editor=edit.editor,
            is_first=place == 0,
            is_by_issue_author=is_by_issue_author,
        )
        for place, edit in enumerate(edits)
        if place >= first
    ]


def _follow_address(
    tracking_issue: TrackingIssue, new: tuple[str, int], gateway: Gateway, now: datetime
) -> None:
    """GitHub led us on: the repository has another name or owner, or the issue went to another one."""
    repository, number = address_of(tracking_issue)
    if gateway.get_repository(repository).full_name.lower() == new[0].lower():
        texts.follow_repository(old=repository, new=new[0], now=now)
    else:
        texts.follow_issue(old=(repository, number), new=new, now=now)
    tracking_issue.refresh_from_db()


def follow_moved(*, asked: tuple[str, int], found: IssueText, gateway: Gateway, now: datetime) -> None:
    """Who asked for an issue was led on: events that know it under the old address follow. Raises what the gateway raises."""
    if found.number is None or (found.repository.lower(), found.number) == (asked[0].lower(), asked[1]):
        return
    for text in list_bodies(repository=asked[0], number=asked[1]):
        stands = (text.repository.lower(), text.number)
        if stands == (asked[0].lower(), asked[1]):
            _follow_address(text, (found.repository, found.number), gateway, now)


def _poll_comment_text(tracking_issue: TrackingIssue, gateway: Gateway, now: datetime) -> None:
    """The same for a text in a comment. It is deleted if GitHub knows the issue and not the comment."""
    repository, number = address_of(tracking_issue)
    try:
        fact = read_text(tracking_issue, gateway)
    except GitHubRefused as error:
        if error.status not in (404, 410):
            raise
        gateway.get_issue(repository, number)
        comment_texts.note_deletion(tracking_issue=tracking_issue, now=now)
        return
    if fact.body not in (tracking_issue.body, "") or retracing.has_loose_ends(tracking_issue):
        _take_in_history(tracking_issue, fact, list_edits(fact, gateway), now)
    _look_up_names(tracking_issue, gateway, now)
    TrackingIssue.objects.filter(pk=tracking_issue.pk).update(read_at=now)


def _take_in_history(
    tracking_issue: TrackingIssue, fact: Text, edits: Iterable[types.BodyEdit], now: datetime
) -> None:
    steps = [
        Revision(
            edit.body,
            edit.edited_at,
            people.remember(edit.editor, seen_at=edit.edited_at) if edit.editor else None,
        )
        for edit in edits
    ]
    retracing.retrace(tracking_issue=tracking_issue, steps=retracing.chained(steps), now=now)
    retracing.tie_up(tracking_issue, now)
    if tracking_issue.revisions.filter(sha256=tables.digest(fact.body), ours=True).exists():
        return  # a write of ours that is on its way to being recorded
    last = Revision(fact.body, fact.updated_at)
    issues.apply_issue_revision(tracking_issue=tracking_issue, revision=last, now=now)


def _look_up_names(tracking_issue: TrackingIssue, gateway: Gateway, now: datetime) -> None:
    """A few at a time; each name once. Who takes an unknown name at GitHub later on gains nothing by it."""
    for name in naming.bare_names(tracking_issue)[:NAMES_AT_ONCE]:
        account = gateway.find_account(name.login) if _LOGIN.fullmatch(name.login) else None
        if account is None:
            naming.note_unknown(name=name, now=now)
        else:
            person = people.remember(account, seen_at=now)
            naming.resolve_name(name=name, person=person, now=now)


def reconcile_repository(*, repository: str, gateway: Gateway, now: datetime) -> None:
    """Take in the pull requests that changed since the last reading, and the reviews of those with a task.

    The mark of how far was read moves only when all of it was. Raises GitHubUnavailable, GitHubRefused, LockBusy.
    """
    watched, _created = WatchedRepository.objects.get_or_create(
        repository__iexact=repository,
        defaults={"repository": repository, "read_until": _first_reading(repository, now)},
    )

    def take_in(fact: types.PullRequest) -> None:
        # An address leads on to where a repository has moved; what is there says its name.
        texts.follow_repository(old=repository, new=fact.repository, now=now)
        stored = pull_requests.record_pull_request(fact=fact, seen=READ, now=now)
        if stored is not None and stored.links.exists():
            _read_reviews(stored, gateway, now)

    _one_by_one(gateway.list_pull_requests(repository, since=watched.read_until - OVERLAP), take_in)
    WatchedRepository.objects.filter(pk=watched.pk).update(read_until=now)


def _one_by_one(found: Iterable[_Found], take_in: Callable[[_Found], None]) -> None:
    """Take in each by itself: one that cannot be taken in costs no other, and its error is raised at the end."""
    failed: list[Exception] = []
    for entry in found:
        try:
            take_in(entry)
        except (GitHubError, LockBusy, DatabaseError):  # nothing about this one: the rest would meet the same
            raise
        except Exception as error:
            logger.exception("%s could not be taken in.", entry)
            failed.append(error)
    if failed:
        raise failed[0]


def settle_deadlines(*, gateway: Gateway, now: datetime) -> None:
    """Remind, release what has run out, and let people in line move up.

    The event's repositories are read anew before: nobody loses a claim over old news, so what GitHub does not answer now,
    or somebody else is just changing, waits for the next time.
    """
    for event, claims in groupby(deadlines.list_due(now), key=lambda claim: claim.task.event):
        try:
            for repository in sorted(pull_requests.watched_by(event)):
                reconcile_repository(repository=repository, gateway=gateway, now=now)
            for claim in claims:
                deadlines.settle_deadline(claim=claim, now=now)
        except DomainError as error:
            logger.warning("Time limits of %s: %s", event.slug, error)
    for task in places.list_tasks_with_line():
        try:
            standings.recompute_task(task=task, now=now)
        except LockBusy as error:
            logger.warning("The line before %s: %s", task.pk, error)


def _read_reviews(stored: PullRequest, gateway: Gateway, now: datetime) -> None:
    """The reviews, and where they ask for changes, what the author has written since."""
    for review in gateway.list_reviews(stored.repository, stored.number):
        pull_requests.record_review(fact=review, now=now)
    asked_at = pull_requests.unanswered_since(stored)
    if asked_at is not None:
        for comment in gateway.list_issue_comments(stored.repository, stored.number, since=asked_at):
            pull_requests.note_answer(comment=comment, now=now)


def _first_reading(repository: str, now: datetime) -> datetime:
    """Where an event says since when its pull requests count, from there; else from its creation on."""
    starts = [event.pull_requests_since or event.created_at for event in pull_requests.watching(repository)]
    return min(starts, default=now)


def resolve_people(
    *, readings: Iterable[Reading], gateway: Gateway, now: datetime, most: int | None = None
) -> dict[str, Person]:
    """The GitHub accounts of all logins that texts name, looked up once each; unknown ones are left out.

    `most` bounds how many are asked for, mentors before claimants. Raises GitHubUnavailable.
    """
    rows = [row for reading in readings for row in reading.tasks]
    guides = {login.lower(): login for row in rows for login in (*row.mentors, *row.assistants)}
    claimants = {c.login.lower(): c.login for row in rows for c in row.claimants if c.login}
    found = people.find_by_logins([*guides.values(), *claimants.values()])
    known = {key: person for key, person in found.items() if person.is_resolved}
    in_order = {**dict(sorted(guides.items())), **dict(sorted(claimants.items()))}
    for login in [login for key, login in in_order.items() if key not in known][:most]:
        account = gateway.find_account(login)
        if account is not None:
            known[login.lower()] = people.remember(account, seen_at=now)
    return known


def look_some_up(reading: Reading, *, now: datetime) -> None:
    """Some of the people whom a text names, mentors first; the others are looked up when the issue is polled."""
    try:
        resolve_people(readings=[reading], gateway=connect.connect(), now=now, most=NAMES_AT_ONCE)
    except GitHubError as error:
        logger.warning("People whom a text names: %s", error)
