"""The numbers of an event's tasks, as comments and titles name them."""

from collections.abc import Iterable
from dataclasses import replace

from claims.grammar.ids import TaskIds
from claims.grammar.model import TitlePrefix
from tasks_board.models import Event, Task


def title_prefix(event: Event) -> TitlePrefix:
    """How titles name this event, with the numbers of its tasks."""
    return replace(plain_prefix(event), task_ids=task_ids(event))


def plain_prefix(event: Event) -> TitlePrefix:
    """How titles name this event, as if it had no tasks."""
    proposals = event.proposal_repositories
    return TitlePrefix(
        key=str(event.pk),
        prefix=event.title_prefix,
        repositories=frozenset((*event.repositories, *proposals)),
        task_ids=TaskIds.of(()),
        aliases=tuple(event.title_aliases),
        rfc_repositories=frozenset(proposals) if proposals else None,
    )


def task_ids(event: Event) -> TaskIds:
    """The numbers of the event's tasks on the board."""
    return TaskIds.of(event.tasks.on_board().order_by("sort_key", "pk").values_list("number", flat=True))


def tasks_by_number(event: Event, numbers: Iterable[str]) -> dict[str, list[Task]]:
    """The tasks that carry these numbers; several directions may use the same one."""
    found: dict[str, list[Task]] = {number: [] for number in numbers}
    for task in event.tasks.on_board().filter(number__in=found).select_related("event").order_by("pk"):
        found[task.number].append(task)
    return found
