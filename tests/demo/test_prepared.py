"""A demo's beginning is used again: the same on the stand-in and in the database, or not at all."""

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.demo import prepared
from tests.github_stand_in.driver import Driver, DriverError
from tests.github_stand_in.process import StandInProcess

REPOSITORY = "harbor/lantern"


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "demo.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE boats (name TEXT)")
        connection.execute("INSERT INTO boats VALUES ('夜航船')")
        connection.commit()
    return path


def play(driver: Driver) -> None:
    driver.create_user("mei", id=71)
    driver.create_repository(REPOSITORY)
    driver.create_issue(REPOSITORY, "Tasks", "one", "mei", 5, at="2026-03-01T08:00:00Z")
    step = {"do": "comment", "repository": REPOSITORY, "number": 5, "author": "mei", "body": "【报名】：1"}
    driver.load_scenario({"webhooks": True, "steps": [{**step, "at": "2026-03-02T08:00:00Z"}]})
    with pytest.raises(DriverError):
        driver.create_user("mei", id=71)


def test_what_was_kept_comes_back(stand_in: StandInProcess, database: Path, tmp_path: Path) -> None:
    recorder = prepared.Recorder(stand_in.url)
    play(recorder)
    recorder.edit_issue(REPOSITORY, 5, "mei", "two", at="2026-03-03T08:00:00Z")
    before = (recorder.get_issue(REPOSITORY, 5), recorder.list_comments(REPOSITORY, 5))
    prepared.keep(database, recorder, tmp_path / "kept")
    stand_in.driver.reset()
    again = tmp_path / "again.sqlite3"
    assert prepared.restore(again, stand_in.driver, tmp_path / "kept")
    with closing(sqlite3.connect(again)) as connection:
        assert connection.execute("SELECT name FROM boats").fetchall() == [("夜航船",)]
    assert (stand_in.driver.get_issue(REPOSITORY, 5), stand_in.driver.list_comments(REPOSITORY, 5)) == before
    assert stand_in.driver.deliveries() == []  # no webhook tells of it a second time


def test_the_portals_own_edit_is_noted_without_being_made_again(stand_in: StandInProcess) -> None:
    recorder = prepared.Recorder(stand_in.url)
    play(recorder)
    stand_in.driver.edit_issue(REPOSITORY, 5, "mei", "two", at="2026-03-03T08:00:00Z")
    before = len(recorder.steps)
    recorder.note_edits_of("mei", REPOSITORY, 5)
    recorder.note_edits_of("mei", REPOSITORY, 5)
    [step] = recorder.steps[before:]
    assert (step["do"], step["body"], step["at"]) == ("edit_issue", "two", "2026-03-03T08:00:00Z")
    assert len(recorder.issue_history(REPOSITORY, 5)) == 2


def test_what_is_too_old_is_made_anew(stand_in: StandInProcess, database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    prepared.keep(database, prepared.Recorder(stand_in.url), folder)
    old = time.time() - prepared.FRESH_SECONDS - 1
    os.utime(next(folder.glob("*.sqlite3")), (old, old))
    assert not prepared.restore(tmp_path / "again.sqlite3", stand_in.driver, folder)


def test_what_other_code_made_is_made_anew_and_thrown_away(
    stand_in: StandInProcess, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "kept"
    with monkeypatch.context() as patch:
        patch.setattr(prepared, "_fingerprint", lambda: "other")
        prepared.keep(database, prepared.Recorder(stand_in.url), folder)
    assert not prepared.restore(tmp_path / "again.sqlite3", stand_in.driver, folder)
    prepared.keep(database, prepared.Recorder(stand_in.url), folder)
    assert not list(folder.glob("other*"))
