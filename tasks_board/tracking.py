"""Finding tracking issues by their address at GitHub, and back."""

from django.utils.translation import gettext_lazy as _

from portal.common.errors import DomainError
from tasks_board.models import Event, TrackingIssue


def list_tracking_issues(*, repository: str, number: int) -> list[TrackingIssue]:
    """The tracking issues at this address: one issue may carry several events."""
    found = TrackingIssue.objects.select_related("event").filter(repository__iexact=repository, number=number)
    return list(found.exclude(event__status=Event.Status.ARCHIVED).order_by("pk"))


def address_of(tracking_issue: TrackingIssue) -> tuple[str, int]:
    """Repository and number. Raises DomainError for a pasted text, which stands in no issue."""
    if tracking_issue.number is None:
        raise DomainError(
            "no_issue", _("This text was pasted: there is no issue at GitHub to read or write.")
        )
    return tracking_issue.repository, tracking_issue.number
