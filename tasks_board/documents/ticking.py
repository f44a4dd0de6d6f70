"""The lines ``- [x] ID. text`` that tick the tasks of a table without titles: read, and ticked (TABLES.md sections 4 and 5)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tasks_board.documents import cells, ids, tables
from tasks_board.documents import text as texts
from tasks_board.documents.definitions import with_addresses
from tasks_board.documents.marks import Marks
from tasks_board.documents.model import Span
from tasks_board.documents.splice import splice

_LINE = re.compile(
    r"[\s>]*(?:[-*+]|[0-9]{1,9}[.)])\s+\[(?P<tick>[ xX])\]\s+(?:\*\*|__)?(?i:No\.?\s*(?=[0-9]))?"
    r"(?P<id>[A-Za-z]{0,3}[-_]?[0-9]+(?:[-.][0-9]+)*)(?P<stop>[.、:)]?)(?:\*\*|__)?\s*(?P<text>\S.*)"
)
_LINKED_ID = re.compile(
    r"\s+(?P<bold>\*\*|__)?\[(?P<id>[A-Za-z]{0,3}[-_]?[0-9]+(?:[-.][0-9]+)*+[.、:：)）]?\s*+)(?=[^\]][^\]]*\]\()"
)  # [ID. text](address)
_BOX = re.compile(r"[\[［](?P<tick>[ xX　ｘＸ])[\]］]")


@dataclass(frozen=True, slots=True)
class ChecklistLine:
    """``- [x] ID. text``: its title, whether it is ticked, and where in the body the tick stands."""

    title: str
    source: str  # the title as written, links by reference with their addresses
    ticked: bool
    tick: Span


def read_checklist(
    outline: tables.Outline, marks: Marks, definitions: Mapping[str, str]
) -> Mapping[str, ChecklistLine]:
    """The checklist lines outside tables, by id key; the first of an id counts."""
    found: dict[str, ChecklistLine] = {}
    for line in outline.outside:
        written = line.span.of(outline.masked)
        box = _BOX.search(written)
        if box is None:
            continue
        text = _unwrapped(with_addresses(texts.without_strike_marks(written), definitions))
        folded = texts.fold(text)
        match = _LINE.fullmatch(folded.text)
        if match:
            source = folded.span_of(match, "text").of(text)
            tick = Span(*box.span("tick")).shifted(line.span.start)
            read = ChecklistLine(cells.read_title(source, marks), source, match["tick"] != " ", tick)
            found.setdefault(ids.id_key(match["id"]), read)
    return found


def _unwrapped(text: str) -> str:
    """A line whose id stands inside its link, with the id before the link."""
    box = _BOX.search(text)
    link = _LINKED_ID.match(text, box.end()) if box else None
    if link is None:
        return text
    return f"{text[: link.start()]} {link['bold'] or ''}{link['id']}[{text[link.end() :]}"


def with_ticks(body: str, wanted: Mapping[ChecklistLine, bool]) -> str:
    """The body with some lines ticked or unticked; one that says so already stays as it is written."""
    changed = [
        (line.tick, "x" if ticked else " ") for line, ticked in wanted.items() if line.ticked is not ticked
    ]
    return splice(body, changed)
