"""Labels, renames and transfers: what is told, and where things are afterwards."""

import json
from typing import Any

import pytest

from tests.github_stand_in import process
from tests.github_stand_in.driver import Driver, DriverError
from tests.stand_in.cast import REPOSITORY, fetch
from tests.stand_in.schemas.validate import event_complaints

_BEACON = "harbor/beacon"


def _told(driver: Driver, since: int = 0) -> list[tuple[str, Any]]:
    """The webhooks so far, by event and action, each found to fit its schema."""
    assert driver.wait_idle()
    told = []
    for entry in driver.deliveries(with_payload=True)[since:]:
        payload = json.loads(entry["body"])
        assert event_complaints(entry["event"], payload) == []
        told.append((f"{entry['event']}.{entry['action']}", payload))
    return told


class TestLabels:
    @pytest.mark.parametrize("kind", ["issues", "pull_request"])
    def test_each_label_that_comes_or_goes_is_told(self, driver: Driver, kind: str) -> None:
        if kind == "issues":
            driver.create_issue(REPOSITORY, "Tasks", "", "mei")
        else:
            driver.open_pull_request(REPOSITORY, "Lamp", "alice")
        driver.set_labels(REPOSITORY, 1, "mei", ["task", "urgent"])
        driver.set_labels(REPOSITORY, 1, "mei", ["urgent"])
        told = [(name, payload["label"]["name"]) for name, payload in _told(driver, 1)]
        assert told == [
            (f"{kind}.labeled", "task"),
            (f"{kind}.labeled", "urgent"),
            (f"{kind}.unlabeled", "task"),
        ]
        (labels,) = [[label["name"] for label in driver.get_issue(REPOSITORY, 1)["labels"]]]
        assert labels == ["urgent"]

    def test_labels_of_the_repository_are_found_in_any_case(self, driver: Driver) -> None:
        driver.create_issue(REPOSITORY, "Tasks", "", "mei", labels=["Task"])
        driver.set_labels(REPOSITORY, 1, "mei", ["TASK"])
        assert len(_told(driver)) == 1
        assert fetch(f"{driver.base_url}/repos/{REPOSITORY}/labels").json[0]["name"] == "Task"


class TestRenamedRepository:
    def test_it_is_told_with_the_former_name(self, driver: Driver) -> None:
        driver.rename_repository(REPOSITORY, "lighthouse", "mei")
        ((name, payload),) = _told(driver)
        assert name == "repository.renamed"
        assert payload["changes"] == {"repository": {"name": {"from": "lantern"}}}
        assert payload["repository"]["full_name"] == "harbor/lighthouse"

    def test_the_old_address_moves_on_and_all_else_has_the_new_one(self, driver: Driver) -> None:
        driver.create_issue(REPOSITORY, "Tasks", "", "mei")
        renamed = driver.rename_repository(REPOSITORY, "lighthouse", "mei")
        old = fetch(f"{driver.base_url}/repos/{REPOSITORY}/issues/1")
        location = f"{driver.base_url}/repositories/{renamed['id']}/issues/1"
        assert (old.status, old.headers["location"], old.json["url"]) == (301, location, location)
        issue = fetch(location)
        assert issue.status == 200
        assert b"harbor/lantern" not in issue.body
        page = fetch(f"{driver.base_url}/{REPOSITORY}/issues/1", token=None)
        assert (page.status, page.headers["location"]) == (302, "/harbor/lighthouse/issues/1")

    def test_a_name_goes_back_and_forth(self, driver: Driver) -> None:
        driver.rename_repository(REPOSITORY, "lighthouse", "mei")
        driver.rename_repository("harbor/lighthouse", "lantern", "mei")
        statuses = [fetch(f"{driver.base_url}/repos/harbor/{n}").status for n in ("lantern", "lighthouse")]
        assert statuses == [200, 301]

    def test_a_new_repository_takes_a_former_name(self, driver: Driver) -> None:
        driver.rename_repository(REPOSITORY, "lighthouse", "mei")
        made = driver.create_repository(REPOSITORY, owners=["mei"])
        assert fetch(f"{driver.base_url}/repos/{REPOSITORY}").json["id"] == made["id"]

    @pytest.mark.parametrize("name", ["beacon", "no spaces", ""])
    def test_not_every_name_will_do(self, driver: Driver, name: str) -> None:
        driver.create_repository(_BEACON, owners=["mei"])
        with pytest.raises(DriverError):
            driver.rename_repository(REPOSITORY, name, "mei")


