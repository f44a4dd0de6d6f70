"""Readings as JSON and edits from JSON, in the form of the reading cases (``tests/cases/tables``)."""

from collections.abc import Mapping
from typing import Any

from tasks_board.documents import references
from tasks_board.documents.editing import AddClaimant, Edit, SetClaimant, SetTask
from tasks_board.documents.model import BoardRow, ReadClaimant, Reading, ReadTable, ReadTask, State

Json = dict[str, Any]


def reading_as_json(reading: Reading) -> Json:
    """The keys dialect, tables, board and contributors_block; optional keys only where they say something."""
    return {
        "dialect": str(reading.dialect),
        "tables": [_table(table) for table in reading.tables],
        "board": None if reading.board is None else [_board_row(row) for row in reading.board],
        "contributors_block": None
        if reading.contributors_block is None
        else [{"login": line.login, "count": line.count} for line in reading.contributors_block],
    }


def _table(table: ReadTable) -> Json:
    return {
        "section": table.section,
        "dialect": str(table.dialect),
        "columns": dict(table.columns),
        "tasks": [_task(task, table.columns) for task in table.tasks],
    }


def _task(task: ReadTask, columns: Mapping[str, str]) -> Json:
    optional: Json = {
        "pull_requests": [str(ref) for ref in task.pull_requests] or None,
        "priority": task.priority if "priority" in columns else None,
        "locked": list(task.locked) if "locked" in columns else None,
        "completed_on": task.completed_on,
    }
    read: Json = {
        "number": task.number,
        "title": task.title,
        "url": task.url,
        "difficulty": task.difficulty,
        "stars": task.stars,
        "directions": list(task.directions),
        "mentors": list(task.mentors),
        "assistants": list(task.assistants),
        "claimants": [_claimant(claimant) for claimant in task.claimants],
        "completed_by": list(task.completed_by),
        "state": str(task.state),
        "removed": task.removed,
        **{key: value for key, value in optional.items() if value is not None},
    }
    return read | {"requires_rfc": task.requires_rfc} if "requires_rfc" in columns else read


def _claimant(claimant: ReadClaimant) -> Json:
    name = {"login": claimant.login} if claimant.login is not None else {"team": claimant.team}
    read: Json = {
        **name,
        "state": str(claimant.state),
        "pull_requests": [str(ref) for ref in claimant.pull_requests],
    }
    closed = [str(ref) for ref in claimant.closed_pull_requests]
    return read | {"closed_pull_requests": closed} if closed else read


def _board_row(row: BoardRow) -> Json:
    label = {"label": row.label} if row.label is not None else {}
    return {**label, **row.counts, **row.rates}


def edit_from_json(asked: Mapping[str, Any]) -> Edit:
    """An edit from its keys (``action``, a row, a person, a state); ``do`` and what is expected say nothing.

    Raises ValueError for an action, state or pull request that does not exist.
    """
    row: dict[str, Any] = {key: asked.get(key) for key in ("number", "title", "section", "line")}
    state = State(asked["state"])
    if asked["action"] == "set_task":
        return SetTask(**row, state=state)
    kinds: Mapping[str, type[SetClaimant]] = {"set_claimant": SetClaimant, "add_claimant": AddClaimant}
    if asked["action"] not in kinds:
        raise ValueError(f"No such action: {asked['action']!r}")
    refs = [references.from_text(text) for text in asked.get("pull_requests") or ()]
    if None in refs:
        raise ValueError(f"Not all pull requests: {asked['pull_requests']!r}")
    return kinds[asked["action"]](
        **row,
        login=asked.get("login"),
        team=asked.get("team"),
        state=state,
        pull_requests=tuple(ref for ref in refs if ref is not None),
    )
