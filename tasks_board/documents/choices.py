"""What people corrected of our reading of a text: columns, marks, directions, names, and tables that are no task lists.

Choices are kept beside a tracking issue and hold for every later text of it, for reading and for writing. They name
headers, headings, names and tables in the form in which two spellings are compared, so a blank more breaks none.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

from tasks_board.documents import plain, tables
from tasks_board.documents import text as texts
from tasks_board.documents.columns import LONGEST_KEY, ROLES, header_key, is_legend
from tasks_board.documents.marks import Chosen, bare_mark, is_mark
from tasks_board.documents.model import NEAREST_WRITTEN, Span, State

IGNORED = ""  # of a column: it is not read; of a mark: it says nothing; of a heading: no direction; of a name: no person
STATES = tuple(state for state in State if state not in NEAREST_WRITTEN and state is not State.WITHDRAWN)
MOST = 500  # corrections of one kind
_LONGEST = LONGEST_KEY
_LOGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")


@dataclass(frozen=True, slots=True)
class Unusable:
    """A stored correction that cannot be followed: its kind, what it is about, and the value that was not known."""

    kind: str
    about: str
    value: str = ""


@dataclass(frozen=True)
class ReadingChoices:
    """Corrections by the key of what they are about; an empty value says that it means nothing.

    `columns`: header to role. `marks`: an emoji, a badge's word or the words of a state column to the state. `sections`:
    heading to the direction's name. `names`: a name in a cell to a login. `left_out`: tables that list no tasks.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)
    sections: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    left_out: frozenset[str] = frozenset()
    unusable: tuple[Unusable, ...] = field(default=(), compare=False)

    @classmethod
    def from_json(cls, stored: object, *, by_hand: bool = False) -> Self:
        """What :meth:`to_json` gave, or (`by_hand`) the same as a person writes it, in whatever spelling.

        Unknown keys are tolerated, values that cannot be followed end in `unusable`; nothing raises.
        """
        reader = _Reader(by_hand)
        given = stored if isinstance(stored, Mapping) else {}
        if stored and not isinstance(stored, Mapping):
            reader.note("choices", "", stored)
        return cls(
            columns=reader.pairs(given, "columns", column_key, lambda v: v if v in ROLES else None),
            marks=reader.pairs(given, "marks", mark_key, lambda v: v if v in STATES else None),
            sections=reader.pairs(given, "sections", section_key, _section_name),
            names=reader.pairs(given, "names", name_key, _login),
            left_out=reader.tables(given),
            unusable=tuple(reader.unusable),
        )

    def to_json(self) -> dict[str, Any]:
        """Plain JSON; empty without any correction."""
        found: dict[str, Any] = {
            name: dict(sorted(pairs.items()))
            for name, pairs in (
                ("columns", self.columns),
                ("marks", self.marks),
                ("sections", self.sections),
                ("names", self.names),
            )
            if pairs
        }
        return found | ({"left_out": sorted(self.left_out)} if self.left_out else {})

    def __bool__(self) -> bool:
        return bool(self.columns or self.marks or self.sections or self.names or self.left_out)

    @cached_property
    def chosen_marks(self) -> Chosen:
        """The corrected meanings, emoji apart from words."""
        meanings = {key: State(value) if value else None for key, value in self.marks.items()}
        return Chosen(
            emoji={key: state for key, state in meanings.items() if is_mark(key)},
            words={key: state for key, state in meanings.items() if not is_mark(key)},
        )

    def section(self, heading: str | None) -> str | None:
        """The direction that a heading names; None for none."""
        if heading is None or not self.sections:
            return heading
        return self.sections.get(section_key(heading), heading) or None

    def tables_left_out(self, outline: tables.Outline) -> frozenset[Span]:
        """Where the tables stand that list no tasks."""
        if not self.left_out:
            return frozenset()
        return frozenset(table.raw.span for table in known_tables(outline) if table.key in self.left_out)


NO_CHOICES = ReadingChoices()


@dataclass(frozen=True, slots=True)
class KnownTable:
    """A table of a text, whatever it is about: its key, its heading and its headers in plain text."""

    key: str
    heading: str | None
    headers: tuple[str, ...]
    raw: tables.RawTable = field(repr=False, compare=False)


def known_tables(outline: tables.Outline) -> Sequence[KnownTable]:
    """The tables of a text but its legends. The same headers under the same heading are told apart by their order."""
    found: list[KnownTable] = []
    times: dict[str, int] = {}
    for raw in outline.tables:
        headers = [cell.of(outline.masked) for cell in raw.header.cells]
        if is_legend(headers):
            continue
        heading = raw.heading.text if raw.heading else None
        key = "|".join([texts.comparison_key(heading or ""), *map(column_key, headers)])[:_LONGEST]
        times[key] = times.get(key, 0) + 1
        place = f"|#{times[key]}" if times[key] > 1 else ""
        found.append(KnownTable(key + place, heading, tuple(map(plain.plain_text, headers)), raw))
    return found


def column_key(header: str) -> str:
    """A header, also a very long one."""
    return header_key(header)[:_LONGEST]


def mark_key(mark: str) -> str:
    """An emoji without what only changes its looks, or words without case, width and blanks."""
    bare = bare_mark(mark.strip())
    return bare if is_mark(bare) else texts.comparison_key(plain.plain_text(mark))[:_LONGEST]


def section_key(heading: str) -> str:
    """A heading in any spelling."""
    return texts.comparison_key(heading)[:_LONGEST]


def name_key(name: str) -> str:
    """A name or login in any spelling, with or without @."""
    return texts.comparison_key(name).lstrip("@")[:_LONGEST]


def _section_name(value: str) -> str | None:
    return texts.squeeze(value)[:200]


def _login(value: str) -> str | None:
    login = value.strip().lstrip("@＠")
    return login if not login or _LOGIN.fullmatch(login) else None


class _Reader:
    """Takes corrections over one by one, without trusting their shape. Stored ones carry their keys already."""

    def __init__(self, by_hand: bool) -> None:
        self.by_hand = by_hand
        self.unusable: list[Unusable] = []

    def note(self, kind: str, about: object, value: object) -> None:
        self.unusable.append(Unusable(kind, str(about)[:80], str(value)[:80]))

    def pairs(
        self,
        given: Mapping[Any, Any],
        kind: str,
        key: Callable[[str], str],
        meaning: Callable[[str], str | None],
    ) -> dict[str, str]:
        stored = given.get(kind, {})
        if not isinstance(stored, Mapping):
            self.note(kind, "", stored)
            return {}
        found: dict[str, str] = {}
        for about, value in stored.items():
            name = self._key(about, key)
            meant = self._meaning(value, meaning)
            if not name or meant is None or len(found) >= MOST:
                self.note(kind, about, value)
            else:
                found[name] = meant
        return found

    def tables(self, given: Mapping[Any, Any]) -> frozenset[str]:
        stored = given.get("left_out", [])
        if not isinstance(stored, list):
            self.note("left_out", "", stored)
            return frozenset()
        for value in stored:
            if not isinstance(value, str):
                self.note("left_out", "", value)
        return frozenset([value for value in stored if isinstance(value, str)][:MOST])

    def _key(self, about: object, key: Callable[[str], str]) -> str:
        if not isinstance(about, str):
            return ""
        return key(about) if self.by_hand else about

    def _meaning(self, value: object, meaning: Callable[[str], str | None]) -> str | None:
        if value is None or value == IGNORED:
            return IGNORED
        return meaning(value) if isinstance(value, str) else None
