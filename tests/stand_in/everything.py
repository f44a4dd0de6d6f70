"""One GraphQL query for everything that the stand-in speaks."""

import json

from graphql import (
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLUnionType,
    get_named_type,
)

from tests.stand_in.cast import REPOSITORY
from tests.stand_in.schemas.graphql_check import schema

_DEPTH = 5


def everything(node_ids: list[str]) -> str:
    """Every field of every type, entering no type that leads back to itself."""
    owner, _, name = REPOSITORY.partition("/")
    arguments = {
        "issue": "number: 1",
        "issueOrPullRequest": "number: 2",
        "node": f"id: {json.dumps(node_ids[0])}",
        "nodes": f"ids: {json.dumps(node_ids)}",
        "pullRequest": "number: 2",
        "repository": f"owner: {json.dumps(owner)}, name: {json.dumps(name)}",
        "user": 'login: "alice"',
    }

    def field_text(name: str, field: GraphQLField, path: tuple[str, ...]) -> str | None:
        kind = get_named_type(field.type)
        given = "first: 3" if "first" in field.args else arguments.get(name, "") if field.args else ""
        text = f"{name}({given})" if given else name
        if not isinstance(kind, GraphQLObjectType | GraphQLInterfaceType | GraphQLUnionType):
            return text
        inner = None if kind.name in path or len(path) > _DEPTH else selection(kind, path)
        return f"{text} {{ {inner} }}" if inner else None

    def selection(kind: GraphQLNamedType, path: tuple[str, ...]) -> str:
        if isinstance(kind, GraphQLObjectType):
            found = [field_text(name, field, (*path, kind.name)) for name, field in kind.fields.items()]
            return " ".join(text for text in found if text)
        assert isinstance(kind, GraphQLInterfaceType | GraphQLUnionType)
        parts = ["__typename"]
        for one in schema().get_possible_types(kind):
            if one.name not in path and one.name != "Query":
                inner = [field_text(name, field, (*path, one.name)) for name, field in one.fields.items()]
                aliased = " ".join(
                    f"{one.name}_{text.partition('(')[0].split()[0]}: {text}" for text in inner if text
                )
                parts.append(f"... on {one.name} {{ {aliased} }}")
        return " ".join(parts)

    query = schema().query_type
    assert query is not None
    return f"query Everything {{ {selection(query, ())} }}"
