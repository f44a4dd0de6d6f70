"""Tables in comments under an issue: offered to the organizers, and taken in by their click.

Only comments of the event's organizers and of the issue's author are offered. From then on such a comment is a text like an
issue's body; what else its writer says in it still counts as a comment.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from claims.models import IssueComment
from claims.operations import issues, texts
from claims.operations.issues import Revision
from portal.common.errors import DomainError
from portal.models import Person
from tasks_board import rights
from tasks_board.documents.reading import read_body
from tasks_board.models import Event, EventRole, TrackingIssue
from tasks_board.operations import events


@dataclass(frozen=True, slots=True)
class Offer:
    """A comment with tables that an organizer may take in."""

    comment: IssueComment
    tasks: int


def list_offers(event: Event) -> Sequence[Offer]:
    """The comments with tables that are not read yet, oldest first."""
    taken = event.tracking_issues.filter(comment_id__isnull=False, retired_at=None)
    organizers = event.roles.filter(role=EventRole.Role.ORGANIZER)
    found = (
        IssueComment.objects.filter(tracking_issue__event=event, deleted_at=None, body__contains="|")
        .filter(Q(author__in=organizers.values("person")) | Q(reading__by_issue_author=True))
        .exclude(github_id__in=taken.values("comment_id"))
        .select_related("author", "tracking_issue")
        .order_by("written_at", "pk")
    )
    offers = [Offer(c, len(read_body(c.body, repository=c.tracking_issue.repository).tasks)) for c in found]
    return [offer for offer in offers if offer.tasks]


@transaction.atomic
def take_in_comment(
    *, event: Event, comment: IssueComment, acting_user: Person, now: datetime
) -> TrackingIssue:
    """Read the tables of a comment from now on; its rows become tasks. Raises NotAllowed, DomainError, LockBusy."""
    rights.check_may_organize(event, acting_user)
    if all(offer.comment.pk != comment.pk for offer in list_offers(event)):
        raise DomainError("not_offered", _("This comment holds no table that could be taken in."))
    under = comment.tracking_issue
    text, _created = TrackingIssue.objects.get_or_create(
        event=event,
        comment_id=comment.github_id,
        defaults={"repository": under.repository, "number": under.number, "title": under.title},
    )
    texts.begin_reading(
        tracking_issue=text,
        revision=Revision(comment.body, comment.updated_at),
        acting_user=acting_user,
        now=now,
    )
    return text


@transaction.atomic
def note_deletion(*, tracking_issue: TrackingIssue, now: datetime) -> None:
    """The comment is gone from GitHub: its tasks stay, nothing is written, and the organizers are told by an alarm."""
    events.raise_alarm(tracking_issue=tracking_issue, code="comment_deleted", now=now)


def apply_edit(*, tracking_issue: TrackingIssue, revision: Revision, now: datetime) -> None:
    """Somebody edited the comment: a new text, or our own write, which may have covered an edit. Raises LockBusy."""
    if revision.editor is not None and revision.editor.is_portal:
        issues.notice_own_write(
            tracking_issue=tracking_issue, at=revision.at, previous=revision.previous, now=now
        )
        return
    issues.apply_issue_revision(tracking_issue=tracking_issue, revision=revision, now=now)
