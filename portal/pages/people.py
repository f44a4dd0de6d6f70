"""People and search: reading across all events."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from claims.queries import tasks_about
from portal.common.errors import NotFound
from portal.models import Person
from tasks_board.models import Event, Task
from tasks_board.queries import list_visible_events

MOST_FOUND = 50


@dataclass(frozen=True, slots=True)
class Found:
    """What a search turned up."""

    events: Sequence[Event]
    tasks: Sequence[Task]
    task_count: int
    people: Sequence[Person]


def get_person(login: str) -> Person:
    """The person of this login: a GitHub account before a bare name, the latest seen first. Raises NotFound."""
    same = Person.objects.alias(lower=Lower("login")).filter(lower=login.lower()).select_related("canonical")
    found = sorted(
        same, key=lambda p: (p.is_resolved, p.login_seen_at.timestamp() if p.login_seen_at else 0.0, p.pk)
    )
    if not found:
        raise NotFound("person_not_found", _("Nobody of this name is known here."), login=login)
    return found[-1].canonical or found[-1]


def search(text: str, *, viewer: Person | None) -> Found:
    """Events, tasks and people for a text. Every word must be found."""
    events = list_visible_events(viewer=viewer)
    tasks = (
        Task.objects.filter(tasks_about(text), event__in=events, is_removed=False)
        .select_related("event", "direction")
        .order_by("-event_id", "position", "pk")
    )
    people = Person.objects.filter(login__icontains=text, canonical=None).order_by(Lower("login"), "pk")
    return Found(
        events=list(events.filter(name__icontains=text).order_by("-pk")[:MOST_FOUND]),
        tasks=list(tasks[:MOST_FOUND]),
        task_count=tasks.count(),
        people=list(people[:MOST_FOUND]),
    )
