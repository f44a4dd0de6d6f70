"""All tasks of an event as a list to take along, and such a list, changed, against the tasks as they are."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core import signing
from django.utils.translation import gettext as _

from claims.operations.task_desk import NewTask, Refusal, TaskChange
from claims.task_fields import BY_KEY, TASK_FIELDS, TaskTexts
from portal.common import sheets
from portal.common.errors import DomainError
from portal.common.sheets import Sheet, SheetRow
from portal.models import Person
from tasks_board.models import Event, Task

COLUMNS: Mapping[str, Collection[str]] = {
    "id": ("key", "Regatta"),
    **{entry.key: (*entry.headers, str(entry.key).replace("_", " ")) for entry in TASK_FIELDS},
    "state": ("状态",),
}
HEADERS = tuple(COLUMNS)
VALID_FOR = 24 * 3600  # seconds that a preview may be applied
_SALT = "claims.task_sheets"


@dataclass(frozen=True, slots=True)
class Cell:
    """A field that the list has otherwise than the task."""

    key: str
    old: str
    new: str

    @property
    def label(self) -> str:
        """What the field is called."""
        return str(BY_KEY[self.key].label)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the list and what it means: a new task, a changed one; with everything in it that cannot be taken."""

    line: int
    task: Task | None
    cells: tuple[Cell, ...]
    problems: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The task as the line calls it."""
        if self.task is not None:
            return str(self.task)
        return " ".join(cell.new for cell in self.cells if cell.key in ("number", "title"))


@dataclass(frozen=True, slots=True)
class Preview:
    """What a list would change. `token` stands for exactly this, for one person and a day."""

    new: Sequence[Line]
    changed: Sequence[Line]
    refused: Sequence[Line]
    unchanged: int
    unknown: Sequence[str]
    token: str = ""


@dataclass
class Meaning:
    """A list as it was understood, before anybody tried whether it may be done."""

    changes: list[TaskChange] = field(default_factory=list)
    additions: list[NewTask] = field(default_factory=list)
    problems: list[Refusal] = field(default_factory=list)
    tasks: dict[int, Task] = field(default_factory=dict)  # by line
    unchanged: int = 0


def rows_of(texts: TaskTexts) -> Iterator[list[str]]:
    """A row for each task, in the order of HEADERS."""
    for task in texts.tasks.values():
        yield [str(task.pk), *texts.of_task(task).values(), task.state]


def understand(texts: TaskTexts, sheet: Sheet, *, row_in: int | None = None) -> Meaning:
    """Which task each line speaks of, and what it says otherwise. Tasks are known by their id, else number, title."""
    meaning = Meaning()
    finder = _Finder(texts)
    for row in sheet.rows:
        try:
            task = finder.find(row.cells)
        except DomainError as error:
            meaning.problems.append(Refusal(row.line, None, "", error.code, str(error.message)))
            continue
        if task is None:
            values = {key: value for key, value in row.cells.items() if key in BY_KEY and value}
            meaning.additions.append(NewTask(values, row_in, row.line))
        else:
            _compare(texts, task, row, meaning)
    return meaning


def _compare(texts: TaskTexts, task: Task, row: SheetRow, meaning: Meaning) -> None:
    meaning.tasks[row.line] = task
    values, expected = {}, {}
    for key, cell in row.cells.items():
        if key not in BY_KEY:
            continue
        old = texts.show(task, key)
        if sheets.as_cell(old) == cell:
            continue
        try:
            new = texts.read(key, cell)
        except DomainError as error:
            meaning.problems.append(Refusal(row.line, task.pk, key, error.code, str(error.message)))
            continue
        if new != old:
            values[key], expected[key] = new, old
    if values:
        meaning.changes.append(TaskChange(task.pk, values, expected, row.line))
    elif not any(problem.line == row.line for problem in meaning.problems):
        meaning.unchanged += 1


class _Finder:
    """Tasks by what a line says of them; each is spoken of once."""

    def __init__(self, texts: TaskTexts) -> None:
        self.texts, self.found = texts, set[int]()
        self.by_number: dict[str, list[Task]] = {}
        self.by_title: dict[str, list[Task]] = {}
        for task in texts.tasks.values():
            self.by_number.setdefault(sheets.as_cell(task.number), []).append(task)
            self.by_title.setdefault(sheets.as_cell(task.title), []).append(task)

    def find(self, cells: Mapping[str, str]) -> Task | None:
        task = self._by_id(cells["id"]) if cells.get("id") else self._by_words(cells)
        if task is not None and task.pk in self.found:
            raise DomainError("line_twice", _("An earlier line speaks of the same task."))
        if task is not None:
            self.found.add(task.pk)
        return task

    def _by_id(self, text: str) -> Task:
        key = text.removesuffix(".0")
        task = self.texts.tasks.get(int(key)) if key.isascii() and key.isdigit() and len(key) < 18 else None
        if task is None:
            raise DomainError(
                "unknown_task",
                _("No task of this event has the id %(id)s. Leave the id empty for a new task.")
                % {"id": text[:20]},
            )
        return task

    def _by_words(self, cells: Mapping[str, str]) -> Task | None:
        number, title = cells.get("number", ""), cells.get("title", "")
        known = self.by_number.get(number, []) if number else self.by_title.get(title, []) if title else []
        for key in ("section", "title"):
            if len(known) > 1 and key in cells:
                same = [t for t in known if sheets.as_cell(self.texts.show(t, key)) == cells[key]]
                known = same if same or key == "section" else known  # a title may be what is changed
        if len(known) > 1:
            raise DomainError(
                "ambiguous_task", _("Several tasks are called so. Add the column id, or the direction.")
            )
        return known[0] if known else None


def preview(
    texts: TaskTexts,
    meaning: Meaning,
    refused: Sequence[Refusal],
    *,
    acting_user: Person,
    row_in: int | None,
    unknown: Sequence[str] = (),
) -> Preview:
    """What can be taken of a list, field by field, and why the rest cannot."""
    problems: dict[int, list[str]] = {}
    bad: set[tuple[int, str]] = set()
    for problem in (*meaning.problems, *refused):
        label = f"{BY_KEY[problem.field].label}: " if problem.field in BY_KEY else ""
        problems.setdefault(problem.line, []).append(f"{label}{problem.message}")
        bad.add((problem.line, problem.field))
    changed, new, kept_changes, kept_new = [], [], [], []
    for change in meaning.changes:
        expected = change.expected or {}
        cells = [Cell(k, expected[k], v) for k, v in change.values.items() if (change.line, k) not in bad]
        if cells:
            changed.append(Line(change.line, texts.tasks[change.task], tuple(cells)))
            kept_changes.append([change.task, {c.key: [c.old, c.new] for c in cells}, change.line])
    for addition in meaning.additions:
        if addition.line not in problems:
            cells = [Cell(k, "", v) for k, v in addition.values.items()]
            new.append(Line(addition.line, None, tuple(cells)))
            kept_new.append([dict(addition.values), addition.line])
    bad_lines = [
        Line(line, meaning.tasks.get(line), (), tuple(sentences))
        for line, sentences in sorted(problems.items())
    ]
    stored = {
        "event": texts.event.pk,
        "person": acting_user.pk,
        "changes": kept_changes,
        "new": kept_new,
        "row_in": row_in,
        "last": max(texts.tasks, default=0),
    }
    token = signing.dumps(stored, salt=_SALT, compress=True) if kept_changes or kept_new else ""
    return Preview(new, changed, bad_lines, meaning.unchanged, unknown, token)


def read_token(token: str, event: Event, acting_user: Person) -> tuple[list[TaskChange], list[NewTask], int]:
    """The changes of a preview, exactly, and the newest task that it knew. Raises DomainError (stale_preview) for another's or an old one."""
    try:
        stored: dict[str, Any] = signing.loads(token, salt=_SALT, max_age=VALID_FOR)
    except signing.BadSignature as error:
        raise _stale(_("This preview is too old. Upload the file again.")) from error
    if (stored["event"], stored["person"]) != (event.pk, acting_user.pk):
        raise _stale(_("This preview was made for somebody else. Upload the file again."))
    changes = [
        TaskChange(
            task,
            {k: new for k, (_old, new) in cells.items()},
            {k: old for k, (old, _new) in cells.items()},
            line,
        )
        for task, cells, line in stored["changes"]
    ]
    additions = [NewTask(values, stored["row_in"], line) for values, line in stored["new"]]
    return changes, additions, int(stored["last"])


def _stale(sentence: str) -> DomainError:
    return DomainError("stale_preview", sentence)
