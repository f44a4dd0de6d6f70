"""Every REST operation that the portal uses, in every status, against GitHub's OpenAPI description of it."""

import inspect
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import pytest

from portal.common import transactions
from portal.github.client import PyGithubGateway
from portal.github.errors import GitHubRefused
from tests.github_stand_in.driver import Driver
from tests.stand_in.cast import MEI_TOKEN, REPOSITORY, Answer, fetch
from tests.stand_in.schemas.trim import OPERATIONS
from tests.stand_in.schemas.validate import answer_complaints, rest_description

_ALICE, _NOBODY = "token-of-alice", "token-of-nobody"
_REPO = "/repos/{owner}/{repo}"
_BASE = f"/repos/{REPOSITORY}"
_ISSUE, _PULL = f"{_REPO}/issues/{{issue_number}}", f"{_REPO}/pulls/{{pull_number}}"
_COMMENT = f"{_REPO}/issues/comments/{{comment_id}}"
_TAKE_BACK = f"DELETE {_COMMENT}/reactions/{{reaction_id}}"
_EYES = {"content": "eyes"}
_LONG = {"body": "x" * 65_537}
_COUNTING = re.compile(r"\d+")
# Documented statuses that nothing here leads to: deleted issues, broken hosts, formats that the portal never asks for.
_NOT_ACTED_OUT = {"400", "406", "410", "500", "503"}
# Operations by their templates, as GitHub's description names them.
_ALL = {f"{verb.upper()} {path}" for path, verbs in OPERATIONS.items() for verb in verbs.split()}


@dataclass(frozen=True)
class Case:
    """One request and the status it gets. `path` may name {comment} and {reaction}; `again` repeats it with the ETag of the first."""

    operation: str
    status: int
    path: str
    data: dict[str, Any] | None = field(default=None, hash=False)
    token: str | None = MEI_TOKEN
    again: bool = False

    def __str__(self) -> str:
        return f"{self.operation} {self.status}"


def _get(template: str, path: str, *, missing: str | None = None, moved: str | None = None) -> list[Case]:
    operation = f"GET {template}"
    cases = [Case(operation, 200, path), Case(operation, 304, path, again=True)]
    cases += [Case(operation, 404, missing)] if missing else []
    return cases + ([Case(operation, 301, moved)] if moved else [])


