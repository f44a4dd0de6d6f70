"""Lists from spreadsheet programs: every encoding and delimiter that people use, and nothing that hurts."""

import io
import time
import zipfile
from collections.abc import Callable

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portal.common import sheets
from portal.common.errors import DomainError

COLUMNS = {"number": ("No.", "编号"), "title": ("Title", "标题"), "note": ("备注",)}


def read(data: bytes, name: str = "list.csv") -> list[dict[str, str]]:
    return [dict(row.cells) for row in sheets.read_sheet(name, data, columns=COLUMNS).rows]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gbk", "gb18030", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_encodings_and_delimiters(encoding: str, delimiter: str) -> None:
    text = f'编号{delimiter}标题\r\n1.10{delimiter}"适配, 验证"\r\n\r\n2{delimiter}\r\n'
    assert read(text.encode(encoding)) == [
        {"number": "1.10", "title": "适配, 验证"},
        {"number": "2", "title": ""},
    ]


def test_what_excel_announces_and_a_title_above_the_headers() -> None:
    assert read(b"sep=;\r\nTITLE;no.\r\nOne;1\r\n") == [{"title": "One", "number": "1"}]
    sheet = sheets.read_sheet("l.csv", "任务表,,\n编号,标题,Mood\n1,One,glad\n".encode(), columns=COLUMNS)
    assert (sheet.columns, sheet.unknown) == (("number", "title"), ("Mood",))
    assert [(row.line, row.cells["title"]) for row in sheet.rows] == [(3, "One")]


def test_lines_are_those_of_the_file() -> None:
    rows = sheets.read_sheet("l.csv", b'No.,Title\n1,"two\nlines"\n2,x\n', columns=COLUMNS).rows
    assert [row.line for row in rows] == [2, 4]


def test_what_excel_makes_of_numbers_and_dates() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["编号", "标题", "备注"])
    sheet.append([12, 1.5, True])
    sheet.append([3.0, "x", None])
    file = io.BytesIO()
    book.save(file)
    assert read(file.getvalue(), "l.xlsx") == [
        {"number": "12", "title": "1.5", "note": "yes"},
        {"number": "3", "title": "x", "note": ""},
    ]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "sheet_empty"),
        (b"a,b\n1,2\n", "sheet_without_headers"),
        (b"No.,Number\n1,2\n", "sheet_column_twice"),
        (b"No.,Title\n1,a,b\n", "sheet_ragged"),
        (b"\xff\xff\x00\x01", "sheet_encoding"),
        (b"No.,Title\0\n", "sheet_encoding"),
        (b"No.,Title\n" + b"1,x\n" * 5_001, "sheet_too_long"),
        (b"No.," + b",".join(b"h%d" % n for n in range(100)), "sheet_too_wide"),
        (b"x" * (5 * 1024 * 1024 + 1), "sheet_too_large"),
        (b"PK\x03\x04 no archive", "sheet_unreadable"),
        (b"\xd0\xcf\x11\xe0", "sheet_kind"),
        (b"No.,Title\n1," + b"x" * 200_000, "sheet_unreadable"),
    ],
)
def test_what_cannot_be_read_is_said(data: bytes, code: str) -> None:
    with pytest.raises(DomainError) as refused:
        read(data)
    assert refused.value.code == code


def test_an_archive_that_swells_is_not_opened() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * (70 * 1024 * 1024))
    with pytest.raises(DomainError) as refused:
        read(file.getvalue(), "l.xlsx")
    assert refused.value.code == "sheet_too_large"


def xlsx(rows: str = "", strings: str = "", packed: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A file with the headers and these rows, as a program of somebody's own may write it."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["No.", "Title"])
    file, made = io.BytesIO(), io.BytesIO()
    book.save(file)
    with zipfile.ZipFile(file) as archive, zipfile.ZipFile(made, "w", packed) as other:
        for name in archive.namelist():
            text = archive.read(name).decode()
            other.writestr(name, text.replace("</sheetData>", f"{rows}</sheetData>"))
        if strings:
            other.writestr("xl/sharedStrings.xml", f"<sst>{strings}</sst>")
    return made.getvalue()


MANY = 600_000


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (lambda: xlsx(strings="<si><t>a</t></si>" * MANY), "sheet_too_large"),
        (lambda: xlsx(strings=f"<si>{'<r><t>a</t></r>' * MANY}</si>"), "sheet_too_large"),
        (lambda: xlsx(rows=f"<row>{'<c/>' * 4 * MANY}</row>"), "sheet_too_large"),
        (lambda: xlsx(rows="<row/>" * 4 * MANY), "sheet_too_large"),
        (lambda: xlsx(rows="<x>" * 2 * MANY + "</x>" * 2 * MANY), "sheet_too_large"),
        (
            lambda: xlsx(rows="<row " + " ".join(f"a{n}=''" for n in range(4 * MANY)) + "/>"),
            "sheet_too_large",
        ),
        (lambda: xlsx(rows='<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'), "sheet_too_long"),
        (lambda: xlsx(rows='<row r="2"><c r="ZZZZZZ2"><v>1</v></c></row>'), "sheet_unreadable"),
        (lambda: xlsx(packed=zipfile.ZIP_LZMA), "sheet_unreadable"),
        (lambda: b"No.,Title" + b"," * 2_000_000 + b"\n1,x,,y\n", "sheet_ragged"),
        (lambda: b"No.,Title" + b",x" * 2_000_000 + b"\n", "sheet_too_wide"),
    ],
)
def test_what_is_made_to_hurt_is_refused_at_once(data: Callable[[], bytes], code: str) -> None:
    made = data()
    begun = time.process_time()
    with pytest.raises(DomainError) as refused:
        read(made, "l.xlsx")
    assert refused.value.code == code
    assert time.process_time() - begun < 3


def test_formulas_are_the_values_that_they_had() -> None:
    rows = '<row r="2"><c r="A2"><f>WEBSERVICE("http://x.example/")</f><v>5</v></c></row>'
    assert read(xlsx(rows), "l.xlsx") == [{"number": "5", "title": ""}]


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=4))
def test_what_is_written_comes_back(rows: list[tuple[str, str]]) -> None:
    rows = [("=1+1", "\u202eمهمة 🚀"), *rows]
    wanted = [{"number": sheets.as_cell(a), "title": sheets.as_cell(b)} for a, b in rows]
    wanted = [cells for cells in wanted if any(cells.values())]
    headers = ("number", "title")
    assert read("".join(sheets.write_csv(headers, rows)).encode()) == wanted
    assert [
        dict(row.cells)
        for row in sheets.read_pasted("".join(sheets.write_csv(headers, rows)), columns=COLUMNS).rows
    ] == wanted
    assert read(sheets.write_xlsx("a/b:[c]", headers, rows), "l.xlsx") == wanted


def test_nothing_written_is_a_formula() -> None:
    assert "'=1+1" in "".join(sheets.write_csv(("title",), [("=1+1",)]))
    book = openpyxl.load_workbook(io.BytesIO(sheets.write_xlsx("t", ("title",), [("=1+1",)])))
    sheet = book.active
    assert sheet is not None
    assert [(cell.value, cell.data_type) for row in sheet["A2:A2"] for cell in row] == [("'=1+1", "s")]
