"""The queries of the portal and the answers of the stand-in, against GitHub's published GraphQL schema."""

import inspect
from pathlib import Path
from typing import Any

import pytest
from graphql import GraphQLInterfaceType, GraphQLObjectType, GraphQLUnionType, is_introspection_type

from tests.github_stand_in.driver import Driver
from tests.github_stand_in.graphql.execution import ABSTRACT, Node
from tests.github_stand_in.graphql.schema import Schema
from tests.github_stand_in.rest.context import Context
from tests.github_stand_in.state.world import World
from tests.github_stand_in.verbs import comments, issues, people, pulls
from tests.github_stand_in.web.messages import Request
from tests.stand_in.cast import REPOSITORY, fetch
from tests.stand_in.everything import everything
from tests.stand_in.schemas.graphql_check import (
    JSON,
    answer_complaints,
    queries_sent_by,
    query_complaints,
    schema,
)

_CLIENT = Path(__file__).parents[2] / "portal" / "github" / "client.py"
_QUERIES = queries_sent_by(_CLIENT)
_BODY_EDITS = _QUERIES["BODY_EDITS"]


def _ask(driver: Driver, query: str, variables: JSON) -> JSON:
    """The answer, found to be one that GitHub could give."""
    sent = {"query": query, "variables": variables}
    answer: JSON = fetch(f"{driver.base_url}/graphql", method="POST", data=sent).json
    assert answer_complaints(query, variables, answer) == [], answer.get("errors")
    return answer


def _about(number: int, repository: str = REPOSITORY, after: str | None = None) -> JSON:
    owner, _, name = repository.partition("/")
    return {"owner": owner, "name": name, "number": number, "after": after}


class TestQueriesOfThePortal:
    @pytest.mark.parametrize("name", _QUERIES)
    def test_github_would_take_it(self, name: str) -> None:
        assert query_complaints(_QUERIES[name]) == []

    def test_nothing_else_sends_queries(self) -> None:
        """Only the client speaks to GitHub; every query text in it is one of those that are checked."""
        text = _CLIENT.read_text(encoding="utf-8")
        assert text.count("graphql_url") == 1
        assert set(_QUERIES) == {"BODY_EDITS", "COMMENT_EDITS"}

    def test_the_history_of_a_body_page_by_page(self, driver: Driver) -> None:
        driver.create_issue(REPOSITORY, "Tasks", "0", "mei")
        none = _ask(driver, _BODY_EDITS, _about(1))["data"]["repository"]["issue"]["userContentEdits"]
        assert none == {"nodes": [], "pageInfo": {"hasNextPage": False, "endCursor": None}}
        steps = [
            {"do": "edit_issue", "repository": REPOSITORY, "number": 1, "editor": "mei", "body": f"{n}"}
            for n in range(1, 120)
        ]
        driver.load_scenario({"steps": steps})
        after, seen = None, []
        for _ in range(2):
            edits = _ask(driver, _BODY_EDITS, _about(1, after=after))
            page = edits["data"]["repository"]["issue"]["userContentEdits"]
            seen += [node["diff"] for node in page["nodes"]]
            after = page["pageInfo"]["endCursor"]
        assert (seen, page["pageInfo"]["hasNextPage"]) == ([f"{n}" for n in range(119, -1, -1)], False)

    def test_editors_of_every_kind(self, driver: Driver) -> None:
        driver.create_user("helper[bot]", type="Bot")
        driver.create_issue(REPOSITORY, "Tasks", "one", "alice")
        for editor in ("helper[bot]", "bob", "mei"):
            driver.edit_issue(REPOSITORY, 1, editor, f"by {editor}")
        driver.delete_user("bob")
        answer = _ask(driver, _BODY_EDITS, _about(1))
        nodes = answer["data"]["repository"]["issue"]["userContentEdits"]["nodes"]
        kinds = [node["editor"] and node["editor"]["__typename"] for node in nodes]
        assert kinds == ["User", None, "Bot", "User"]

    def test_the_history_of_a_comment(self, driver: Driver) -> None:
        driver.create_issue(REPOSITORY, "Tasks", "0", "mei")
        made = driver.comment(REPOSITORY, 1, "bob", "one")
        driver.edit_comment(made["id"], "mei", "two")
        about = {"id": made["node_id"], "after": None}
        edits = _ask(driver, _QUERIES["COMMENT_EDITS"], about)["data"]["node"]["userContentEdits"]
        assert [(node["diff"], node["editor"]["login"]) for node in edits["nodes"]] == [
            ("two", "mei"),
            ("one", "bob"),
        ]

    def test_what_is_not_there(self, driver: Driver) -> None:
        """Also an issue that has moved to another repository: GraphQL does not follow it."""
        driver.create_repository("harbor/beacon", owners=["mei"])
        driver.create_issue(REPOSITORY, "Tasks", "one", "mei")
        driver.transfer_issue(REPOSITORY, 1, "harbor/beacon", "mei")
        for about in (_about(1), _about(9), _about(1, "harbor/nowhere")):
            assert _ask(driver, _BODY_EDITS, about)["errors"][0]["type"] == "NOT_FOUND"

    def test_a_renamed_repository(self, driver: Driver) -> None:
        driver.create_issue(REPOSITORY, "Tasks", "one", "mei")
        driver.edit_issue(REPOSITORY, 1, "mei", "two")
        driver.rename_repository(REPOSITORY, "lighthouse", "mei")
        edits = _ask(driver, _BODY_EDITS, _about(1))["data"]["repository"]["issue"]["userContentEdits"]
        assert len(edits["nodes"]) == 2