_CASES = [
    *_get("/user", "/user"),
    Case("GET /user", 401, "/user", token=None),
    Case("GET /user", 403, "/user", token=_NOBODY),
    *_get("/users/{username}", "/users/alice", missing="/users/nobody-here"),
    *_get("/rate_limit", "/rate_limit")[:1],
    *_get(_REPO, _BASE, missing="/repos/harbor/nowhere", moved="/repos/harbor/old-lantern"),
    Case(f"GET {_REPO}", 403, _BASE, token=_NOBODY),
    *_get(_ISSUE, f"{_BASE}/issues/1", missing=f"{_BASE}/issues/99", moved=f"{_BASE}/issues/2"),
    *_get(_ISSUE, f"{_BASE}/issues/3", moved="/repos/harbor/old-lantern/issues/1"),
    Case(f"PATCH {_ISSUE}", 200, f"{_BASE}/issues/1", {"body": "two"}),
    Case(f"PATCH {_ISSUE}", 301, f"{_BASE}/issues/2", {"body": "two"}),
    Case(f"PATCH {_ISSUE}", 307, "/repos/harbor/old-lantern/issues/1", {"body": "two"}),
    Case(f"PATCH {_ISSUE}", 403, f"{_BASE}/issues/1", {"body": "two"}, token=_ALICE),
    Case(f"PATCH {_ISSUE}", 404, f"{_BASE}/issues/99", {"body": "two"}),
    Case(f"PATCH {_ISSUE}", 422, f"{_BASE}/issues/1", _LONG),
    *_get(f"{_ISSUE}/comments", f"{_BASE}/issues/1/comments", missing=f"{_BASE}/issues/99/comments"),
    Case(f"POST {_ISSUE}/comments", 201, f"{_BASE}/issues/1/comments", {"body": "hello"}),
    Case(f"POST {_ISSUE}/comments", 403, f"{_BASE}/issues/4/comments", {"body": "hello"}, token=_ALICE),
    Case(f"POST {_ISSUE}/comments", 404, f"{_BASE}/issues/2/comments", {"body": "hello"}),
    Case(f"POST {_ISSUE}/comments", 422, f"{_BASE}/issues/1/comments", {"body": " "}),
    *_get(_COMMENT, f"{_BASE}/issues/comments/{{comment}}", missing=f"{_BASE}/issues/comments/1"),
    Case(f"PATCH {_COMMENT}", 200, f"{_BASE}/issues/comments/{{comment}}", {"body": "hello again"}),
    Case(f"PATCH {_COMMENT}", 403, f"{_BASE}/issues/comments/{{comment}}", {"body": "x"}, token=_ALICE),
    Case(f"PATCH {_COMMENT}", 404, f"{_BASE}/issues/comments/1", {"body": "x"}),
    Case(f"PATCH {_COMMENT}", 422, f"{_BASE}/issues/comments/{{comment}}", _LONG),
    Case(
        f"POST {_COMMENT}/reactions", 201, f"{_BASE}/issues/comments/{{comment}}/reactions", {"content": "+1"}
    ),
    Case(
        f"POST {_COMMENT}/reactions",
        200,
        f"{_BASE}/issues/comments/{{comment}}/reactions",
        {"content": "eyes"},
    ),
    Case(f"POST {_COMMENT}/reactions", 404, f"{_BASE}/issues/comments/1/reactions", {"content": "+1"}),
    Case(
        f"POST {_COMMENT}/reactions",
        422,
        f"{_BASE}/issues/comments/{{comment}}/reactions",
        {"content": "shrug"},
    ),
    *_get(
        f"{_COMMENT}/reactions",
        f"{_BASE}/issues/comments/{{comment}}/reactions",
        missing=f"{_BASE}/issues/comments/1/reactions",
    ),
    Case(_TAKE_BACK, 204, f"{_BASE}/issues/comments/{{comment}}/reactions/{{reaction}}"),
    Case(_TAKE_BACK, 403, f"{_BASE}/issues/comments/{{comment}}/reactions/{{reaction}}", token=_ALICE),
    Case(_TAKE_BACK, 404, f"{_BASE}/issues/comments/{{comment}}/reactions/1"),
    *_get(f"{_REPO}/pulls", f"{_BASE}/pulls?state=all", missing="/repos/harbor/nowhere/pulls"),
    Case(f"GET {_REPO}/pulls", 422, f"{_BASE}/pulls?state=every"),
    *_get(_PULL, f"{_BASE}/pulls/3", missing=f"{_BASE}/pulls/1"),
    *_get(f"{_PULL}/commits", f"{_BASE}/pulls/3/commits", missing=f"{_BASE}/pulls/1/commits")[:1],
    *_get(f"{_REPO}/commits", f"{_BASE}/commits", missing=f"{_BASE}/commits?sha=0000000"),
    Case(f"GET {_REPO}/commits", 409, "/repos/harbor/beacon/commits"),
    *_get(f"{_PULL}/reviews", f"{_BASE}/pulls/3/reviews", missing=f"{_BASE}/pulls/1/reviews"),
]


@pytest.fixture
def comment_id(driver: Driver) -> int:
    """Issue 1 with a comment, 2 moved to another repository, pull request 3 with reviews, 4 locked; a former name."""
    driver.create_repository("harbor/beacon", owners=["mei"])
    driver.rename_repository(REPOSITORY, "old-lantern", "mei")
    driver.rename_repository("harbor/old-lantern", "lantern", "mei")
    driver.create_issue(REPOSITORY, "Tasks", "one", "mei", labels=["task"])
    driver.create_issue(REPOSITORY, "Gone", "one", "mei")
    driver.transfer_issue(REPOSITORY, 2, "harbor/beacon", "mei")
    driver.open_pull_request(REPOSITORY, "Lamp", "alice", "Fixes #1")
    driver.land_commit(REPOSITORY, "alice", "Lamp (#3)")
    driver.review(REPOSITORY, 3, "mei", "approve", body="fine")
    driver.review(REPOSITORY, 3, "bob", "comment", body="nice")
    driver.create_issue(REPOSITORY, "Locked", "one", "mei")
    driver.set_locked(REPOSITORY, 4, "mei")
    for text in ("first", "second"):
        made = driver.comment(REPOSITORY, 1, "mei", text)
    driver.create_user("nobody")
    driver.set_token(_NOBODY, "nobody")
    return int(made["id"])


