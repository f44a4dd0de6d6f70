"""GitHub's JSON as our types."""

import copy
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from portal.github import payloads
from portal.github.payloads import PayloadInvalid
from portal.github.types import REVIEWING_ASSOCIATIONS, PullRequestState, ReviewState

PAYLOADS = Path(__file__).parents[1] / "payloads" / "github"


def load(name: str) -> Any:
    return json.loads((PAYLOADS / f"{name}.json").read_text())


def test_an_issue() -> None:
    payload = load("issues.edited")
    issue = payloads.issue_of(payload)
    assert (issue.repository, issue.author.login, issue.state) == ("harbor/lantern", "mei", "open")
    assert "@alice" in issue.body
    assert payloads.action_of(payload) == "edited"
    assert payloads.sender_of(payload).login == "mei"
    assert payloads.repository_of(payload).full_name == "harbor/lantern"
    before = payloads.body_before(payload)
    assert before is not None
    assert "@alice" not in before


def test_the_body_before_is_only_told_when_the_body_changed() -> None:
    assert payloads.body_before(load("issues.opened")) is None
    assert payloads.body_before({"changes": {"title": {"from": "x"}}}) is None
    assert payloads.body_before({"changes": {"body": {"from": ""}}}) == ""
    assert payloads.body_before({"changes": {"body": {"from": None}}}) == ""


def test_a_comment() -> None:
    comment = payloads.comment_of(load("issue_comment.created"))
    assert (comment.repository, comment.author.login, comment.body) == ("harbor/lantern", "alice", "报名 1")
    assert comment.created_at == datetime(2026, 3, 2, 8, tzinfo=UTC)


def test_a_merged_pull_request() -> None:
    pull = payloads.pull_request_of(load("pull_request.closed.merged"))
    assert (pull.state, pull.merged_at) == (PullRequestState.MERGED, datetime(2026, 3, 5, 8, tzinfo=UTC))
    assert pull.merged_by is not None
    assert pull.merged_by.login == "mei"


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({}, "merged"),
        ({"merged": False}, "merged"),
        ({"merged_at": None}, "merged"),
        ({"merged_at": None, "merged": False}, "closed"),
        ({"merged_at": None, "merged": False, "state": "open"}, "open"),
    ],
)
def test_merged_is_known_by_either_field(changes: dict[str, Any], state: str) -> None:
    data = load("pull_request.closed.merged")["pull_request"] | changes
    assert payloads.pull_request(data).state == state


@pytest.mark.parametrize("written", ["approved", "APPROVED"])
def test_a_review_in_small_letters_or_capitals(written: str) -> None:
    payload = load("pull_request_review.submitted")
    payload["review"]["state"] = written
    review = payloads.review_of(payload)
    assert (review.state, review.reviewer.login) == (ReviewState.APPROVED, "mei")
    assert review.association in REVIEWING_ASSOCIATIONS


def test_an_account_that_is_gone_is_the_ghost() -> None:
    payload = load("issue_comment.created")
    payload["comment"]["user"] = None
    assert payloads.comment_of(payload).author == payloads.GHOST


def test_a_bot_is_known_by_its_type() -> None:
    assert payloads.account({"id": 1, "login": "dependabot[bot]", "type": "Bot"}).is_bot
    assert not payloads.account({"id": 1, "login": "robot", "type": "User"}).is_bot


def test_what_is_null_is_an_empty_text() -> None:
    payload = load("issues.opened")
    payload["issue"]["body"] = None
    assert payloads.issue_of(payload).body == ""


def test_times_are_in_utc() -> None:
    assert payloads.moment({"at": "2026-03-01T16:00:00+08:00"}, "at") == datetime(2026, 3, 1, 8, tzinfo=UTC)
    assert payloads.moment({"at": "2026-03-01T08:00:00"}, "at").tzinfo is UTC


READERS = {
    "issues.opened": (payloads.issue_of, ["issue", "issue.id", "issue.user.id", "repository.full_name"]),
    "issue_comment.created": (payloads.comment_of, ["comment.id", "comment.created_at", "issue.number"]),
    "pull_request.opened": (
        payloads.pull_request_of,
        ["pull_request.base.repo.full_name", "pull_request.state"],
    ),
    "pull_request_review.submitted": (
        payloads.review_of,
        ["review.state", "review.submitted_at", "review.user"],
    ),
}


@pytest.mark.parametrize(
    ("name", "path"), [(name, path) for name, (_, paths) in READERS.items() for path in paths]
)
@pytest.mark.parametrize("value", [..., [], 1.5, True], ids=["missing", "list", "fraction", "true"])
def test_what_is_missing_or_of_another_kind_is_named(name: str, path: str, value: Any) -> None:
    payload = copy.deepcopy(load(name))
    *way, last = path.split(".")
    place = payload
    for step in way:
        place = place[step]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    with pytest.raises(PayloadInvalid) as problem:
        READERS[name][0](payload)
    assert problem.value.field
    assert problem.value.field in str(problem.value)


@pytest.mark.parametrize("name", ["created_at", "state"])
def test_what_cannot_be_read_is_named(name: str) -> None:
    data = load("pull_request.opened")["pull_request"] | {name: "yesterday"}
    with pytest.raises(PayloadInvalid, match=name):
        payloads.pull_request(data)


def test_what_is_not_used_may_be_anything() -> None:
    payload = load("issues.opened") | {"organization": 5, "sender": None}
    payload["issue"]["labels"] = "x"
    assert payloads.issue_of(payload).number == 1


@pytest.mark.parametrize("url", ["https://api.github.com/repos/a/b/issues/x", "", None])
def test_a_comment_without_the_address_of_its_issue(url: Any) -> None:
    with pytest.raises(PayloadInvalid):
        payloads.issue_number({"issue_url": url})


def test_the_title_before_is_only_told_when_the_title_changed() -> None:
    assert payloads.title_before({"changes": {"title": {"from": "x"}}}) == "x"
    assert payloads.title_before({"changes": {"body": {"from": "x"}}}) is None
    assert payloads.title_before({"changes": None}) is None
