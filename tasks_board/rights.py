"""Who may do what in an event: the only place that says so. Rights are granted in Regatta; a name in a text gives none.

`docs/permissions.md` shows, page by page, what follows from it.
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from portal.common.errors import NotAllowed
from portal.models import Person
from tasks_board.models import Event, EventRole, Task, TaskHelper

# Roles in the whole event that decide on all of its claims. Judges and assistants see drafts, and decide on none.
_DECIDING = (EventRole.Role.ORGANIZER, EventRole.Role.MENTOR)


@dataclass(frozen=True, slots=True)
class Rights:
    """What a person may do in an event."""

    organizes: bool = False
    mentors_event: bool = False
    mentors_tasks: bool = False

    @property
    def may_decide(self) -> bool:
        """Whether some of the event's claims are theirs to decide on."""
        return self.organizes or self.mentors_event or self.mentors_tasks


def rights_in(event: Event, person: Person | None) -> Rights:
    """What the person may do in the event. Two queries at most: who decides on all of it need not mentor a task."""
    if person is None:
        return Rights()
    roles = set(EventRole.objects.filter(event=event, person=person).values_list("role", flat=True))
    return Rights(
        organizes=EventRole.Role.ORGANIZER in roles,
        mentors_event=EventRole.Role.MENTOR in roles,
        mentors_tasks=roles.isdisjoint(_DECIDING)
        and _granted().filter(task__event=event, person=person).exists(),
    )


def visible_to(person: Person | None) -> Q:
    """Events that the person may see: all but drafts; a draft only with a role in the whole event."""
    opened = ~Q(status=Event.Status.DRAFT)
    if person is None:
        return opened
    return opened | Q(pk__in=EventRole.objects.filter(person=person).values("event_id"))


def may_decide_on(task: Task, person: Person | None) -> bool:
    """Whether the person decides on this task: an organizer or mentor of the event, or its granted mentor."""
    if person is None:
        return False
    whole = EventRole.objects.filter(event_id=task.event_id, person=person, role__in=_DECIDING)
    return whole.exists() or _granted().filter(task=task, person=person).exists()


def deciders(event: Event) -> tuple[set[int], dict[int, set[int]]]:
    """Everyone who decides: ids of people for all tasks, and by task the ids of its granted mentors."""
    whole = EventRole.objects.filter(event=event, role__in=_DECIDING).values_list("person_id", flat=True)
    by_task: dict[int, set[int]] = {}
    for task_id, person_id in _granted().filter(task__event=event).values_list("task_id", "person_id"):
        by_task.setdefault(task_id, set()).add(person_id)
    return set(whole), by_task


def deciders_of(tasks: Collection[Task]) -> dict[int, set[int]]:
    """Everyone who decides on each of these tasks, whatever events they are of. Two queries."""
    of_events: dict[int, set[int]] = {}
    whole = EventRole.objects.filter(event__in={task.event_id for task in tasks}, role__in=_DECIDING)
    for event_id, person_id in whole.values_list("event_id", "person_id"):
        of_events.setdefault(event_id, set()).add(person_id)
    found = {task.pk: set(of_events.get(task.event_id, ())) for task in tasks}
    for task_id, person_id in _granted().filter(task__in=tasks).values_list("task_id", "person_id"):
        found[task_id].add(person_id)
    return found


def check_may_organize(event: Event, person: Person | None) -> None:
    """Raises NotAllowed unless the person is an organizer of the event."""
    if not rights_in(event, person).organizes:
        raise NotAllowed("organizers_only", _("Only organizers of this event may do that."), event=event.slug)


def check_may_mentor(event: Event, person: Person | None) -> None:
    """Raises NotAllowed unless some of the event's claims are the person's to decide on."""
    if not rights_in(event, person).may_decide:
        raise NotAllowed(
            "mentors_only", _("Only mentors and organizers of this event may do that."), event=event.slug
        )


def check_may_decide_on(task: Task, person: Person | None) -> None:
    """Raises NotAllowed unless the person decides on this task."""
    if not may_decide_on(task, person):
        raise NotAllowed("mentors_only", _("Only mentors of this task and organizers may decide on it."))


def may_set_up_events(person: Person | None, *, is_staff: bool) -> bool:
    """Whether somebody may set up new events: staff accounts, and who organizes an event already."""
    if is_staff:
        return True
    return (
        person is not None and EventRole.objects.filter(person=person, role=EventRole.Role.ORGANIZER).exists()
    )


def check_may_set_up_events(person: Person | None, *, is_staff: bool) -> None:
    """Raises NotAllowed, saying who may, unless the person may set up new events."""
    if not may_set_up_events(person, is_staff=is_staff):
        raise NotAllowed(
            "organizers_set_up_events",
            _("Events are set up by people who organize one already, and by the staff of this portal."),
        )


def _granted() -> QuerySet[TaskHelper]:
    return TaskHelper.objects.filter(role=TaskHelper.Role.MENTOR, granted_at__isnull=False)
