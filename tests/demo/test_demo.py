"""The demo's parts: the supervisor, the scenario, the simulated life, and what `make run` says when it cannot."""

import os
import random
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.demo import life, local, people, scenario
from tests.demo.supervisor import Died, Supervisor
from tests.github_stand_in.driver import Driver
from tests.github_stand_in.process import StandInProcess
from tests.scenarios import world
from tests.scenarios.campaigns import PIR
from tests.scenarios.reading import mentioned
from tests.services.processes import Process

FORM = scenario.FORM.read_text(encoding="utf-8")


class TestScenario:
    def test_the_form_has_six_tasks_with_their_marks_taken_off(self) -> None:
        titles = scenario.task_titles(FORM)
        assert len(titles) == 6
        assert titles[2] == "PIR op_callstack 适配"

    def test_the_form_names_seven_people(self) -> None:
        assert len(mentioned(FORM)) == 7

    def test_it_stands_on_the_stand_in(self, stand_in: StandInProcess) -> None:
        scenario.seed(stand_in.driver, token="t")
        issue = stand_in.driver.get_issue(scenario.REPOSITORY, scenario.FORM_NUMBER)
        assert issue["body"] == FORM
        assert issue["user"]["id"] == people.ORGANIZER.id


class TestLife:
    def play(self, driver: Driver, seed: int, steps: int) -> list[str]:
        driver.reset()
        scenario.seed(driver, token="t")
        for tasks in life.all_tasks():
            world.raise_it(driver, tasks.campaign, at="2026-03-01T08:00:00Z")
        played = life.Life(driver, life.all_tasks(), random.Random(seed))
        return [played.step() for _ in range(steps)]

    def test_the_same_seed_tells_the_same_story(self, stand_in: StandInProcess) -> None:
        assert self.play(stand_in.driver, 3, 40) == self.play(stand_in.driver, 3, 40)

    def test_things_come_to_an_end_sometimes_and_in_every_event(self, stand_in: StandInProcess) -> None:
        story = " ".join(self.play(stand_in.driver, 7, 160))
        for word in ("claims", "releases", "opens", "asks for changes", "approves", "merges", "proposal"):
            assert word in story
        for slug in ("pir", "hackathon-3", "ccf-6"):
            assert f"of {slug}" in story

    def test_the_form_is_numbered_as_the_portal_does(self) -> None:
        assert list(life.tasks_of(PIR).titles) == [1, 2, 3, 4, 5, 6]
        assert life.tasks_of(PIR).titles[6] == scenario.task_titles(FORM)[5]


@pytest.mark.processes
class TestSupervisor:
    def sleeper(self, name: str = "sleeper") -> Process:
        return Process(name, ["sleep", "60"])

    def test_a_death_is_reported_with_the_last_words(self, tmp_path: Path) -> None:
        supervisor = Supervisor()
        supervisor.start(self.sleeper())
        supervisor.start(Process("web", ["sh", "-c", "echo ouch; exit 3"], log=tmp_path / "log"))
        with pytest.raises(Died, match=r"web ended with exit code 3\.\nouch"):
            supervisor.watch()
        supervisor.stop()

    def test_stopping_stops_all(self) -> None:
        supervisor = Supervisor()
        sleepers = [supervisor.start(self.sleeper()) for _ in range(3)]
        supervisor.stop()
        assert not any(sleeper.is_running for sleeper in sleepers)

    def test_a_failing_preparation_is_reported(self, tmp_path: Path) -> None:
        with pytest.raises(Died, match=r"import failed with exit code 2\.\nno such issue"):
            Supervisor().run_to_end(
                Process("import", ["sh", "-c", "echo no such issue; exit 2"], log=tmp_path / "log")
            )


@pytest.mark.processes
def test_a_port_in_use_is_a_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        command = [sys.executable, "-m", "tests.demo", "--port", str(port)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"Port {port} is in use" in done.stderr
    assert f"make demo PORT={port + 1}" in done.stderr


class TestRun:
    def test_without_a_token_it_says_what_to_do(self) -> None:
        assert "GITHUB_TOKEN is not set" in str(local.problem_with({}))

    def test_a_token_in_a_file_will_do(self) -> None:
        assert local.problem_with({"GITHUB_TOKEN_FILE": "/run/secrets/token"}) is None

    def test_it_says_what_will_not_work(self) -> None:
        warnings = local.warnings_about({"GITHUB_CLIENT_ID": "x", "GITHUB_CLIENT_SECRET": "y"})
        assert len(warnings) == 1
        assert "polling" in warnings[0]

    def test_the_secret_key_is_kept_and_nobody_else_may_read_it(self, tmp_path: Path) -> None:
        key = local.keep_secret_key(tmp_path)
        assert local.keep_secret_key(tmp_path) == key
        assert os.stat(tmp_path / "local-secret-key").st_mode & 0o077 == 0