class TestRenamedUser:
    def test_the_new_login_is_everywhere_and_the_old_one_nowhere(self, driver: Driver) -> None:
        driver.create_repository("bob/skiff")
        driver.create_issue("bob/skiff", "Leak", "", "bob")
        driver.comment("bob/skiff", 1, "bob", "help")
        driver.open_pull_request("bob/skiff", "Plug", "bob")
        driver.push("bob/skiff", 2, "bob")
        driver.review("bob/skiff", 2, "bob", "comment", body="hm")
        driver.set_assignees("bob/skiff", 1, "bob", ["bob"])
        driver.edit_issue("bob/skiff", 1, "bob", "two")
        driver.rename_user("bob", "robert")
        base = f"{driver.base_url}/repos/robert/skiff"
        for path in (
            "",
            "/issues/1",
            "/issues/1/comments",
            "/pulls",
            "/pulls/2",
            "/pulls/2/reviews",
            "/pulls/2/commits",
        ):
            answer = fetch(base + path)
            assert answer.status == 200
            assert b"robert" in answer.body
            assert b"bob" not in answer.body.replace(b"bob@", b"").replace(b"+bob", b"")
        assert driver.issue_history("robert/skiff", 1)[-1]["editor"] == "robert"

    def test_the_old_login_is_404_and_free_again(self, driver: Driver) -> None:
        user_id = driver.rename_user("bob", "robert")["id"]
        assert fetch(f"{driver.base_url}/users/bob").status == 404
        assert fetch(f"{driver.base_url}/users/robert").json["id"] == user_id
        assert fetch(f"{driver.base_url}/user", token="token-of-bob").json["login"] == "robert"
        assert driver.create_user("bob")["id"] != user_id

    def test_its_repositories_move_on(self, driver: Driver) -> None:
        made = driver.create_repository("bob/skiff")
        driver.rename_user("bob", "robert")
        old = fetch(f"{driver.base_url}/repos/bob/skiff")
        assert (old.status, old.headers["location"]) == (301, f"{driver.base_url}/repositories/{made['id']}")


