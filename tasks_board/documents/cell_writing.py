"""The text of one cell so that its row reads as somebody wants it; marks, links and blanks round it stay.

A few spellings are tried, the plainest first. One is taken only if the row, read again, says what was meant and
everything else as before.
"""

from collections.abc import Iterator, Mapping

from tasks_board.documents import cells, definitions, fields, plain, references, rows, splice
from tasks_board.documents.columns import TRACKING_MENTOR
from tasks_board.documents.lines import TableWriter
from tasks_board.documents.marks import find_badges
from tasks_board.documents.model import ReadTask, Span
from tasks_board.documents.views import RowView

_SPECIAL = "\\`*_~<>[]&|:!#@"
_RFC_WORDS: Mapping[str, str] = {"yes": "是", "no": "否", "": ""}
_COMPARED = (
    *(
        "number",
        "title",
        "url",
        "difficulty",
        "stars",
        "directions",
        "mentors",
        "assistants",
        "pull_requests",
    ),
    *(
        "completed_by",
        "locked",
        "priority",
        "requires_rfc",
        "completed_on",
        "description",
        "state",
        "own_mark",
    ),
    "removed",
)
_READ_OF: Mapping[str, frozenset[str]] = {
    "title": frozenset({"title"}),
    "url": frozenset({"url"}),
    "direction": frozenset({"directions"}),
    "difficulty": frozenset({"difficulty", "stars"}),
    "description": frozenset({"description"}),
    "requires_rfc": frozenset({"requires_rfc"}),
    "number": frozenset({"number"}),
}


def with_field(writer: TableWriter, line: str, field: str, value: str) -> str | None:
    """The line saying `value` of a field; the same line if it does already; None where no spelling would read so."""
    before = _read(writer, line)
    if (before.number or "") == value if field == "number" else fields.value_in_row(before, field) == value:
        return line
    for place, source in _spellings(writer.view(line), field, value, before):
        written = writer.with_sources(line, {place: source})
        if not find_badges(source) and _says(writer, line, written, field, value):
            return written
    return None


def _says(writer: TableWriter, line: str, written: str, field: str, value: str) -> bool:
    before, after = _read(writer, line), _read(writer, written)
    wanted = after.number == value if field == "number" else fields.value_in_row(after, field) == value
    others = (name for name in _COMPARED if name not in _READ_OF[field])
    people = [[(c.login, c.team, c.state, c.pull_requests) for c in row.claimants] for row in (before, after)]
    return (
        wanted
        and people[0] == people[1]
        and all(getattr(before, name) == getattr(after, name) for name in others)
        and len(writer.view(written).row.cells) <= writer.context.columns.width
    )


def _read(writer: TableWriter, line: str) -> ReadTask:
    return rows.read_row(writer.view(line), {})[0]


def _spellings(view: RowView, field: str, value: str, before: ReadTask) -> Iterator[tuple[int, str]]:
    """Columns with what could stand in them."""
    if field == "url":
        yield from _addresses(view, value, before)
        return
    place = view.context.columns.places[field]
    source = _source(view, place)
    if field == "title":
        yield from ((place, written) for written in _titles(view, source, before.title, value))
    elif field == "requires_rfc":
        yield place, splice.fill(source, _RFC_WORDS[value])
    elif field in ("difficulty", "number"):
        yield place, splice.fill(source, _harmless(value))
    else:
        for text in _texts(value):
            yield place, splice.fill(source, text)


def _source(view: RowView, place: int) -> str:
    return view.row.cells[place].of(view.masked) if place < len(view.row.cells) else ""


# ---------------------------------------------------------------------------------------------- spellings


def _texts(value: str) -> Iterator[str]:
    """Plain text in Markdown: as it is, else with everything that Markdown could take for its own spelled out."""
    yield _harmless(value)
    yield "".join(f"&#{ord(char)};" if char in _SPECIAL else char for char in value)


