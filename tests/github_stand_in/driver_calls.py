"""How a driver reaches the stand-in: POST /_drive/VERB."""

import http.client
import json
import urllib.parse
from typing import Any

JSON = dict[str, Any]


class DriverError(Exception):
    """The stand-in refused; the message says why."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"{status}: {message}")
        self.status = status


class Caller:
    """Calls verbs by their names."""

    def __init__(self, base_url: str, *, timeout: float = 70) -> None:
        self.base_url = base_url.rstrip("/")
        self._address = urllib.parse.urlsplit(self.base_url).netloc
        self._timeout = timeout

    def call(self, verb: str, /, **arguments: Any) -> Any:
        """Any verb by name, with `at` if it is to happen at another time."""
        if arguments.get("at") is None:
            arguments.pop("at", None)
        body = json.dumps(arguments).encode()
        status, answer = self._post(f"/_drive/{verb}", body)
        if status != 200:
            raise DriverError(status, str(answer.get("message")))
        return answer["result"]

    def _post(self, path: str, body: bytes) -> tuple[int, JSON]:
        connection = http.client.HTTPConnection(self._address, timeout=self._timeout)
        try:
            connection.request("POST", path, body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            answer: JSON = json.loads(response.read())
            return response.status, answer
        finally:
            connection.close()

    def _json(self, verb: str, /, **arguments: Any) -> JSON:
        answer: JSON = self.call(verb, **arguments)
        return answer

    def _list(self, verb: str, /, **arguments: Any) -> list[JSON]:
        answer: list[JSON] = self.call(verb, **arguments)
        return answer
