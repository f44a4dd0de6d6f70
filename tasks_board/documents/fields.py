"""What a table carries of a task, as plain text: title, address, directions, difficulty, description, proposal.

A field is the role of its column, but for the address, which stands in a column of its own or behind the title.
"""

import re
from collections.abc import Callable, Collection, Mapping

from tasks_board.documents import cells
from tasks_board.documents import text as texts
from tasks_board.documents.model import ReadTask

FIELDS = ("title", "url", "direction", "difficulty", "description", "requires_rfc")

_URL = re.compile(r"https?://[^\s<>()|\"'`\[\]\\]+", re.IGNORECASE)
_BETWEEN_DIRECTIONS = "、"
_YES_NO: Mapping[bool | None, str] = {True: "yes", False: "no", None: ""}
_READERS: Mapping[str, Callable[[ReadTask], str]] = {
    "title": lambda row: row.title,
    "url": lambda row: row.url or "",
    "direction": lambda row: join_directions(row.directions),
    "difficulty": lambda row: row.difficulty or "",
    "description": lambda row: row.description or "",
    "requires_rfc": lambda row: say_yes_or_no(row.requires_rfc),
}


def value_in_row(row: ReadTask, field: str) -> str:
    """What a row says of a field, in the form in which two values are compared."""
    return _READERS[field](row)


def is_carried(columns: Collection[str], field: str) -> bool:
    """Whether a table with columns of these roles has a place for the field."""
    return bool({"title", "link"} & set(columns)) if field == "url" else field in columns


def say_yes_or_no(value: bool | None) -> str:
    """yes, no, or nothing."""
    return _YES_NO[value]


def join_directions(names: Collection[str]) -> str:
    """Several directions as one text."""
    return _BETWEEN_DIRECTIONS.join(names)


def normalise_value(field: str, value: str) -> str:
    """A value as the table would read it: blanks squeezed, directions parted alike."""
    squeezed = texts.squeeze(value)
    return join_directions(cells.read_directions(squeezed)) if field == "direction" else squeezed


def is_url(value: str) -> bool:
    """An http address that may stand in a table: nothing in it ends a link or a cell."""
    return bool(_URL.fullmatch(value))
