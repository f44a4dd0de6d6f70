"""Figures of the whole way: from a webhook's arrival to the board and to the issue's table, with real processes."""

import os
import tempfile
from pathlib import Path

import psycopg2

from tests.smoke.__main__ import play
from tests.smoke.report import Report
from tests.smoke.story import BOARD_SECONDS, ISSUE_SECONDS

DATABASE = "bench_story"


def measure() -> dict[str, float]:
    """Seconds, by the names of the figures: the longest of all steps of the smoke story on PostgreSQL and Redis."""
    _execute(f"CREATE DATABASE {DATABASE}")
    server, _, _ = os.environ["DATABASE_URL"].rpartition("/")
    extra = {"REGATTA_SMOKE_DATABASE_URL": f"{server}/{DATABASE}", "REDIS_URL": os.environ["REDIS_URL"]}
    report = Report()
    with tempfile.TemporaryDirectory(prefix="regatta-bench-") as folder:
        problems = play(Path(folder), "tests.smoke.servers", extra, report=report)
    if problems:
        raise RuntimeError("\n".join(problems))
    return {
        "webhook_to_board_s": _longest(report, BOARD_SECONDS),
        "webhook_to_issue_s": _longest(report, ISSUE_SECONDS),
    }


def _longest(report: Report, limit: float) -> float:
    return max(line.seconds for line in report.lines if line.limit == limit)


def _execute(statement: str) -> None:
    connection = psycopg2.connect(os.environ["DATABASE_URL"])
    try:
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute(statement)
    finally:
        connection.close()