def _harmless(value: str) -> str:
    """No pipe ends the cell, and no comment hides or shows other lines."""
    return value.replace("<!--", "&lt;!--").replace("-->", "--&gt;").replace("|", "\\|")


def _titles(view: RowView, source: str, old: str, new: str) -> Iterator[str]:
    if not source.strip():
        yield from (splice.fill(source, text) for text in _texts(new))
        return
    for span in _stretches(source, old):
        yield from _replaced(source, span, new)
    yield from _relabelled(view, source, old, new)
    yield from _middle(view, source, old, new)
    whole = _without_marks(view, source)
    if whole is not None:
        yield from _replaced(source, whole, new)


def _replaced(source: str, span: Span, new: str) -> Iterator[str]:
    for text in _texts(new):
        yield source[: span.start] + text + source[span.end :]


def _relabelled(view: RowView, source: str, old: str, new: str) -> Iterator[str]:
    """Another text for a link by reference, whose text may have been its label too."""
    for link in definitions.find_links(source, view.context.definitions):
        if plain.plain_text(link.text.of(source)) == old:
            for text in _texts(new):
                yield f"{source[: link.text.start]}{text}][{link.label}]{source[link.span.end :]}"


def _stretches(source: str, old: str) -> Iterator[Span]:
    """Where in the cell its title stands: word by word, or as the text of a link."""
    if old and source.count(old) == 1:
        start = source.index(old)
        yield Span(start, start + len(old))
    for link in references.TOKENS.finditer(source):
        for group in ("link_text", "anchor_text"):
            if link[group] and plain.plain_text(link[group]) == old:
                yield Span(*link.span(group))


def _middle(view: RowView, source: str, old: str, new: str) -> Iterator[str]:
    """Only what differs between two titles is replaced, so that emphasis and code elsewhere in it stay."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    gone, come = old[start : len(old) - end], new[start : len(new) - end]
    if gone and source.count(gone) == 1:
        for text in _texts(come):
            yield source.replace(gone, text)
        yield from _relabelled(view, source, gone, come)


def _without_marks(view: RowView, source: str) -> Span | None:
    content = source.strip()
    if not content:
        return None
    start = source.index(content)
    end = start + len(content)
    noise = [m.span() for m in view.context.marks.title_noise.finditer(source)]
    for first, last in noise:
        if first == start:
            start = last
    for first, last in reversed(noise):
        if last == end and first >= start:
            end = first
    return Span(start, end) if start < end else None


def _addresses(view: RowView, value: str, before: ReadTask) -> Iterator[tuple[int, str]]:
    columns = view.context.columns
    roles = ["title", "link"]
    if columns.keys.get("mentor") == TRACKING_MENTOR:
        roles.append("mentor")
    places = [columns.places[role] for role in roles if role in columns.places]
    for place in places:
        source = _source(view, place)
        if before.url:
            yield from ((place, changed) for changed in _readdressed(view, source, before.url, value))
    if value and "link" in columns.places:
        place = columns.places["link"]
        yield place, splice.append(_source(view, place), value, " ")
    if value and "title" in columns.places:
        place = columns.places["title"]
        source = _source(view, place)
        whole = _without_marks(view, source)
        for span in (*_stretches(source, before.title), *([whole] if whole else ())):
            yield place, f"{source[: span.start]}[{span.of(source)}]({value}){source[span.end :]}"


def _readdressed(view: RowView, source: str, old: str, new: str) -> Iterator[str]:
    for reference in definitions.find_links(source, view.context.definitions):
        if reference.address == old:
            text = reference.text.of(source)
            linked = f"[{text}]({new})" if new else text
            yield source[: reference.span.start] + linked + source[reference.span.end :]
    if old not in cells.http_links(source):
        return
    if new:
        yield source.replace(old, new, 1)
    for link in references.TOKENS.finditer(source):
        if references.address_of(link) == old:
            text = link["link_text"] or link["anchor_text"] or ""
            yield source[: link.start()] + (text or new) + source[link.end() :]
