"""Reading a body: the one entrance (TABLES.md section 4). Nothing here ever raises on any text."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tasks_board.documents import (
    board,
    columns,
    definitions,
    mentors,
    plain,
    rows,
    tables,
    teams,
    ticking,
    views,
)
from tasks_board.documents import text as texts
from tasks_board.documents.choices import NO_CHOICES, ReadingChoices
from tasks_board.documents.columns import Columns
from tasks_board.documents.marks import Marks, find_badges, read_marks
from tasks_board.documents.model import Dialect, Problem, Reading, ReadTable, ReadTask
from tasks_board.documents.people import find_mentions

_MARK_START = rf"(?:{plain.TAG.pattern}|[\s~*_`\[<{texts.ZERO_WIDTH}])*"
_EMPTY = "| \t\u00a0\u3000" + texts.ZERO_WIDTH  # what a row may hold in which nothing stands
_TO_NAME = re.compile(_MARK_START)


@dataclass(frozen=True, slots=True)
class TaskList:
    """A table of tasks before its rows are read."""

    raw: tables.RawTable
    context: views.TableContext
    preamble: tuple[str, ...]  # the lines between its heading and itself

    def view(self, masked: str, row: tables.Row) -> views.RowView:
        return views.RowView(self.context, masked, row)

    def rows(self, masked: str) -> Iterator[tables.Row]:
        """Its rows; a row in which nothing stands is none."""
        for row in self.raw.rows:
            if row.span.of(masked).strip(_EMPTY):
                yield row


@dataclass(frozen=True, slots=True)
class Survey:
    """A body before its rows are read: enough to find one row and write into it."""

    body: str
    outline: tables.Outline
    marks: Marks
    lists: tuple[TaskList, ...]

    @property
    def dialect(self) -> Dialect:
        """The first of badge, parenthesis, emoji, plain that one of the tables has."""
        used = {task_list.context.dialect for task_list in self.lists}
        return next((dialect for dialect in Dialect if dialect in used), Dialect.PLAIN)


def read_body(body: str, *, repository: str, choices: ReadingChoices | None = None) -> Reading:
    """All tasks, people, counts and problems of one issue body or comment, as people corrected its reading."""
    found = survey(body, repository=repository, choices=choices)
    masked = found.outline.masked
    read = tuple(_read_table(task_list, masked) for task_list in found.lists)
    return Reading(
        dialect=found.dialect,
        tables=read,
        board=board.read_board(found.outline),
        contributors_block=board.read_contributors(found.outline),
        legend=found.marks.legend,
        problems=tuple(problem for table in read for problem in table.problems),
    )


def survey(body: str, *, repository: str, choices: ReadingChoices | None = None) -> Survey:
    """Find the task lists of a body, with the columns, dialect and marks of each."""
    choices = choices or NO_CHOICES
    body_outline = tables.outline(body)
    marks = read_marks(body_outline, choices.chosen_marks)
    defined = definitions.read_definitions(body_outline)
    checklist = ticking.read_checklist(body_outline, marks, defined)
    left_out = choices.tables_left_out(body_outline)
    lists = []
    for raw in body_outline.tables:
        headers = [cell.of(body_outline.masked) for cell in raw.header.cells]
        read = columns.read_columns(headers, choices.columns)
        if read.is_task_list and raw.span not in left_out:
            context = views.TableContext(
                repository=repository,
                section=choices.section(raw.heading.text if raw.heading else None),
                columns=read,
                dialect=Dialect.PLAIN,
                marks=marks,
                checklist={} if "title" in read.places else checklist,
                names=choices.names,
                definitions=defined,
            )
            lists.append(_task_list(body_outline, raw, context))
    return Survey(body, body_outline, marks, tuple(lists))


def _task_list(body_outline: tables.Outline, raw: tables.RawTable, context: views.TableContext) -> TaskList:
    """A task list in its own dialect, with the lines above it that may name mentors."""
    masked = body_outline.masked
    start = raw.heading.end if raw.heading else 0
    between = definitions.with_addresses(masked[start : raw.span.start], context.definitions).splitlines()
    preamble = tuple(line for line in between if "@" in line or "github.com" in line or "＠" in line)
    return TaskList(raw, replace(context, dialect=_dialect(masked, raw, context)), preamble)


def _read_table(task_list: TaskList, masked: str) -> ReadTable:
    guides = _guides(task_list, masked) if task_list.preamble else {}
    tasks: list[ReadTask] = []
    problems: list[Problem] = []
    for row in task_list.rows(masked):
        task, troubles = rows.read_row(task_list.view(masked, row), guides)
        tasks.append(task)
        problems += troubles
    context = task_list.context
    return ReadTable(
        section=context.section,
        dialect=context.dialect,
        columns=context.columns.headers,
        tasks=tuple(tasks),
        span=task_list.raw.span,
        problems=tuple(problems),
    )


def _guides(task_list: TaskList, masked: str) -> rows.Guides:
    """The people of the mentor line above the table, by the numbers that it has."""
    numbers = [task_list.view(masked, row).number for row in task_list.rows(masked)]
    return mentors.guides_by_number(task_list.preamble, [n for n in numbers if n is not None])


# ---------------------------------------------------------------------------------------------- dialect


def _dialect(masked: str, raw: tables.RawTable, context: views.TableContext) -> Dialect:
    """Each task list has its own: the first sign of a dialect in its rows decides."""
    read, marks = context.columns, context.marks
    if find_badges(masked[raw.header.span.end : raw.span.end]):
        return Dialect.BADGE
    in_parentheses = replace(context, dialect=Dialect.PARENTHESIS)
    claimant_cells = list(_cells(masked, raw.rows, read, "claimants"))
    for source in claimant_cells:
        if ("(" in source or "（" in source) and teams.speaks_in_parentheses(in_parentheses.cell(source)):
            return Dialect.PARENTHESIS
    at_start = re.compile(_MARK_START + marks.pattern.pattern)
    starts = (source for role in ("number", "title") for source in _cells(masked, raw.rows, read, role))
    if any(at_start.match(source) for source in starts):
        return Dialect.EMOJI
    linked = (definitions.with_addresses(source, context.definitions) for source in claimant_cells)
    people_are_marked = any(_person_has_mark(source, marks) for source in linked)
    return Dialect.EMOJI if people_are_marked else Dialect.PLAIN


def _cells(masked: str, body_rows: Sequence[tables.Row], read: Columns, role: str) -> Iterator[str]:
    place = read.places.get(role)
    if place is not None:
        for row in body_rows:
            if place < len(row.cells):
                yield row.cells[place].of(masked)


def _person_has_mark(source: str, marks: Marks) -> bool:
    """Does a status mark stand at the start of a person?"""
    if not marks.pattern.search(source):
        return False
    folded = texts.normalise(source)
    mentions = list(find_mentions(folded))
    names, ends = [mention.span.start for mention in mentions], {mention.span.end for mention in mentions}
    for mark in marks.pattern.finditer(folded) if names else ():
        behind = bisect_left(names, mark.end())
        if behind < len(names) and _TO_NAME.fullmatch(folded, mark.end(), names[behind]):
            is_glued_behind = mark.start() in ends and mark.end() < names[behind]
            if not is_glued_behind and not plain.BREAK.search(folded, mark.end(), names[behind]):
                return True
    at_start = re.compile(_MARK_START + marks.pattern.pattern + r"\s*\w")
    return not names and any(at_start.match(item) for item in plain.BREAK.split(folded))
