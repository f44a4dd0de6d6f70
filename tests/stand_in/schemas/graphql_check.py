"""Queries and answers against GitHub's published GraphQL schema (see NOTICE)."""

import ast
from functools import cache
from pathlib import Path
from typing import Any

from graphql import (
    DocumentNode,
    ExecutionResult,
    GraphQLAbstractType,
    GraphQLError,
    GraphQLResolveInfo,
    GraphQLScalarType,
    GraphQLSchema,
    OperationDefinitionNode,
    build_schema,
    execute,
    parse,
    validate,
)
from graphql.execution.values import get_variable_values

from tests.stand_in.schemas.validate import FOLDER, is_address, is_moment

JSON = dict[str, Any]
_SCALARS = {
    "BigInt": lambda value: isinstance(value, str) and value.isdecimal(),
    "DateTime": lambda value: isinstance(value, str) and is_moment(value),
    "GitObjectID": lambda value: isinstance(value, str) and len(value) == 40,
    "URI": lambda value: isinstance(value, str) and (value.startswith("/") or is_address(value)),
}


def _checked(name: str) -> Any:
    def serialize(value: object) -> object:
        if not _SCALARS[name](value):
            raise GraphQLError(f"{value!r} is no {name}")
        return value

    return serialize


@cache
def schema() -> GraphQLSchema:
    built = build_schema((FOLDER / "schema.graphql").read_text(encoding="utf-8"))
    for name, kind in built.type_map.items():
        if isinstance(kind, GraphQLScalarType) and name in _SCALARS:
            kind.serialize = _checked(name)  # type: ignore[method-assign]
    return built


def query_complaints(query: str) -> list[str]:
    """What GitHub would refuse the query for; empty when it fits the schema."""
    try:
        return [error.message for error in validate(schema(), parse(query))]
    except GraphQLError as error:
        return [error.message]


def _resolve(source: Any, info: GraphQLResolveInfo, **_: Any) -> Any:
    return source[info.path.key]


def _resolve_type(value: Any, _: GraphQLResolveInfo, __: GraphQLAbstractType) -> Any:
    return value["__typename"]


def answer_complaints(query: str, variables: JSON, answer: JSON) -> list[str]:
    """What is wrong with the answer to a valid query.

    The query runs once more, over the answer in place of a database: what is missing, null against the schema, of
    another type or of no enumeration is an error, and what nobody asked for makes the two differ. Where the schema
    leaves the type open the query has to ask for `__typename`.
    """
    document = parse(query)
    complaints = _variable_complaints(document, variables)
    again = execute(
        schema(),
        document,
        root_value=answer.get("data"),
        variable_values=variables,
        field_resolver=_resolve,
        type_resolver=_resolve_type,
    )
    assert isinstance(again, ExecutionResult)
    complaints += [f"{error.path}: {error.message}" for error in again.errors or ()]
    if not complaints and again.data != answer.get("data"):
        complaints.append("the answer holds what the query did not ask for")
    return complaints


def _variable_complaints(document: DocumentNode, variables: JSON) -> list[str]:
    (operation,) = (node for node in document.definitions if isinstance(node, OperationDefinitionNode))
    coerced = get_variable_values(schema(), operation.variable_definitions, variables)
    return [error.message for error in coerced] if isinstance(coerced, list) else []


def queries_sent_by(file: Path) -> dict[str, str]:
    """The texts that a module hands to `self._query(...)`, by the names of their constants."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    constants = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name) and isinstance(node.value.value, str)
    }
    asked = [
        node.args[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "_query"
    ]
    unknown = [
        ast.unparse(text) for text in asked if not isinstance(text, ast.Name) or text.id not in constants
    ]
    if unknown:
        raise LookupError(f"queries that are no constants of their module: {unknown}")
    return {text.id: constants[text.id] for text in asked if isinstance(text, ast.Name)}
