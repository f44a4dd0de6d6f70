"""An event's tasks as they lie on an organizer's desk: what may be changed of each, and what its table can say."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from claims import task_fields
from claims.task_fields import IN_TABLE, TaskTexts
from portal.common.errors import DomainError
from tasks_board.documents import fields, row_adding
from tasks_board.documents.editing import AddRow, SetCell
from tasks_board.documents.model import Reading, ReadTable, ReadTask
from tasks_board.models import Direction, Event, Task, TrackingIssue
from tasks_board.operations.edits import OpenEdits, pair_with_rows, stars_as_text
from tasks_board.tracking import edit_where_possible, read_issue


@dataclass(frozen=True, slots=True)
class TaskChange:
    """What shall be another in a task: texts by field, as `task_fields` has them.

    `expected`: what somebody saw there before; a field that says something else now is refused. `line`: of a file.
    """

    task: int
    values: Mapping[str, str]
    expected: Mapping[str, str] | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class NewTask:
    """A task to be made: its texts by field, and the issue whose table shall get a row for it, if any."""

    values: Mapping[str, str]
    row_in: int | None = None
    line: int = 0
    number_is_ours: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """A change that was not made: of which line and task, in which field, and why."""

    line: int
    task: int | None
    field: str
    code: str
    message: str


class Table:
    """A tracking issue with its text read once, and the row of each of its tasks."""

    def __init__(self, issue: TrackingIssue, tasks: Sequence[Task], edits: OpenEdits) -> None:
        self.issue, self._tasks, self._edits = issue, tasks, edits

    @cached_property
    def reading(self) -> Reading:
        return read_issue(self.issue, self.issue.agreed_body)

    @cached_property
    def rows(self) -> Mapping[int, tuple[ReadTable, ReadTask]]:
        """Table and row by the key of the task."""
        flat = [(table, row) for table in self.reading.tables for row in table.tasks]
        pairs = pair_with_rows(self._tasks, [row for _table, row in flat], self._edits)
        return {self._tasks[known].pk: flat[place] for place, known in pairs.items()}

    @staticmethod
    def check_writing(issue: TrackingIssue | None) -> None:
        """Raises DomainError (mirror_only) where the table is only read."""
        if issue is None or issue.writing == TrackingIssue.Writing.MIRROR:
            raise DomainError(
                "mirror_only",
                _(
                    "The table in the issue says this, and it is only read. Change it there, or switch writing on."
                ),
            )


@dataclass
class TaskDesk:
    """The tasks of an event with all that a change of them looks at."""

    event: Event
    tasks: Mapping[int, Task]
    issues: Mapping[int, Table]
    edits: OpenEdits
    texts: TaskTexts
    directions: dict[tuple[str, str], Direction]
    needs: dict[int, set[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, event: Event, issues: Sequence[TrackingIssue]) -> "TaskDesk":
        """Read what belongs to an event; the rows of these issues can be asked for. Six queries."""
        tasks = list(
            Task.objects.filter(event=event)
            .select_related("direction")
            .prefetch_related("also_in")
            .order_by("position", "pk")
        )
        edits = OpenEdits.of(tasks)
        by_issue = {issue.pk: issue for issue in issues}
        for task in tasks:
            task.event = event
            if task.tracking_issue_id in by_issue:
                task.tracking_issue = by_issue[task.tracking_issue_id]
        texts = TaskTexts.of(event, tasks)
        found = {
            issue.pk: Table(issue, [task for task in tasks if task.tracking_issue_id == issue.pk], edits)
            for issue in issues
        }
        directions = {(d.source, d.name): d for d in event.directions.all()}
        needs = {pk: set(wanted) for pk, wanted in texts.requires.items()}
        return cls(event, texts.tasks, found, edits, texts, directions, needs)

    # what may be changed

    def cell_for(self, task: Task, key: str, value: str) -> tuple[str, str, str] | None:
        """Where a table carries the field: its name there, what the row says now and shall say. None where it is ours.

        Raises DomainError where the table has to be changed in the issue.
        """
        if task.tracking_issue_id is None or task.row_wanted_at is not None:
            return None
        if key in ("number", "section"):
            raise DomainError(
                "in_issue", _("Rows are numbered and moved in the issue itself; Regatta follows them.")
            )
        name = "difficulty" if key == "stars" else IN_TABLE.get(key)
        if name is None:
            return None
        table = self.issues[task.tracking_issue_id]
        found = table.rows.get(task.pk)
        if found is None:
            raise DomainError(
                "no_row", _("The row of this task is gone from the issue. Put it back there first.")
            )
        columns, row = found
        if not fields.is_carried(columns.columns, name):
            return None
        if key == "stars":
            value = stars_as_text(value)
        return self._checked_cell(task, table, row, name, fields.normalise_value(name, value))

    def _checked_cell(
        self, task: Task, table: Table, row: ReadTask, name: str, value: str
    ) -> tuple[str, str, str]:
        edit = self.edits.of_task(task).get(name)
        if edit is not None and edit.conflict_at is not None:
            raise DomainError(
                "in_conflict", _("A person changed this cell meanwhile. Settle that conflict first.")
            )
        if task.is_excluded:
            raise DomainError(
                "excluded_row", _("The event leaves this row to people. Change it in the issue.")
            )
        if edit is None or value != edit.base:
            table.check_writing(table.issue)
        return name, fields.value_in_row(row, name), value

    def try_cells(
        self, wanted: Mapping[int, Mapping[str, tuple[str, str]]]
    ) -> Iterator[tuple[int, str, str]]:
        """Those cells that the tables cannot say: task, field, and the code of why."""
        for table in self.issues.values():
            cells = [
                (task, name, value)
                for task, values in wanted.items()
                if self.tasks[task].tracking_issue_id == table.issue.pk
                for name, (_base, value) in values.items()
            ]
            edits = [
                SetCell(line=table.rows[task][1].line, field=name, value=value) for task, name, value in cells
            ]
            _body, refused = edit_where_possible(table.issue, table.issue.agreed_body, edits)
            yield from ((cells[place][0], cells[place][1], code) for place, code in refused.items())

    @staticmethod
    def sentence_of(code: str) -> str:
        """Why a table cannot say something."""
        if code == "table_not_found":
            return _("No table in the issue has a place for this row.")
        return _(
            "This cannot be written into the table so that it reads the same. Write it in simpler words."
        )

    def check(self, task: Task, key: str, value: str, intended: Mapping[str, str]) -> None:
        """What no single field can know; `intended` are all that shall change. Raises DomainError."""
        if key == "requires":
            self._check_requires(task.pk, set(self.texts.read_requires(value)))
        elif key in ("claims_open", "claims_close"):
            both = {name: self.texts.show(task, name) for name in ("claims_open", "claims_close")}
            self.check_window(both | dict(intended))
        elif key == "number":
            section = intended.get("section", self.texts.show(task, "section"))
            self._check_number(value, section, task.pk)

    def check_window(self, values: Mapping[str, str]) -> None:
        """Raises DomainError (bad_window) unless claiming ends after it begins."""
        zone = self.event.time_zone
        opens = task_fields.read_time(values.get("claims_open", ""), zone)
        closes = task_fields.read_time(values.get("claims_close", ""), zone, is_end=True)
        if opens is not None and closes is not None and closes <= opens:
            raise DomainError("bad_window", _("Claiming has to end after it begins."))

    def _check_requires(self, task: int, wanted: set[int]) -> None:
        """No task waits for itself, through any number of steps; what is allowed counts for those that follow."""
        reached: set[int] = set()
        waiting = list(wanted)
        while waiting:
            key = waiting.pop()
            if key == task:
                raise DomainError("circular", _("These tasks would wait for each other."))
            if key not in reached:
                reached.add(key)
                waiting += self.needs.get(key, ())
        self.needs[task] = wanted

    def _check_number(self, number: str, section: str, task: int | None) -> None:
        if not number:
            raise DomainError("bad_number", _("A task needs a number."))
        same = (
            other
            for other in self.tasks.values()
            if other.number == number and not other.is_removed and other.pk != task
        )
        if number in self._given.get(section, ()) or any(
            self.texts.show(other, "section") == section for other in same
        ):
            raise DomainError(
                "number_taken",
                _("Another task of this direction has the number “%(number)s”.") % {"number": number},
            )
        self._given.setdefault(section, set()).add(number)

    @cached_property
    def _given(self) -> dict[str, set[str]]:
        """Numbers given in this change, by direction."""
        return {}

    # new tasks

    def prepare(self, new: NewTask) -> NewTask:
        """A new task with its number; its table has a place for its row. Raises DomainError."""
        values = dict(new.values)
        self.check_window(values)
        section = values.get("section", "")
        row = self._wanted_row(new, section) if new.row_in is not None else None
        is_ours = not values.get("number") and (row is None or not row.has_numbers)
        if not values.get("number"):
            values["number"] = (row.next_number if row else None) or self._next_number()
        self._check_number(values["number"], section, None)
        self._used.append(values["number"])
        if values.get("requires"):
            self.texts.read_requires(values["requires"])
        if row is not None:
            self._try_row(row, section, values)
        return replace(new, values=values, number_is_ours=is_ours)

    def _wanted_row(self, new: NewTask, section: str) -> "_TableOfSection":
        table = self.issues.get(new.row_in or 0)
        if table is None:
            raise DomainError("unknown_issue", _("This issue does not belong to this event."))
        table.check_writing(table.issue)
        wanted = [t for t in table.reading.tables if not section or t.section == section]
        if not wanted:
            raise DomainError("table_not_found", self.sentence_of("table_not_found"))
        numbers = [row.number for row in wanted[-1].tasks if row.number]
        return _TableOfSection(table, wanted[-1], row_adding.next_number([*numbers, *self._used]))

    def _try_row(self, row: "_TableOfSection", section: str, values: Mapping[str, str]) -> None:
        told = {theirs: values.get(ours, "") for ours, theirs in IN_TABLE.items()}
        told = {name: fields.normalise_value(name, value) for name, value in told.items()}
        edit = AddRow(section=section or None, values=told | {"number": values["number"]})
        issue = row.table.issue
        _body, refused = edit_where_possible(issue, issue.agreed_body, [edit])
        if refused:
            raise DomainError(refused[0], self.sentence_of(refused[0]))

    def _next_number(self) -> str:
        """Above every number of ours that the event ever had."""
        plain = [
            n for n in (*(t.number for t in self.tasks.values()), *self._used) if n.isascii() and n.isdigit()
        ]
        return str(max((int(n) for n in plain if len(n) < 10), default=0) + 1)

    @cached_property
    def _used(self) -> list[str]:
        return []

    def next_position(self) -> int:
        """Behind every task."""
        highest = self.__dict__.get("_position", max((t.position for t in self.tasks.values()), default=-1))
        self.__dict__["_position"] = highest + 1
        return int(highest + 1)

    # directions

    def direction(self, source: Direction.Source, name: str) -> Direction:
        """The event's direction of that name, made on first sight."""
        name = name[:200]
        if (source.value, name) not in self.directions:
            self.directions[source.value, name] = Direction.objects.create(
                event=self.event, source=source, name=name, position=len(self.directions)
            )
        return self.directions[source.value, name]

    def tag(self, task: Task, names: Collection[str]) -> None:
        """Give a task its further directions."""
        task.also_in.set([self.direction(Direction.Source.COLUMN, name) for name in dict.fromkeys(names)])


@dataclass(frozen=True, slots=True)
class _TableOfSection:
    """The table that gets a row, and the number that comes next in it."""

    table: Table
    read: ReadTable
    next_number: str | None

    @property
    def has_numbers(self) -> bool:
        return "number" in self.read.columns


def check_not_added(event: Event, additions: Sequence[NewTask], newest_known: int) -> None:
    """Raises DomainError (stale_preview) if one of these has come since the newest task that was known."""
    titles = [addition.values.get("title", "") for addition in additions]
    again = event.tasks.filter(pk__gt=newest_known, title__in=titles).order_by("pk").first()
    if again is not None:
        sentence = _("“%(title)s” was added meanwhile. Upload the file again.")
        raise DomainError("stale_preview", sentence % {"title": again.title[:80]})
