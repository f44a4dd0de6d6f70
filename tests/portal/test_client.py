"""The gateway against the stand-in: every verb, pages, and what GitHub's bad days look like."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from pytest_django import Settings

from portal.github.connect import connect
from portal.github.errors import GitHubRefused, GitHubUnavailable, TokenMissing
from portal.github.gateway import Gateway
from portal.github.types import REVIEWING_ASSOCIATIONS, PullRequestState, ReviewState
from tests.conftest import PORTAL_LOGIN
from tests.github_stand_in.driver import Driver

pytestmark = pytest.mark.processes

REPOSITORY = "harbor/lantern"


@pytest.fixture
def gateway(driver: Driver) -> Gateway:
    driver.create_user("mei")
    driver.create_user("alice")
    driver.create_repository(REPOSITORY, ["mei"])
    driver.create_issue(REPOSITORY, "Tasks", "first", "mei", 5, at="2026-03-01T08:00:00Z")
    return connect()


def paths(driver: Driver) -> list[str]:
    return [request["path"] for request in driver.requests()]


class TestAccounts:
    def test_it_knows_itself(self, gateway: Gateway) -> None:
        assert gateway.get_me().login == PORTAL_LOGIN

    def test_it_finds_an_account_in_any_case(self, gateway: Gateway) -> None:
        found = gateway.find_account("ALICE")
        assert found is not None
        assert found.login == "alice"

    @pytest.mark.parametrize("login", ["nobody", "", "a/b", "../repos", "爱丽丝", "a b"])
    def test_it_finds_nobody_of_another_name(self, gateway: Gateway, login: str) -> None:
        assert gateway.find_account(login) is None


class TestRepository:
    def test_it_says_whether_we_may_write(self, gateway: Gateway, driver: Driver) -> None:
        repository = gateway.get_repository(REPOSITORY)
        assert (repository.full_name, repository.default_branch, repository.can_push) == (
            REPOSITORY,
            "develop",
            False,
        )
        driver.set_permission(REPOSITORY, PORTAL_LOGIN, "write")
        assert gateway.get_repository("HARBOR/lantern").can_push

    @pytest.mark.parametrize(
        "name", ["harbor/nothing", "harbor", "a/b/c", "../x", "harbor/..", "harbor/x?y", ""]
    )
    def test_what_is_not_there_is_refused(self, gateway: Gateway, name: str) -> None:
        with pytest.raises(GitHubRefused) as refusal:
            gateway.get_repository(name)
        assert refusal.value.status == 404


class TestIssue:
    def test_it_reads(self, gateway: Gateway) -> None:
        issue = gateway.get_issue(REPOSITORY, 5)
        assert (issue.title, issue.body, issue.author.login, issue.state) == ("Tasks", "first", "mei", "open")
        assert issue.created_at == datetime(2026, 3, 1, 8, tzinfo=UTC)
        assert not issue.is_pull_request

    def test_it_writes(self, gateway: Gateway, driver: Driver) -> None:
        driver.set_permission(REPOSITORY, PORTAL_LOGIN, "write")
        assert gateway.write_issue_body(REPOSITORY, 5, "| 表 |\r\n").body == "| 表 |\r\n"
        assert gateway.get_issue(REPOSITORY, 5).body == "| 表 |\r\n"

    def test_without_permission_writing_is_refused(self, gateway: Gateway) -> None:
        with pytest.raises(GitHubRefused) as refusal:
            gateway.write_issue_body(REPOSITORY, 5, "x")
        assert refusal.value.status == 403

    def test_the_edit_history_is_oldest_first_and_whole(self, gateway: Gateway, driver: Driver) -> None:
        assert [edit.body for edit in gateway.list_body_edits(REPOSITORY, 5)] in ([], ["first"])
        for number in range(120):
            driver.edit_issue(REPOSITORY, 5, "alice" if number % 2 else "mei", f"body {number}")
        edits = gateway.list_body_edits(REPOSITORY, 5)
        assert [edit.body for edit in edits] == ["first", *(f"body {number}" for number in range(120))]
        assert edits[-1].editor == gateway.find_account("alice")

    def test_the_history_of_what_is_not_there_is_refused(self, gateway: Gateway) -> None:
        with pytest.raises(GitHubRefused) as refusal:
            gateway.list_body_edits(REPOSITORY, 99)
        assert refusal.value.status == 404


class TestComments:
    def test_pages_are_followed_to_the_end(self, gateway: Gateway, driver: Driver) -> None:
        driver.set_omit_last()
        for number in range(205):
            driver.comment(REPOSITORY, 5, "alice", f"comment {number}")
        comments = list(gateway.list_issue_comments(REPOSITORY, 5))
        assert [comment.body for comment in comments] == [f"comment {number}" for number in range(205)]
        assert len([path for path in paths(driver) if path.endswith("/comments")]) == 3
        assert {(comment.issue_number, comment.author.login) for comment in comments} == {(5, "alice")}

    def test_since_leaves_out_what_is_older(self, gateway: Gateway, driver: Driver) -> None:
        driver.comment(REPOSITORY, 5, "alice", "old", at="2026-03-02T08:00:00Z")
        driver.comment(REPOSITORY, 5, "alice", "new", at="2026-03-04T08:00:00Z")
        since = datetime(2026, 3, 3, tzinfo=UTC)
        assert [comment.body for comment in gateway.list_issue_comments(REPOSITORY, 5, since=since)] == [
            "new"
        ]

    def test_it_writes_edits_and_reacts(self, gateway: Gateway, driver: Driver) -> None:
        comment = gateway.create_comment(REPOSITORY, 5, "hello")
        assert comment.author.login == PORTAL_LOGIN
        edited = gateway.edit_comment(REPOSITORY, comment.id, "hello again")
        assert (edited.body, edited.issue_number) == ("hello again", 5)
        gateway.react(REPOSITORY, comment.id, "eyes")
        gateway.react(REPOSITORY, comment.id, "eyes")
        assert [found["body"] for found in driver.list_comments(REPOSITORY, 5)] == ["hello again"]

    def test_a_deleted_account_is_the_ghost(self, gateway: Gateway, driver: Driver) -> None:
        driver.comment(REPOSITORY, 5, "alice", "bye")
        driver.delete_user("alice")
        [comment] = gateway.list_issue_comments(REPOSITORY, 5)
        assert (comment.author.id, comment.author.login) == (10137, "ghost")


class TestPullRequests:
    @pytest.fixture
    def numbers(self, gateway: Gateway, driver: Driver) -> list[int]:
        return [
            driver.open_pull_request(
                REPOSITORY, f"PR {day}", "alice", "text", draft=day == 2, at=f"2026-03-0{day}T08:00:00Z"
            )["number"]
            for day in (1, 2, 3)
        ]

    def test_the_list_ends_where_nothing_was_updated_since(
        self, gateway: Gateway, numbers: list[int]
    ) -> None:
        found = list(gateway.list_pull_requests(REPOSITORY, since=datetime(2026, 3, 2, tzinfo=UTC)))
        assert [pull.title for pull in found] == ["PR 3", "PR 2"]
        assert [pull.is_draft for pull in found] == [False, True]

    def test_it_costs_one_request(self, gateway: Gateway, numbers: list[int], driver: Driver) -> None:
        before = len(driver.requests())
        list(gateway.list_pull_requests(REPOSITORY, since=datetime(2020, 1, 1, tzinfo=UTC)))
        assert len(driver.requests()) == before + 1

    def test_a_merged_one_says_by_whom(self, gateway: Gateway, numbers: list[int], driver: Driver) -> None:
        driver.merge(REPOSITORY, numbers[0], "mei", at="2026-03-05T08:00:00Z")
        driver.close(REPOSITORY, numbers[1], "alice")
        pull = gateway.get_pull_request(REPOSITORY, numbers[0])
        assert (pull.state, pull.merged_at) == (
            PullRequestState.MERGED,
            datetime(2026, 3, 5, 8, tzinfo=UTC),
        )
        assert pull.merged_by is not None
        assert (pull.merged_by.login, pull.repository, pull.base_branch) == ("mei", REPOSITORY, "develop")
        assert gateway.get_pull_request(REPOSITORY, numbers[1]).state is PullRequestState.CLOSED

    def test_reviews_say_who_ties_to_the_repository(
        self, gateway: Gateway, numbers: list[int], driver: Driver
    ) -> None:
        driver.review(REPOSITORY, numbers[0], "mei", "APPROVED")
        driver.review(REPOSITORY, numbers[0], PORTAL_LOGIN, "CHANGES_REQUESTED")
        reviews = gateway.list_reviews(REPOSITORY, numbers[0])
        assert [(review.state, review.association in REVIEWING_ASSOCIATIONS) for review in reviews] == [
            (ReviewState.APPROVED, True),
            (ReviewState.CHANGES_REQUESTED, False),
        ]

    def test_the_issue_api_says_that_it_is_one(self, gateway: Gateway, numbers: list[int]) -> None:
        assert gateway.get_issue(REPOSITORY, numbers[0]).is_pull_request


class TestBadDays:
    @pytest.mark.parametrize(
        ("fault", "seconds"),
        [
            ({"kind": "bad_gateway"}, None),
            ({"kind": "server_error"}, None),
            ({"kind": "hang_up"}, None),
            ({"kind": "garbage"}, None),
            ({"kind": "secondary_limit"}, 60),
            ({"kind": "secondary_limit", "retry_after": 30}, 30),
            ({"kind": "too_many_requests"}, 60),
            ({"kind": "too_many_requests", "retry_after": 7}, 7),
            ({"kind": "primary_limit", "reset_in": 1000}, 1000),
        ],
        ids=str,
    )
    @pytest.mark.parametrize("verb", ["rest", "graphql"])
    def test_are_for_later(
        self, gateway: Gateway, driver: Driver, fault: dict[str, Any], seconds: float | None, verb: str
    ) -> None:
        calls: dict[str, Callable[[], object]] = {
            "rest": lambda: gateway.get_issue(REPOSITORY, 5),
            "graphql": lambda: gateway.list_body_edits(REPOSITORY, 5),
        }
        driver.add_fault(**fault)
        with pytest.raises(GitHubUnavailable) as trouble:
            calls[verb]()
        assert trouble.value.retry_after == (None if seconds is None else pytest.approx(seconds, abs=3))
        calls[verb]()

    def test_a_bad_token_is_refused(self, gateway: Gateway, driver: Driver, settings: Settings) -> None:
        settings.GITHUB_TOKEN = "wrong"
        with pytest.raises(GitHubRefused) as refusal:
            connect().get_me()
        assert refusal.value.status == 401

    def test_a_page_that_fails_does_not_end_the_list(self, gateway: Gateway, driver: Driver) -> None:
        for number in range(101):
            driver.comment(REPOSITORY, 5, "alice", str(number))
        driver.add_fault("bad_gateway", path="/comments", skip=1)
        with pytest.raises(GitHubUnavailable):
            list(gateway.list_issue_comments(REPOSITORY, 5))

    def test_a_slow_answer_is_a_time_out(self, gateway: Gateway, driver: Driver, settings: Settings) -> None:
        settings.GITHUB_TIMEOUT = 1
        driver.add_fault("latency", seconds=3)
        with pytest.raises(GitHubUnavailable):
            connect().get_me()

    def test_nobody_there_is_for_later(self, settings: Settings) -> None:
        settings.GITHUB_API_URL = "http://127.0.0.1:1"
        with pytest.raises(GitHubUnavailable):
            connect().get_me()

    def test_a_thread_keeps_its_gateway_until_settings_change(self, settings: Settings) -> None:
        first = connect()
        assert connect() is first
        settings.GITHUB_TOKEN = "another"
        assert connect() is not first

    def test_without_a_token_nothing_is_asked(self, settings: Settings) -> None:
        settings.GITHUB_TOKEN = ""
        with pytest.raises(TokenMissing):
            connect()


@pytest.mark.django_db
class TestTransactions:
    def test_inside_one_it_refuses_to_call(self, gateway: Gateway, driver: Driver) -> None:
        before = len(driver.requests())
        with pytest.raises(RuntimeError, match="inside a transaction"), transaction.atomic():
            gateway.get_me()
        with pytest.raises(RuntimeError, match="inside a transaction"), transaction.atomic():
            next(gateway.list_pull_requests(REPOSITORY, since=datetime.now(UTC) - timedelta(days=1)))
        assert len(driver.requests()) == before

    def test_outside_it_calls(self, gateway: Gateway) -> None:
        assert gateway.get_me().login == PORTAL_LOGIN