def test_every_field_answers_as_the_schema_says(driver: Driver) -> None:
    """One query for all that the stand-in speaks, over a world in which each of it is there."""
    driver.create_user("helper[bot]", type="Bot")
    issue = driver.create_issue(REPOSITORY, "Tasks", "one", "mei", labels=["task"])
    driver.edit_issue(REPOSITORY, 1, "helper[bot]", "two")
    driver.set_assignees(REPOSITORY, 1, "mei", ["mei"])
    made = driver.comment(REPOSITORY, 1, "bob", "hello")
    driver.edit_comment(made["id"], "bob", "hello again")
    pull = driver.open_pull_request(REPOSITORY, "Lamp", "alice", "Fixes #1")
    driver.review(REPOSITORY, 2, "mei", "approve", body="fine")
    driver.merge(REPOSITORY, 2, "mei")
    query = everything([issue["node_id"], pull["node_id"], made["node_id"]])
    assert query_complaints(query) == []
    assert "errors" not in _ask(driver, query, {})


class TestTheCheckItself:
    def test_it_finds_faults_in_queries(self) -> None:
        for wrong in (
            "{ viewer { shoeSize } }",
            "query ($n: Int!) { viewer { login } }",
            _BODY_EDITS.replace("$number: Int!", "$number: String!"),
        ):
            assert query_complaints(wrong) != []

    @pytest.mark.parametrize(
        "viewer",
        [
            {},
            {"login": None, "databaseId": 1, "url": "http://a/b"},
            {"login": "mei", "databaseId": 3_000_000_000, "url": "http://a/b"},
            {"login": "mei", "databaseId": 1, "url": "no address"},
            {"login": "mei", "databaseId": 1, "url": "http://a/b", "shoeSize": 39},
        ],
    )
    def test_it_finds_faults_in_answers(self, viewer: JSON) -> None:
        query = "{ viewer { login databaseId url } }"
        assert answer_complaints(query, {}, {"data": {"viewer": viewer}}) != []

    def test_it_finds_faults_in_variables(self) -> None:
        assert answer_complaints(_BODY_EDITS, {"owner": 1}, {"data": {"repository": None}}) != []


# What the stand-in can say at all: its tables of fields, read inside this process.


def _small_world() -> Schema:
    world = World("http://stand-in.invalid")
    mei = people.create_user(world, login="mei")
    people.create_user(world, login="helper[bot]", kind="Bot")
    repository = people.create_repository(world, full_name="harbor/lantern")
    issue = issues.create_issue(world, repository, author=mei, title="Tasks", labels=["task"])
    issues.edit_issue(world, issue, actor=mei, body="two")
    issues.set_assignees(world, issue, actor=mei, people=[mei])
    comments.create_comment(world, issue, author=mei, body="hello")
    pull = pulls.open_pull_request(world, repository, author=mei, title="Lamp", body="Fixes #1")
    pulls.review(world, pull, author=mei, state="comment")
    return Schema(Context(world, Request("POST", "/graphql", {}, {}), "/graphql", "", mei))


_ARGUMENTS: JSON = {
    "first": 5,
    "owner": "harbor",
    "name": "lantern",
    "login": "helper[bot]",
    "id": "",
    "ids": [],
}


def _value(field: str, value: Any) -> Any:
    if not callable(value):
        return value
    names = inspect.signature(value).parameters
    known = {**_ARGUMENTS, "number": 2 if field == "pullRequest" else 1}
    wanted = {name: known[name] for name in (*names, "first") if name in known}
    return value(
        **(wanted if "first" in names or "page" in names else {n: wanted[n] for n in names if n in wanted})
    )


def _spoken(node: Node, found: dict[str, set[str]]) -> None:
    """The fields of this node and of all that it leads to, by type."""
    if node.type in found:
        return
    fields = node.fields()
    found[node.type] = set(fields)
    for name, field in fields.items():
        value = None if name in ("node", "nodes") and node.type == "Query" else _value(name, field)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, Node):
                _spoken(item, found)


def test_its_fields_and_types_are_those_of_the_schema() -> None:
    found: dict[str, set[str]] = {}
    _spoken(_small_world().query(), found)
    types = schema().type_map.values()
    objects = [
        kind for kind in types if isinstance(kind, GraphQLObjectType) and not is_introspection_type(kind)
    ]
    assert found == {kind.name: set(kind.fields) for kind in objects}
    abstract = [kind for kind in types if isinstance(kind, GraphQLInterfaceType | GraphQLUnionType)]
    possible = {kind.name: {one.name for one in schema().get_possible_types(kind)} for kind in abstract}
    assert possible == ABSTRACT
