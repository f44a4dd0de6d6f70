"""Rows of a table become tasks: created once, followed when people move or rename them, never lost."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction

from portal.models import Person
from tasks_board.configurations.model import Assigned
from tasks_board.documents.identity import identity_of_row, pair_rows
from tasks_board.documents.model import Reading, ReadTable, ReadTask, State
from tasks_board.models import STAR_STEPS, Direction, Event, Task, TaskHelper, TrackingIssue
from tasks_board.operations.following import follow_rows, identity_of_task
from tasks_board.operations.following import rows_of_tasks as rows_of_tasks

FindPerson = Callable[[str], Person]
ROWS_PER_TEXT = (
    10_000  # more than a text holds: tasks of an event's second text stand behind those of its first
)
IN_ORDER = ("position", "pk")  # of the last text: a retitled row is known by its neighbours


@dataclass(frozen=True, slots=True)
class AppliedRow:
    """A row of the table with its task; `is_new` the first time, `is_remarked` if the row's own mark is another now.

    `is_moved`: the task stood in another text before, or in none.
    """

    task: Task
    row: ReadTask
    is_new: bool
    is_remarked: bool = False
    is_moved: bool = False


@transaction.atomic
def apply_reading(
    *,
    tracking_issue: TrackingIssue,
    reading: Reading,
    sections: Sequence[str],
    find_person: FindPerson,
    now: datetime,
) -> list[AppliedRow]:
    """Make the tasks of a tracking issue what its tables say; claims and states are the caller's affair.

    `sections` are the directions in the order of the text, with those that are announced and have no tasks yet.

    Tasks keep their identity; a task whose row is gone or struck is marked removed and comes back with the row. A row that
    was moved here from another text of the event brings its task along (`following`).
    """
    event = tracking_issue.event
    directions = _Directions(event)
    for name in sections:
        directions.get(Direction.Source.SECTION, name)
    rows = [(table, row) for table in reading.tables for row in table.tasks]
    known = list(
        Task.objects.filter(tracking_issue=tracking_issue)
        .select_related("direction")
        .prefetch_related("also_in", "helpers__person")
        .order_by(*IN_ORDER)
    )
    followed = follow_rows(
        event=event, tracking_issue=tracking_issue, own=known, rows=[row for _, row in rows]
    )
    pairs = pair_rows(
        [identity_of_task(task) for task in known],
        [identity_of_row(row) for _, row in rows],
        without=followed.places,
    )
    numbers = _FreeNumbers(event)
    assigned = Assigned.from_json(tracking_issue.configuration)
    first = _first_position(tracking_issue)
    applied = []
    for place, (table, row) in enumerate(rows):
        if place in followed.held:
            continue
        task = known[pairs[place]] if place in pairs else followed.moved.get(place)
        applied.append(
            _apply_row(task, tracking_issue, table, row, first + place, directions, numbers, assigned, now)
        )
    Task.objects.bulk_create([entry.task for entry in applied if entry.is_new])
    _apply_tags(applied, directions, assigned)
    _apply_helpers(applied, find_person)
    _remove_missing([task for place, task in enumerate(known) if place not in pairs.values()])
    return applied


def sort_key(number: str) -> str:
    """A text that sorts numbers as people do: 2 before 10, A-2 before A-10, 1.4 before 1.10."""
    return re.sub(r"\d+", lambda match: match[0].lstrip("0").rjust(12, "0"), number.lower())[:200]


def star_steps(stars: str | None) -> int | None:
    """Stars as written (a plain decimal) in thousandths; None for none, or for a part of a thousandth."""
    if stars is None:
        return None
    steps = Decimal(stars) * STAR_STEPS
    return int(steps) if steps == steps.to_integral_value() and steps < 2**31 else None


def _first_position(tracking_issue: TrackingIssue) -> int:
    before = TrackingIssue.objects.filter(event_id=tracking_issue.event_id, pk__lt=tracking_issue.pk)
    return ROWS_PER_TEXT * before.count()


class _Directions:
    """The event's directions by source and name, created on first sight in the order of the text."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self.known = {(d.source, d.name): d for d in event.directions.all()}

    def get(self, source: Direction.Source, name: str) -> Direction:
        name = name[:200]
        if (source.value, name) not in self.known:
            self.known[source.value, name] = Direction.objects.create(
                event=self.event, source=source, name=name, position=len(self.known)
            )
        return self.known[source.value, name]


class _FreeNumbers:
    """The next number of ours: above every number the event ever had, so that none is used twice."""

    def __init__(self, event: Event) -> None:
        used = Task.objects.filter(event=event).values_list("number", flat=True)
        self.highest = max((int(n) for n in used if n.isascii() and n.isdigit() and len(n) < 10), default=0)

    def take(self) -> str:
        self.highest += 1
        return str(self.highest)

    def skip(self, number: str) -> None:
        if number.isascii() and number.isdigit() and len(number) < 10:
            self.highest = max(self.highest, int(number))


