"""The numbers of an event's tasks, as comments and titles name them."""

from collections.abc import Iterable
from dataclasses import replace

from django.db.models import Q

from claims.grammar.ids import TaskIds
from claims.grammar.model import TitlePrefix
from claims.models import Claim
from claims.title_prefixes import plain_prefix
from portal.models import Person
from tasks_board.models import Event, Task, TeamMember


def title_prefix(event: Event) -> TitlePrefix:
    """How titles name this event, with the numbers of its tasks."""
    return replace(plain_prefix(event), task_ids=task_ids(event))


def task_ids(event: Event, *, also: Iterable[str] = ()) -> TaskIds:
    """The numbers of the event's tasks on the board, and these."""
    on_board = event.tasks.on_board().order_by("sort_key", "pk").values_list("number", flat=True)
    return TaskIds.of([*on_board, *also])


def removed_tasks_of(event: Event, person: Person | None) -> dict[str, list[Task]]:
    """By number, the tasks that left the list and that a person, or their team, had taken: they can still give them back."""
    if person is None:
        return {}
    who = Q(person=person.whole_id) | Q(person__canonical=person.whole_id)
    seats = TeamMember.objects.seated().filter(who, team__event=event)
    claims = Claim.objects.filter(who | Q(team__in=seats.values("team")), shown=True)
    found: dict[str, list[Task]] = {}
    gone = event.tasks.filter(is_removed=True, claims__in=claims).exclude(number="").distinct()
    for task in gone.select_related("event").order_by("pk"):
        found.setdefault(task.number, []).append(task)
    return found


def tasks_by_number(event: Event, numbers: Iterable[str]) -> dict[str, list[Task]]:
    """The tasks that carry these numbers; several directions may use the same one."""
    found: dict[str, list[Task]] = {number: [] for number in numbers}
    for task in event.tasks.on_board().filter(number__in=found).select_related("event").order_by("pk"):
        found[task.number].append(task)
    return found
