"""POST /graphql: parse, run, answer 200 with data and errors side by side."""

from typing import Any

from tests.github_stand_in.graphql.execution import Execution, InvalidQuery
from tests.github_stand_in.graphql.schema import Schema
from tests.github_stand_in.graphql.syntax import Document, Operation, SyntaxProblem, parse
from tests.github_stand_in.rest.context import Context
from tests.github_stand_in.web.messages import Response, json_response


def answer(context: Context) -> Response:
    context.require_actor()
    query, variables = context.request.json.get("query"), context.request.json.get("variables") or {}
    if not isinstance(query, str) or not query or not isinstance(variables, dict):
        return _invalid("A query attribute must be specified and must be a string.")
    try:
        document = parse(query)
        operation = _operation(document, context.request.json.get("operationName"))
        execution = Execution(document, {**operation.defaults, **variables})
        data = execution.run(Schema(context).query(), operation.selections, [])
    except (SyntaxProblem, InvalidQuery) as problem:
        return _invalid(str(problem))
    result: dict[str, Any] = {"data": data}
    if execution.errors:
        result["errors"] = execution.errors
    return json_response(result)


def _operation(document: Document, name: str | None) -> Operation:
    for operation in document.operations:
        if name in (None, "", operation.name):
            if operation.kind != "query":
                raise InvalidQuery("This stand-in answers queries only")
            return operation
    raise InvalidQuery("No operation to run")


def _invalid(message: str) -> Response:
    return json_response({"errors": [{"message": message, "locations": [{"line": 1, "column": 1}]}]})