def _send(driver: Driver, case: Case, comment_id: int, headers: dict[str, str] | None = None) -> Answer:
    url = driver.base_url + case.path.replace("{comment}", str(comment_id))
    method = case.operation.partition(" ")[0]
    return fetch(url, method=method, token=case.token, data=case.data, headers=headers)


def _play(driver: Driver, case: Case, comment_id: int) -> Answer:
    if case.token == _NOBODY:
        driver.add_fault("secondary_limit", retry_after=60)
    if (case.status, case.operation) == (200, f"POST {_COMMENT}/reactions"):
        _send(driver, case, comment_id)
    if "{reaction}" in case.path:
        made = _send(
            driver, Case("POST", 201, f"{_BASE}/issues/comments/{{comment}}/reactions", _EYES), comment_id
        )
        case = replace(case, path=case.path.replace("{reaction}", str(made.json["id"])))
    if case.again:
        tag = _send(driver, case, comment_id).headers["etag"]
        return _send(driver, case, comment_id, {"If-None-Match": tag})
    return _send(driver, case, comment_id)


@pytest.mark.parametrize("case", _CASES, ids=str)
def test_an_answer_is_one_that_github_could_give(driver: Driver, comment_id: int, case: Case) -> None:
    answer = _play(driver, case, comment_id)
    assert answer.status == case.status
    assert answer_complaints(case.operation, case.status, answer.json if answer.body else None) == []
    headers = answer.headers
    for name in ("limit", "remaining", "used", "reset"):
        assert _COUNTING.fullmatch(headers[f"x-ratelimit-{name}"])
    assert headers["x-ratelimit-resource"] == "core"
    assert ("etag" in headers) == (
        case.status in (200, 304) and case.operation.startswith("GET") and "rate_limit" not in case.path
    )
    assert ("location" in headers) == (case.status in (201, 301, 307) and "reactions" not in case.path)
    assert ("retry-after" in headers) == (case.token == _NOBODY)
    if case.status not in (204, 304):
        assert headers["content-type"] == "application/json; charset=utf-8"


def test_the_cases_leave_nothing_out() -> None:
    """Every operation, in each status that its description knows; further ones are refusals and redirects."""
    played: dict[str, set[str]] = {}
    for case in _CASES:
        played.setdefault(case.operation, set()).add(str(case.status))
    documented = {
        operation: set(answers) - _NOT_ACTED_OUT
        for operation, answers in rest_description()["operations"].items()
    }
    # Free and never cached, /rate_limit answers neither of these; nobody has seen it do so at GitHub.
    documented["GET /rate_limit"] -= {"304", "404"}
    assert set(played) == set(documented) == _ALL
    assert {name: missing for name in _ALL if (missing := documented[name] - played[name])} == {}


@pytest.mark.parametrize(
    ("operation", "path"),
    [
        (f"GET {_ISSUE}/comments", f"{_BASE}/issues/1/comments"),
        (f"GET {_REPO}/pulls", f"{_BASE}/pulls?state=all"),
        (f"GET {_PULL}/reviews", f"{_BASE}/pulls/3/reviews"),
    ],
)
def test_the_lists_have_links(driver: Driver, comment_id: int, operation: str, path: str) -> None:
    driver.open_pull_request(REPOSITORY, "Second lamp", "alice")
    assert rest_description()["operations"][operation]["200"]["headers"] == ["Link"]
    url, seen = f"{driver.base_url}{path}{'&' if '?' in path else '?'}per_page=1", 0
    while url:
        answer = fetch(url)
        assert answer_complaints(operation, 200, answer.json) == []
        seen += len(answer.json)
        found = re.search(r'<([^>]+)>; rel="next"', answer.headers.get("link", ""))
        url = found[1] if found else ""
    assert seen == 2


# What the portal really asks for.


@contextmanager
def _gateway(driver: Driver) -> Iterator[PyGithubGateway]:
    gateway = PyGithubGateway(
        api_url=driver.base_url,
        token=MEI_TOKEN,
        timeout=20,
        seconds_between_requests=None,
        seconds_between_writes=None,
    )
    try:
        yield gateway
    finally:
        gateway._requester.close()


