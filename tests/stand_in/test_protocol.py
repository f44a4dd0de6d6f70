import github
import pytest

from tests.github_stand_in.driver import Driver
from tests.stand_in.cast import REPOSITORY, fetch
from tests.stand_in.schemas.validate import shape_complaints


@pytest.fixture
def issue_url(driver: Driver) -> str:
    driver.create_issue(REPOSITORY, "Tasks", "text", "mei")
    return f"{driver.base_url}/repos/{REPOSITORY}/issues/1"


def _fill(driver: Driver, count: int) -> None:
    driver.create_issue(REPOSITORY, "Busy", "", "mei")
    steps = [
        {"do": "comment", "repository": REPOSITORY, "number": 1, "author": "bob", "body": f"{n}"}
        for n in range(count)
    ]
    driver.load_scenario({"steps": steps})


class TestPages:
    def test_pygithub_walks_through_all_of_them(self, driver: Driver, mei: github.Github) -> None:
        _fill(driver, 250)
        comments = list(mei.get_repo(REPOSITORY).get_issue(1).get_comments())
        assert [comment.body for comment in comments] == [str(n) for n in range(250)]

    def test_the_link_header_names_its_neighbours(self, driver: Driver) -> None:
        _fill(driver, 7)
        url = f"{driver.base_url}/repos/{REPOSITORY}/issues/1/comments"
        link = fetch(f"{url}?per_page=3&page=2").headers["link"]
        expected = {"prev": 1, "next": 3, "last": 3, "first": 1}
        assert link == ", ".join(f'<{url}?per_page=3&page={n}>; rel="{rel}"' for rel, n in expected.items())
        assert "link" not in fetch(url).headers

    def test_the_last_link_can_be_missing(self, driver: Driver, mei: github.Github) -> None:
        _fill(driver, 70)
        driver.set_omit_last()
        link = fetch(f"{driver.base_url}/repos/{REPOSITORY}/issues/1/comments").headers["link"]
        assert 'rel="next"' in link
        assert "last" not in link
        assert len(list(mei.get_repo(REPOSITORY).get_issue(1).get_comments())) == 70


class TestConditionalRequests:
    def test_nothing_new_is_304_and_free(self, driver: Driver, issue_url: str) -> None:
        first = fetch(issue_url)
        again = fetch(issue_url, headers={"If-None-Match": first.headers["etag"]})
        assert (again.status, again.body) == (304, b"")
        assert again.headers["x-ratelimit-used"] == first.headers["x-ratelimit-used"]
        driver.edit_issue(REPOSITORY, 1, "mei", "other text")
        changed = fetch(issue_url, headers={"If-None-Match": first.headers["etag"]})
        assert changed.status == 200
        assert changed.headers["etag"] != first.headers["etag"]

    def test_pygithub_sees_the_304(self, issue_url: str, mei: github.Github) -> None:
        path = f"/repos/{REPOSITORY}/issues/1"
        _, headers, _ = mei.requester.requestJson("GET", path)
        status, _, body = mei.requester.requestJson("GET", path, headers={"If-None-Match": headers["etag"]})
        assert (status, body) == (304, "")


class TestLimits:
    def test_every_answer_counts(self, issue_url: str) -> None:
        used = [int(fetch(issue_url).headers["x-ratelimit-used"]) for _ in range(3)]
        assert used == [1, 2, 3]

    def test_the_overview_is_free(self, driver: Driver, issue_url: str) -> None:
        fetch(issue_url)
        for _ in range(2):
            assert fetch(f"{driver.base_url}/rate_limit").json["resources"]["core"]["used"] == 1

    def test_an_exhausted_limit_is_403_with_a_reset(self, driver: Driver, issue_url: str) -> None:
        driver.set_rate_limit(1, reset_in=30)
        assert fetch(issue_url).status == 200
        refused = fetch(issue_url)
        assert (refused.status, refused.headers["x-ratelimit-remaining"]) == (403, "0")
        overview = fetch(f"{driver.base_url}/rate_limit").json["resources"]["core"]
        assert refused.headers["x-ratelimit-reset"] == str(overview["reset"])
        assert fetch(issue_url, token="token-of-alice").status == 200

    def test_graphql_has_a_limit_of_its_own_and_says_so_with_200(
        self, driver: Driver, issue_url: str
    ) -> None:
        driver.set_rate_limit(1)
        assert fetch(issue_url).status == 200
        url, query = f"{driver.base_url}/graphql", {"query": "{ viewer { login } }"}
        first, second = [fetch(url, method="POST", data=query) for _ in range(2)]
        assert (first.status, first.json["data"]["viewer"]["login"]) == (200, "mei")
        assert (second.status, second.json["errors"][0]["type"]) == (200, "RATE_LIMITED")
        assert second.headers["x-ratelimit-remaining"] == "0"
        assert second.headers["x-ratelimit-resource"] == "graphql"

    @pytest.mark.parametrize(
        ("kind", "status", "remaining"),
        [("primary_limit", 403, "0"), ("secondary_limit", 403, "4999"), ("too_many_requests", 429, "4999")],
    )
    def test_limits_on_order_have_all_their_headers(
        self, driver: Driver, issue_url: str, kind: str, status: int, remaining: str
    ) -> None:
        driver.add_fault(kind, count=2, path="issues|graphql", retry_after=5)
        refused = fetch(issue_url)
        assert (refused.status, refused.headers["x-ratelimit-remaining"]) == (status, remaining)
        assert shape_complaints("basic-error", refused.json) == []
        query = fetch(f"{driver.base_url}/graphql", method="POST", data={"query": "{ viewer { login } }"})
        assert query.headers["x-ratelimit-resource"] == "graphql"
        ordinary = {name for name in fetch(f"{driver.base_url}/user").headers if "ratelimit" in name}
        for answer in (refused, query):
            assert ordinary | {"retry-after"} <= set(answer.headers)


