"""Faults on order: the next n matching requests fail the way GitHub fails."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass

from tests.github_stand_in.errors import Refusal
from tests.github_stand_in.rest.limits import Window, exceeded
from tests.github_stand_in.web.messages import Request, Response, json_response, refusal_response

SECONDARY = (
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again. "
    "If you reach out to GitHub Support for help, please include the request ID."
)
KINDS = (
    "bad_gateway",
    "server_error",
    "secondary_limit",
    "primary_limit",
    "too_many_requests",
    "unauthorized",
    "latency",
    "hang_up",
    "garbage",
)


@dataclass
class Fault:
    """`after`: the request takes effect and only its answer gets lost. `skip`: let that many pass first."""

    kind: str
    count: int = 1
    method: str = ""
    path: str = ""
    retry_after: int | None = None
    seconds: float = 0.0
    reset_in: int = 60
    after: bool = False
    skip: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise Refusal(422, f"kind must be one of {', '.join(KINDS)}")

    def matches(self, request: Request) -> bool:
        if self.count <= 0 or (self.method and self.method.upper() != request.method):
            return False
        return re.search(self.path, request.path) is not None

    def response(self, request: Request) -> Response:
        return _RESPONSES[self.kind](self, "graphql" if request.path.endswith("/graphql") else "core")


def _limited(fault: Fault, response: Response, resource: str, remaining: int) -> Response:
    reset = int(time.time()) + fault.reset_in
    response.headers |= Window(5000, reset, used=5000 - remaining).headers(resource)
    if fault.retry_after is not None:
        response.headers["Retry-After"] = str(fault.retry_after)
    return response


def _secondary(fault: Fault, status: int, resource: str) -> Response:
    return _limited(fault, refusal_response(Refusal(status, SECONDARY)), resource, 4999)


def _garbage() -> Response:
    return Response(200, b'{"id": 1, "nu', {"Content-Type": "application/json; charset=utf-8"})


_RESPONSES: dict[str, Callable[[Fault, str], Response]] = {
    "bad_gateway": lambda *_: json_response({"message": "Server Error"}, 502),
    "server_error": lambda *_: Response(500, b"<html>Unicorn!</html>", {"Content-Type": "text/html"}),
    "secondary_limit": lambda fault, resource: _secondary(fault, 403, resource),
    "primary_limit": lambda fault, resource: _limited(
        fault, exceeded("user ID 90000001", resource), resource, 0
    ),
    "too_many_requests": lambda fault, resource: _secondary(fault, 429, resource),
    "unauthorized": lambda *_: refusal_response(Refusal(401, "Bad credentials")),
    "latency": lambda *_: Response(),
    "hang_up": lambda *_: Response(drop_connection=True),
    "garbage": lambda *_: _garbage(),
}


class Faults:
    def __init__(self) -> None:
        self._faults: list[Fault] = []

    def add(self, fault: Fault) -> None:
        self._faults.append(fault)

    def clear(self) -> None:
        self._faults.clear()

    def take(self, request: Request) -> Fault | None:
        """The first fault that wants this request, counted down."""
        self._faults = [fault for fault in self._faults if fault.count > 0]
        for fault in self._faults:
            if fault.matches(request):
                if fault.skip > 0:
                    fault.skip -= 1
                    continue
                fault.count -= 1
                return fault
        return None
