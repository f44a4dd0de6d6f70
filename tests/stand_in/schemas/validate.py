"""Validates what the stand-in says against GitHub's published schemas (see NOTICE)."""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator, FormatChecker
from jsonschema.exceptions import ValidationError

FOLDER = Path(__file__).parent
JSON = dict[str, Any]
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
_FORMATS = FormatChecker()


@_FORMATS.checks("date-time", raises=ValueError)
def is_moment(value: object) -> bool:
    """jsonschema itself checks moments only when another package is there."""
    if not isinstance(value, str):
        return True
    return _MOMENT.fullmatch(value) is not None and datetime.fromisoformat(value) is not None


@_FORMATS.checks("uri")
def is_address(value: object) -> bool:
    return not isinstance(value, str) or re.match(r"[a-z]+:\S+$", value) is not None


def _nullable(node: Any) -> Any:
    """OpenAPI 3.0's `nullable` in the words of JSON Schema."""
    if isinstance(node, list):
        return [_nullable(item) for item in node]
    if not isinstance(node, dict):
        return node
    converted = {key: _nullable(value) for key, value in node.items() if key != "nullable"}
    return {"anyOf": [converted, {"type": "null"}]} if node.get("nullable") is True else converted


def _read(file: str) -> JSON:
    content: JSON = json.loads((FOLDER / file).read_text(encoding="utf-8"))
    return content


@cache
def rest_description() -> JSON:
    """`operations` (by verb and path, then status: schema and headers) and the `definitions` they speak of."""
    description: JSON = _nullable(_read("openapi.json"))
    return description


@cache
def _webhook_definitions() -> JSON:
    definitions: JSON = _nullable(_read("webhooks.json"))["definitions"]
    return definitions


def whole(value: Any, pool: list[Any]) -> Any:
    """The value with each shared part back in its places."""
    if isinstance(value, list):
        return [whole(item, pool) for item in value]
    if not isinstance(value, dict):
        return value
    if "$shared" in value:
        return whole(pool[value["$shared"]], pool)
    return {key: whole(item, pool) for key, item in value.items()}


@cache
def examples() -> dict[str, dict[str, JSON]]:
    """GitHub's own examples: "rest" and "webhooks", each by name."""
    content = _read("examples.json")
    return {kind: whole(content[kind], content["shared"]) for kind in ("rest", "webhooks")}


def problems(schema: JSON, definitions: JSON, value: Any) -> Iterator[ValidationError]:
    """What is wrong with the value; none when it is as GitHub would write it."""
    validator = Draft7Validator({**schema, "definitions": definitions}, format_checker=_FORMATS)
    yield from validator.iter_errors(value)


def _complaints(name: str, schema: JSON, definitions: JSON, value: Any) -> list[str]:
    found = problems(schema, definitions, value)
    return [f"{name} {list(error.absolute_path)}: {error.message[:200]}" for error in found]


def shape_complaints(name: str, value: Any) -> list[str]:
    schema = {"$ref": f"#/definitions/{name}"}
    return _complaints(name, schema, rest_description()["definitions"], value)


def answer_complaints(operation: str, status: int, value: Any) -> list[str]:
    """What is wrong with the body as the answer of "GET /user", say, with this status.

    A status that the description leaves out for this operation must be a refusal in GitHub's usual shape, or a 304:
    https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate
    """
    if status == 304:
        return [] if value is None else [f"{operation} 304: GitHub sends no body"]
    usual = {"schema": {"$ref": "#/definitions/basic-error"}}
    documented = rest_description()["operations"][operation].get(str(status), usual)
    if status < 400 and documented is usual and status != 307:
        return [f"{operation}: GitHub never answers {status}"]
    if documented["schema"] is None:
        return [] if value is None else [f"{operation} {status}: GitHub sends no body"]
    return _complaints(operation, documented["schema"], rest_description()["definitions"], value)


def event_schema(event: str, action: str) -> tuple[JSON, JSON]:
    """The schema of a webhook and its definitions; a ping has no action."""
    return {"$ref": f"#/definitions/{event}${action or 'event'}"}, _webhook_definitions()


def event_complaints(event: str, payload: Any) -> list[str]:
    schema, definitions = event_schema(event, payload.get("action", ""))
    return _complaints(event, schema, definitions, payload)
