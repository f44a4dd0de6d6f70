"""A small GraphQL parser: queries with variables, aliases, arguments, fragments. No mutations, no directives but skip."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

_TOKEN = re.compile(
    r'[\s,\ufeff]+|#[^\n]*|(?P<token>\.\.\.|[!$&()\[\]{}:=@|]|"""(?:[^"\\]|\\.|"(?!""))*"""|"(?:[^"\\\n]|\\.)*"'
    r"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[A-Za-z_]\w*)"
)


class SyntaxProblem(Exception):
    pass


@dataclass(frozen=True)
class Variable:
    name: str


@dataclass
class Selection:
    """A field, or a fragment when `on` is set ("" for an inline fragment without a type)."""

    name: str = ""
    alias: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    selections: list["Selection"] | None = None
    on: str | None = None
    spread: str | None = None
    directives: dict[str, dict[str, Any]] = field(default_factory=dict)


@dataclass
class Operation:
    kind: str
    name: str
    defaults: dict[str, Any]
    selections: list[Selection]


@dataclass
class Document:
    operations: list[Operation] = field(default_factory=list)
    fragments: dict[str, Selection] = field(default_factory=dict)


def _tokens(text: str) -> list[str]:
    found: list[str] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise SyntaxProblem(f"Unexpected character at {position}: {text[position]!r}")
        if match["token"] is not None:
            found.append(match["token"])
        position = match.end()
    return found


class Parser:
    def __init__(self, text: str) -> None:
        self._tokens = [*_tokens(text), "<end>"]
        self._at = 0

    def document(self) -> Document:
        document = Document()
        while self._peek() != "<end>":
            if self._peek() == "fragment":
                fragment = self._fragment_definition()
                document.fragments[fragment.name] = fragment
            else:
                document.operations.append(self._operation())
        return document

    def _peek(self) -> str:
        return self._tokens[self._at]

    def _take(self, wanted: str | None = None) -> str:
        token = self._tokens[self._at]
        if token == "<end>" or (wanted is not None and token != wanted):
            raise SyntaxProblem(f"Expected {wanted or 'more'}, actual: {token}")
        self._at += 1
        return token

    def _skip(self, token: str) -> bool:
        if self._peek() == token:
            self._at += 1
            return True
        return False

    def _fragment_definition(self) -> Selection:
        self._take("fragment")
        name = self._take()
        self._take("on")
        return Selection(name=name, on=self._take(), selections=self._selection_set())

    def _operation(self) -> Operation:
        kind = "query" if self._peek() == "{" else self._take()
        name = "" if self._peek() in ("{", "(") else self._take()
        defaults = self._variable_definitions() if self._skip("(") else {}
        return Operation(kind, name, defaults, self._selection_set())

    def _variable_definitions(self) -> dict[str, Any]:
        """The defaults of the declared variables, None where there is none."""
        defaults: dict[str, Any] = {}
        while not self._skip(")"):
            self._take("$")
            name = self._take()
            self._take(":")
            while self._peek() not in ("$", ")", "="):
                self._take()
            defaults[name] = self._value() if self._skip("=") else None
        return defaults

    def _selection_set(self) -> list[Selection]:
        self._take("{")
        selections: list[Selection] = []
        while not self._skip("}"):
            selections.append(self._fragment() if self._skip("...") else self._field())
        return selections

    def _fragment(self) -> Selection:
        if self._peek() in ("{", "@", "on"):
            on = self._take() and self._take() if self._peek() == "on" else ""
            directives = self._directives()
            return Selection(on=on, directives=directives, selections=self._selection_set())
        name = self._take()
        return Selection(spread=name, directives=self._directives())

    def _field(self) -> Selection:
        alias = name = self._take()
        if self._skip(":"):
            name = self._take()
        arguments = self._arguments()
        directives = self._directives()
        selections = self._selection_set() if self._peek() == "{" else None
        return Selection(name, alias, arguments, selections, directives=directives)

    def _arguments(self) -> dict[str, Any]:
        return self._pairs(")") if self._skip("(") else {}

    def _directives(self) -> dict[str, dict[str, Any]]:
        directives: dict[str, dict[str, Any]] = {}
        while self._skip("@"):
            directives[self._take()] = self._arguments()
        return directives

    def _pairs(self, end: str) -> dict[str, Any]:
        pairs: dict[str, Any] = {}
        while not self._skip(end):
            name = self._take()
            self._take(":")
            pairs[name] = self._value()
        return pairs

    def _value(self) -> Any:
        token = self._take()
        if token == "$":
            return Variable(self._take())
        if token == "{":
            return self._pairs("}")
        if token == "[":
            return self._items()
        return _scalar(token)

    def _items(self) -> list[Any]:
        items: list[Any] = []
        while not self._skip("]"):
            items.append(self._value())
        return items


def _scalar(token: str) -> Any:
    if token.startswith('"""'):
        return token[3:-3]
    if token in ("true", "false", "null") or token[0] in '"-0123456789':
        try:
            return json.loads(token)
        except ValueError:
            raise SyntaxProblem(f"Bad value {token}") from None
    return token


def parse(text: str) -> Document:
    try:
        return Parser(text).document()
    except RecursionError:
        raise SyntaxProblem("nested too deeply") from None
