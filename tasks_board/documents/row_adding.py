"""A new row under the last one of a table: in its columns, spacing and line ending, with the next number."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tasks_board.documents import ids, tables
from tasks_board.documents import text as texts
from tasks_board.documents.cell_writing import with_field
from tasks_board.documents.fields import FIELDS, is_carried
from tasks_board.documents.lines import TableWriter
from tasks_board.documents.model import Span
from tasks_board.documents.reading import Survey, TaskList

_TRAILING_NUMBER = re.compile(r"(?P<stem>.*?)(?P<digits>[0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class NewRow:
    """A line to put behind a place of the body, line end included."""

    place: int
    text: str


def next_number(numbers: Sequence[str]) -> str | None:
    """The number after the highest of the last one's kind: 12 → 13, A-9 → A-10, 007 → 008. None without any."""
    last = next((match for n in reversed(numbers) if (match := _TRAILING_NUMBER.fullmatch(n.strip()))), None)
    if last is None:
        return None
    same = [
        int(match["digits"])
        for number in numbers
        if (match := _TRAILING_NUMBER.fullmatch(number.strip()))
        and ids.id_key(match["stem"] or "0") == ids.id_key(last["stem"] or "0")
    ]
    width = len(last["digits"]) if last["digits"].startswith("0") else 0
    return f"{last['stem']}{max(same) + 1:0{width}d}"


def table_for(found: Survey, section: str | None) -> TaskList | None:
    """The last table of a section (of the body, if none is named) that has a column for titles."""
    lists = [entry for entry in found.lists if "title" in entry.context.columns.places]
    if section is not None:
        wanted = texts.comparison_key(section)
        lists = [entry for entry in lists if texts.comparison_key(entry.context.section or "") == wanted]
    return lists[-1] if lists else None


def new_row(found: Survey, task_list: TaskList, values: Mapping[str, str]) -> NewRow | None:
    """The row that says these fields (and `number`), those without a column left out; None where it cannot read so."""
    masked = found.outline.masked
    rows = list(task_list.rows(masked))
    template = rows[-1] if rows else task_list.raw.header
    lead = tables.lead(_last_line(found.body, task_list, rows))
    line: str | None = lead + _empty_line(found.body, template, task_list.context.columns.width)
    writer = TableWriter(found, task_list)
    carried = task_list.context.columns.places
    for field in ("number", *FIELDS):
        value = values.get(field, "")
        has_place = field in carried if field == "number" else is_carried(carried, field)
        if line is not None and value and has_place:
            line = with_field(writer, line, field, value)
    if line is None:
        return None
    place = rows[-1].span.end if rows else _end_of_delimiter(found.body, template)
    return NewRow(place, f"{_line_end(found.body, template)}{line}")


def _empty_line(body: str, template: tables.Row, width: int) -> str:
    text = template.span.of(body)
    spoken = [source for cell in template.cells if (source := cell.of(body)).strip()]
    is_spaced = any(source.startswith(" ") for source in spoken)
    empty = "  " if is_spaced else " "
    opening = "|" if text.startswith("|", len(tables.lead(text))) else ""
    return f"{opening}{'|'.join([empty] * width)}{'|' if template.closed or not opening else ''}"


def _last_line(body: str, task_list: TaskList, rows: Sequence[tables.Row]) -> str:
    """The line above a new row: the last row, or what parts the header from rows."""
    if rows:
        return rows[-1].span.of(body)
    end = _end_of_delimiter(body, task_list.raw.header)
    return body[body.rindex("\n", 0, end) + 1 : end]


def _line_end(body: str, template: tables.Row) -> str:
    if body.startswith("\r\n", template.span.end):
        return "\r\n"
    return "\r\n" if "\r\n" in body[: template.span.start] and template.span.end == len(body) else "\n"


def _end_of_delimiter(body: str, header: tables.Row) -> int:
    start = body.index("\n", header.span.end) + 1
    end = body.find("\n", start)
    line = Span(start, len(body) if end == -1 else end)
    return line.end - 1 if line.of(body).endswith("\r") else line.end