class TestRefusals:
    @pytest.mark.parametrize(
        ("path", "token", "status", "message"),
        [
            ("/user", "forged", 401, "Bad credentials"),
            ("/user", None, 401, "Requires authentication"),
            ("/repos/harbor/nowhere", "token-of-mei", 404, "Not Found"),
            ("/repos/harbor/lantern/issues/99", "token-of-mei", 404, "Not Found"),
            (
                "/repos/harbor/lantern/collaborators/bob/permission",
                "token-of-alice",
                403,
                "Must have push access",
            ),
        ],
    )
    def test_they_read_like_githubs(
        self, driver: Driver, path: str, token: str | None, status: int, message: str
    ) -> None:
        answer = fetch(driver.base_url + path, token=token)
        assert (answer.status, answer.json["status"]) == (status, str(status))
        assert answer.json["message"].startswith(message)
        assert answer.json["documentation_url"].startswith("https://docs.github.com/")

    def test_private_repositories_hide_from_strangers(self, driver: Driver) -> None:
        driver.create_repository("harbor/vault", owners=["mei"], private=True)
        url = f"{driver.base_url}/repos/harbor/vault"
        assert [fetch(url).status, fetch(url, token="token-of-alice").status] == [200, 404]

    @pytest.mark.parametrize("body", [b"{", b"[]", b"\xff", b"[" * 100_000])
    def test_broken_json_is_400(self, issue_url: str, body: bytes) -> None:
        assert fetch(issue_url, method="PATCH", data=body).status == 400

    def test_huge_bodies_are_413(self, issue_url: str) -> None:
        assert fetch(issue_url, method="PATCH", headers={"Content-Length": "99999999"}).status == 413

    def test_other_host_names_are_turned_away(self, issue_url: str) -> None:
        assert fetch(issue_url, headers={"Host": "evil.example"}).status == 421

    def test_the_driving_api_takes_json_only(self, driver: Driver) -> None:
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        assert fetch(f"{driver.base_url}/_drive/reset", method="POST", data=b"{}", headers=form).status == 405


class TestFaults:
    def test_the_next_requests_fail_and_then_it_is_over(self, driver: Driver, issue_url: str) -> None:
        driver.add_fault("bad_gateway", count=2)
        assert [fetch(issue_url).status for _ in range(3)] == [502, 502, 200]

    @pytest.mark.parametrize("retry_after", [7, None])
    def test_a_secondary_limit_may_say_when_to_return(
        self, driver: Driver, issue_url: str, retry_after: int | None
    ) -> None:
        driver.add_fault("secondary_limit", method="PATCH", retry_after=retry_after)
        assert fetch(issue_url).status == 200
        refused = fetch(issue_url, method="PATCH", data={"body": "x"})
        assert refused.status == 403
        assert refused.headers.get("retry-after") == (None if retry_after is None else "7")
        assert "secondary rate limit" in refused.json["message"]
        assert driver.get_issue(REPOSITORY, 1)["body"] == "text"

    def test_an_answer_can_get_lost_after_the_deed(self, driver: Driver, issue_url: str) -> None:
        driver.add_fault("bad_gateway", method="PATCH", after=True)
        assert fetch(issue_url, method="PATCH", data={"body": "done"}).status == 502
        assert driver.get_issue(REPOSITORY, 1)["body"] == "done"

    def test_a_page_in_the_middle_can_fail(self, driver: Driver, issue_url: str) -> None:
        driver.add_fault("server_error", path="/issues/1$", skip=1)
        assert [fetch(issue_url).status for _ in range(3)] == [200, 500, 200]

    def test_it_can_hang_up_and_be_slow(self, driver: Driver, issue_url: str) -> None:
        driver.add_fault("hang_up")
        with pytest.raises(OSError, match=r"closed|reset"):
            fetch(issue_url)
        driver.add_fault("latency", seconds=0.2)
        assert fetch(issue_url).status == 200
        assert [entry["fault"] for entry in driver.requests()] == ["hang_up", "latency"]

    def test_the_log_tells_what_was_asked(self, driver: Driver, issue_url: str) -> None:
        driver.add_fault("bad_gateway")
        fetch(issue_url)
        fetch(issue_url, method="PATCH", data={"body": "x"})
        seen = [(entry["method"], entry["status"], entry["fault"]) for entry in driver.requests()]
        assert seen == [("GET", 502, "bad_gateway"), ("PATCH", 200, None)]
