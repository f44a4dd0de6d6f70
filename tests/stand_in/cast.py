"""Names that the tests of the stand-in share, and the two ways to speak to it."""

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import github

REPOSITORY = "harbor/lantern"
MEI_TOKEN = "token-of-mei"


@contextmanager
def client(url: str, token: str) -> Iterator[github.Github]:
    connection = github.Github(
        base_url=url,
        auth=github.Auth.Token(token),
        retry=None,
        seconds_between_requests=None,
        seconds_between_writes=None,
    )
    try:
        yield connection
    finally:
        connection.close()


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_Stay, urllib.request.ProxyHandler({}))


def fetch(
    url: str,
    *,
    method: str = "GET",
    token: str | None = MEI_TOKEN,
    data: object = None,
    headers: dict[str, str] | None = None,
) -> Answer:
    """One plain request; `data` goes as JSON, bytes go as they are; redirects stay where they are."""
    sent = dict(headers or {})
    if token is not None:
        sent["Authorization"] = f"token {token}"
    body = data if isinstance(data, bytes) else (None if data is None else json.dumps(data).encode())
    request = urllib.request.Request(url, body, sent, method=method)  # noqa: S310 - our own address
    try:
        with _OPENER.open(request, timeout=20) as response:
            return _answer(response.status, response.headers, response.read())
    except urllib.error.HTTPError as error:
        with error:
            return _answer(error.code, error.headers, error.read())


def _answer(status: int, headers: Any, body: bytes) -> Answer:
    return Answer(status, {name.lower(): value for name, value in headers.items()}, body)
