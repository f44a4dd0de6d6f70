"""`make demo` starts, answers, and shows the three events, each in its phase."""

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.demo.portal import ROOT
from tests.services.ports import free_port

_TASKS = """
    SELECT e.slug, e.status, COUNT(*), SUM(t.state = 'done')
    FROM tasks_board_event e JOIN tasks_board_task t ON t.event_id = e.id GROUP BY e.slug ORDER BY e.slug
"""


@pytest.fixture
def port() -> Iterator[int]:
    number = free_port()
    yield number
    shutil.rmtree(folder_of(number), ignore_errors=True)


def folder_of(port: int) -> Path:
    return ROOT / "var" / "demo" / str(port)


@pytest.mark.processes
def test_it_shows_three_events(port: int) -> None:
    command = [sys.executable, "-m", "tests.demo", "--port", str(port), "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with closing(sqlite3.connect(folder_of(port) / "demo.sqlite3")) as connection:
        contest, hackathon, form = connection.execute(_TASKS).fetchall()
        waiting = connection.execute("SELECT COUNT(*) FROM portal_outboxmessage").fetchone()[0]
    assert contest[:3] == ("ccf-6", "running", 5)
    assert hackathon[:3] == ("hackathon-3", "running", 104)
    assert 20 <= hackathon[3] <= 40
    assert form == ("pir", "running", 6, 1)
    assert waiting == 0
