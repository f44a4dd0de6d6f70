"""Finding tracking issues by their address at GitHub, and back; reading and writing their texts as organizers corrected it.

Every text of a tracking issue is read and edited here, so that corrections hold at each later text, poll and write.
"""

from collections.abc import Iterable, Mapping, Sequence

from django.utils.translation import gettext_lazy as _

from portal.common.errors import DomainError
from tasks_board.documents.announced import sections_in_order
from tasks_board.documents.choices import ReadingChoices
from tasks_board.documents.editing import Edit, apply_edits, apply_where_possible
from tasks_board.documents.model import Reading
from tasks_board.documents.reading import read_body
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


def choices_of(tracking_issue: TrackingIssue) -> ReadingChoices:
    """What organizers corrected of how the issue's texts are read."""
    return ReadingChoices.from_json(tracking_issue.reading_choices)


def read_issue(tracking_issue: TrackingIssue, body: str) -> Reading:
    """A text of the issue, read as it was corrected."""
    return read_body(body, repository=tracking_issue.repository, choices=choices_of(tracking_issue))


def edit_issue(tracking_issue: TrackingIssue, body: str, edits: Iterable[Edit]) -> str:
    """A text of the issue with edits, in cells as they are read. Raises EditRefused."""
    return apply_edits(body, edits, repository=tracking_issue.repository, choices=choices_of(tracking_issue))


def edit_where_possible(
    tracking_issue: TrackingIssue, body: str, edits: Sequence[Edit]
) -> tuple[str, Mapping[int, str]]:
    """The same with every edit that can be written, and the codes of those that cannot, by their place."""
    choices = choices_of(tracking_issue)
    return apply_where_possible(body, edits, repository=tracking_issue.repository, choices=choices)


def sections_of(tracking_issue: TrackingIssue, body: str, reading: Reading) -> tuple[str, ...]:
    """The directions of a text in its order, with those that are only announced."""
    named = frozenset(table.section for table in reading.tables if table.section)
    return sections_in_order(body, named, choices_of(tracking_issue))
