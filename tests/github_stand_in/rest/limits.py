"""The primary rate limit: https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api"""

import time
from dataclasses import dataclass

from tests.github_stand_in.errors import Refusal
from tests.github_stand_in.shapes.view import JSON
from tests.github_stand_in.web.messages import Response, json_response, refusal_response

WINDOW_SECONDS = 3600
ANONYMOUS_LIMIT = 60


@dataclass
class Window:
    """Real time, not the stand-in's: clients compare `reset` with their own clock."""

    limit: int
    reset: int
    used: int = 0

    @property
    def remaining(self) -> int:
        return max(self.limit - self.used, 0)

    def to_json(self) -> JSON:
        return {"limit": self.limit, "used": self.used, "remaining": self.remaining, "reset": self.reset}

    def headers(self, resource: str) -> dict[str, str]:
        shown = {f"X-RateLimit-{name.capitalize()}": str(value) for name, value in self.to_json().items()}
        return {**shown, "X-RateLimit-Resource": resource}


def exceeded(who: str, resource: str) -> Response:
    """Nothing left: REST refuses with 403, GraphQL answers 200 with an error."""
    if resource == "graphql":
        message = f"API rate limit already exceeded for {who}."
        # In 2026 people also report the type RATE_LIMIT: https://github.com/yanyongyu/githubkit/issues/271
        error = {"type": "RATE_LIMITED", "code": "graphql_rate_limit", "message": message}
        return json_response({"errors": [error]})
    return refusal_response(Refusal(403, f"API rate limit exceeded for {who}."))


class Limits:
    def __init__(self, limit: int = 5000) -> None:
        self.limit = limit
        self._length: float = WINDOW_SECONDS
        self._windows: dict[tuple[str, str], Window] = {}

    def window(self, who: str, resource: str) -> Window:
        window = self._windows.get((who, resource))
        if window is None or window.reset <= time.time():
            limit = self.limit if who or resource == "graphql" else ANONYMOUS_LIMIT
            window = self._windows[who, resource] = Window(limit, reset=int(time.time() + self._length))
        return window

    def overview(self, who: str) -> JSON:
        core = self.window(who, "core").to_json()
        search = Window(30, int(core["reset"])).to_json()
        resources = {"core": core, "graphql": self.window(who, "graphql").to_json(), "search": search}
        return {"resources": resources, "rate": core}

    def restart(self, limit: int, *, reset_in: float = WINDOW_SECONDS) -> None:
        """New windows with this limit, for tests that exhaust it."""
        self.limit = limit
        self._windows.clear()
        self._length = reset_in
