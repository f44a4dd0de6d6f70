import threading
from pathlib import Path

from tests.github_stand_in import process
from tests.github_stand_in.driver import JSON, Driver
from tests.stand_in.cast import REPOSITORY, fetch


def test_it_comes_back_with_its_state(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    with process.running(state=state) as first:
        driver = first.driver
        driver.create_user("mei", id=42)
        driver.create_repository(REPOSITORY, owners=["mei"])
        driver.create_issue(REPOSITORY, "Tasks", "one", "mei")
        driver.edit_issue(REPOSITORY, 1, "mei", "two")
        driver.open_pull_request(REPOSITORY, "Lamp", "mei")
        driver.merge(REPOSITORY, 2, "mei")
        driver.set_token("not kept", "mei")
    assert "not kept" not in state.read_text()
    with process.running(state=state) as second:
        driver = second.driver
        assert [version["body"] for version in driver.issue_history(REPOSITORY, 1)] == ["one", "two"]
        assert driver.get_pull_request(REPOSITORY, 2)["merged_by"]["id"] == 42
        assert driver.create_issue(REPOSITORY, "Next", "", "mei")["number"] == 3
        assert fetch(f"{driver.base_url}/user", token="not kept").status == 401


def test_its_clock_starts_where_it_is_told() -> None:
    with process.running(clock="2026-03-01T00:00:00Z") as started:
        assert started.driver.create_user("mei")["created_at"].startswith("2026-03-01T00:00:")


class TestScenario:
    def test_steps_happen_silently_at_their_time(self, driver: Driver) -> None:
        steps: list[JSON] = [
            {"do": "create_issue", "repository": REPOSITORY, "title": "T", "body": "", "author": "mei"},
            {"do": "comment", "repository": REPOSITORY, "number": 1, "author": "bob", "body": "hi"},
        ]
        driver.load_scenario({"steps": [{**step, "at": "2026-02-03T04:05:06Z"} for step in steps]})
        assert driver.list_comments(REPOSITORY, 1)[0]["created_at"] == "2026-02-03T04:05:06Z"
        assert driver.deliveries() == []


class TestUnderLoad:
    def test_everybody_can_write_at_once(self, driver: Driver) -> None:
        driver.create_issue(REPOSITORY, "Tasks", "", "mei")
        threads = [
            threading.Thread(target=driver.comment, args=(REPOSITORY, 1, "bob", str(n))) for n in range(20)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        made = driver.list_comments(REPOSITORY, 1)
        assert len({comment["id"] for comment in made}) == 20
