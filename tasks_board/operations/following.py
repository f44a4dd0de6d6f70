"""An event's tables may stand in several texts. A row that people move from one into another stays the same task.

Texts arrive in any order, so a row may be in the new text before it has left the old one. While it stands in both, the
task stays where it was and the copy makes no second one; once it has left, the task goes after it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from tasks_board.documents.identity import (
    RowIdentity,
    are_copies,
    identity_of_row,
    pair_surely,
)
from tasks_board.documents.model import Reading, ReadTask
from tasks_board.models import Event, Task, TrackingIssue
from tasks_board.operations.edits import OpenEdits, rows_of_tasks, words_in
from tasks_board.tracking import read_issue


@dataclass(frozen=True, slots=True)
class Followed:
    """Rows of a text, by their place, whose tasks come from elsewhere (`moved`), and copies of rows that stand there (`held`)."""

    moved: Mapping[int, Task] = field(default_factory=dict)
    held: Mapping[int, Task] = field(default_factory=dict)

    @property
    def places(self) -> set[int]:
        """All of them."""
        return {*self.moved, *self.held}


def read_text(tracking_issue: TrackingIssue) -> Reading:
    """What a text says now."""
    return read_issue(tracking_issue, tracking_issue.agreed_body)


def follow_rows(
    *, event: Event, tracking_issue: TrackingIssue | None, own: Sequence[Task], rows: Sequence[ReadTask]
) -> Followed:
    """Which rows of a text belong to tasks of the event's other texts, or to tasks that stand in no table yet.

    `own` are the tasks of the text itself: what is surely theirs is not looked for elsewhere. A number alone is enough only
    for a task without a table, or whose text was merged into others; two forms may both begin with 1.
    """
    found = [identity_of_row(row) for row in rows]
    said = words_in(rows)
    surely_own = pair_surely(_identities(own, said), found)
    left = [place for place in range(len(rows)) if place not in surely_own]
    if not left:
        return Followed()
    standing, gone, loose = _elsewhere(event, tracking_issue)
    held = {
        place: task
        for place, task, identity in _pair(standing, found, left, said)
        if are_copies(identity, found[place])
    }
    moved: dict[int, Task] = {}
    for tasks, by_number in ((gone, False), (loose, True)):
        left = [place for place in left if place not in held and place not in moved]
        moved |= {place: task for place, task, _ in _pair(tasks, found, left, said, by_number=by_number)}
    return Followed(moved, held)


def _identities(tasks: Sequence[Task], said: Collection[str]) -> list[RowIdentity]:
    edits = OpenEdits.of(tasks)
    return [edits.identity(task, said) for task in tasks]


def _pair(
    tasks: Sequence[Task],
    found: Sequence[RowIdentity],
    left: Sequence[int],
    said: Collection[str],
    *,
    by_number: bool = False,
) -> list[tuple[int, Task, RowIdentity]]:
    if not tasks or not left:
        return []
    known = _identities(tasks, said)
    pairs = pair_surely(known, [found[place] for place in left], by_number=by_number)
    return [(left[place], tasks[ours], known[ours]) for place, ours in pairs.items()]


def _elsewhere(
    event: Event, tracking_issue: TrackingIssue | None
) -> tuple[list[Task], list[Task], list[Task]]:
    """The event's tasks outside of a text: those with a row in another one, those whose row left it, those without a table."""
    tasks = (
        Task.objects.filter(event=event)
        .select_related("direction")
        .prefetch_related("also_in", "helpers__person")
    )
    if tracking_issue is not None:
        tasks = tasks.exclude(tracking_issue=tracking_issue)
    by_text: dict[int | None, list[Task]] = {}
    for task in tasks.order_by("position", "pk"):
        by_text.setdefault(task.tracking_issue_id, []).append(task)
    texts = TrackingIssue.objects.in_bulk([pk for pk in by_text if pk is not None])
    standing: list[Task] = []
    gone: list[Task] = []
    loose = [task for task in by_text.pop(None, []) if not task.is_removed]
    for pk, of_text in by_text.items():
        text = texts[pk or 0]
        if text.retired_at is not None:
            loose += of_text
            continue
        rows = rows_of_tasks(of_text, read_text(text))
        standing += [task for task in of_text if task.pk in rows]
        gone += [task for task in of_text if task.pk not in rows]
    return standing, gone, loose


def find_texts_of(gone: Sequence[Task], *, among: Sequence[TrackingIssue]) -> dict[int, TrackingIssue]:
    """Where rows went that leave their text: by the task's key, the text in which it stands, and would be followed to."""
    homes: dict[int, TrackingIssue] = {}
    for text in among:
        left = [task for task in gone if task.pk not in homes]
        own = list(text.tasks.select_related("direction").order_by("position", "pk"))
        found = list(map(identity_of_row, read_text(text).tasks))
        surely_own = pair_surely(_identities(own, ()), found)
        free = [identity for place, identity in enumerate(found) if place not in surely_own]
        for place in pair_surely(_identities(left, ()), free).values():
            homes[left[place].pk] = text
    return homes


def list_siblings(tracking_issue: TrackingIssue) -> list[TrackingIssue]:
    """The event's other texts that are read."""
    others = TrackingIssue.objects.filter(event_id=tracking_issue.event_id, retired_at=None)
    return list(others.exclude(pk=tracking_issue.pk).select_related("event").order_by("pk"))


def find_doubles(*, gone: Collection[Task], tasks: Sequence[Task]) -> list[tuple[Task, Task]]:
    """Tasks whose row left their text, each with the task that another text's row became meanwhile.

    That happens to a row that was renumbered on its way, and arrived before it had left.
    """
    old, young = list(gone), list(tasks)
    pairs = pair_surely(_identities(old, ()), _identities(young, ()))
    return [
        (old[ours], young[place])
        for place, ours in pairs.items()
        if young[place].created_at > old[ours].created_at
    ]
