"""Cells and rows that organizers changed here, on their way into the text of an issue and noted once they stand there."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from portal import outbox
from tasks_board.documents.model import Reading, ReadTask
from tasks_board.models import Event, Task, TrackingIssue
from tasks_board.operations import edits
from tasks_board.operations.edits import WrittenRows, rows_of_tasks
from tasks_board.tracking import read_issue


def write(
    body: str,
    *,
    tracking_issue: TrackingIssue,
    tasks: Sequence[Task],
    rows: Mapping[int, ReadTask],
    reading: Reading,
) -> tuple[str, WrittenRows]:
    """The body with every change of a cell and every wanted row written in. People alone look after excluded rows."""
    ours = [task for task in tasks if not task.is_excluded]
    return edits.write_rows(body, tracking_issue=tracking_issue, tasks=ours, rows=rows, reading=reading)


def note_written(*, tracking_issue: TrackingIssue, written: WrittenRows, now: datetime) -> None:
    """The table says it now; titles that name a number with another meaning are read anew."""
    if not written.cells and not written.rows:
        return
    changed = edits.note_written(tracking_issue=tracking_issue, written=written, now=now)
    request_relinking(event=tracking_issue.event, numbers=changed, now=now)


def reopen_covered(
    *, tracking_issue: TrackingIssue, body: str, before: str, at: datetime, now: datetime
) -> None:
    """A person's text that our write covered is merged back: what ours had said of rows is on its way again."""
    edits.reopen_cells(tracking_issue=tracking_issue, since=min(at, tracking_issue.written_at or at))
    tasks = list(tracking_issue.tasks.select_related("direction"))
    standing: set[int] = set()
    for text in (body, before):
        standing |= rows_of_tasks(tasks, read_issue(tracking_issue, text)).keys()
    edits.reopen_rows(tracking_issue=tracking_issue, standing=standing, now=now)


def request_relinking(*, event: Event, numbers: Collection[str], now: datetime) -> None:
    """Numbers that mean another task than before: titles that name them are read anew, after this transaction."""
    if not numbers:
        return
    ordered = sorted(set(numbers))
    key = hashlib.sha256(" ".join(ordered).encode()).hexdigest()[:16]
    outbox.enqueue(
        "relink_titles",
        key=f"event:{event.pk}:{key}",
        payload={"event": event.pk, "numbers": ordered},
        now=now,
    )
