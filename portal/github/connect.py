"""`connect()`: the gateway that the settings ask for."""

import threading
from typing import Any

from django.conf import settings

from portal.github.errors import TokenMissing
from portal.github.gateway import Gateway

_of_thread = threading.local()  # PyGithub's connections are not made for several threads


def connect() -> Gateway:
    """A gateway to the configured GitHub. Raises TokenMissing if there is no token.

    Each thread keeps its own, so that connections are used again and the spacing of writes holds between messages.
    """
    wanted: dict[str, Any] = {
        "api_url": settings.GITHUB_API_URL,
        "token": settings.GITHUB_TOKEN,
        "timeout": settings.GITHUB_TIMEOUT,
        "seconds_between_requests": settings.GITHUB_SECONDS_BETWEEN_REQUESTS,
        "seconds_between_writes": settings.GITHUB_SECONDS_BETWEEN_WRITES,
    }
    if not wanted["token"]:
        raise TokenMissing
    kept: tuple[dict[str, Any], Gateway] | None = getattr(_of_thread, "kept", None)
    if kept is None or kept[0] != wanted:
        # Imported late: PyGithub is slow to import, and most processes never call GitHub.
        from portal.github.client import PyGithubGateway

        kept = _of_thread.kept = (wanted, PyGithubGateway(**wanted))
    return kept[1]
