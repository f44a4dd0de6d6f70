"""Writing the figures block (看板信息) and the people block (统计信息), only where they stand, and nothing else of a body.

Each value is put in the place of the old one, so the blanks round it stay as the bot prints them: HackathonBot
``|  方向  |  3  | 2 / 3 | 66.67% |  1  | 33.33% |`` and ``@moss07 (7) ``, autoTable ``| 7   | 2  |`` with one decimal and
``@moss07(7) ``. What would not read as it was meant is left alone.
"""

import re
from collections.abc import Mapping, Sequence

from tasks_board.documents import board, plain, splice, tables
from tasks_board.documents import text as texts
from tasks_board.documents.board import Board, ColumnKeys
from tasks_board.documents.figures import Figures
from tasks_board.documents.model import BoardRow, ContributorCount, Dialect, Span

_LOGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_SLASH = re.compile(r"(\s*[/／]\s*)")
_NO_LABEL = re.compile(r"[|<>`~\[\]@#\\\x00-\x1f]")
_NEW_ROW = "|  {label}  |  {tasks}  | {submitted} / {claimed} | {submit_rate} |  {done}  | {done_rate} |"
_USUAL = (["label"], ["tasks"], ["submitted", "claimed"], ["submit_rate"], ["done"], ["done_rate"])


def label_key(label: str | None) -> str:
    """What two spellings of a direction's name have in common."""
    return texts.comparison_key(label or "")


# ------------------------------------------------------------------------------------------------ figures


def refresh_board(body: str, figures: Sequence[Figures]) -> str:
    """The body with these figures in its board, row by label; rows of other labels stay.

    A direction without a row gets one below, in HackathonBot's columns. Figures without a label belong to a board
    without directions.
    """
    outline = tables.outline(body)
    found = board.find_board(outline)
    if found is None:
        return body
    wanted = {label_key(entry.label): entry for entry in figures}
    changes: list[splice.Change] = []
    for row in found.table.rows:
        read = board.read_row(row, found.keys, outline.masked)
        entry = wanted.pop(label_key(read.label), None) if read else None
        if entry is not None:
            changes += _checked(_row_changes(body, row, found, entry), body, row, found, entry)
    changes += _new_rows(body, found, [entry for entry in wanted.values() if entry.label])
    return splice.splice(body, changes)


def _values(found: Board, entry: Figures) -> Mapping[str, str]:
    """What the cells shall say. autoTable counts struck rows too, and prints one decimal."""
    decimals = 2 if any(len(keys) > 1 for keys in found.keys) else 1
    counts = entry.counts(with_struck=found.has_chart)
    rates = entry.rates(decimals=decimals, with_struck=found.has_chart)
    return {key: str(value) for key, value in counts.items()} | dict(rates)


def _row_changes(body: str, row: tables.Row, found: Board, entry: Figures) -> list[splice.Change]:
    values = _values(found, entry)
    seen: set[str | None] = set()
    changes: list[splice.Change] = []
    for cell, keys in zip(row.cells, found.keys, strict=False):
        if not seen.issuperset(keys):
            source = cell.of(body)
            written = _written(source, [None if key in seen else key for key in keys], values)
            if written != source:
                changes.append((cell, written))
        seen.update(keys)
    return changes


def _written(source: str, keys: ColumnKeys, values: Mapping[str, str]) -> str:
    """A cell with its values; what it says already stays as it is written."""
    content = plain.plain_text(source)
    pieces = _SLASH.split(content) if len(keys) > 1 else [content]
    if len(pieces) != 2 * len(keys) - 1:
        pieces = ["", *[" / ", ""] * (len(keys) - 1)]
    for place, key in enumerate(keys):
        pieces[2 * place] = values.get(key or "", pieces[2 * place])
    said = "".join(pieces)
    return source if said == content else splice.fill(source, said)


def _checked(
    changes: Sequence[splice.Change], body: str, row: tables.Row, found: Board, entry: Figures
) -> Sequence[splice.Change]:
    """The changes of a row, if it then reads as it was meant."""
    if not changes:
        return ()
    shift = row.span.start
    line = splice.splice(row.span.of(body), [(span.shifted(-shift), text) for span, text in changes])
    return changes if _reads(line, found, entry) else ()


