"""An event's texts over their life: added, merged into others, followed to new addresses. No task, claim or history is lost."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from claims.models import PullRequest, WatchedRepository
from claims.operations import issues
from claims.operations.importing import IssueText, check_reading
from claims.operations.issues import Revision
from claims.operations.tables import lock_texts
from portal import audit, locks, outbox
from portal.common.errors import DomainError
from portal.models import Person
from tasks_board import rights
from tasks_board.documents.model import ReadTask
from tasks_board.documents.reading import read_body
from tasks_board.models import Event, Task, TrackingIssue
from tasks_board.operations.following import follow_rows
from tasks_board.tracking import find_body


@dataclass(frozen=True, slots=True)
class Incoming:
    """A row of a text that would come in: with the task that it belongs to, if there is one already.

    `is_copy`: that task stands in another text, and stays there as long as it does.
    """

    row: ReadTask
    task: Task | None = None
    is_copy: bool = False


def preview_text(*, event: Event, body: str, repository: str) -> Sequence[Incoming]:
    """What would come in with a text that the event does not read yet. Writes nothing."""
    rows = read_body(body, repository=repository).tasks
    followed = follow_rows(event=event, tracking_issue=None, own=(), rows=rows)
    return [
        Incoming(row, followed.moved.get(place) or followed.held.get(place), is_copy=place in followed.held)
        for place, row in enumerate(rows)
    ]


@transaction.atomic
def add_issue(*, event: Event, text: IssueText, acting_user: Person, now: datetime) -> TrackingIssue:
    """Read a further issue of the event from now on, or again one that was retired.

    Raises NotAllowed, NoTasksFound, DomainError (already_read), LockBusy.
    """
    rights.check_may_organize(event, acting_user)
    check_reading(read_body(text.body, repository=text.repository), f"{text.repository}#{text.number}")
    locks.lock_rows(Event.objects.filter(pk=event.pk).only("pk"))  # two may add the same issue at once
    known = find_body(event, repository=text.repository, number=text.number)
    if known is not None and known.retired_at is None:
        raise DomainError("already_read", _("This issue is read already."))
    added = known or TrackingIssue.objects.create(
        event=event, repository=text.repository, number=text.number, title=text.title[:300]
    )
    begin_reading(
        tracking_issue=added, revision=Revision(text.body, text.at), acting_user=acting_user, now=now
    )
    return added


def begin_reading(
    *, tracking_issue: TrackingIssue, revision: Revision, acting_user: Person, now: datetime
) -> None:
    """Take in a text that is read from now on. Titles of pull requests that name its tasks are read anew afterwards."""
    lock_texts(tracking_issue)
    TrackingIssue.objects.filter(pk=tracking_issue.pk).update(retired_at=None)
    if not issues.apply_issue_revision(tracking_issue=tracking_issue, revision=revision, now=now):
        issues.read_again(tracking_issue=tracking_issue, now=now)
    numbers = sorted(set(tracking_issue.tasks.values_list("number", flat=True)))
    outbox.enqueue(
        "relink_titles",
        key=f"text:{tracking_issue.pk}",
        payload={"event": tracking_issue.event_id, "numbers": numbers},
        now=now,
    )
    _record("claims.text_added", tracking_issue, acting_user, now)


@transaction.atomic
def retire_text(*, tracking_issue: TrackingIssue, acting_user: Person, now: datetime) -> int:
    """The text was merged into others, or is given up: it is read and written no more, and its history stays.

    Its tasks go where their rows stand now; those whose row stands nowhere stay on the board, and go when it appears.
    Returns how many those are. Raises NotAllowed, LockBusy.
    """
    rights.check_may_organize(tracking_issue.event, acting_user)
    return _retire(tracking_issue, acting_user, now)


def _retire(tracking_issue: TrackingIssue, acting_user: Person | None, now: datetime) -> int:
    text = lock_texts(tracking_issue)
    if text.retired_at is None:
        text.retired_at, text.writing, text.alarm = now, TrackingIssue.Writing.MIRROR, ""
        text.save(update_fields=["retired_at", "writing", "alarm"])
        _record("claims.text_retired", text, acting_user, now)
        issues.let_all_follow(tracking_issue=text, now=now)
    return text.tasks.on_board().count()


@transaction.atomic
def read_text_again(*, tracking_issue: TrackingIssue, acting_user: Person, now: datetime) -> None:
    """Take a retired text up again, as it was last read. Raises NotAllowed, LockBusy."""
    rights.check_may_organize(tracking_issue.event, acting_user)
    lock_texts(tracking_issue)
    TrackingIssue.objects.filter(pk=tracking_issue.pk).update(retired_at=None)
    issues.read_again(tracking_issue=tracking_issue, now=now)
    _record("claims.text_added", tracking_issue, acting_user, now)


@transaction.atomic
def follow_issue(*, old: tuple[str, int], new: tuple[str, int], now: datetime) -> None:
    """An issue was transferred: its body and the comments under it have a new address, in every event. Raises LockBusy."""
    at_old = TrackingIssue.objects.filter(repository__iexact=old[0], number=old[1])
    _follow(at_old.values_list("event_id", flat=True), old[0], new[0], now, number=old[1], new_number=new[1])


@transaction.atomic
def follow_repository(*, old: str, new: str, now: datetime) -> None:
    """A repository was renamed or given to somebody else: texts, watched repositories and pull requests follow.

    Raises LockBusy.
    """
    if old.lower() == new.lower():
        return
    _follow_pull_requests(old, new)
    in_old = TrackingIssue.objects.filter(repository__iexact=old)
    _follow(in_old.values_list("event_id", flat=True), old, new, now)
    for event in Event.objects.order_by("pk"):
        changed = [
            name
            for name in ("repositories", "proposal_repositories")
            if any(known.lower() == old.lower() for known in getattr(event, name))
        ]
        for name in changed:
            renamed = [new if known.lower() == old.lower() else known for known in getattr(event, name)]
            setattr(event, name, list(dict.fromkeys(renamed)))
        if changed:
            event.save(update_fields=changed)
            audit.record(
                "claims.repository_followed",
                actor=None,
                target=event,
                now=now,
                event_id=event.pk,
                data={"from": old, "to": new},
            )


def _follow_pull_requests(old: str, new: str) -> None:
    known = PullRequest.objects.filter(repository__iexact=new).values("number")
    moving = locks.lock_rows(PullRequest.objects.filter(repository__iexact=old).exclude(number__in=known))
    PullRequest.objects.filter(pk__in=[pull_request.pk for pull_request in moving]).update(repository=new)
    if not WatchedRepository.objects.filter(repository__iexact=new).exists():
        WatchedRepository.objects.filter(repository__iexact=old).update(repository=new)


def _follow(
    event_ids: Iterable[int],
    old: str,
    new: str,
    now: datetime,
    *,
    number: int | None = None,
    new_number: int | None = None,
) -> None:
    """Texts of a repository, or of one issue in it, get their new address; of two bodies at one address one is retired."""
    texts = locks.lock_rows(
        TrackingIssue.objects.filter(event__in=sorted(set(event_ids))).select_related("event")
    )
    for text in texts:
        if text.repository.lower() != old.lower() or number not in (None, text.number) or text.number is None:
            continue
        target = new_number or text.number
        if text.comment_id is None and any(
            other.comment_id is None
            and other.event_id == text.event_id
            and (other.repository.lower(), other.number) == (new.lower(), target)
            for other in texts
        ):
            _retire(text, None, now)
            continue
        former = [*text.former_addresses, f"{text.repository}#{text.number}"]
        text.repository, text.number = new, target
        text.former_addresses = [a for a in dict.fromkeys(former) if a.lower() != f"{new}#{target}".lower()]
        text.save(update_fields=["repository", "number", "former_addresses"])
        audit.record(
            "claims.text_moved",
            actor=None,
            target=text,
            now=now,
            event_id=text.event_id,
            data={"from": former[-1]},
        )


def _record(kind: str, text: TrackingIssue, acting_user: Person | None, now: datetime) -> None:
    audit.record(kind, actor=acting_user, target=text, now=now, event_id=text.event_id)
