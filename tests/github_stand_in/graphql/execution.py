"""Runs a selection over nodes: a node is a type name and a table of fields, plain or to be called."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.github_stand_in.graphql.syntax import Document, Selection, Variable

Fields = Mapping[str, Any]
_WRITTEN = {"Issue", "PullRequest", "IssueComment", "PullRequestReview"}
_PEOPLE = {"Bot", "Organization", "User"}
# Interfaces and unions with their types; the tests compare all of it with GitHub's schema.
ABSTRACT = {
    "Actor": _PEOPLE,
    "Comment": _WRITTEN,
    "IssueOrPullRequest": {"Issue", "PullRequest"},
    "Node": {
        *_WRITTEN,
        *_PEOPLE,
        "Commit",
        "Label",
        "PullRequestCommit",
        "Query",
        "Repository",
        "UserContentEdit",
    },
    "RepositoryOwner": {"Organization", "User"},
}


@dataclass
class Node:
    type: str
    fields: Callable[[], Fields]


class FieldProblem(Exception):
    """An error that nulls one field and leaves the rest."""

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


class InvalidQuery(Exception):
    """An error that refuses the whole query, as GitHub's validation does."""


@dataclass
class Execution:
    document: Document
    variables: dict[str, Any]
    errors: list[dict[str, Any]] = field(default_factory=list)

    def run(self, value: Any, selections: list[Selection] | None, path: list[str | int]) -> Any:
        if isinstance(value, list):
            return [self._item(item, selections, [*path, index]) for index, item in enumerate(value)]
        if not isinstance(value, Node):
            if selections and value is not None:
                raise InvalidQuery(f"Selections can't be made on scalars at {path}")
            return value
        if not selections:
            raise InvalidQuery(f"Field must have selections (field '{path[-1]}' returns {value.type})")
        return self._node(value, selections, path)

    def _node(self, node: Node, selections: list[Selection], path: list[str | int]) -> dict[str, Any]:
        fields = node.fields()
        result: dict[str, Any] = {}
        for alias, merged in self._collect(node, selections).items():
            here = [*path, alias]
            try:
                value = self._resolve(node, fields, merged)
                result[alias] = self.run(value, merged.selections, here)
            except FieldProblem as problem:
                result[alias] = None
                self._note(problem, here)
        return result

    def _item(self, item: Any, selections: list[Selection] | None, path: list[str | int]) -> Any:
        try:
            return self.run(item() if callable(item) else item, selections, path)
        except FieldProblem as problem:
            self._note(problem, path)
            return None

    def _note(self, problem: FieldProblem, path: list[str | int]) -> None:
        error = {"type": problem.kind, "path": path, "message": str(problem)}
        self.errors.append({**error, "locations": [{"line": 1, "column": 1}]})

    def _resolve(self, node: Node, fields: Fields, selection: Selection) -> Any:
        if selection.name == "__typename":
            return node.type
        if selection.name not in fields:
            raise InvalidQuery(f"Field '{selection.name}' doesn't exist on type '{node.type}'")
        value = fields[selection.name]
        arguments = self.value(selection.arguments)
        if callable(value):
            try:
                return value(**arguments)
            except TypeError as problem:
                raise InvalidQuery(f"Field '{selection.name}': {problem}") from problem
        if arguments:
            raise InvalidQuery(f"Field '{selection.name}' doesn't accept arguments")
        return value

    def _collect(self, node: Node, selections: list[Selection]) -> dict[str, Selection]:
        """The fields for this node by alias, with fragments opened and equal aliases merged."""
        collected: dict[str, Selection] = {}
        for selection in selections:
            if not self._is_included(selection):
                continue
            for item in self._open(node, selection):
                known = collected.get(item.alias)
                if known is not None and known.selections and item.selections:
                    merged = [*known.selections, *item.selections]
                    item = Selection(item.name, item.alias, item.arguments, merged)
                collected[item.alias] = item
        return collected

    def _open(self, node: Node, selection: Selection) -> list[Selection]:
        if selection.spread is not None:
            fragment = self.document.fragments.get(selection.spread)
            if fragment is None:
                raise InvalidQuery(f"Fragment {selection.spread} was used, but not defined")
            selection = fragment
        if selection.on is None:
            return [selection]
        if selection.on in ("", node.type) or node.type in ABSTRACT.get(selection.on, ()):
            return list(self._collect(node, selection.selections or []).values())
        return []

    def _is_included(self, selection: Selection) -> bool:
        include = self.value(selection.directives.get("include", {"if": True}))
        skip = self.value(selection.directives.get("skip", {"if": False}))
        return bool(include.get("if")) and not skip.get("if")

    def value(self, value: Any) -> Any:
        if isinstance(value, Variable):
            if value.name not in self.variables:
                raise InvalidQuery(f"Variable ${value.name} is used but not declared")
            return self.variables[value.name]
        if isinstance(value, dict):
            return {name: self.value(item) for name, item in value.items()}
        if isinstance(value, list):
            return [self.value(item) for item in value]
        return value
