"""Requests and responses."""

import json
import urllib.parse
from dataclasses import dataclass, field
from functools import cached_property
from http.cookies import CookieError, SimpleCookie
from typing import Any

from tests.github_stand_in.errors import Refusal


@dataclass
class Request:
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes = b""

    @property
    def origin(self) -> str:
        return f"http://{self.headers.get('host', '127.0.0.1')}"

    def header(self, name: str) -> str:
        return self.headers.get(name, "")

    @cached_property
    def json_value(self) -> Any:
        try:
            return json.loads(self.body or b"{}")
        except (ValueError, RecursionError):
            raise Refusal(400, "Problems parsing JSON") from None

    @cached_property
    def json(self) -> dict[str, Any]:
        """The body as a JSON object; anything else is refused like GitHub does."""
        value = self.json_value
        if not isinstance(value, dict):
            raise Refusal(400, "Body should be a JSON object")
        return value

    @cached_property
    def form(self) -> dict[str, str]:
        pairs = urllib.parse.parse_qsl(self.body.decode(errors="replace"), keep_blank_values=True)
        return dict(pairs)

    @cached_property
    def cookies(self) -> dict[str, str]:
        jar: SimpleCookie = SimpleCookie()
        try:
            jar.load(self.header("cookie"))
        except CookieError:
            return {}
        return {name: morsel.value for name, morsel in jar.items()}


@dataclass
class Response:
    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    drop_connection: bool = False


def json_response(value: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    content_type = {"Content-Type": "application/json; charset=utf-8"}
    return Response(status, body, content_type | (headers or {}))


def no_content() -> Response:
    return Response(204)


def redirect(location: str, *, status: int = 303, cookie: str | None = None) -> Response:
    headers = {"Location": location}
    if cookie is not None:
        headers["Set-Cookie"] = cookie
    return Response(status, b"", headers)


def refusal_response(refusal: Refusal) -> Response:
    return json_response(refusal.to_json(), refusal.status)
