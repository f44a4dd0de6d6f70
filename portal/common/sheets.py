"""Lists as spreadsheet programs keep them: CSV and XLSX files read into rows by column, and written so that they come back.

What a cell holds is data: nothing is computed, formulas are neutralised on the way out and restored on the way in.
"""

import csv
import datetime as dates
import io
import re
import unicodedata
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import openpyxl
from django.utils.translation import gettext as _
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter

from portal.common import texts
from portal.common.cells import neutralise, restore
from portal.common.errors import DomainError

MOST_BYTES = 5 * 1024 * 1024  # of the file
MOST_BYTES_UNPACKED = 60 * 1024 * 1024  # of an XLSX, which is a ZIP archive
MOST_MARKUP = (
    2_000_000  # elements, their ends and attributes of an XLSX: each costs memory and time, however short
)
MOST_ROWS = 5_000
MOST_COLUMNS = 100
LONGEST_CELL = 32_767  # characters; Excel holds no more
BYTE_ORDER_MARK = "\ufeff"  # without it Excel takes UTF-8 for the local 8-bit encoding

_MOST_LINES = 100_000  # of a work sheet, empty ones included
_DELIMITERS = ",;\t|"
_LINES_ABOVE = 10  # people put a title over the row of headers
_BEGINS_ZIP = b"PK\x03\x04"
_BEGINS_OLD_EXCEL = b"\xd0\xcf\x11\xe0"
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BREAKS = re.compile(r"\r\n?|[\u2028\u2029]")

Line = tuple[int, list[str]]
Cell = str | int | Decimal


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row below the headers: its line in the file (from 1) and its cells by the key of their column."""

    line: int
    cells: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A list: which of the known columns it has, the headers nobody knows, and its rows without the empty ones."""

    columns: tuple[str, ...]
    unknown: tuple[str, ...]
    rows: tuple[SheetRow, ...]


def read_sheet(
    file_name: str, data: bytes, *, columns: Mapping[str, Collection[str]], required: Collection[str] = ()
) -> Sheet:
    """Read a CSV or XLSX file; what it is, its encoding (UTF-8, UTF-16, GBK) and its delimiter are found out.

    `columns` are the headers that people may write, by the key that stands for the column; the key is one of them.
    Every cell is text: trimmed, line breaks as \\n, dates as YYYY-MM-DD HH:MM. Raises DomainError.
    """
    if len(data) > MOST_BYTES:
        raise DomainError(
            "sheet_too_large", _("The file is larger than 5 MB. Split it, and upload the parts.")
        )
    if data.startswith(_BEGINS_OLD_EXCEL) or file_name.lower().endswith((".xls", ".numbers", ".ods")):
        raise DomainError("sheet_kind", _("Save the file as XLSX or CSV; other formats are not read."))
    keys = _keys_of(columns)
    is_xlsx = data.startswith(_BEGINS_ZIP)
    lines = _lines_of_xlsx(data) if is_xlsx else _lines_of_csv(_decoded(data), keys)
    return _sheet(lines, keys, columns, required)


def read_pasted(
    text: str, *, columns: Mapping[str, Collection[str]], required: Collection[str] = ()
) -> Sheet:
    """Read what somebody copied from a spreadsheet program or typed with commas. Raises DomainError."""
    if len(text) > MOST_BYTES:
        raise DomainError(
            "sheet_too_large", _("The file is larger than 5 MB. Split it, and upload the parts.")
        )
    keys = _keys_of(columns)
    return _sheet(_lines_of_csv(text.replace("\0", ""), keys), keys, columns, required)


def as_cell(text: str) -> str:
    """A text as a cell holds it: what comes back equals this, whatever characters the text had."""
    return ILLEGAL_CHARACTERS_RE.sub("", _BREAKS.sub("\n", text)).strip()[: LONGEST_CELL - 1]


