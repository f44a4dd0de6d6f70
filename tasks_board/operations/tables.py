"""Rows of a table become tasks: created once, followed when people move or rename them, never lost."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from portal.models import Person
from tasks_board.configurations.model import Assigned
from tasks_board.documents.model import Reading, ReadTable, ReadTask, State
from tasks_board.models import Direction, Event, Task, TaskHelper, TrackingIssue
from tasks_board.numbers import sort_key, star_steps
from tasks_board.operations.edits import OpenEdits, attributes_of, meet_row, names_in, pair_with_rows
from tasks_board.operations.following import Followed, follow_rows

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
    lines: Mapping[int, int] | None = None,
) -> list[AppliedRow]:
    """Make the tasks of a tracking issue what its tables say; claims and states are the caller's affair.

    `sections` are the directions in the order of the text, with those that are announced and have no tasks yet.

    `lines` says for a text that is merely read in another way which task each line is, whatever its cells say now.

    Tasks keep their identity; a task whose row is gone or struck is marked removed and comes back with the row. A row that
    was moved here from another text of the event brings its task along (`following`).
    What was changed here and is on its way into the table stays, and so does what the table has no column for.
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
    read = [row for _, row in rows]
    followed = Followed()
    if not lines:
        followed = follow_rows(event=event, tracking_issue=tracking_issue, own=known, rows=read)
    edits = OpenEdits.of([*known, *followed.moved.values()])
    pairs = _pairs(known, read, edits, lines or {}, without=followed.places)
    numbers = _FreeNumbers(event)
    assigned = Assigned.from_json(tracking_issue.configuration)
    first = _first_position(tracking_issue)
    applied: list[AppliedRow] = []
    kept: list[ReadTable] = []
    ours: dict[int, tuple[str, ...] | None] = {}
    for place, (table, row) in enumerate(rows):
        if place in followed.held:
            continue
        task = known[pairs[place]] if place in pairs else followed.moved.get(place)
        wanted = _values(table, row, first + place, directions, assigned)
        if task is not None:
            wanted |= _met(task, edits, row, table, ours, now)
        kept.append(table)
        applied.append(_apply_row(task, tracking_issue, wanted, row, numbers, now))
    Task.objects.bulk_create([entry.task for entry in applied if entry.is_new])
    if not assigned.directions:
        ours |= _untold(kept, applied, ours)
    _apply_tags(applied, directions, assigned, ours)
    _apply_helpers(applied, find_person)
    paired = set(pairs.values())
    _remove_missing([task for place, task in enumerate(known) if place not in paired])
    return applied


def _pairs(
    known: Sequence[Task],
    rows: Sequence[ReadTask],
    edits: OpenEdits,
    lines: Mapping[int, int],
    *,
    without: Collection[int],
) -> dict[int, int]:
    """The place of the task of each row: by its line where that is known, else by identity."""
    if not lines:
        return pair_with_rows(known, rows, edits, without=without)
    places = {task.pk: place for place, task in enumerate(known)}
    sure = {place: places[lines[row.line]] for place, row in enumerate(rows) if lines.get(row.line) in places}
    taken = set(sure.values())
    left = [place for place in range(len(known)) if place not in taken]
    open_rows = [place for place in range(len(rows)) if place not in sure]
    found = pair_with_rows([known[place] for place in left], [rows[place] for place in open_rows], edits)
    return sure | {open_rows[row]: left[task] for row, task in found.items()}


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


def _met(
    task: Task,
    edits: OpenEdits,
    row: ReadTask,
    table: ReadTable,
    ours: dict[int, tuple[str, ...] | None],
    now: datetime,
) -> dict[str, object]:
    """What holds on the task of its open changes. `ours` takes the directions that are among these."""
    held: dict[str, object] = {"row_wanted_at": None} if task.row_wanted_at is not None else {}
    for edit in edits.of_task(task).values():
        if meet_row(edit, row, table.columns, now):
            held |= attributes_of(edit.field, edit.value)
            if edit.field == "direction":
                ours[task.pk] = names_in(edit.value)
    return held


def _untold(
    tables: Sequence[ReadTable],
    applied: Sequence[AppliedRow],
    told: Collection[int],
) -> dict[int, tuple[str, ...] | None]:
    """Known tasks whose table has no column for directions: those that they have were given here, and stay."""
    return {
        entry.task.pk: None
        for table, entry in zip(tables, applied, strict=True)
        if not entry.is_new and "direction" not in table.columns and entry.task.pk not in told
    }


def _apply_row(
    task: Task | None,
    tracking_issue: TrackingIssue,
    wanted: dict[str, object],
    row: ReadTask,
    numbers: _FreeNumbers,
    now: datetime,
) -> AppliedRow:
    is_new, is_moved = task is None, task is not None and task.tracking_issue_id != tracking_issue.pk
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
    """A row's cells as a task's fields, and what the event's configuration says about its number.

    What the table has no column for is not among them: that stays as it is.
    """
    section = row.section or table.section
    is_finished = row.state is State.DONE and not any(c.state is State.DONE for c in row.claimants)
    mark = State.DONE if is_finished else row.own_mark  # ticked, struck or won, and by nobody who is named
    told: dict[str, object] = {
        "direction": directions.get(Direction.Source.SECTION, section) if section else None,
        "title": row.title,
        "url": row.url or "",
        "position": place,
        "stated_mark": mark.value if mark in _MARKS_OF_TASKS else "",
        "is_removed": row.removed or assigned.removes(row.number),
        "is_excluded": assigned.excludes(row.number),
    }
    if "description" in table.columns:
        told["description"] = row.description or ""
    if "difficulty" in table.columns:
        told |= {"difficulty": (row.difficulty or "")[:120], "star_steps": star_steps(row.stars)}
    if "requires_rfc" in table.columns:
        told["proposal_required"] = row.requires_rfc
    return told


# Marks on a row that speak about the task even where nobody is named.
_MARKS_OF_TASKS = (State.DONE, State.PARTLY_DONE, State.DEFERRED, State.BLOCKED)


def _apply_tags(
    applied: Sequence[AppliedRow],
    directions: _Directions,
    assigned: Assigned,
    ours: Mapping[int, tuple[str, ...] | None],
) -> None:
    """A task's further directions: the values of the direction column, and those that the configuration gives its number.

    `ours` are those that were given here, and are on their way into the table; None where it has no place for them.
    """
    through = Task.also_in.through
    fresh = []
    for entry in applied:
        told = ours.get(entry.task.pk, entry.row.directions) if not entry.is_new else entry.row.directions
        if told is None:
            continue
        names = dict.fromkeys((*told, *assigned.directions_of(entry.row.number)))
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
        if not task.is_removed and task.row_wanted_at is None:
            task.is_removed = True
            task.save(update_fields=["is_removed"])
