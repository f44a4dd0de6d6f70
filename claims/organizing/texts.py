"""What the organizers' page of texts shows."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from claims.operations.texts import Incoming
from tasks_board.models import Event, TrackingIssue


def list_texts(event: Event) -> QuerySet[TrackingIssue]:
    """The event's texts, those that are read first, each with `task_count`, the tasks on the board that stand there."""
    on_board = Count("tasks", filter=Q(tasks__is_removed=False))
    texts = event.tracking_issues.defer("body", "agreed_body", "configuration").annotate(task_count=on_board)
    return texts.order_by("retired_at", "pk")


@dataclass(frozen=True, slots=True)
class IncomingCounts:
    """How many rows of a text are new, belong to tasks that come along, or are copies of rows elsewhere."""

    new: int
    known: int
    copies: int


def count_incoming(rows: Sequence[Incoming]) -> IncomingCounts:
    """The rows of a preview, counted."""
    copies = sum(entry.is_copy for entry in rows)
    known = sum(entry.task is not None for entry in rows) - copies
    return IncomingCounts(len(rows) - known - copies, known, copies)