def _reads(line: str, found: Board, entry: Figures) -> bool:
    masked = tables.mask(line)
    read = board.read_row(tables.split_row(masked, tables.Line(0, Span(0, len(line)))), found.keys, masked)
    if read is None or label_key(read.label) != label_key(entry.label):
        return False
    said = _said(read)
    return all(said[key] == value for key, value in _values(found, entry).items() if key in said)


def _said(read: BoardRow) -> Mapping[str, str]:
    return {key: str(value) for key, value in read.counts.items()} | dict(read.rates)


def _new_rows(body: str, found: Board, entries: Sequence[Figures]) -> list[splice.Change]:
    """Rows for directions that have none, below the last one."""
    if list(map(list, found.keys)) != list(_USUAL):
        return []
    end = found.table.span.end if found.table.rows else _end_of_delimiter(body, found.table)
    line_end = "\r\n" if body.startswith("\r\n", end) else "\n"
    added = ""
    for entry in entries:
        line = _NEW_ROW.format(label=texts.squeeze(entry.label or ""), **_values(found, entry))
        if not _NO_LABEL.search(entry.label or "") and _reads(line, found, entry):
            added += f"{line_end}{tables.lead(found.table.header.span.of(body))}{line}"
    return [(Span(end, end), added)] if added else []


def _end_of_delimiter(body: str, table: tables.RawTable) -> int:
    start = body.find("\n", table.span.end) + 1
    end = body.find("\n", start)
    end = len(body) if end == -1 else end
    return end - body.startswith("\r", end - 1)


# ------------------------------------------------------------------------------------------------- people


def refresh_contributors(
    body: str, counts: Sequence[ContributorCount], *, dialect: Dialect = Dialect.BADGE
) -> str:
    """The body with these people in its line of contributors: numbers changed in place, new people behind the last.

    Who counts nothing any more is taken out. The dialect decides on the blank before a number only where the line
    names nobody yet.
    """
    outline = tables.outline(body)
    line = board.find_contributors(outline)
    if line is None:
        return body
    source = line.span.of(body)
    wanted = {c.login.lower(): c for c in counts if c.count > 0 and _LOGIN.fullmatch(c.login)}
    written = _with_people(source, texts.fold(line.span.of(outline.masked)), wanted, dialect)
    meant = {login: c.count for login, c in wanted.items()}
    read = {c.login.lower(): c.count for c in board.counted_in(texts.normalise(tables.mask(written)))}
    return splice.splice(body, [(line.span, written)]) if read == meant else body


def _with_people(
    source: str, folded: texts.Folded, wanted: Mapping[str, ContributorCount], dialect: Dialect
) -> str:
    left = dict(wanted)
    changes: list[splice.Change] = []
    matches = list(board.COUNTED.finditer(folded.text))
    for match in matches:
        entry = left.pop(match["login"].lower(), None)
        span = folded.span_of(match)
        if entry is None:
            blanks = len(source[span.end :]) - len(source[span.end :].lstrip(" \t"))
            changes.append((Span(span.start, span.end + blanks), ""))
        elif int(match["count"]) != entry.count:
            changes.append((folded.span_of(match, "count"), str(entry.count)))
    has_blank = " (" in matches[0][0] if matches else dialect is not Dialect.EMOJI
    added = [f"@{c.login}{' ' if has_blank else ''}({c.count})" for c in left.values()]
    if added:
        end = folded.span_of(matches[-1]).end if matches else len(source.rstrip())
        changes.append(_appended(source, end, added))
    return splice.splice(source, changes)


def _appended(source: str, end: int, added: Sequence[str]) -> splice.Change:
    """Behind the last of the line; each followed by a blank where the line ends in one, as the bots print it."""
    if source[end:].isspace() or not source[end:]:
        tail = source[end:]
        separator = "" if tail else " "
        return Span(end + len(tail[:1]), end + len(tail[:1])), separator + " ".join(added) + (
            " " if tail else ""
        )
    return Span(end, end), " " + " ".join(added)
