"""Cells and rows that somebody changed here, kept against every reading until the table says the same.

Each is settled by what the text says: our value, the one that stood there (then ours is still on its way), or a third
one, which is a person's and makes a conflict that an organizer settles.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from portal.models import Person
from tasks_board.documents import cells, fields, row_adding
from tasks_board.documents import text as texts
from tasks_board.documents.editing import AddRow, Edit, SetCell
from tasks_board.documents.identity import RowIdentity, identity_of, identity_of_row, pair_rows
from tasks_board.documents.model import Reading, ReadTask
from tasks_board.models import STAR_STEPS, Task, TaskEdit, TrackingIssue
from tasks_board.numbers import sort_key, star_steps
from tasks_board.tracking import edit_where_possible

Outcome = TaskEdit.Outcome


@dataclass(frozen=True, slots=True)
class WrittenRows:
    """What a text of ours says beyond people: cells by the key of their edit, and new rows by task."""

    cells: tuple[tuple[int, str], ...] = ()
    rows: tuple[tuple[int, AddRow], ...] = ()


@dataclass(frozen=True, slots=True)
class OpenEdits:
    """The changes that are on their way, by task and field."""

    by_task: Mapping[int, Mapping[str, TaskEdit]] = field(default_factory=dict)

    @classmethod
    def of(cls, tasks: Collection[Task]) -> "OpenEdits":
        """Those of some tasks. One query."""
        found: dict[int, dict[str, TaskEdit]] = defaultdict(dict)
        for edit in TaskEdit.objects.filter(task__in=[t.pk for t in tasks if t.pk], settled_at=None):
            found[edit.task_id][edit.field] = edit
        return cls(found)

    def of_task(self, task: Task) -> Mapping[str, TaskEdit]:
        """Those of one task, by field."""
        return self.by_task.get(task.pk, {})

    def identity(self, task: Task, said: Collection[str]) -> RowIdentity:
        """How the text knows a task: by what stood there before our change, unless it says ours already."""
        return identity_of(
            number=None if task.number_is_ours else task.number,
            title=self._in_text(task, "title", task.title, said),
            url=self._in_text(task, "url", task.url, said),
            section=task.direction.name if task.direction else None,
        )

    def _in_text(self, task: Task, name: str, ours: str, said: Collection[str]) -> str:
        edit = self.of_task(task).get(name)
        if edit is None or edit.conflict_at is not None or texts.comparison_key(edit.value) in said:
            return ours
        return edit.base


def words_in(rows: Sequence[ReadTask]) -> set[str]:
    """Titles and addresses that rows say, in one spelling."""
    return {texts.comparison_key(text) for row in rows for text in (row.title, row.url or "") if text}


def rows_of_tasks(tasks: Sequence[Task], reading: Reading) -> dict[int, ReadTask]:
    """The row of each task in a reading, by the task's key; tasks without a row are left out. One query."""
    tasks = sorted(tasks, key=lambda task: (task.position, task.pk))
    pairs = pair_with_rows(tasks, reading.tasks, OpenEdits.of(tasks))
    return {tasks[known].pk: reading.tasks[found] for found, known in pairs.items()}


def pair_with_rows(
    tasks: Sequence[Task], rows: Sequence[ReadTask], edits: OpenEdits, *, without: Collection[int] = ()
) -> dict[int, int]:
    """Pairs as {place of the row: place of the task}. A task that waits for its row is known by its title alone.

    `without`: places of rows that are known to be another task's.
    """
    said = words_in(rows)
    settled = [place for place, task in enumerate(tasks) if task.row_wanted_at is None]
    found = pair_rows(
        [edits.identity(tasks[place], said) for place in settled],
        list(map(identity_of_row, rows)),
        without=without,
    )
    pairs = {row: settled[place] for row, place in found.items()}
    waiting = {
        texts.comparison_key(task.title): place
        for place, task in reversed(list(enumerate(tasks)))
        if task.row_wanted_at is not None
    }
    for place, row in enumerate(rows):
        if (
            place not in pairs
            and place not in without
            and (key := texts.comparison_key(row.title)) in waiting
        ):
            pairs[place] = waiting.pop(key)
    return pairs