class TestTransferredIssue:
    @pytest.fixture
    def moved(self, driver: Driver) -> dict[str, Any]:
        driver.create_repository(_BEACON, owners=["mei"])
        driver.create_issue(_BEACON, "First", "", "mei", labels=["task"])
        driver.create_issue(REPOSITORY, "Tasks", "one", "alice", labels=["task", "urgent"])
        driver.edit_issue(REPOSITORY, 1, "alice", "two")
        driver.comment(REPOSITORY, 1, "bob", "hello")
        return driver.transfer_issue(REPOSITORY, 1, _BEACON, "mei")

    def test_text_people_and_comments_go_along(self, driver: Driver, moved: dict[str, Any]) -> None:
        assert (moved["number"], moved["title"], moved["user"]["login"]) == (2, "Tasks", "alice")
        assert [label["name"] for label in moved["labels"]] == ["task"]
        assert [version["body"] for version in driver.issue_history(_BEACON, 2)] == ["one", "two"]
        (comment,) = fetch(f"{driver.base_url}/repos/{_BEACON}/issues/2/comments").json
        assert (comment["body"], comment["issue_url"]) == ("hello", moved["url"])
        assert fetch(f"{driver.base_url}/repos/{REPOSITORY}/issues").json == []

    def test_both_repositories_are_told(self, driver: Driver, moved: dict[str, Any]) -> None:
        (left, gone), (came, new) = _told(driver)[-2:]
        assert (left, gone["repository"]["full_name"]) == ("issues.transferred", REPOSITORY)
        assert gone["issue"]["url"].endswith(f"/{REPOSITORY}/issues/1")
        assert gone["issue"]["comments"] == 1
        assert gone["changes"]["new_issue"]["url"] == moved["url"]
        assert gone["changes"]["new_repository"]["full_name"] == _BEACON
        assert (came, new["repository"]["full_name"]) == ("issues.opened", _BEACON)
        assert new["issue"]["id"] == gone["changes"]["new_issue"]["id"] != gone["issue"]["id"]
        assert new["changes"]["old_issue"] == gone["issue"]
        assert new["changes"]["old_repository"]["full_name"] == REPOSITORY

    def test_a_closed_one_is_not_opened(self, driver: Driver, moved: dict[str, Any]) -> None:
        driver.close(_BEACON, 2, "mei")
        before = len(_told(driver))
        driver.transfer_issue(_BEACON, 2, REPOSITORY, "mei")
        assert [name for name, _ in _told(driver, before)] == ["issues.transferred"]

    def test_the_old_address_moves_on(self, driver: Driver, moved: dict[str, Any]) -> None:
        url = f"{driver.base_url}/repos/{REPOSITORY}/issues/1"
        for method, data in (("GET", None), ("PATCH", {"body": "three"})):
            old = fetch(url, method=method, data=data)
            assert old.status == 301
            assert fetch(old.headers["location"], method=method, data=data).json["url"] == moved["url"]
        page = fetch(f"{driver.base_url}/{REPOSITORY}/issues/1", token=None)
        assert (page.status, page.headers["location"]) == (301, f"/{_BEACON}/issues/2")

    def test_what_stood_below_the_old_address_is_404(self, driver: Driver, moved: dict[str, Any]) -> None:
        """As measured at GitHub: only the issue itself moves on."""
        url = f"{driver.base_url}/repos/{REPOSITORY}/issues/1"
        assert fetch(f"{url}/comments").status == 404
        assert fetch(f"{url}/comments", method="POST", data={"body": "x"}).status == 404

    def test_it_may_move_on_and_back(self, driver: Driver, moved: dict[str, Any]) -> None:
        back = driver.transfer_issue(_BEACON, 2, REPOSITORY, "mei")
        assert back["number"] == 2
        for old in (f"{REPOSITORY}/issues/1", f"{_BEACON}/issues/2"):
            location = fetch(f"{driver.base_url}/repos/{old}").headers["location"]
            assert fetch(location).json["url"] == back["url"]

    def test_strangers_do_not_learn_of_a_private_place(self, driver: Driver) -> None:
        driver.create_repository("harbor/vault", owners=["mei"], private=True)
        driver.create_issue(REPOSITORY, "Tasks", "", "mei")
        driver.transfer_issue(REPOSITORY, 1, "harbor/vault", "mei")
        url = f"{driver.base_url}/repos/{REPOSITORY}/issues/1"
        assert [fetch(url).status, fetch(url, token="token-of-alice").status] == [301, 404]
        assert fetch(f"{driver.base_url}/{REPOSITORY}/issues/1", token=None).status == 301

    @pytest.mark.parametrize("to", [REPOSITORY, "bob/skiff", "harbor/nowhere"])
    def test_it_stays_with_its_owner(self, driver: Driver, to: str) -> None:
        driver.create_repository("bob/skiff")
        driver.create_issue(REPOSITORY, "Tasks", "", "mei")
        with pytest.raises(DriverError):
            driver.transfer_issue(REPOSITORY, 1, to, "mei")

    def test_pull_requests_and_private_issues_stay(self, driver: Driver) -> None:
        driver.create_repository("harbor/vault", owners=["mei"], private=True)
        driver.open_pull_request(REPOSITORY, "Lamp", "alice")
        driver.create_issue("harbor/vault", "Secret", "", "mei")
        for repository, to in ((REPOSITORY, "harbor/vault"), ("harbor/vault", REPOSITORY)):
            with pytest.raises(DriverError):
                driver.transfer_issue(repository, 1, to, "mei")


@pytest.mark.processes
def test_moves_outlive_a_restart(tmp_path: Any) -> None:
    state = tmp_path / "state.json"
    with process.running(state=state) as first:
        for name in (REPOSITORY, _BEACON):
            first.driver.create_repository(name, owners=["mei"])
        first.driver.set_token("token-of-mei", "mei")
        first.driver.create_issue(REPOSITORY, "Tasks", "", "mei")
        first.driver.comment(REPOSITORY, 1, "mei", "hello")
        first.driver.transfer_issue(REPOSITORY, 1, _BEACON, "mei")
        first.driver.rename_repository(_BEACON, "lighthouse", "mei")
    with process.running(state=state) as second:
        for old in (REPOSITORY, _BEACON):
            assert fetch(f"{second.url}/repos/{old}/issues/1", token=None).status == 301
        assert second.driver.list_comments("harbor/lighthouse", 1)[0]["body"] == "hello"
