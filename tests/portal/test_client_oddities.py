"""What the stand-in does not do: answers that no well-behaved GitHub gives, and renamed repositories."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from pytest_django import Settings

from portal.github.connect import connect
from portal.github.errors import GitHubRefused, GitHubUnavailable
from portal.github.payloads import PayloadInvalid


@dataclass
class Script:
    """The next answers, and the requests that got them."""

    url: str = ""
    answers: list[tuple[int, dict[str, str], str]] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def answer(self, status: int, content: Any = None, **headers: str) -> None:
        text = content if isinstance(content, str) else json.dumps(content)
        self.answers.append(
            (status, {name.replace("_", "-"): value for name, value in headers.items()}, text)
        )


@pytest.fixture
def github(settings: Settings) -> Iterator[Script]:
    script = Script()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            script.requests.append(f"{self.command} {self.path}")
            status, headers, text = script.answers.pop(0)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        do_POST = do_PATCH = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    settings.GITHUB_API_URL = script.url = f"http://127.0.0.1:{server.server_port}"
    yield script
    server.shutdown()
    thread.join()
    server.server_close()


ISSUE = {
    "id": 1,
    "number": 5,
    "title": "Tasks",
    "body": None,
    "user": None,
    "state": "open",
    "created_at": "2026-03-01T08:00:00Z",
    "updated_at": "2026-03-01T08:00:00Z",
}


def test_a_write_to_a_renamed_repository_follows_once(github: Script) -> None:
    github.answer(307, {"message": "Temporary Redirect"}, Location=f"{github.url}/repositories/7/issues/5")
    github.answer(200, {**ISSUE, "repository_url": f"{github.url}/repos/harbor/beacon"})
    issue = connect().write_issue_body("harbor/lantern", 5, "x")
    assert issue.repository == "harbor/beacon"
    assert github.requests == ["PATCH /repos/harbor/lantern/issues/5", "PATCH /repositories/7/issues/5"]


def test_it_does_not_follow_in_circles(github: Script) -> None:
    for _ in range(2):
        github.answer(307, {}, Location=f"{github.url}/repositories/7/issues/5")
    with pytest.raises(GitHubRefused):
        connect().write_issue_body("harbor/lantern", 5, "x")


def test_the_token_does_not_go_to_another_host(github: Script) -> None:
    github.answer(307, {}, Location="https://github.example/repositories/7/issues/5")
    with pytest.raises(GitHubUnavailable):
        connect().write_issue_body("harbor/lantern", 5, "x")
    github.answer(200, [], Link='<https://github.example/?page=2>; rel="next"')
    with pytest.raises(GitHubUnavailable):
        list(connect().list_issue_comments("harbor/lantern", 5))


def test_a_read_of_a_renamed_repository_follows(github: Script) -> None:
    github.answer(301, {}, Location=f"{github.url}/repositories/7/issues/5")
    github.answer(200, ISSUE)
    assert connect().get_issue("harbor/lantern", 5).repository == "harbor/lantern"


@pytest.mark.parametrize(
    ("status", "headers", "message", "seconds"),
    [
        (403, {"Retry_After": "12"}, "", 12),
        (403, {"X_RateLimit_Remaining": "0"}, "", 60),
        (403, {"X_RateLimit_Remaining": "0", "X_RateLimit_Reset": "1"}, "", 1),
        (403, {}, "You have exceeded a secondary rate limit.", 60),
        (429, {"Retry_After": "soon"}, "", 60),
        (503, {"Retry_After": "5"}, "", 5),
        (502, {}, "", None),
        (408, {}, "", None),
    ],
)
def test_limits_and_troubles_say_how_long(
    github: Script, status: int, headers: dict[str, str], message: str, seconds: float | None
) -> None:
    github.answer(status, {"message": message}, **headers)
    with pytest.raises(GitHubUnavailable) as trouble:
        connect().get_me()
    assert trouble.value.retry_after == seconds


@pytest.mark.parametrize("status", [400, 403, 404, 410, 422, 451])
def test_other_refusals_are_for_good_and_say_about_what(github: Script, status: int) -> None:
    github.answer(status, {"message": "No"})
    with pytest.raises(GitHubRefused) as refusal:
        connect().get_issue("harbor/lantern", 5)
    assert (refusal.value.status, "harbor/lantern#5" in str(refusal.value)) == (status, True)


def test_not_being_allowed_to_look_is_not_nobody(github: Script) -> None:
    github.answer(403, {"message": "No"})
    with pytest.raises(GitHubRefused):
        connect().find_account("alice")


def test_another_kind_of_answer_than_documented_is_named(github: Script) -> None:
    github.answer(200, [])
    with pytest.raises(PayloadInvalid):
        connect().get_me()
    github.answer(200, {"login": "x"})
    with pytest.raises(PayloadInvalid, match="id"):
        connect().get_me()
    github.answer(200, {})
    with pytest.raises(PayloadInvalid, match="comments"):
        list(connect().list_issue_comments("harbor/lantern", 5))


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("FORBIDDEN", GitHubRefused),
        ("RATE_LIMITED", GitHubUnavailable),
        ("RATE_LIMIT", GitHubUnavailable),
        (None, GitHubUnavailable),
    ],
)
def test_graphql_errors_come_with_status_200(
    github: Script, kind: str | None, expected: type[Exception]
) -> None:
    github.answer(200, {"data": None, "errors": [{"type": kind, "message": "No"}]})
    with pytest.raises(expected):
        connect().list_body_edits("harbor/lantern", 5)


def test_deleted_revisions_and_accounts_without_id_are_passed_over(github: Script) -> None:
    nodes = [
        {"diff": "c", "editedAt": "2026-03-03T08:00:00Z", "editor": None},
        {"diff": None, "editedAt": "2026-03-02T08:00:00Z", "editor": None},
        {
            "diff": "a",
            "editedAt": "2026-03-01T08:00:00Z",
            "editor": {"__typename": "Mannequin", "login": "m"},
        },
    ]
    edits = {"nodes": nodes, "pageInfo": {"hasNextPage": False, "endCursor": None}}
    github.answer(200, {"data": {"repository": {"issue": {"userContentEdits": edits}}}})
    found = connect().list_body_edits("harbor/lantern", 5)
    assert [(edit.body, edit.editor) for edit in found] == [("a", None), ("c", None)]
