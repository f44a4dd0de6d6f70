"""The tables of docs/permissions.md, as they stand there: what is tested is what people read."""

import re
from dataclasses import dataclass
from fnmatch import fnmatch

from tests.house.sources import ROOT

PAGE = ROOT / "docs" / "permissions.md"
_FIXED = ("what", "route", "method")


@dataclass(frozen=True)
class Row:
    """A page or an action, and what becomes of it for each column."""

    section: str
    what: str
    route: str
    method: str
    cells: dict[str, str]

    def __str__(self) -> str:
        return f"{self.section} · {self.route} {self.method} · {self.what}"


def read(text: str) -> list[Row]:
    """Every row of every table that has a route and a method."""
    rows: list[Row] = []
    section, header = "", list[str]()
    for line in text.splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ").strip()
        if not line.startswith("|"):
            header = []
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not header:
            header = cells
        elif header[:3] == list(_FIXED) and not set(cells[0]) <= {"-", ":"}:
            assert len(cells) == len(header), line
            values = dict(zip(header[3:], cells[3:], strict=True))
            rows.append(Row(section, cells[0], cells[1].strip("`"), cells[2], values))
    return rows


def covers(named: str, route: str) -> bool:
    """Whether what a row names is that route. A route without a name is known by its path."""
    return named == route or (named.startswith("/") and fnmatch(route, named))


def rows(section: str = "") -> list[Row]:
    """The rows of one section, or all."""
    return [row for row in read(PAGE.read_text(encoding="utf-8")) if section in ("", row.section)]
