"""How each cell of a row was taken, and what could not be read: for the preview and "how was this read?"."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from tasks_board.documents import cells, claimants
from tasks_board.documents import text as texts
from tasks_board.documents.model import Problem, ReadCell
from tasks_board.documents.people import names_nobody
from tasks_board.documents.views import RowView

_SURE, _LIKELY, _GUESS, _UNREAD = 1.0, 0.8, 0.6, 0.3
_LONGEST_ECHO = 80

# What a cell was taken for, by the role of its column.
_MEANINGS: Mapping[str, Callable[[RowView], str]] = {
    "number": lambda row: row.number or "",
    "title": lambda row: row.title,
    "difficulty": lambda row: f"{row.stars}⭐" if row.stars else row.difficulty or "",
    "priority": lambda row: row.plain("priority") or "",
    "direction": lambda row: ", ".join(row.directions),
    "description": lambda row: row.plain("description") or "",
    "mentor": lambda row: ", ".join(f"{role}: {login}" for role, login in row.guides),
    "assistant": lambda row: ", ".join(login for role, login in row.guides if role == "assistant"),
    "claimants": lambda row: ", ".join(f"{who.name}: {who.state}" for who in row.claimants),
    "pull_requests": lambda row: ", ".join(str(found.ref) for found in row.column_references),
    "state": lambda row: row.own_mark or "",
    "requires_rfc": lambda row: _YES_NO[cells.read_requires_rfc(row.source("requires_rfc"))],
    "completed_by": lambda row: ", ".join(row.winners),
    "locked": lambda row: ", ".join(row.names("locked")),
    "date": lambda row: row.finish[0] if row.finish else "",
    "link": lambda row: row.url or "",
}
_YES_NO: Mapping[bool | None, str] = {True: "yes", False: "no", None: ""}


def read_cells(view: RowView) -> tuple[tuple[ReadCell, ...], Sequence[Problem]]:
    """Each cell whose column has a role with its meaning, and the problems of the row."""
    found: list[ReadCell] = []
    problems = _ragged(view)
    row_cells, sources = view.row.cells, view.sources
    for role, place in view.context.columns.places.items():
        if place >= len(row_cells):
            continue
        span = row_cells[place]
        source = sources.get(role)
        if not source:
            found.append(ReadCell(role, span, span.of(view.masked), "", _SURE))
            continue
        meaning = _MEANINGS[role](view)
        sure = _confidence(role, source, meaning, view)
        found.append(ReadCell(role, span, source, meaning, sure))
        if sure <= _UNREAD:
            echo = texts.squeeze(source)[:_LONGEST_ECHO]
            arguments: dict[str, str | int] = {"line": view.row.line, "column": role, "text": echo}
            problems.append(Problem("cell_not_understood", arguments, span))
    return tuple(found), problems


def _confidence(role: str, source: str, meaning: str, view: RowView) -> float:
    if not meaning:
        return _SURE if names_nobody(source) or _was_said_to_be_nobody(source, view) else _UNREAD
    if role == "claimants":
        return _SURE if all(entry.login is not None for entry in view.entries) else _GUESS
    if role == "difficulty":
        return _SURE if meaning.endswith("⭐") or not cells.has_words(source) else _LIKELY
    return _SURE


def _was_said_to_be_nobody(source: str, view: RowView) -> bool:
    """Whether somebody corrected all names of a cell to nobody."""
    names = view.context.names
    if not names:
        return False
    found = claimants.read_entries(replace(view.context.cell(source), names={}))
    return bool(found) and all(entry.key in names for entry in found)


def _ragged(view: RowView) -> list[Problem]:
    """Short rows are filled, cells beyond the header are dropped: worth a word if something stood there."""
    width, row = view.context.columns.width, view.row
    if len(row.cells) == width:
        return []
    arguments: dict[str, str | int] = {"line": row.line, "cells": len(row.cells), "expected": width}
    if len(row.cells) < width:
        return [Problem("row_too_short", arguments, row.span)]
    extra = [cell for cell in row.cells[width:] if cell.of(view.masked).strip()]
    return [Problem("row_too_long", arguments, extra[0])] if extra else []
