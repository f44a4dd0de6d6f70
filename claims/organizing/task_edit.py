"""What an organizer may change of one task: fields that are ours, cells of its row, and what only the issue changes."""

from collections.abc import Mapping
from dataclasses import dataclass

from claims.operations.task_desk import TaskDesk
from claims.task_fields import IN_TABLE, TASK_FIELDS
from portal.common.errors import DomainError
from tasks_board.models import Event, Task, TrackingIssue


@dataclass(frozen=True, slots=True)
class FieldHold:
    """Who holds a field: the table, into which a change is written (`in_table`), or the issue alone, and why (`reason`)."""

    in_table: bool = False
    reason: str = ""


def holds_of(event: Event, task: Task) -> Mapping[str, FieldHold]:
    """For each field of the form, what a change of it would meet. As many queries for any number of tasks."""
    issues = TrackingIssue.objects.filter(tasks=task).select_related("event")
    desk = TaskDesk.of(event, list(issues))
    return {field.key: _hold(desk, desk.tasks[task.pk], field.key) for field in TASK_FIELDS}


def _hold(desk: TaskDesk, task: Task, key: str) -> FieldHold:
    name = "difficulty" if key == "stars" else IN_TABLE.get(key, "")
    edit = desk.edits.of_task(task).get(name)
    try:
        cell = desk.cell_for(task, key, desk.texts.show(task, key))
    except DomainError as error:
        if error.code == "mirror_only" and edit is not None:
            return FieldHold(in_table=True)  # what is on its way may be taken back
        return FieldHold(reason=str(error.message))
    return FieldHold(in_table=cell is not None)