def write_csv(
    headers: Sequence[str], rows: Iterable[Sequence[Cell]], *, with_mark: bool = True
) -> Iterator[str]:
    """The lines of a CSV file that spreadsheet programs open as it is meant, for a streaming response.

    `with_mark` begins it with a byte order mark; programs that are no spreadsheets may want it without.
    """
    if with_mark:
        yield BYTE_ORDER_MARK
    for row in (headers, *rows):
        line = io.StringIO()
        csv.writer(line).writerow(
            [_inert(cell) if isinstance(cell, str) else f"{Decimal(cell):f}" for cell in row]
        )
        yield line.getvalue()


def write_xlsx(title: str, headers: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """An XLSX file of one sheet in which every text is only text, the headers bold and always in sight."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None  # noqa: S101 (a new book has one)
    sheet.title = re.sub(r"[\\*?:/\[\]]", " ", as_cell(title))[:31].strip("' ") or "1"
    for row in (headers, *rows):
        sheet.append([_inert(cell) if isinstance(cell, str) else cell for cell in row])
    for cells in sheet.iter_rows():
        for cell in cells:
            if isinstance(cell.value, str):
                cell.number_format = "@"
            if cell.data_type == "f":
                cell.data_type = "s"
    for place, header in enumerate(headers, start=1):
        sheet.cell(row=1, column=place).font = Font(bold=True)
        sheet.column_dimensions[get_column_letter(place)].width = max(12, min(60, len(header) + 4))
    sheet.freeze_panes = "A2"
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _inert(text: str) -> str:
    return neutralise(as_cell(text))


def _decoded(data: bytes) -> str:
    found = texts.decode(data)
    if found is not None:
        return found[0]
    raise DomainError(
        "sheet_encoding", _("This is not a text file in UTF-8 or GBK. Save it as “CSV UTF-8” or as XLSX.")
    )


def _lines_of_csv(text: str, keys: Collection[str]) -> Iterator[Line]:
    text = text.removeprefix(BYTE_ORDER_MARK)
    delimiter = None
    announced = re.match(r"sep=(.)\r?\n", text)  # as Excel says it
    before = 0
    if announced:
        delimiter, text, before = announced[1], text[announced.end() :], 1
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter or _delimiter_of(text, keys))
    line = 1 + before
    try:
        for cells in reader:
            yield line, cells
            line = reader.line_num + 1 + before
    except csv.Error as error:
        raise DomainError(
            "sheet_unreadable",
            _("Line %(line)s cannot be read as CSV. Is a quotation mark missing?") % {"line": line},
            reason=str(error),
        ) from error


def _delimiter_of(text: str, keys: Collection[str]) -> str:
    """What makes the most known headers of one of the first lines, then the most cells."""
    head = [line for line in text[:20_000].splitlines() if line.strip()][:_LINES_ABOVE]

    def parts(delimiter: str) -> tuple[int, int]:
        try:
            lines = list(csv.reader(head, delimiter=delimiter))
        except csv.Error:
            return 0, 0
        known = (sum(_header_key(cell) in keys for cell in cells) for cells in lines)
        return max(known, default=0), max(map(len, lines), default=0)

    return max(_DELIMITERS, key=parts)


def _lines_of_xlsx(data: bytes) -> Iterator[Line]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _check_size(archive)
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        sheet = next(sheet for sheet in book.worksheets if sheet.sheet_state == "visible")
        rows = sheet.iter_rows(max_row=_MOST_LINES + 1, max_col=MOST_COLUMNS + 1, values_only=True)
        for line, values in enumerate(rows, start=1):
            if line > _MOST_LINES:
                raise _too_long()
            yield line, [_text_of(value) for value in values]
        book.close()
    except DomainError:
        raise
    except Exception as error:  # openpyxl lets whatever its parsers raise through
        raise DomainError(
            "sheet_unreadable",
            _("The file cannot be read as XLSX. Save it anew, or as CSV."),
            reason=repr(error),
        ) from error


def _check_size(archive: zipfile.ZipFile) -> None:
    """Raises DomainError before anything is parsed. A small archive may hold millions of elements."""
    members = archive.infolist()
    is_small = sum(member.file_size for member in members) <= MOST_BYTES_UNPACKED and len(members) <= 2_000
    if any(member.compress_type not in _PACKED for member in members):
        raise zipfile.BadZipFile("packed otherwise than office files are")
    texts = (archive.read(member) for member in members if is_small)
    if not is_small or sum(text.count(b"<") + text.count(b"=") for text in texts) > MOST_MARKUP:
        raise DomainError(
            "sheet_too_large", _("The file is far too large when unpacked. Upload the table alone.")
        )


def _text_of(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float() if value.is_integer():
            return str(int(value))
        case dates.datetime():
            return value.strftime("%Y-%m-%d %H:%M")
        case dates.date():
            return value.isoformat()
        case _:
            return str(value)


def _too_long() -> DomainError:
    return DomainError(
        "sheet_too_long",
        _("The list has more than %(most)s rows. Split it, and delete empty rows below it.")
        % {"most": f"{MOST_ROWS:,}"},
    )


def _header_key(text: str) -> str:
    """Headers are the same in any case and width, with any blanks, dashes and marks of emphasis."""
    return re.sub(r"[\s_*:-]", "", unicodedata.normalize("NFKC", restore(text.strip())).casefold())


def _keys_of(columns: Mapping[str, Collection[str]]) -> Mapping[str, str]:
    return {_header_key(name): column for column, names in columns.items() for name in (column, *names)}


def _sheet(
    lines: Iterator[Line],
    keys: Mapping[str, str],
    columns: Mapping[str, Collection[str]],
    required: Collection[str],
) -> Sheet:
    headers, below = _headers(lines, keys)
    places: dict[str, int] = {}
    for place, header in enumerate(headers):
        column = keys.get(_header_key(header))
        if column in places:
            raise DomainError(
                "sheet_column_twice",
                _("The column “%(header)s” stands there twice.") % {"header": header[:80]},
            )
        if column is not None:
            places[column] = place
    missing = [column for column in required if column not in places]
    if missing:
        raise DomainError(
            "sheet_column_missing",
            _("There is no column “%(column)s”. Known columns: %(known)s.")
            % {"column": missing[0], "known": ", ".join(columns)},
        )
    unknown = [
        header.strip()[:80] for header in headers if header.strip() and _header_key(header) not in keys
    ]
    return Sheet(tuple(places), tuple(unknown), tuple(_rows(below, places, len(headers))))


def _headers(lines: Iterator[Line], keys: Collection[str]) -> tuple[list[str], Iterator[Line]]:
    """The row of headers, among the first lines the one with the most headers that are known, and the lines below."""
    first: list[Line] = []
    for line in lines:
        if any(cell.strip() for cell in line[1]):
            first.append(line)
        if len(first) == _LINES_ABOVE:
            break
    if not first:
        raise DomainError("sheet_empty", _("The file is empty."))
    looked_at = MOST_COLUMNS + 1  # of a line that is wider the headers are too many anyway
    found = [sum(_header_key(cell) in keys for cell in cells[:looked_at]) for _line, cells in first]
    best = max(range(len(first)), key=lambda place: found[place])
    if not found[best]:
        raise DomainError(
            "sheet_without_headers", _("The first row has to name the columns, and none of these is known.")
        )
    cells = first[best][1]
    width = max((place for place, cell in enumerate(cells, start=1) if cell.strip()), default=0)
    headers = cells[:width]
    if len(headers) > MOST_COLUMNS:
        raise DomainError("sheet_too_wide", _("The list has more than 100 columns."))

    def below() -> Iterator[Line]:
        yield from first[best + 1 :]
        yield from lines

    return headers, below()


def _rows(lines: Iterator[Line], places: Mapping[str, int], width: int) -> Iterator[SheetRow]:
    count = 0
    for line, cells in lines:
        if not any(cell.strip() for cell in cells):
            continue
        count += 1
        if count > MOST_ROWS:
            raise _too_long()
        if any(cell.strip() for cell in cells[width:]):
            raise DomainError(
                "sheet_ragged",
                _("Line %(line)s has more cells than there are headers. Is a cell with a comma quoted?")
                % {"line": line},
            )
        yield SheetRow(
            line,
            {
                column: as_cell(restore(cells[place].strip())) if place < len(cells) else ""
                for column, place in places.items()
            },
        )
