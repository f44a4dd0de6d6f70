"""Where the tables of a body are (TABLES.md section 4, Finding).

This module knows lines, pipes and headings, and nothing of tasks. A table is a header line, a delimiter line,
and the lines with a pipe below; one inside a quote is a table too, as on the page. All spans are offsets into the body; :func:`mask` keeps lengths, so they
fit the masked text as well.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from tasks_board.documents import plain
from tasks_board.documents import text as texts
from tasks_board.documents.model import Span

_FENCE_OR_COMMENT = re.compile(
    r"^(?: {0,3}|(?P<nested>[ \t>]*+(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]++)?))(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})|(?P<comment><!--)",
    re.MULTILINE,
)
_UNSEEN_EDGE = re.compile(rf"^[{texts.ZERO_WIDTH}]+", re.MULTILINE)
_LIST_ITEM = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(?=\|)")
_NOT_LINE_END = re.compile(r"[^\r\n]")
_DELIMITER_CELL = re.compile(rf"[\s{texts.ZERO_WIDTH}]*:?-+:?[\s{texts.ZERO_WIDTH}]*")
_BLOCK_START = re.compile(r"(?: {0,3}#{1,6}\s|[ \t]*>)")
_LEAD = re.compile(r"\s*(?:>\s*)*")
_END_OF_QUOTE = re.compile(r"\n(?![ \t]*>)|\Z")
_HEADING = re.compile(r" {0,3}#{1,6}\s")
_BOLD_LINE = re.compile(r"\s*(\*{2,3}|__)(?=\S)(?P<text>(?:(?!\1).)+)\1\s*")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)\s*")
_PARAGRAPH = re.compile(r" {0,3}(?![#>|<`~]|[-+*]\s|[0-9]+[.)]\s)\S.*")
_SUMMARY_TAG = re.compile(r"<(?P<slash>/?)summary(?:\s[^<>]*)?>", re.IGNORECASE)
_HEADING_MARKS = re.compile(r"^\s*#{1,6}(?=\s)", re.MULTILINE)


class Line(NamedTuple):
    """A line without its line end; ``number`` counts from 1."""

    number: int
    span: Span


class Row(NamedTuple):
    """A line cut into cells. ``end`` is the place behind the last pipe, or the line's end without one."""

    line: int
    span: Span
    cells: tuple[Span, ...]
    closed: bool
    end: int


@dataclass(frozen=True, slots=True)
class Heading:
    """A line or a summary that names what follows."""

    text: str
    end: int
    is_quoted: bool = False


