"""What is still free: near a task that somebody lost, and spread over all running events."""

from collections.abc import Iterable

from django.db.models import F, QuerySet, Window
from django.db.models.functions import RowNumber

from portal.models import Person
from tasks_board.models import Event, Task
from tasks_board.queries import list_visible_events

MOST_FREE = 3  # tasks that are offered in place of a lost one


def list_free_tasks(*, viewer: Person | None, limit: int) -> QuerySet[Task]:
    """Open tasks of running events, one of each event in turn, the latest events first."""
    running = list_visible_events(viewer=viewer).filter(status=Event.Status.RUNNING)
    free = Task.objects.filter(event__in=running, state=Task.State.OPEN, is_removed=False)
    turn = Window(RowNumber(), partition_by=F("event_id"), order_by=("position", "pk"))
    spread = free.annotate(turn=turn).select_related("event", "direction")
    return spread.order_by("turn", "-event_id", "position", "pk")[:limit]


def free_near(tasks: Iterable[Task]) -> dict[int, list[Task]]:
    """Some tasks in the same direction that nobody is on, for each of these. One query."""
    tasks = list(tasks)
    free = Task.objects.on_board().filter(event__in={t.event_id for t in tasks}, state=Task.State.OPEN)
    free = free.filter(event__status=Event.Status.RUNNING).order_by("position", "sort_key", "pk")
    by_place: dict[tuple[int, int | None], list[Task]] = {}
    directions = {task.direction_id for task in tasks}
    for other in free.select_related("event").defer("description"):
        if other.direction_id in directions:
            by_place.setdefault((other.event_id, other.direction_id), []).append(other)
    return {
        task.pk: [t for t in by_place.get((task.event_id, task.direction_id), []) if t.pk != task.pk][
            :MOST_FREE
        ]
        for task in tasks
    }