def _take_back_all(gateway: PyGithubGateway, comment: int) -> None:
    for reaction in gateway.list_reactions(REPOSITORY, comment):
        gateway.remove_reaction(REPOSITORY, comment, reaction.id)
    assert gateway.list_reactions(REPOSITORY, comment) == []


_LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
_VERBS: dict[str, Callable[[PyGithubGateway, int], object]] = {
    "get_me": lambda gateway, _: gateway.get_me(),
    "find_account": lambda gateway, _: gateway.find_account("alice"),
    "get_repository": lambda gateway, _: gateway.get_repository(REPOSITORY),
    "get_issue": lambda gateway, _: gateway.get_issue(REPOSITORY, 1),
    "list_body_edits": lambda gateway, _: gateway.list_body_edits(REPOSITORY, 1),
    "get_comment": lambda gateway, comment: gateway.get_comment(REPOSITORY, comment),
    "list_comment_edits": lambda gateway, comment: gateway.list_comment_edits(REPOSITORY, comment),
    "list_issue_comments": lambda gateway, _: list(
        gateway.list_issue_comments(REPOSITORY, 1, since=_LONG_AGO)
    ),
    "list_pull_requests": lambda gateway, _: list(gateway.list_pull_requests(REPOSITORY, since=_LONG_AGO)),
    "get_pull_request": lambda gateway, _: gateway.get_pull_request(REPOSITORY, 3),
    "list_pull_request_commits": lambda gateway, _: gateway.list_pull_request_commits(REPOSITORY, 3),
    "list_commits": lambda gateway, _: list(
        gateway.list_commits(REPOSITORY, start="develop", author="alice", since=_LONG_AGO)
    ),
    "list_reviews": lambda gateway, _: gateway.list_reviews(REPOSITORY, 3),
    "write_issue_body": lambda gateway, _: gateway.write_issue_body(REPOSITORY, 1, "two"),
    "create_comment": lambda gateway, _: gateway.create_comment(REPOSITORY, 1, "hello"),
    "edit_comment": lambda gateway, comment: gateway.edit_comment(REPOSITORY, comment, "hello again"),
    "react": lambda gateway, comment: gateway.react(REPOSITORY, comment, "+1"),
    "list_reactions": lambda gateway, comment: gateway.list_reactions(REPOSITORY, comment),
    "remove_reaction": lambda gateway, comment: _take_back_all(gateway, comment),
}


def _template(method: str, path: str) -> str:
    """The operation that a request belongs to; fixed parts win over names, as in GitHub's own routing."""
    for operation in sorted(_ALL, key=lambda name: name.count("{")):
        verb, _, template = operation.partition(" ")
        if verb == method and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path):
            return operation
    return f"{method} {path}"


@pytest.fixture
def no_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client looks whether a transaction is open; here is no database."""
    monkeypatch.setattr(transactions, "is_open", lambda: False)


@pytest.mark.usefixtures("no_transaction")
def test_the_portal_asks_for_these_operations_and_no_others(driver: Driver, comment_id: int) -> None:
    public = {name for name, _ in inspect.getmembers(PyGithubGateway, inspect.isfunction) if name[0] != "_"}
    assert set(_VERBS) == public
    with _gateway(driver) as gateway:
        for ask in _VERBS.values():
            ask(gateway, comment_id)
    requests = driver.requests()
    assert {entry["status"] for entry in requests} <= {200, 201, 204}
    asked = {_template(entry["method"], entry["path"]) for entry in requests}
    assert asked == (_ALL - {"GET /rate_limit"}) | {"POST /graphql"}  # the limit is read from headers


@pytest.mark.usefixtures("no_transaction")
def test_the_portal_follows_a_transferred_issue_in_reading_and_writing(
    driver: Driver, comment_id: int
) -> None:
    with _gateway(driver) as gateway:
        read = gateway.get_issue(REPOSITORY, 2)
        written = gateway.write_issue_body(REPOSITORY, 2, "written through")
        with pytest.raises(GitHubRefused):
            gateway.create_comment(REPOSITORY, 2, "lost")
    assert (read.repository, written.body) == ("harbor/beacon", "written through")
    assert driver.get_issue("harbor/beacon", 1)["body"] == "written through"
