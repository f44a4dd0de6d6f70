"""Finding tracking issues by their address at GitHub, and back. An issue's body and comments under it are texts of their own."""

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from portal.common.errors import DomainError
from tasks_board.models import Event, TrackingIssue


def list_tracking_issues(*, repository: str, number: int) -> list[TrackingIssue]:
    """The bodies that are read at this address, or that stood there before they moved: one issue may carry several events.

    Comments under an issue belong to its body; the texts that stand in some of them are in `list_comment_texts`.
    """
    bodies = _live().filter(comment_id=None)
    found = list(bodies.filter(repository__iexact=repository, number=number).order_by("pk"))
    return found or [text for text in _moved(bodies) if _was_at(text, repository, number)]


def list_comment_texts(*, comment_id: int) -> list[TrackingIssue]:
    """The texts that stand in this comment: several events may have taken it in."""
    return list(_live().filter(comment_id=comment_id).order_by("pk"))


def find_body(event: Event, *, repository: str, number: int | None) -> TrackingIssue | None:
    """The event's own text at this address, or one that stood there before; retired ones too."""
    bodies = event.tracking_issues.filter(comment_id=None).select_related("event")
    found = bodies.filter(repository__iexact=repository, number=number).first()
    if found is not None or number is None:
        return found
    return next((text for text in _moved(bodies) if _was_at(text, repository, number)), None)


def address_of(tracking_issue: TrackingIssue) -> tuple[str, int]:
    """Repository and number. Raises DomainError for a pasted text, which stands in no issue."""
    if tracking_issue.number is None:
        raise DomainError(
            "no_issue", _("This text was pasted: there is no issue at GitHub to read or write.")
        )
    return tracking_issue.repository, tracking_issue.number


def _live() -> QuerySet[TrackingIssue]:
    texts = TrackingIssue.objects.select_related("event").filter(retired_at=None)
    return texts.exclude(event__status=Event.Status.ARCHIVED)


def _moved(texts: QuerySet[TrackingIssue]) -> QuerySet[TrackingIssue]:
    return texts.exclude(former_addresses=[]).order_by("pk")


def _was_at(text: TrackingIssue, repository: str, number: int) -> bool:
    address = f"{repository}#{number}".lower()
    return any(address == former.lower() for former in text.former_addresses)
