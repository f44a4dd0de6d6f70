"""Who has which right and which mark in an event, and who changed that: what the organizers' page about people shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from portal.models import AuditEntry, Person
from tasks_board.models import Event, EventMark, EventRole, TaskHelper

_DONE: Mapping[str, "str | Promise"] = {
    "tasks_board.role_granted": _("granted"),
    "tasks_board.role_revoked": _("taken back"),
    "tasks_board.task_role_granted": _("granted for single tasks"),
    "tasks_board.task_role_revoked": _("taken back for single tasks"),
    "tasks_board.mark_set": _("marked"),
    "tasks_board.mark_noted": _("note changed"),
    "tasks_board.mark_lifted": _("mark lifted"),
}
_LATEST = 30


@dataclass(frozen=True, slots=True)
class TaskRole:
    """Somebody who has a right in single tasks."""

    person: Person
    role: str
    word: "str | Promise"
    tasks: int


@dataclass(frozen=True, slots=True)
class Change:
    """Who changed what about whom, and when."""

    at: datetime
    by: str
    whom: str
    what: "str | Promise"
    about: str


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """Rights, marks, and the latest changes of either."""

    roles: Sequence[EventRole]
    task_roles: Sequence[TaskRole]
    marks: Sequence[tuple["str | Promise", Sequence[EventMark]]]
    changes: Sequence[Change]


def describe(event: Event) -> PeoplePage:
    """Everything that the page shows. Five queries."""
    marks = _marks(event)
    return PeoplePage(
        roles=list(event.roles.select_related("person", "granted_by").order_by("role", "granted_at", "pk")),
        task_roles=_task_roles(event),
        marks=[(kind.label, [mark for mark in marks if mark.kind == kind]) for kind in EventMark.Kind],
        changes=_changes(event),
    )


def _marks(event: Event) -> list[EventMark]:
    held = EventMark.objects.filter(event=event, lifted_at=None)
    return list(held.select_related("person", "set_by").order_by("-set_at", "-pk"))


def _task_roles(event: Event) -> list[TaskRole]:
    granted = TaskHelper.objects.filter(task__event=event, granted_at__isnull=False)
    rows = list(granted.values("person", "role").annotate(n=Count("task")).order_by("role", "-n", "person"))
    people = Person.objects.in_bulk([row["person"] for row in rows])
    words = dict(TaskHelper.Role.choices)
    return [TaskRole(people[row["person"]], row["role"], words[row["role"]], row["n"]) for row in rows]


def _changes(event: Event) -> list[Change]:
    entries: QuerySet[AuditEntry] = AuditEntry.objects.filter(event_id=event.pk, action__in=_DONE)
    found = list(entries.select_related("actor").order_by("-at", "-pk")[:_LATEST])
    people = Person.objects.in_bulk({entry.data.get("person") for entry in found if entry.data.get("person")})
    return [_change(entry, people) for entry in found]


_WORDS: Mapping[str, Any] = {**dict(EventRole.Role.choices), **dict(EventMark.Kind.choices)}


def _change(entry: AuditEntry, people: Mapping[int, Person]) -> Change:
    whom = people.get(entry.data.get("person", 0))
    code = entry.data.get("role") or entry.data.get("kind") or ""
    return Change(
        at=entry.at,
        by=entry.actor.login if entry.actor else "",
        whom=whom.login if whom else "",
        what=_DONE[entry.action],
        about=str(_WORDS.get(code, code)),
    )
