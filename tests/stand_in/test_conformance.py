"""What the stand-in says has GitHub's shape: checked against GitHub's own published schemas."""

import json

import pytest

from tests.github_stand_in.driver import Driver
from tests.github_stand_in.hooks.events import SENT
from tests.stand_in.cast import REPOSITORY, fetch
from tests.stand_in.schemas.validate import event_complaints, shape_complaints

_BASE = f"/repos/{REPOSITORY}"


@pytest.fixture
def eventful(driver: Driver) -> Driver:
    """A repository in which everything has happened once."""
    driver.set_webhook("http://127.0.0.1:9/")
    driver.create_issue(REPOSITORY, "Tasks", "one", "mei", labels=["task"])
    _live_through_an_issue(driver)
    driver.open_pull_request(REPOSITORY, "Lamp", "alice", "Fixes #1", draft=True)
    _live_through_a_pull_request(driver)
    _move(driver)
    driver.ping(REPOSITORY)
    return driver


def _live_through_an_issue(driver: Driver) -> None:
    driver.edit_issue(REPOSITORY, 1, "mei", "two", title="All tasks")
    driver.set_labels(REPOSITORY, 1, "mei", ["help wanted"])
    driver.set_assignees(REPOSITORY, 1, "mei", ["mei"])
    driver.set_assignees(REPOSITORY, 1, "mei", [])
    driver.set_locked(REPOSITORY, 1, "mei")
    driver.set_locked(REPOSITORY, 1, "mei", locked=False)
    driver.close(REPOSITORY, 1, "mei", reason="not_planned")
    driver.reopen(REPOSITORY, 1, "mei")
    made = [driver.comment(REPOSITORY, 1, "bob", text) for text in ("stays", "goes")]
    driver.edit_comment(made[0]["id"], "bob", "stays on")
    driver.delete_comment(made[1]["id"], "bob")


def _live_through_a_pull_request(driver: Driver) -> None:
    for draft in (False, True, False):
        driver.set_draft(REPOSITORY, 2, "alice", draft)
    driver.push(REPOSITORY, 2, "alice")
    driver.retitle(REPOSITORY, 2, "alice", "A better lamp")
    driver.set_labels(REPOSITORY, 2, "mei", ["task"])
    driver.set_labels(REPOSITORY, 2, "mei", [])
    driver.set_assignees(REPOSITORY, 2, "mei", ["mei"])
    driver.set_assignees(REPOSITORY, 2, "mei", [])
    driver.set_locked(REPOSITORY, 2, "mei")
    driver.set_locked(REPOSITORY, 2, "mei", locked=False)
    made = driver.review(REPOSITORY, 2, "mei", "request_changes", body="smaller")
    driver.edit_review(REPOSITORY, 2, made["id"], "mei", "much smaller")
    driver.dismiss_review(REPOSITORY, 2, made["id"], "mei")
    driver.review(REPOSITORY, 2, "mei", "approve")
    driver.close(REPOSITORY, 2, "alice")
    driver.reopen(REPOSITORY, 2, "alice")
    driver.merge(REPOSITORY, 2, "mei")
    driver.revert(REPOSITORY, 2, "mei")


def _move(driver: Driver) -> None:
    driver.create_repository("harbor/beacon", owners=["mei"])
    number = driver.create_issue(REPOSITORY, "Elsewhere", "one", "mei")["number"]
    driver.transfer_issue(REPOSITORY, number, "harbor/beacon", "mei")
    driver.rename_repository("harbor/beacon", "lighthouse", "mei")


def test_every_webhook_fits_its_schema_and_every_kind_occurs(eventful: Driver) -> None:
    deliveries = eventful.deliveries(with_payload=True)
    payloads = [(entry["event"], json.loads(entry["body"])) for entry in deliveries]
    assert [line for event, payload in payloads for line in event_complaints(event, payload)] == []
    expected = {(event, action or None) for event, actions in SENT.items() for action in actions}
    assert expected == {(entry["event"], entry["action"]) for entry in deliveries}


@pytest.mark.parametrize(
    ("shape", "path"),
    [
        ("private-user", "/user"),
        ("public-user", "/users/alice"),
        ("full-repository", _BASE),
        ("issue", f"{_BASE}/issues/1"),
        ("issue", f"{_BASE}/issues/2"),
        ("pull-request", f"{_BASE}/pulls/2"),
        ("pull-request", f"{_BASE}/pulls/3"),
        ("repository-collaborator-permission", f"{_BASE}/collaborators/mei/permission"),
        ("rate-limit-overview", "/rate_limit"),
    ],
)
def test_an_object_fits_its_schema(eventful: Driver, shape: str, path: str) -> None:
    assert shape_complaints(shape, fetch(eventful.base_url + path).json) == []


@pytest.mark.parametrize(
    ("shape", "path"),
    [
        ("email", "/user/emails"),
        ("issue", f"{_BASE}/issues?state=all"),
        ("issue-comment", f"{_BASE}/issues/1/comments"),
        ("issue-comment", f"{_BASE}/issues/comments"),
        ("pull-request-simple", f"{_BASE}/pulls?state=all"),
        ("pull-request-review", f"{_BASE}/pulls/2/reviews"),
        ("commit", f"{_BASE}/pulls/2/commits"),
        ("commit", f"{_BASE}/commits"),
        ("label", f"{_BASE}/labels"),
    ],
)
def test_a_list_fits_its_schema(eventful: Driver, shape: str, path: str) -> None:
    items = fetch(eventful.base_url + path).json
    assert items
    assert [line for item in items for line in shape_complaints(shape, item)] == []


def test_what_is_written_comes_back_in_shape(eventful: Driver) -> None:
    url = eventful.base_url + _BASE
    issue = fetch(f"{url}/issues", method="POST", data={"title": "New", "labels": ["task"]}).json
    comment = fetch(f"{issue['url']}/comments", method="POST", data={"body": "first"}).json
    reaction = fetch(f"{comment['url']}/reactions", method="POST", data={"content": "+1"}).json
    pull = fetch(f"{url}/pulls", method="POST", data={"title": "PR", "head": "patch", "base": "develop"}).json
    edited = fetch(issue["url"], method="PATCH", data={"body": "text"}).json
    refused = fetch(f"{url}/issues", method="POST", data={"title": ""}).json
    shapes = {
        "issue": issue,
        "issue-comment": comment,
        "reaction": reaction,
        "pull-request": pull,
        "validation-error": refused,
    }
    assert [line for name, value in shapes.items() for line in shape_complaints(name, value)] == []
    assert shape_complaints("issue", edited) == []


def test_the_check_itself_finds_faults(eventful: Driver) -> None:
    issue = fetch(f"{eventful.base_url}{_BASE}/issues/1").json
    del issue["user"]
    assert shape_complaints("issue", issue | {"created_at": 5}) != []
    assert event_complaints("issues", {"action": "opened"}) != []