def _apply_row(
    task: Task | None,
    tracking_issue: TrackingIssue,
    table: ReadTable,
    row: ReadTask,
    place: int,
    directions: _Directions,
    numbers: _FreeNumbers,
    assigned: Assigned,
    now: datetime,
) -> AppliedRow:
    is_new, is_moved = task is None, task is not None and task.tracking_issue_id != tracking_issue.pk
    wanted = _values(table, row, place, directions, assigned)
    if row.number:
        wanted |= {"number": row.number[:40], "number_is_ours": False}
        numbers.skip(row.number)
    elif is_moved:
        wanted["number_is_ours"] = True  # the number that it had
    elif task is None or not task.number_is_ours:
        wanted |= {"number": numbers.take(), "number_is_ours": True}
    if "number" in wanted:
        wanted["sort_key"] = sort_key(str(wanted["number"]))
    if task is None:
        task = Task(event=tracking_issue.event, tracking_issue=tracking_issue, created_at=now)
    elif is_moved:
        wanted["tracking_issue"] = tracking_issue
    changed = [name for name, value in wanted.items() if getattr(task, name) != value]
    for name in changed:
        setattr(task, name, wanted[name])
    if changed and not is_new:
        task.save(update_fields=changed)
    return AppliedRow(task, row, is_new, is_remarked="stated_mark" in changed, is_moved=is_moved)


def _values(
    table: ReadTable, row: ReadTask, place: int, directions: _Directions, assigned: Assigned
) -> dict[str, object]:
    """A row's cells as a task's fields, and what the event's configuration says about its number."""
    section = row.section or table.section
    mark = row.own_mark
    return {
        "direction": directions.get(Direction.Source.SECTION, section) if section else None,
        "title": row.title,
        "url": row.url or "",
        "description": row.description or "",
        "difficulty": (row.difficulty or "")[:120],
        "star_steps": star_steps(row.stars),
        "proposal_required": row.requires_rfc,
        "position": place,
        "stated_mark": mark.value if mark in _MARKS_OF_TASKS else "",
        "is_removed": row.removed or assigned.removes(row.number),
        "is_excluded": assigned.excludes(row.number),
    }


# Marks on a row that speak about the task even where nobody is named.
_MARKS_OF_TASKS = (State.DONE, State.PARTLY_DONE, State.DEFERRED, State.BLOCKED)


def _apply_tags(applied: Sequence[AppliedRow], directions: _Directions, assigned: Assigned) -> None:
    """A task's further directions: the values of the direction column, and those that the configuration gives its number."""
    through = Task.also_in.through
    fresh = []
    for entry in applied:
        names = dict.fromkeys((*entry.row.directions, *assigned.directions_of(entry.row.number)))
        wanted = [directions.get(Direction.Source.COLUMN, name) for name in names]
        if entry.is_new:
            fresh += [through(task=entry.task, direction=direction) for direction in wanted]
        elif {direction.pk for direction in entry.task.also_in.all()} != {
            direction.pk for direction in wanted
        }:
            entry.task.also_in.set(wanted)
    through.objects.bulk_create(fresh, ignore_conflicts=True)


def _apply_helpers(applied: Sequence[AppliedRow], find_person: FindPerson) -> None:
    """Mentors and assistants as the table names them: display only, a granted right stays when a name goes."""
    fresh = []
    for entry in applied:
        have = {} if entry.is_new else {(h.role, h.person_id): h for h in entry.task.helpers.all()}
        named = [
            (role, find_person(login))
            for role, logins in (("mentor", entry.row.mentors), ("assistant", entry.row.assistants))
            for login in logins
        ]
        wanted = {(role, person.pk): person for role, person in named}
        for position, (role, person_id) in enumerate(wanted):
            if (role, person_id) not in have:
                fresh.append(TaskHelper(task=entry.task, person_id=person_id, role=role, position=position))
            elif not have[role, person_id].in_table:
                have[role, person_id].in_table = True
                have[role, person_id].save(update_fields=["in_table"])
        _drop_helpers([helper for key, helper in have.items() if key not in wanted])
    TaskHelper.objects.bulk_create(fresh)


def _drop_helpers(gone: Sequence[TaskHelper]) -> None:
    for helper in gone:
        if helper.granted_at is None:
            helper.delete()
        elif helper.in_table:
            helper.in_table = False
            helper.save(update_fields=["in_table"])


def _remove_missing(missing: Sequence[Task]) -> None:
    for task in missing:
        if not task.is_removed:
            task.is_removed = True
            task.save(update_fields=["is_removed"])
