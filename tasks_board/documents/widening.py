"""A column for claimants, for the task lists that have none: appended to header, delimiter and rows; nothing else changes."""

from collections.abc import Sequence

from tasks_board.documents import reading, tables
from tasks_board.documents.choices import ReadingChoices
from tasks_board.documents.model import Reading, Span

CLAIMANTS = "认领人"  # a heading that is read in any event


def lacks_claimants(read: Reading) -> list[str]:
    """The headings of the task lists that have no column for claimants; empty text for a list without a heading."""
    return [table.section or "" for table in read.tables if table.tasks and "claimants" not in table.columns]


def add_column(
    body: str, *, heading: str = CLAIMANTS, repository: str, choices: ReadingChoices | None = None
) -> str:
    """The body with a column for claimants at the end of every task list that has none. Line ends and spacing stay."""
    found = reading.survey(body, repository=repository, choices=choices)
    masked = found.outline.masked
    put_in: list[tuple[int, str]] = []
    for task_list in found.lists:
        if "claimants" in task_list.context.columns.places:
            continue
        raw = task_list.raw
        width = len(raw.header.cells)
        delimiter = _below(masked, raw.header)
        put_in += [_cell(masked, raw.header, width, heading), _cell(masked, delimiter, width, "---")]
        put_in += [_cell(masked, row, width, "") for row in raw.rows if row.span.of(masked).strip("|> \t")]
    parts, place = [], 0
    for at, text in sorted(put_in):
        parts += [body[place:at], text]
        place = at
    return "".join([*parts, body[place:]])


def _below(masked: str, row: tables.Row) -> tables.Row:
    start = masked.index("\n", row.span.end) + 1
    end = masked.find("\n", start)
    end = len(masked) if end == -1 else end
    if masked[start:end].endswith("\r"):
        end -= 1
    return tables.split_row(masked, tables.Line(row.line + 1, Span(start, end)))


def _cell(masked: str, row: tables.Row, width: int, text: str) -> tuple[int, str]:
    """Where a row gets its new cell, and what is put in there; missing cells before it are filled up."""
    cell = f" {text} |" if text else "  |"
    if len(row.cells) > width:  # what stands beyond the last column stays beyond it
        return row.cells[width].start, cell
    missing = width - len(row.cells)
    if row.closed:
        return row.end, "  |" * missing + cell
    end = _end_of_content(masked, row.cells)
    return end, " |" + "  |" * missing + cell


def _end_of_content(masked: str, cells: Sequence[Span]) -> int:
    last = cells[-1]
    return last.start + len(last.of(masked).rstrip())