def attributes_of(field_name: str, value: str) -> dict[str, object]:
    """A field of a row as what a task stores; its directions are tags, and none of these."""
    match field_name:
        case "difficulty":
            return {"difficulty": value[:120], "star_steps": star_steps(cells.read_stars(value))}
        case "requires_rfc":
            return {"proposal_required": {"yes": True, "no": False}.get(value)}
        case "direction":
            return {}
        case _:
            return {field_name: value}


def value_of_task(task: Task, field_name: str) -> str:
    """What a task says of a field of its row, in the form of `fields.value_in_row`. Its tags have to be at hand."""
    match field_name:
        case "direction":
            return fields.join_directions([tag.name for tag in task.also_in.all()])
        case "requires_rfc":
            return fields.say_yes_or_no(task.proposal_required)
        case _:
            return str(getattr(task, field_name))


def meet_row(edit: TaskEdit, row: ReadTask, columns: Collection[str], now: datetime) -> bool:
    """Settle an open change by what its row says now; whether ours holds on the task."""
    said = fields.value_in_row(row, edit.field)
    before = (edit.conflict_at, edit.theirs, edit.settled_at)
    if not fields.is_carried(columns, edit.field):
        edit.settled_at, edit.outcome, edit.conflict_at = now, Outcome.OURS, None
    elif said == edit.value:
        edit.settled_at = now
        edit.outcome = Outcome.TAKEN_BACK if edit.value == edit.base else Outcome.WRITTEN
    elif said == edit.base:
        edit.conflict_at, edit.theirs = None, ""
    else:
        edit.conflict_at, edit.theirs = edit.conflict_at or now, said
    if before != (edit.conflict_at, edit.theirs, edit.settled_at):
        edit.save(update_fields=["conflict_at", "theirs", "settled_at", "outcome"])
    return edit.settled_at is not None or edit.conflict_at is None


def write_rows(
    body: str,
    *,
    tracking_issue: TrackingIssue,
    tasks: Sequence[Task],
    rows: Mapping[int, ReadTask],
    reading: Reading,
) -> tuple[str, WrittenRows]:
    """The body with what is on its way written in: cells of the rows of these tasks, and rows that are wanted. One query.

    `rows` are those of the body, as far as their lines go. What the table cannot say stays on its way.
    """
    open_edits = [
        edit
        for edits in OpenEdits.of(tasks).by_task.values()
        for edit in edits.values()
        if edit.conflict_at is None and edit.task_id in rows
    ]
    said = [e for e in open_edits if fields.value_in_row(rows[e.task_id], e.field) == e.value]
    unsaid = [e for e in open_edits if e not in said]
    wanted = [task for task in tasks if task.row_wanted_at is not None and task.pk not in rows]
    if not unsaid and not wanted:
        return body, WrittenRows(cells=tuple((edit.pk, edit.value) for edit in said))
    rows_wanted = _rows_wanted(wanted, reading)
    changes: list[Edit] = [SetCell(line=rows[e.task_id].line, field=e.field, value=e.value) for e in unsaid]
    body, refused = edit_where_possible(tracking_issue, body, [*changes, *rows_wanted])
    kept = [edit for place, edit in enumerate(unsaid) if place not in refused]
    added = [
        (task.pk, row)
        for place, (task, row) in enumerate(zip(wanted, rows_wanted, strict=True), start=len(unsaid))
        if place not in refused
    ]
    return body, WrittenRows(tuple((edit.pk, edit.value) for edit in (*said, *kept)), tuple(added))


def row_of_task(task: Task, number: str) -> AddRow:
    """The row that a task made here shall have."""
    values = {name: value_of_task(task, name) for name in fields.FIELDS}
    section = task.direction.name if task.direction else None
    return AddRow(section=section, values=values | {"number": number})


