"""The story as `make smoke` plays it, on SQLite and a folder as the demo runs, and on PostgreSQL and Redis."""

import os
from collections.abc import Iterator
from pathlib import Path

import psycopg2
import pytest

from tests.github_stand_in.process import StandInProcess
from tests.smoke.__main__ import play
from tests.smoke.browser import Browser, Page
from tests.smoke.report import Lie, Report

pytestmark = pytest.mark.processes


PATIENCE = 5  # the other half of the suite runs beside it


@pytest.mark.timeout(180)
def test_the_story_on_sqlite(tmp_path: Path) -> None:
    assert play(tmp_path, report=Report(PATIENCE)) == []


@pytest.fixture
def servers() -> Iterator[dict[str, str]]:
    """A database of its own on the suite's PostgreSQL, and one of the suite's Redis."""
    if "DATABASE_URL" not in os.environ or "REDIS_URL" not in os.environ:
        pytest.skip("wants PostgreSQL and Redis: make test starts them")
    name = f"smoke_{os.getpid()}"
    _execute(f"CREATE DATABASE {name}")
    server, _, _ = os.environ["DATABASE_URL"].rpartition("/")
    yield {"REGATTA_SMOKE_DATABASE_URL": f"{server}/{name}", "REDIS_URL": os.environ["REDIS_URL"]}
    _execute(f"DROP DATABASE {name} WITH (FORCE)")


def _execute(statement: str) -> None:
    connection = psycopg2.connect(os.environ["DATABASE_URL"])
    try:
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute(statement)
    finally:
        connection.close()


@pytest.mark.timeout(180)
def test_the_story_on_postgresql_and_redis(tmp_path: Path, servers: dict[str, str]) -> None:
    assert play(tmp_path, "tests.smoke.servers", servers, report=Report(PATIENCE)) == []


class TestReport:
    def test_what_takes_too_long_is_a_lie(self) -> None:
        with pytest.raises(Lie, match="promised are 1 s"):
            Report().note("the claim is on the board", 1.2, 1)

    def test_what_never_becomes_true_is_a_lie_with_what_is_shown(self) -> None:
        with pytest.raises(Lie, match="free to claim"):
            Report().await_truth(
                "the claim is on the board", lambda: False, since=0, limit=0.1, show=lambda: "free to claim"
            )


class TestBrowser:
    page = Page(
        "http://127.0.0.1/x/",
        200,
        """<table><tr><td>3</td><td>A <b>title</b></td></tr></table>
        <form method="post" action="/a"><input type="hidden" name="token" value="t"><input type="checkbox" name="c">
        <input type="checkbox" name="d" checked><button name="user" value="7">Sign in as olga</button></form>
        <form action="/b"><input type="submit" name="s" value="Go"></form>""",
    )

    def test_forms_are_found_with_what_they_would_send(self) -> None:
        first, second = self.page.forms
        assert (first.action, first.method) == ("/a", "post")
        assert first.fields == [("token", "t"), ("d", "on")]
        assert [(b.text, b.name, b.value) for b in first.buttons] == [("Sign in as olga", "user", "7")]
        assert [(b.name, b.value) for b in second.buttons] == [("s", "Go")]

    def test_rows_are_read_as_words(self) -> None:
        assert self.page.rows() == ["| 3 | A title"]

    def test_an_error_page_is_a_page(self, stand_in_process: StandInProcess) -> None:
        assert Browser(stand_in_process.url).get("/nowhere/at/all").status == 404
