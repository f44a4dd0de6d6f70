"""The switches that let the portal write into issues: one for each table, and one that holds everything of an event."""

from datetime import datetime

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext_lazy as _

from claims.models import IssueComment, Reply
from claims.operations import answering, tables
from portal import audit
from portal.common.errors import DomainError
from portal.models import Person
from tasks_board import rights
from tasks_board.models import Event, TrackingIssue
from tasks_board.operations import events


@transaction.atomic
def switch_writing(
    *, tracking_issue: TrackingIssue, on: bool, acting_user: Person | None, now: datetime
) -> None:
    """Keep an issue's table up to date from now on (and bring it up to date at once), or only read it again.

    The permission probe and the reviewed difference come before, in the caller. Raises NotAllowed.
    """
    events.set_writing(tracking_issue=tracking_issue, on=on, acting_user=acting_user, now=now)
    if on:
        tables.request_write_of(tracking_issue=tracking_issue, now=now)


@transaction.atomic
def hold_event(*, event: Event, held: bool, acting_user: Person | None, now: datetime) -> None:
    """Hold back every table and every answer of an event, or release them: what differs then goes out at once.

    Everything is read on. Raises NotAllowed.
    """
    if events.hold_writing(event=event, held=held, acting_user=acting_user, now=now) and not held:
        send_waiting(event=event, now=now)


@transaction.atomic
def send_waiting(*, event: Event, now: datetime) -> None:
    """Ask for everything that differs to be written, after the event was silent."""
    for issue in event.tracking_issues.filter(writing=TrackingIssue.Writing.ON).order_by("pk"):
        tables.request_write_of(tracking_issue=issue, now=now)
    heard = IssueComment.objects.filter(tracking_issue__event=event).values("github_id")
    answers = Reply.objects.filter(comment__github_id__in=heard).select_related("comment")
    unsent = answers.exclude(body=F("wanted"), reaction=F("wanted_reaction"))
    for reply in unsent.order_by("comment__github_id", "pk"):
        answering.request_answer(reply, now)


@transaction.atomic
def add_column(*, tracking_issue: TrackingIssue, acting_user: Person | None, now: datetime) -> None:
    """Put a column for claimants into every table that has none, and keep the text up to date from then on.

    The permission probe and the reviewed difference come before, in the caller. Raises NotAllowed, DomainError.
    """
    if acting_user is not None:
        rights.check_may_organize(tracking_issue.event, acting_user)
    if not tracking_issue.lacks_column:
        raise DomainError("has_column", _("Every table of this text has a column for claimants already."))
    tracking_issue.column_wanted = True
    tracking_issue.save(update_fields=["column_wanted"])
    audit.record(
        "claims.column_wanted",
        actor=acting_user,
        target=tracking_issue,
        now=now,
        event_id=tracking_issue.event_id,
    )
    switch_writing(tracking_issue=tracking_issue, on=True, acting_user=acting_user, now=now)