def _rows_wanted(wanted: Sequence[Task], reading: Reading) -> list[AddRow]:
    """The new rows with the tasks' own numbers, unless somebody gave such a number to another row meanwhile."""
    taken = [row.number for row in reading.tasks if row.number]
    rows: list[AddRow] = []
    for task in wanted:
        number = task.number
        if number in taken:
            number = row_adding.next_number([*taken, number]) or number
        taken.append(number)
        rows.append(row_of_task(task, number))
    return rows


def note_written(*, tracking_issue: TrackingIssue, written: WrittenRows, now: datetime) -> Sequence[str]:
    """The table says what we wrote; the numbers that mean another task than before.

    Who changed a value while the earlier one was being written has it still on its way.
    """
    values = dict(written.cells)
    for edit in TaskEdit.objects.filter(pk__in=values).select_related("task", "made_by"):
        value = values[edit.pk]
        if edit.settled_at is not None:
            _follow_up(edit.task, edit.field, value, edit.made_by, now)
        elif edit.value == value:
            edit.settled_at = now
            edit.outcome = Outcome.TAKEN_BACK if edit.value == edit.base else Outcome.WRITTEN
            edit.save(update_fields=["settled_at", "outcome"])
        else:
            edit.base = value
            edit.save(update_fields=["base"])
    rows = dict(written.rows)
    changed: list[str] = []
    tasks = Task.objects.filter(pk__in=rows, tracking_issue=tracking_issue)
    for task in tasks.prefetch_related("also_in"):
        said = rows[task.pk].values
        if task.number != said["number"]:
            changed += [task.number, said["number"]]
            task.number, task.sort_key = said["number"], sort_key(said["number"])
        task.row_wanted_at = None
        task.save(update_fields=["number", "sort_key", "row_wanted_at"])
        for name in fields.FIELDS:
            _follow_up(task, name, said[name], None, now)
    return changed


def _follow_up(task: Task, name: str, written: str, made_by: Person | None, now: datetime) -> None:
    """What was changed while another value was being written goes out after it."""
    ours = value_of_task(task, name)
    is_open = ours != written and TaskEdit.objects.filter(task=task, field=name, settled_at=None).exists()
    if ours != written and not is_open:
        TaskEdit.objects.create(task=task, field=name, base=written, value=ours, made_by=made_by, made_at=now)


def reopen_cells(*, tracking_issue: TrackingIssue, since: datetime) -> None:
    """Our write covered a person's text: the cells that we wrote since then are on their way again, over theirs."""
    ours = TaskEdit.objects.filter(task__tracking_issue=tracking_issue)
    have = set(ours.filter(settled_at=None).values_list("task_id", "field"))
    written = ours.filter(outcome=Outcome.WRITTEN, settled_at__gte=since)
    for edit in written.order_by("task_id", "field", "-settled_at", "-pk"):
        if (edit.task_id, edit.field) not in have:
            have.add((edit.task_id, edit.field))
            edit.settled_at, edit.outcome = None, ""
            edit.save(update_fields=["settled_at", "outcome"])


def reopen_rows(*, tracking_issue: TrackingIssue, standing: Collection[int], now: datetime) -> None:
    """The same for rows that we added: those that stand neither in the person's text nor in the one that they saw.

    `standing` are the tasks with a row in one of the two.
    """
    tasks = tracking_issue.tasks.filter(is_removed=False, row_wanted_at=None)
    tasks.exclude(pk__in=list(standing)).update(row_wanted_at=now)


def stars_as_text(stars: str) -> str:
    """A number of stars as a difficulty says it: up to five of them in a row, more or parts with a figure."""
    whole = stars.isdigit() and 0 < int(stars) <= 5
    return "⭐" * int(stars) if whole else f"{stars}⭐" if stars else ""


def stars_of_task(task: Task) -> str:
    """A task's stars as a plain decimal."""
    if task.star_steps is None:
        return ""
    whole, rest = divmod(task.star_steps, STAR_STEPS)
    return f"{whole}.{rest:03d}".rstrip("0") if rest else str(whole)


def names_in(value: str) -> tuple[str, ...]:
    """The directions of a direction cell."""
    return cells.read_directions(value)
