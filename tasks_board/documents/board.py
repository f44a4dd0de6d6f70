"""The counts that stand in the body: the board table and the line of contributors (TABLES.md)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tasks_board.documents import plain, tables
from tasks_board.documents import text as texts
from tasks_board.documents.columns import header_key
from tasks_board.documents.model import BoardRow, ContributorCount

# Headers are compared without emoji and blanks.
_HEADERS: Mapping[str, str] = {
    "label": "任务方向",
    "tasks": "任务数量 单测总数",
    "submitted": "提交作品",
    "claimed": "任务认领 报名",
    "open": "可认领 待认领",
    "in_progress": "迁移中 进行中 修复中 开发中 适配中",
    "approved": "待合入",
    "deferred": "下阶段推进",
    "done": "完成 已完成 已完成覆盖",
    "submit_rate": "提交率",
    "done_rate": "完成率",
}
_KEYS: Mapping[str, str] = {header: key for key, headers in _HEADERS.items() for header in headers.split()}
RATES = frozenset({"submit_rate", "done_rate"})
ColumnKeys = Sequence[str | None]  # of one column: two where two figures share a cell
_EMOJI = re.compile("[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]")
_CONTRIBUTORS = "排名不分先后"
COUNTED = re.compile(r"@(?P<login>[A-Za-z0-9][A-Za-z0-9_-]*)\s*\(\s*(?P<count>[0-9]{1,9})\s*\)")


def read_board(body_outline: tables.Outline) -> tuple[BoardRow, ...] | None:
    """The rows of the first board; they may disagree with the tasks. None without a board."""
    found = find_board(body_outline)
    if found is None:
        return None
    rows = (read_row(row, found.keys, body_outline.masked) for row in found.table.rows)
    return tuple(row for row in rows if row is not None)


@dataclass(frozen=True, slots=True)
class Board:
    """The table of figures: what each column counts, and whether it is autoTable's, whose headers carry a chart."""

    table: tables.RawTable
    keys: Sequence[ColumnKeys]
    has_chart: bool


def find_board(body_outline: tables.Outline) -> Board | None:
    """The first table of figures."""
    for table in body_outline.tables:
        headers = [cell.of(body_outline.masked) for cell in table.header.cells]
        if _is_board(headers):
            keys = [_header_keys(header) for header in headers]
            return Board(table, keys, any(map(_is_chart, headers)))
    return None


def read_contributors(body_outline: tables.Outline) -> tuple[ContributorCount, ...] | None:
    """Each ``@login (n)`` of the line with 排名不分先后; None without such a line."""
    line = find_contributors(body_outline)
    return None if line is None else counted_in(texts.normalise(line.span.of(body_outline.masked)))


def find_contributors(body_outline: tables.Outline) -> tables.Line | None:
    """The line with 排名不分先后."""
    of_people = (line for line in body_outline.outside if _CONTRIBUTORS in line.span.of(body_outline.masked))
    return next(of_people, None)


def counted_in(text: str) -> tuple[ContributorCount, ...]:
    """The people of a normalised line of contributors."""
    return tuple(ContributorCount(match["login"], int(match["count"])) for match in COUNTED.finditer(text))


def _without_emoji(header: str) -> str:
    return _EMOJI.sub("", header_key(header))


def _is_board(headers: Sequence[str]) -> bool:
    keys = {_without_emoji(header) for header in headers}
    return {"任务方向", "任务数量"} <= keys or any(map(_is_chart, headers)) or "单测总数" in keys


def _is_chart(header: str) -> bool:
    return header_key(header).replace("\ufe0f", "") == "📊任务数量"


def _header_keys(header: str) -> ColumnKeys:
    """The key of a column; two of them with a slash between share a cell."""
    return [_KEYS.get(part) for part in _without_emoji(header).split("/")]


def read_row(row: tables.Row, keys: Sequence[ColumnKeys], masked: str) -> BoardRow | None:
    """One row; None without a whole number of tasks."""
    values: dict[str, str] = {}
    for cell, cell_keys in zip(row.cells, keys, strict=False):
        for key, value in _shared(cell.of(masked), cell_keys):
            values.setdefault(key, value)
    numbers = {key: texts.normalise(value) for key, value in values.items()}
    counts = {
        key: int(number)
        for key, number in numbers.items()
        if key not in RATES and key != "label" and number.isascii() and number.isdigit() and len(number) < 10
    }
    if "tasks" not in counts:
        return None
    rates = {key: value for key, value in values.items() if key in RATES and value}
    return BoardRow(values.get("label") or None, counts, rates)


def _shared(cell: str, keys: ColumnKeys) -> Iterator[tuple[str, str]]:
    text = plain.plain_text(cell)
    parts = [text] if len(keys) == 1 else [part.strip() for part in texts.normalise(text).split("/")]
    for key, part in zip(keys, parts, strict=False):
        if key is not None:
            yield key, part
