"""Lists as files to take along: CSV in pieces, or XLSX."""

from collections.abc import Iterable, Sequence

from django.http import HttpResponse, StreamingHttpResponse

from portal.common import sheets
from portal.common.sheets import Cell

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def csv_file(
    name: str, headers: Sequence[str], rows: Iterable[Sequence[Cell]], *, with_mark: bool = True
) -> StreamingHttpResponse:
    """A CSV file in UTF-8, with a byte order mark unless a program wants it without."""
    lines = sheets.write_csv(headers, rows, with_mark=with_mark)
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def xlsx_file(name: str, title: str, headers: Sequence[str], rows: Iterable[Sequence[Cell]]) -> HttpResponse:
    """A file for Excel with one sheet of this title."""
    response = HttpResponse(sheets.write_xlsx(title, headers, rows), content_type=XLSX)
    response["Content-Disposition"] = f'attachment; filename="{name}.xlsx"'
    return response
