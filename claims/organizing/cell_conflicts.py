"""What organizers see of an event's tasks when they change them, and which cells wait for their word."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from claims.task_fields import BY_KEY, IN_TABLE, TaskTexts
from tasks_board.models import Direction, Event, Task, TaskEdit

ROWS_ON_A_PAGE = 200
_OURS: Mapping[str, str] = {theirs: ours for ours, theirs in IN_TABLE.items()}


@dataclass(frozen=True, slots=True)
class CellConflict:
    """A cell of a task's row that was changed here and in the issue."""

    edit: TaskEdit
    label: str

    @property
    def task(self) -> Task:
        """Whose row it is."""
        return self.edit.task


def open_cell_conflicts(event: Event) -> list[CellConflict]:
    """The cells that both sides changed, oldest first. One query."""
    edits = TaskEdit.objects.filter(task__event=event, settled_at=None, conflict_at__isnull=False)
    found = edits.select_related("task", "made_by").order_by("conflict_at", "pk")
    return [CellConflict(edit, label_of(edit.field)) for edit in found]


def label_of(table_field: str) -> str:
    """What a field of a table is called."""
    return str(BY_KEY[_OURS[table_field]].label)


@dataclass(frozen=True, slots=True)
class TaskAsk:
    """Which tasks somebody wants to see: words, a direction (0: none), a state, those taken off the board."""

    q: str = ""
    direction: int | None = None
    state: str = ""
    removed: bool = False
    page: int = 1


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task as the organizers' list shows it."""

    task: Task
    texts: Mapping[str, str]
    on_their_way: Sequence[str]
    in_conflict: Sequence[str]

    @property
    def is_ours(self) -> bool:
        """Whether it was made here and stands in no table."""
        return self.task.tracking_issue_id is None or self.task.row_wanted_at is not None


@dataclass(frozen=True, slots=True)
class TaskPage:
    """A page of the list, and what its filters offer."""

    ask: TaskAsk
    rows: Sequence[TaskRow]
    total: int
    pages: int
    directions: Sequence[Direction] = field(default_factory=list)

    @property
    def numbers(self) -> range:
        """The numbers of its pages."""
        return range(1, self.pages + 1)


def list_tasks(event: Event, ask: TaskAsk) -> TaskPage:
    """The tasks that are asked for, in the order of their directions. Six queries."""
    everything = _all_tasks(event)
    texts = TaskTexts.of(event, everything)
    wanted = [task for task in everything if _keeps(ask, task)]
    pages = max(1, -(-len(wanted) // ROWS_ON_A_PAGE))
    page = min(max(ask.page, 1), pages)
    shown = wanted[(page - 1) * ROWS_ON_A_PAGE : page * ROWS_ON_A_PAGE]
    edits = TaskEdit.objects.filter(task__in=[task.pk for task in shown], settled_at=None).order_by("pk")
    by_task: dict[int, list[TaskEdit]] = {}
    for edit in edits:
        by_task.setdefault(edit.task_id, []).append(edit)
    rows = [_row(task, texts, by_task.get(task.pk, ())) for task in shown]
    directions = list(event.directions.filter(source="section").order_by("position", "pk"))
    return TaskPage(ask, rows, len(wanted), pages, directions)


def wanted_tasks(event: Event, ask: TaskAsk) -> list[int]:
    """The keys of all tasks that are asked for, on whatever page."""
    return [task.pk for task in _all_tasks(event) if _keeps(ask, task)]


def texts_of(event: Event) -> TaskTexts:
    """All tasks of the event as texts, in the order of the list. Four queries."""
    return TaskTexts.of(event, _all_tasks(event))


def _all_tasks(event: Event) -> list[Task]:
    tasks = event.tasks.select_related("direction").prefetch_related("also_in")
    return list(tasks.order_by("direction__position", "direction_id", "sort_key", "position", "pk"))


def _keeps(ask: TaskAsk, task: Task) -> bool:
    text = f"{task.number} {task.title} {task.difficulty}".casefold()
    return (
        task.is_removed is ask.removed
        and (ask.direction is None or (task.direction_id or 0) == ask.direction)
        and (not ask.state or task.state == ask.state)
        and all(word in text for word in ask.q.casefold().split())
    )


def _row(task: Task, texts: TaskTexts, edits: Iterable[TaskEdit]) -> TaskRow:
    on_their_way = [label_of(edit.field) for edit in edits if edit.conflict_at is None]
    in_conflict = [label_of(edit.field) for edit in edits if edit.conflict_at is not None]
    return TaskRow(task, texts.of_task(task), on_their_way, in_conflict)
