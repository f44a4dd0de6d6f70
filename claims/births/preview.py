"""A text as it would be read, for somebody who may correct it: every row with its meaning, and all that can be corrected.

Nothing is stored and nothing is fetched here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from claims.explaining import SURE, dialect_word, meaning_words, problem_sentence, role_word
from tasks_board.documents import tables
from tasks_board.documents import text as texts
from tasks_board.documents.choices import (
    STATES,
    KnownTable,
    ReadingChoices,
    column_key,
    known_tables,
    mark_key,
    name_key,
    section_key,
)
from tasks_board.documents.columns import ROLES, read_columns
from tasks_board.documents.marks import find_badges, read_marks
from tasks_board.documents.model import Problem, Reading, ReadTable, ReadTask
from tasks_board.documents.reading import read_body

KEEP, NOTHING = "-", "nothing"  # of a choice: as we read it; it means nothing
MOST_NAMES, MOST_CHOICES = 100, 60
_NAMED_IN = ("claimants", "completed_by", "locked", "mentor", "assistant")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell in words: its column, what stands there, what it was taken for."""

    role: str
    text: str
    meaning: str
    is_sure: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A row as it was read. `confidence` is that of its least sure cell, in percent."""

    task: ReadTask
    cells: Sequence[Cell]
    problems: Sequence[str]
    confidence: int

    @property
    def is_doubtful(self) -> bool:
        return bool(self.problems) or self.confidence < round(SURE * 100)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the text: read as a task list or not, and the rows that are shown of it."""

    known: KnownTable
    section: str
    dialect: str
    rows: Sequence[Row]
    count: int
    doubtful: int
    is_list: bool
    is_left_out: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that can be corrected: as it stands, its key, what we take it for, and what was chosen (or `KEEP`)."""

    key: str
    text: str
    read: str
    chosen: str
    login: str = ""


@dataclass(frozen=True, slots=True)
class Preview:
    """A text as it would be read, and what can be corrected."""

    tables: Sequence[Table]
    columns: Sequence[Choice]
    marks: Sequence[Choice]
    sections: Sequence[Choice]
    names: Sequence[Choice]
    elsewhere: Sequence[str]  # tables that were left out and are not in this text
    tasks: int
    doubtful: int
    problems: Sequence[str]
    unusable: Sequence[str]

    @property
    def has_tasks(self) -> bool:
        return self.tasks > 0


def preview(body: str, *, repository: str, choices: ReadingChoices, only_doubtful: bool = False) -> Preview:
    """The text read with these corrections; its doubtful rows come first in each table."""
    reading = read_body(body, repository=repository, choices=choices)
    outline = tables.outline(body)
    known = list(known_tables(outline))
    by_span = {table.span: table for table in reading.tables}
    shown = [_table(entry, by_span.get(entry.raw.span), choices, only_doubtful) for entry in known]
    keys = {entry.key for entry in known}
    return Preview(
        tables=shown,
        columns=_columns(known, choices),
        marks=_marks(outline, reading, choices),
        sections=_sections(known, choices),
        names=_names(body, repository, choices),
        elsewhere=sorted(choices.left_out - keys),
        tasks=len(reading.tasks),
        doubtful=sum(table.doubtful for table in shown),
        problems=[problem_sentence(problem) for problem in reading.problems],
        unusable=[f"{u.about} {u.value}".strip() or u.kind for u in choices.unusable],
    )


def role_choices() -> list[tuple[str, str]]:
    """What a column may be for, in words."""
    words = [(role, role_word(role)) for role in ROLES]
    return [(KEEP, _("as we read it")), (NOTHING, _("ignore this column")), *words]


def state_choices() -> list[str]:
    """The states that a mark may have."""
    return [state.value for state in STATES]


# ------------------------------------------------------------------------------------------------- rows


def _table(known: KnownTable, read: ReadTable | None, choices: ReadingChoices, only_doubtful: bool) -> Table:
    rows = _rows(read) if read else []
    doubtful = [row for row in rows if row.is_doubtful]
    sure = [] if only_doubtful else [row for row in rows if not row.is_doubtful]
    return Table(
        known=known,
        section=(read.section or "") if read else choices.section(known.heading) or "",
        dialect=dialect_word(read.dialect) if read else "",
        rows=[*doubtful, *sure],
        count=len(rows),
        doubtful=len(doubtful),
        is_list=read is not None,
        is_left_out=known.key in choices.left_out,
    )


def _rows(table: ReadTable) -> list[Row]:
    by_line: dict[int, list[Problem]] = {}
    for problem in table.problems:
        by_line.setdefault(int(problem.message_args.get("line", 0)), []).append(problem)
    return [_row(task, by_line.get(task.line, ())) for task in table.tasks]


def _row(task: ReadTask, problems: Iterable[Problem]) -> Row:
    cells = [
        Cell(role_word(cell.column), cell.text.strip(), meaning_words(cell), cell.confidence >= SURE)
        for cell in task.cells
    ]
    lowest = min((cell.confidence for cell in task.cells), default=1.0)
    return Row(task, cells, [problem_sentence(problem) for problem in problems], round(lowest * 100))


# ------------------------------------------------------------------------------------ what can be corrected


def _chosen(pairs: dict[str, str], key: str) -> str:
    return (pairs[key] or NOTHING) if key in pairs else KEEP


def _columns(known: Sequence[KnownTable], choices: ReadingChoices) -> list[Choice]:
    """Each header once, with what we take it for by ourselves."""
    found: dict[str, Choice] = {}
    chosen = dict(choices.columns)
    for table in known:
        headers = list(table.headers)
        places = read_columns(headers).places
        roles = {place: role for role, place in places.items()}
        for place, header in enumerate(headers):
            key = column_key(header)
            role = roles.get(place, "")
            if key and (key not in found or (role and not found[key].read)):
                found[key] = Choice(key, header, role_word(role) if role else "", _chosen(chosen, key))
    return _with_stored(found, chosen)


def _marks(outline: tables.Outline, reading: Reading, choices: ReadingChoices) -> list[Choice]:
    """The marks that the text uses, and the words of its badges and state columns, with what we take them for."""
    found: dict[str, Choice] = {}
    chosen = dict(choices.marks)
    own = read_marks(outline)
    used = {mark: own.meanings.get(mark) for mark in own.meanings if mark in outline.masked}
    for mark in chosen:
        used.setdefault(mark, None)
    words: dict[str, tuple[str, str]] = {}
    for badge in find_badges(outline.masked):
        words.setdefault(mark_key(badge.word), (badge.word, badge.state.value if badge.state else ""))
    for task in reading.tasks:
        for cell in task.cells:
            text = texts.squeeze(cell.text)
            if cell.column == "state" and text and not any(mark in text for mark in own.meanings):
                words.setdefault(mark_key(text), (text[:60], cell.meaning))
    for mark, state in used.items():
        found[mark] = Choice(mark, mark, state.value if state else "", _chosen(chosen, mark))
    for key, (text, meaning) in words.items():
        if key and "<" not in key:
            found[key] = Choice(key, text, "" if key in chosen else meaning, _chosen(chosen, key))
    return _with_stored(found, chosen)


def _sections(known: Sequence[KnownTable], choices: ReadingChoices) -> list[Choice]:
    """Each heading over a table, with the direction's name."""
    found: dict[str, Choice] = {}
    for table in known:
        if table.heading:
            key = section_key(table.heading)
            found.setdefault(
                key, Choice(key, table.heading, table.heading, choices.section(table.heading) or "")
            )
    for key, name in choices.sections.items():
        found.setdefault(key, Choice(key, key, key, name))
    return list(found.values())[:MOST_CHOICES]


