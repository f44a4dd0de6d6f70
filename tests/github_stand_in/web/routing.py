"""Routes: a method and a path with {names}, as GitHub's documentation writes them."""

import re
from collections.abc import Callable
from typing import Generic, TypeVar

_Handler = TypeVar("_Handler", bound=Callable[..., object])
_NUMBERS = {"number", "id"}


def _pattern(path: str) -> re.Pattern[str]:
    def group(match: re.Match[str]) -> str:
        name = match[1]
        return f"(?P<{name}>" + (r"\d{1,18}" if name in _NUMBERS else "[^/]+") + ")"

    return re.compile(re.sub(r"\{(\w+)\}", group, path))


class Routes(Generic[_Handler]):
    def __init__(self) -> None:
        self._routes: list[tuple[str, re.Pattern[str], _Handler]] = []

    def on(self, method: str, path: str) -> Callable[[_Handler], _Handler]:
        def register(handler: _Handler) -> _Handler:
            self._routes.append((method, _pattern(path), handler))
            return handler

        return register

    def find(self, method: str, path: str) -> tuple[_Handler, dict[str, str]] | None:
        for known, pattern, handler in self._routes:
            match = pattern.fullmatch(path) if known == method else None
            if match:
                return handler, match.groupdict()
        return None
