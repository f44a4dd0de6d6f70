"""The leaderboard as CSV, piece by piece. Logins only: nothing here knows an e-mail address."""

import csv
from collections.abc import Iterable, Iterator

from portal.common.cells import neutralise
from rewards.leaderboards import LeaderboardRow

COLUMNS = ("rank", "login", "points", "completions", "tasks")
BYTE_ORDER_MARK = "\ufeff"  # without it Excel takes UTF-8 for the local 8-bit encoding


class _Echo:
    """A file that hands back what is written to it."""

    def write(self, line: str) -> str:
        return line


def csv_lines(rows: Iterable[LeaderboardRow], *, with_mark: bool = True) -> Iterator[str]:
    """The lines of the file for a StreamingHttpResponse; `with_mark` begins it with a byte order mark.

    An event that pays nothing leaves the points empty. Tasks stand by number, those done in part with a `~`.
    """
    writer = csv.writer(_Echo())
    if with_mark:
        yield BYTE_ORDER_MARK
    yield writer.writerow(COLUMNS)
    for row in rows:
        yield writer.writerow(_cells(row))


def _cells(row: LeaderboardRow) -> tuple[str, ...]:
    tasks = " ".join(f"{task.number}{'~' if task.degree == 'partly' else ''}" for task in row.tasks)
    return (
        str(row.rank),
        neutralise(row.login),
        "" if row.amount is None else f"{row.amount:f}",
        str(row.completions),
        neutralise(tasks),
    )
