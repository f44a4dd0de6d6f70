"""Changing stretches of a cell while everything else stays as it is (TABLES.md section 5)."""

import re
from collections.abc import Iterable, Sequence

from tasks_board.documents import text as texts
from tasks_board.documents.model import Span
from tasks_board.documents.people import names_nobody

Change = tuple[Span, str]

_ENDS_IN_BREAK = re.compile(r"</?br\s*/?>\s*(?:~~)?\s*\Z", re.IGNORECASE)


def splice(source: str, changes: Iterable[Change]) -> str:
    """The text with some stretches replaced; they must not overlap."""
    parts, place = [], 0
    for span, replacement in sorted(changes, key=lambda change: change[0]):
        parts += [source[place : span.start], replacement]
        place = span.end
    return "".join([*parts, source[place:]])


def fill(source: str, text: str) -> str:
    """An empty cell becomes blank + text + blank; another keeps the blanks round what it said."""
    content = source.strip()
    if not content:
        return f" {text} "
    start = source.index(content)
    return source[:start] + text + source[start + len(content) :]


def says_nothing(source: str) -> bool:
    """Empty, or it names nobody: both are filled as if nothing were there."""
    return not source.strip() or names_nobody(source)


def append(source: str, text: str, separator: str) -> str:
    """Put a text behind what a cell says, before its trailing blanks; a break needs no further one."""
    if says_nothing(source):
        return fill(source, text)
    content = source.rstrip()
    if separator.startswith("<") and ends_in_break(content):
        separator = ""
    return content + separator + text + source[len(content) :]


def append_listed(source: str, items: Sequence[str]) -> str:
    """One item stands alone, two or more are each followed by ``<br/>``; new items go last."""
    if not items:
        return source
    if says_nothing(source):
        return fill(source, items[0] if len(items) == 1 else "".join(f"{item}<br/>" for item in items))
    return append(source, "".join(f"{item}<br/>" for item in items), "<br/>")


def ends_in_break(source: str) -> bool:
    return bool(_ENDS_IN_BREAK.search(source[-40:]))


def strike(text: str) -> str:
    """Strike a whole stretch: what is struck inside needs no tildes of its own."""
    return f"~~{texts.without_strike_marks(text)}~~"


def unstrike(struck: Sequence[texts.Strike], name: Span, whole: Span, source: str) -> list[Change]:
    """Take away the strike over a name; what else the same strike covers stays struck."""
    changes: list[Change] = []
    for cover in struck:
        if not cover.span.contains(name):
            continue
        before = Span(cover.inner.start, max(cover.inner.start, whole.start))
        behind = Span(min(cover.inner.end, whole.end), cover.inner.end)
        changes += _taken_off(Span(cover.span.start, cover.inner.start), before, source, opening=True)
        changes += _taken_off(Span(cover.inner.end, cover.span.end), behind, source, opening=False)
    return changes


def _taken_off(tildes: Span, remaining: Span, source: str, *, opening: bool) -> list[Change]:
    """Without anything left to strike the tildes go; else they move to the edge of what is left."""
    if not remaining.of(source).strip():
        before, behind = source[tildes.start - 1 : tildes.start], source[tildes.end : tildes.end + 1]
        glued = before.isalnum() and (behind.isalnum() or behind in ("@", "["))
        return [(tildes, " " if glued else "")]
    edge = remaining.end if opening else remaining.start
    return [(Span(edge, edge), tildes.of(source))]