@dataclass(frozen=True, slots=True)
class RawTable:
    """A table as it stands, with the heading above it and the stretch between the two."""

    heading: Heading | None
    header: Row
    rows: tuple[Row, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Outline:
    """A body cut into tables and the lines outside them."""

    masked: str
    tables: tuple[RawTable, ...]
    outside: tuple[Line, ...]


def outline(body: str) -> Outline:
    """Find all tables of a body, whatever they are about."""
    masked = mask(body)
    lines = _lines(masked)
    every_heading = _headings(masked, lines)
    headings = {
        is_quoted: [heading for heading in every_heading if is_quoted or not heading.is_quoted]
        for is_quoted in (False, True)
    }
    tables: list[RawTable] = []
    outside: list[Line] = []
    index = 0
    while index < len(lines):
        if not _begins_table(masked, lines, index):
            outside.append(lines[index])
            index += 1
            continue
        header = _header(masked, lines[index])
        rows, index = _body_rows(masked, lines, index + 2, quote_depth(header.span.of(masked)))
        around = headings[quote_depth(header.span.of(masked)) > 0]
        above = bisect_right(around, header.span.start, key=lambda heading: heading.end)
        last = rows[-1].span.end if rows else header.span.end
        heading = around[above - 1] if above else None
        tables.append(RawTable(heading, header, tuple(rows), Span(header.span.start, last)))
    return Outline(masked, tuple(tables), tuple(outside))


def mask(body: str, blank: str = " ") -> str:
    """Fenced code and HTML comments become blanks, as does what nobody sees at a line's start; every other character stays at its place.

    An unclosed fence runs to the end, as on GitHub, but one inside a list or quote hides nothing, since it ends with it.
    An unclosed comment hides nothing, because a forgotten ``-->`` must not cost the tables below it.
    """
    if not body.isascii():
        body = _UNSEEN_EDGE.sub(lambda unseen: " " * len(unseen[0]), body)
    parts: list[str] = []
    place = 0
    left_open: set[str] = set()  # what did not close once closes nowhere below
    end_of_quote = 0
    while match := _FENCE_OR_COMMENT.search(body, place):
        parts.append(body[place : match.start()])
        kind = match["fence"][0] if match["fence"] else "comment"
        is_plain_fence = kind != "comment" and match["nested"] is None
        limit = len(body)
        if match["fence"] and ">" in (match["nested"] or ""):
            if match.end() > end_of_quote and (ending := _END_OF_QUOTE.search(body, match.end())):
                end_of_quote = ending.start()
            limit, kind = end_of_quote, f"{kind}{end_of_quote}"
        end = _end_of_hidden(body, match, limit) if is_plain_fence or kind not in left_open else None
        if end is None:
            left_open.add(kind)
        place = match.end() if end is None else end
        hidden = body[match.start() : place]
        parts.append(hidden if end is None else _NOT_LINE_END.sub(blank, hidden))
    return "".join([*parts, body[place:]])


def split_row(text: str, line: Line) -> Row:
    """Cut a line at its pipes; ``\\|`` is a literal pipe. Blanks round the line and signs of a quote belong to no cell."""
    content = line.span.of(text)
    bare = content.lstrip()
    start = line.span.end - len(bare)
    if bare[:1] == ">":
        start = line.span.start + len(lead(content))
    pipes = _pipes(text, start, line.span.end)
    if pipes and pipes[0] == start:
        pipes, start = pipes[1:], start + 1
    cells = []
    for pipe in pipes:
        cells.append(Span(start, pipe))
        start = pipe + 1
    end = line.span.end
    closed = not text[start:end].strip()
    if not closed:
        cells.append(Span(start, end))
    return Row(line.number, line.span, tuple(cells), closed, start if closed else end)


def lead(line: str) -> str:
    """What stands before the first cell of a line: blanks, and the signs of a quote."""
    bare = line.lstrip()
    if bare.startswith(">") and (found := _LEAD.match(line)):
        return found[0]
    return line[: len(line) - len(bare)]


def quote_depth(line: str) -> int:
    """In how many quotes a line stands."""
    return lead(line).count(">")


def _header(masked: str, line: Line) -> Row:
    """The first line of a table; what opens a list item before its first pipe belongs to no cell."""
    item = _LIST_ITEM.match(masked, line.span.start, line.span.end)
    return split_row(masked, line._replace(span=Span(item.end(), line.span.end)) if item else line)


def _pipes(text: str, start: int, end: int) -> list[int]:
    places: list[int] = []
    place = text.find("|", start, end)
    while place != -1:
        if place == start or text[place - 1] != "\\":
            places.append(place)
        place = text.find("|", place + 1, end)
    return places


def _lines(masked: str) -> list[Line]:
    lines: list[Line] = []
    start = 0
    for number, text in enumerate(masked.split("\n"), 1):
        lines.append(Line(number, Span(start, start + len(text) - text.endswith("\r"))))
        start += len(text) + 1
    return lines


def _begins_table(masked: str, lines: Sequence[Line], index: int) -> bool:
    if index + 1 == len(lines):
        return False
    header, delimiter = lines[index].span.of(masked), lines[index + 1].span.of(masked)
    if "|" not in delimiter or "|" not in header or "-" not in delimiter:
        return False
    if quote_depth(header) != quote_depth(delimiter):
        return False
    cells = split_row(masked, lines[index + 1]).cells
    return bool(cells) and all(_DELIMITER_CELL.fullmatch(cell.of(masked)) for cell in cells)


def _body_rows(masked: str, lines: Sequence[Line], index: int, depth: int) -> tuple[list[Row], int]:
    rows: list[Row] = []
    begins_block = partial(_begins_block_in_quote, depth) if depth else _BLOCK_START.match
    while index < len(lines):
        text = lines[index].span.of(masked)
        if "|" not in text or begins_block(text):
            break
        rows.append(split_row(masked, lines[index]))
        index += 1
    return rows, index


def _begins_block_in_quote(depth: int, text: str) -> bool:
    """Whether a line belongs to no table of a quote: it stands in another one, or is a heading."""
    return quote_depth(text) != depth or _HEADING.match(text, len(lead(text))) is not None


def _end_of_hidden(body: str, opening: "re.Match[str]", limit: int) -> int | None:
    """Where a fence or comment ends, at most at the limit; None if it hides nothing."""
    fence, nested = opening["fence"], opening["nested"]
    if not fence:
        closing = body.find("-->", opening.end())
        return None if closing == -1 else closing + 3
    indent = " {0,3}" if nested is None else "[ \\t>]*" if ">" in nested else "[ \\t]*"
    ending = re.compile(rf"^{indent}{fence[0]}{{{len(fence)},}}[^\S\n]*$", re.MULTILINE)
    end_of_line = body.find("\n", opening.end())
    found = ending.search(body, end_of_line, limit) if end_of_line != -1 else None
    if found:
        return found.end()
    return len(body) if nested is None else None


def _headings(masked: str, lines: Sequence[Line]) -> list[Heading]:
    found = [*_summaries(masked)]
    before = previous = ""
    for line in lines:
        text = line.span.of(masked)
        is_quoted = ">" in text and quote_depth(text) > 0
        text = text[len(lead(text)) :] if is_quoted else text
        title = _heading_text(text, previous, before)
        if title and (plain_title := plain.plain_text(title)):
            found.append(Heading(plain_title, line.span.end, is_quoted))
        before, previous = previous, text
    return sorted(found, key=lambda heading: heading.end)


def _heading_text(text: str, previous: str, before: str) -> str | None:
    """The text of a Markdown heading (``#`` or underlined), or of a line that is bold as a whole."""
    stripped = text.lstrip()[:2]
    if stripped[:1] == "#" and (match := _HEADING.match(text)):
        return _without_closing_marks(text[match.end() :].strip())
    if stripped[:1] in ("=", "-") and _UNDERLINE.fullmatch(text):
        return previous if _PARAGRAPH.fullmatch(previous) and not before.strip() else None
    if stripped in ("**", "__") or (stripped[:1] == "<" and ("**" in text or "__" in text)):
        match = _BOLD_LINE.fullmatch(plain.without_tags(text))
        return match["text"] if match else None
    return None


def _without_closing_marks(text: str) -> str:
    bare = text.rstrip("#")
    return bare.rstrip() if not bare or bare[-1].isspace() else text


def _summaries(masked: str) -> list[Heading]:
    found: list[Heading] = []
    opening: int | None = None
    for tag in _SUMMARY_TAG.finditer(masked):
        if not tag["slash"]:
            opening = tag.end()
        elif opening is not None:
            text = plain.plain_text(_HEADING_MARKS.sub("", masked[opening : tag.start()]))
            if text:
                found.append(Heading(text, tag.end()))
            opening = None
    return found
