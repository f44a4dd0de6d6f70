"""Connections: pages of nodes with cursors."""

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from tests.github_stand_in.graphql.execution import FieldProblem, Fields, Node

_Item = TypeVar("_Item")
_LIMIT = 100


def _cursor(position: int) -> str:
    return base64.b64encode(f"cursor:v2:{position}".encode()).decode()


def _position(cursor: str) -> int:
    try:
        return int(base64.b64decode(cursor, validate=True).decode().removeprefix("cursor:v2:"))
    except (binascii.Error, UnicodeDecodeError, ValueError):
        raise FieldProblem(
            f"`{cursor}` does not appear to be a valid cursor.", "INVALID_CURSOR_ARGUMENTS"
        ) from None


def _bounds(
    name: str, count: int, first: int | None, last: int | None, after: str | None, before: str | None
) -> tuple[int, int]:
    size = first if first is not None else last
    if size is None:
        message = f"You must provide a `first` or `last` value to properly paginate the `{name}` connection."
        raise FieldProblem(message, "MISSING_PAGINATION_BOUNDARIES")
    if not 0 <= size <= _LIMIT:
        message = f"Requesting {size} records on the `{name}` connection exceeds the `first` limit of {_LIMIT} records."
        raise FieldProblem(message, "EXCESSIVE_PAGINATION")
    start = _position(after) if after else 0
    end = _position(before) - 1 if before else count
    return (start, min(start + size, end)) if first is not None else (max(end - size, start), end)


def connection(
    type_name: str, name: str, items: Sequence[_Item], node: Callable[[_Item], Node | None]
) -> Callable[..., Node]:
    """A field that takes first, last, after, before."""

    def resolve(
        first: int | None = None, last: int | None = None, after: str | None = None, before: str | None = None
    ) -> Node:
        start, end = _bounds(name, len(items), first, last, after, before)
        shown = [(position, node(items[position])) for position in range(start, end)]
        return Node(type_name, lambda: _fields(type_name, len(items), start, end, shown))

    return resolve


def _fields(type_name: str, count: int, start: int, end: int, shown: list[tuple[int, Node | None]]) -> Fields:
    info: dict[str, Any] = {
        "hasNextPage": end < count,
        "hasPreviousPage": start > 0,
        "startCursor": _cursor(start + 1) if shown else None,
        "endCursor": _cursor(end) if shown else None,
    }
    edge = type_name.removesuffix("Connection") + "Edge"
    return {
        "totalCount": count,
        "pageInfo": Node("PageInfo", lambda: info),
        "nodes": [node for _, node in shown],
        "edges": [_edge(edge, position, node) for position, node in shown],
    }


def _edge(type_name: str, position: int, node: Node | None) -> Node:
    return Node(type_name, lambda: {"cursor": _cursor(position + 1), "node": node})
