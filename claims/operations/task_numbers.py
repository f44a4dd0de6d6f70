"""The numbers of an event's tasks, as comments and titles name them."""

from collections.abc import Iterable
from dataclasses import replace

from claims.grammar.ids import TaskIds
from claims.grammar.model import TitlePrefix
from claims.title_prefixes import plain_prefix
from tasks_board.models import Event, Task


def title_prefix(event: Event) -> TitlePrefix:
    """How titles name this event, with the numbers of its tasks."""
    return replace(plain_prefix(event), task_ids=task_ids(event))


def task_ids(event: Event) -> TaskIds:
    """The numbers of the event's tasks on the board."""
    return TaskIds.of(event.tasks.on_board().order_by("sort_key", "pk").values_list("number", flat=True))


def tasks_by_number(event: Event, numbers: Iterable[str]) -> dict[str, list[Task]]:
    """The tasks that carry these numbers; several directions may use the same one."""
    found: dict[str, list[Task]] = {number: [] for number in numbers}
    for task in event.tasks.on_board().filter(number__in=found).select_related("event").order_by("pk"):
        found[task.number].append(task)
    return found
