from typing import Any

import github
import pytest

from tests.github_stand_in.driver import Driver
from tests.stand_in.cast import REPOSITORY, fetch

_HISTORY = """
query History($number: Int!) {
  repository(owner: "harbor", name: "lantern") {
    issue(number: $number) {
      body
      lastEditedAt
      userContentEdits(first: 10) { nodes { editedAt diff editor { login ... on User { databaseId } } } }
    }
  }
}
"""
_PULLS = """
query Pulls($after: String) {
  repository(owner: "harbor", name: "lantern") {
    pullRequests(first: 2, after: $after, orderBy: {field: UPDATED_AT, direction: DESC}) {
      pageInfo { hasNextPage endCursor }
      nodes { ...Pull }
    }
  }
}
fragment Pull on PullRequest { number state author { login } reviews(first: 5) { nodes { state } } }
"""


def _ask(driver: Driver, query: str, path: str = "/graphql", **variables: Any) -> Any:
    return fetch(driver.base_url + path, method="POST", data={"query": query, "variables": variables}).json


def test_it_tells_the_history_of_a_body_newest_first(driver: Driver) -> None:
    driver.create_issue(REPOSITORY, "Tasks", "one", "mei")
    before = _ask(driver, _HISTORY, number=1)["data"]["repository"]["issue"]
    assert (before["lastEditedAt"], before["userContentEdits"]["nodes"]) == (None, [])
    driver.edit_issue(REPOSITORY, 1, "alice", "two")
    nodes = _ask(driver, _HISTORY, number=1)["data"]["repository"]["issue"]["userContentEdits"]["nodes"]
    assert [(node["diff"], node["editor"]["login"]) for node in nodes] == [("two", "alice"), ("one", "mei")]
    assert nodes[0]["editor"]["databaseId"] > 0


def test_it_pages_through_pull_requests(driver: Driver) -> None:
    for number in range(1, 4):
        driver.open_pull_request(REPOSITORY, f"PR {number}", "alice")
    driver.review(REPOSITORY, 1, "mei", "approve")
    driver.merge(REPOSITORY, 1, "mei", at="2030-01-01T00:00:00Z")
    first = _ask(driver, _PULLS)["data"]["repository"]["pullRequests"]
    assert [node["number"] for node in first["nodes"]] == [1, 3]
    assert first["nodes"][0]["state"] == "MERGED"
    assert first["nodes"][0]["reviews"]["nodes"] == [{"state": "APPROVED"}]
    rest = _ask(driver, _PULLS, "/api/graphql", after=first["pageInfo"]["endCursor"])
    page = rest["data"]["repository"]["pullRequests"]
    assert ([node["number"] for node in page["nodes"]], page["pageInfo"]["hasNextPage"]) == ([2], False)


def test_one_missing_node_costs_only_itself(driver: Driver) -> None:
    made = driver.open_pull_request(REPOSITORY, "PR", "alice")
    query = "query($ids: [ID!]!) { nodes(ids: $ids) { __typename ... on PullRequest { title } } }"
    answer = _ask(driver, query, ids=[made["node_id"], "bm9uZQ=="])
    assert answer["data"]["nodes"] == [{"__typename": "PullRequest", "title": "PR"}, None]
    assert (answer["errors"][0]["type"], answer["errors"][0]["path"]) == ("NOT_FOUND", ["nodes", 1])


def test_pygithub_reaches_it(driver: Driver, mei: github.Github) -> None:
    driver.create_issue(REPOSITORY, "Tasks", "", "mei")
    _, answer = mei.requester.graphql_query(_HISTORY, {"number": 1})
    assert answer["data"]["repository"]["issue"]["body"] == ""


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("{ repository(owner: 1", "Expected"),
        ("{ viewer { shoeSize } }", "Field 'shoeSize' doesn't exist on type 'User'"),
        ("{ viewer { login { x } } }", "Selections can't be made on scalars"),
        ("mutation { addStar }", "queries only"),
        ("{ viewer { ...Gone } }", "not defined"),
        ("{" + " a {" * 5_000, "nested too deeply"),
        ('{ repository(owner: "harbor", name: "lantern") { issues { totalCount } } }', "`first` or `last`"),
        ('{ repository(owner: "harbor", name: "lantern") { issues(first: 101) { totalCount } } }', "exceeds"),
    ],
)
def test_it_refuses_with_a_reason(driver: Driver, query: str, message: str) -> None:
    assert message in _ask(driver, query)["errors"][0]["message"]
