"""The leaderboard as a list for spreadsheets. Logins only: nothing here knows an e-mail address."""

from collections.abc import Iterable, Iterator

from portal.common.sheets import Cell
from rewards.leaderboards import LeaderboardRow

HEADERS = ("rank", "login", "points", "completions", "tasks")


def rows_of(rows: Iterable[LeaderboardRow]) -> Iterator[tuple[Cell, ...]]:
    """The cells below the headers, row by row.

    An event that pays nothing leaves the points empty. Tasks stand by number, those done in part with a `~`.
    """
    for row in rows:
        tasks = " ".join(f"{task.number}{'~' if task.degree == 'partly' else ''}" for task in row.tasks)
        yield row.rank, row.login, "" if row.amount is None else row.amount, row.completions, tasks
