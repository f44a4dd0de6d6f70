"""A comment under a tracking issue arrives: read, acted on once, answered once.

Created: its intents are carried out. Edited: the difference between the old and the new reading, if its author edited it;
an edit by somebody else speaks for nobody and waits for a mentor. Deleted: the claims stay, the deletion is noted. What we
wrote ourselves, and what bots write, asks for nothing.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from claims.grammar.model import CommentReading, IntentKind
from claims.models import Claim, IssueComment, Reply
from claims.operations import answering, telling
from claims.operations.answering import Wanted
from claims.operations.speaking import (
    Reader,
    Step,
    Written,
    carry_out,
    look_for,
    numbers_of,
    steps_of,
    steps_of_late,
)
from claims.replies import Line
from portal import audit, locks
from portal.accounts import people
from portal.github.signatures import read_mark
from portal.models import Person
from tasks_board.models import Event, EventRole, TrackingIssue
from tasks_board.operations.teams import team_of


@transaction.atomic
def record_comment(*, tracking_issue: TrackingIssue, written: Written, now: datetime) -> IssueComment | None:
    """Take in a text of a comment: stored, carried out, answered. None for our own; a known text changes nothing.

    A draft hears nothing: once it is opened, its issue's comments are read as they stand then. Raises LockBusy.
    """
    fact = written.fact
    author = people.remember(fact.author, seen_at=fact.updated_at)
    if author.is_portal or read_mark(fact.body) is not None:
        return None
    issue = locks.lock_rows(TrackingIssue.objects.filter(pk=tracking_issue.pk).select_related("event"))[0]
    if issue.event.status == Event.Status.DRAFT:
        return None
    stored = _stored(issue, fact.id)
    reader = Reader(issue, fact, without_tables=_holds_tables(issue, author, written))
    if stored is not None and _is_late(stored, written):
        # What it claimed counts as of then, and nobody is answered twice.
        lines = carry_out(stored, steps_of_late(reader, written, stored), now)
        look_for(stored, lines, now)
        return stored
    if stored is not None and fact.body == stored.body and written.edited_from in (None, stored.body):
        return stored
    return _take_in(issue, stored, reader, written, author, now)


def _holds_tables(issue: TrackingIssue, author: Person, written: Written) -> bool:
    """Whether the comment may hold tables of the event, which its author does not speak by."""
    if "|" not in written.fact.body and "|" not in (written.edited_from or ""):
        return False
    if written.is_by_issue_author:
        return True
    return EventRole.objects.filter(event=issue.event_id, person=author, role="organizer").exists()


def _take_in(
    issue: TrackingIssue,
    stored: IssueComment | None,
    reader: Reader,
    written: Written,
    author: Person,
    now: datetime,
) -> IssueComment:
    steps = steps_of(reader, written, stored)
    reading = reader.read(written.fact.body)
    said_before = stored.reading if stored else {}
    kept = _kept(stored, reading, steps)
    comment = _store(issue, stored, author, written, reader, now)
    lines = carry_out(comment, steps, now)
    if steps and (lines or comment.reading != said_before):
        unknown = [Line(number, "unknown") for number in reading.unknown]
        answering.answer(comment, [*lines, *kept, *unknown], attempt=reading.attempt, now=now)
    look_for(comment, lines, now)
    return comment


def _stored(issue: TrackingIssue, github_id: int) -> IssueComment | None:
    known = IssueComment.objects.filter(tracking_issue=issue, github_id=github_id)
    return known.select_related("tracking_issue__event", "author").first()


def _is_late(stored: IssueComment, written: Written) -> bool:
    """Whether a text is older than the one we know. GitHub's times are whole seconds."""
    fact = written.fact
    if fact.body == stored.body and fact.updated_at <= stored.updated_at:
        return False
    if written.is_first:
        return True
    if fact.updated_at != stored.updated_at:
        return fact.updated_at < stored.updated_at
    return written.edited_from is not None and written.edited_from != stored.body


def _kept(stored: IssueComment | None, reading: CommentReading, steps: Sequence[Step]) -> list[Line]:
    """What the text before claimed too, and still holds: said again, since the answer stands in place of the old one."""
    if stored is None:
        return []
    fresh = {number for step in steps for intent in step.intents for number in intent.tasks}
    kept = [number for number in numbers_of(reading.intents, IntentKind.CLAIM) if number not in fresh]
    event = stored.tracking_issue.event
    theirs = Q(person__in=_accounts(stored.author)) | Q(
        team__isnull=False, team=team_of(event, stored.author)
    )
    held = Claim.objects.filter(theirs, task__event=event, task__number__in=kept).exclude(
        standing__in=Claim.GONE
    )
    numbers = set(held.values_list("task__number", flat=True))
    return [Line(number, "already") for number in kept if number in numbers]


def _accounts(author: Person) -> set[int]:
    return {author.pk, author.whole_id}


@transaction.atomic
def note_deletion(*, tracking_issue: TrackingIssue, github_id: int, now: datetime) -> None:
    """A comment was deleted: its claims stay; people release with a word, not by silence."""
    gone = IssueComment.objects.filter(tracking_issue=tracking_issue, github_id=github_id, deleted_at=None)
    for comment in gone:
        comment.deleted_at = now
        comment.save(update_fields=["deleted_at"])
        audit.record(
            "claims.comment_deleted", actor=None, target=comment, now=now, event_id=tracking_issue.event_id
        )


@transaction.atomic
def record_reply(*, wanted: Wanted, github_id: int, now: datetime) -> None:
    """Our answer stands at GitHub with this text."""
    reply = wanted.reply
    reply.github_id, reply.body = github_id, wanted.words
    reply.save(update_fields=["github_id", "body"])
    Reply.objects.filter(pk__in=[reply.pk, *wanted.spoken]).update(posted_at=now)


@transaction.atomic
def record_reaction(*, wanted: Wanted, now: datetime) -> None:
    """This reaction of ours stands at GitHub; empty: none."""
    reply = wanted.reply
    reply.reaction = wanted.reaction
    reply.save(update_fields=["reaction"])
    Reply.objects.filter(pk__in=wanted.spoken).update(posted_at=now)


def _store(
    issue: TrackingIssue,
    stored: IssueComment | None,
    author: Person,
    written: Written,
    reader: Reader,
    now: datetime,
) -> IssueComment:
    fact, reading = written.fact, reader.read(written.fact.body)
    comment = stored or IssueComment(
        tracking_issue=issue, github_id=fact.id, author=author, written_at=fact.created_at
    )
    intents = [{"kind": intent.kind.value, "tasks": list(intent.tasks)} for intent in reading.intents]
    is_else = not written.is_by_its_author and intents != comment.reading.get("intents")
    comment.reading = {
        "intents": intents,
        "claims": reader.first_claimed(written, stored),
        "unknown": list(reading.unknown),
        "hint": reading.hint,
        **({"attempt": reading.attempt.value} if reading.attempt else {}),
        **({"team": reading.team} if reading.team else {}),
        "by_issue_author": written.is_by_issue_author,
    }
    comment.body, comment.updated_at = fact.body, fact.updated_at
    comment.needs_help = reading.hint or bool(reading.unknown) or is_else
    comment.handled_at = None
    comment.save()
    if comment.needs_help:
        cause = f"comment:{comment.pk}:{fact.updated_at.isoformat()}"
        telling.tell_deciders(issue.event, cause=cause, at=fact.updated_at, but=[author], now=now)
    return comment
