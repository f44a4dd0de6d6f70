"""Changing stretches of a cell while everything else stays as it is (TABLES.md section 5)."""

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence

from tasks_board.documents import text as texts
from tasks_board.documents.entries import SEPARATORS
from tasks_board.documents.model import Span
from tasks_board.documents.people import invites, names_nobody

Change = tuple[Span, str]

_REMARKS = re.compile(f"{texts.HIDDEN}+")
_LAST_BREAK = re.compile(r"</?br\s*/?>\Z", re.IGNORECASE)
_BREAKS_BEFORE = re.compile(rf"(?:[{re.escape(SEPARATORS)}]|</?br\s*/?>)*+", re.IGNORECASE)
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
        return f" {text} {source.strip(' ')} " if texts.HIDDEN in source else f" {text} "
    start = source.index(content)
    return source[:start] + text + source[start + len(content) :]


def with_remarks(written: str, masked: str, source: str) -> str:
    """A cell written over its masked text, with the remarks of the source back in their places; none is lost."""
    if texts.HIDDEN not in masked:
        return written
    left: dict[int, deque[Span]] = defaultdict(deque)
    for run in _REMARKS.finditer(masked):
        left[len(run[0])].append(Span(*run.span()))

    def remark(run: "re.Match[str]") -> str:
        same = left[len(run[0])]
        return same.popleft().of(source) if same else ""

    written = _REMARKS.sub(remark, written)
    lost = [span.of(source) for span in sorted(span for spans in left.values() for span in spans)]
    return " ".join([written.rstrip(), *lost, ""]) if lost else written


def says_nothing(source: str) -> bool:
    """Empty, or it names nobody: both are filled as if nothing were there."""
    return not source.strip() or names_nobody(source)


def is_free(source: str) -> bool:
    """A cell in which nobody stands: it says nothing, or invites people."""
    return says_nothing(source) or invites(source)


def append(source: str, text: str, separator: str) -> str:
    """Put a text behind what a cell says, before its trailing blanks; a break needs no further one."""
    if is_free(source):
        return fill(source, text)
    content = source.rstrip()
    if separator.startswith("<") and ends_in_break(content):
        separator = ""
    return content + separator + text + source[len(content) :]


def append_listed(source: str, items: Sequence[str]) -> str:
    """One item stands alone, two or more are each followed by ``<br/>``; new items go last."""
    if not items:
        return source
    if is_free(source):
        return fill(source, items[0] if len(items) == 1 else "".join(f"{item}<br/>" for item in items))
    return append(source, "".join(f"{item}<br/>" for item in items), "<br/>")


def ends_in_break(source: str) -> bool:
    return bool(_ENDS_IN_BREAK.search(source[-40:]))


def strike(text: str) -> str:
    """Strike a whole stretch: what is struck inside needs no tildes of its own."""
    return f"~~{texts.without_strike_marks(text)}~~"


def unstrike(
    struck: Sequence[texts.Strike], name: Span, whole: Span, source: str, *, break_inside: bool
) -> list[Change]:
    """Take away the strike over a name; what else the same strike covers stays struck.

    Blanks, separators and breaks at the new edge stay outside, since a mark beside a blank strikes nothing on the page;
    with ``break_inside`` the break behind somebody belongs to them.
    """
    changes: list[Change] = []
    for cover in struck:
        if cover.span.contains(name):
            changes += _struck_before(cover, whole.start, source, break_inside=break_inside)
            changes += _struck_behind(cover, whole.end, source)
    return changes


def _struck_before(cover: texts.Strike, end: int, source: str, *, break_inside: bool) -> list[Change]:
    opening, closing = _signs(cover)
    left = source[cover.inner.start : end]
    if not _without_breaks_behind(left):
        return [_taken_off(opening, source)]
    kept = left.rstrip(SEPARATORS) if break_inside else _without_breaks_behind(left)
    edge = cover.inner.start + len(kept)
    return [(Span(edge, edge), closing.of(source))]


def _struck_behind(cover: texts.Strike, start: int, source: str) -> list[Change]:
    opening, closing = _signs(cover)
    left = source[start : cover.inner.end]
    skipped = _BREAKS_BEFORE.match(left)
    edge = start + (skipped.end() if skipped else 0)
    if edge >= cover.inner.end:
        return [_taken_off(closing, source)]
    return [(Span(edge, edge), opening.of(source))]


def _signs(cover: texts.Strike) -> tuple[Span, Span]:
    return Span(cover.span.start, cover.inner.start), Span(cover.inner.end, cover.span.end)


def _without_breaks_behind(text: str) -> str:
    while True:
        text = text.rstrip(SEPARATORS)
        found = _LAST_BREAK.search(text, max(0, len(text) - 20))
        if found is None:
            return text
        text = text[: found.start()]


def _taken_off(sign: Span, source: str) -> Change:
    """Nothing is left to strike: the sign goes, and parts what it parted."""
    before, behind = source[sign.start - 1 : sign.start], source[sign.end : sign.end + 1]
    glued = before.isalnum() and (behind.isalnum() or behind in ("@", "["))
    return sign, " " if glued else ""