def _names(body: str, repository: str, choices: ReadingChoices) -> list[Choice]:
    """Names without a login in cells of people, and those that were corrected."""
    columns_only = ReadingChoices(columns=choices.columns, marks=choices.marks, left_out=choices.left_out)
    reading = read_body(body, repository=repository, choices=columns_only)
    found: dict[str, str] = {}
    for task in reading.tasks:
        for who in task.claimants:
            if who.login is None:
                found.setdefault(name_key(who.name), who.name)
        for cell in task.cells:
            if cell.column in _NAMED_IN and not cell.meaning and cell.confidence < SURE:
                name = texts.squeeze(cell.text)[:80]
                found.setdefault(name_key(name), name)
    for key in choices.names:
        found.setdefault(key, key)
    return [_name(key, text, choices) for key, text in [*found.items()][:MOST_NAMES] if key]


def _name(key: str, text: str, choices: ReadingChoices) -> Choice:
    login = choices.names.get(key)
    chosen = KEEP if login is None else "login" if login else NOTHING
    return Choice(key, text, "", chosen, login or "")


def _with_stored(found: dict[str, Choice], chosen: dict[str, str]) -> list[Choice]:
    """Corrections about what this text has not stay as they are."""
    for key in chosen:
        found.setdefault(key, Choice(key, key, "", _chosen(chosen, key)))
    return list(found.values())[:MOST_CHOICES]
