"""Finding tracking issues by their address at GitHub, and back; reading and writing their texts as organizers corrected it.

Every text of a tracking issue is read and edited here, so that corrections hold at each later text, poll and write.
"""

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from portal.common.errors import DomainError
from tasks_board.documents.announced import sections_in_order
from tasks_board.documents.choices import ReadingChoices
from tasks_board.documents.editing import Edit, apply_edits, apply_where_possible
from tasks_board.documents.model import Reading
from tasks_board.documents.reading import read_body
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


def list_bodies(*, repository: str, number: int | None) -> list[TrackingIssue]:
    """Every event's own text at this address, or that stood there before: archived and retired ones too, in their order."""
    bodies = TrackingIssue.objects.filter(comment_id=None).select_related("event").order_by("pk")
    found = list(bodies.filter(repository__iexact=repository, number=number))
    if number is None:
        return found
    there = {text.event_id for text in found}
    moved = [text for text in _moved(bodies) if _was_at(text, repository, number)]
    return found + [text for text in moved if text.event_id not in there]


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


def _live() -> QuerySet[TrackingIssue]:
    texts = TrackingIssue.objects.select_related("event").filter(retired_at=None)
    return texts.exclude(event__status=Event.Status.ARCHIVED)


def _moved(texts: QuerySet[TrackingIssue]) -> QuerySet[TrackingIssue]:
    return texts.exclude(former_addresses=[]).order_by("pk")


def _was_at(text: TrackingIssue, repository: str, number: int) -> bool:
    address = f"{repository}#{number}".lower()
    return any(address == former.lower() for former in text.former_addresses)
