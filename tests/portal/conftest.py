"""What the kernel's tests share."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from pytest_django import Settings

from portal.common import wake
from portal.common.outage import Outage
from tests.portal import routes

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def now() -> datetime:
    """The moment at which things happen in these tests."""
    return NOON


@pytest.fixture
def log(settings: Settings) -> Iterator[routes.Log]:
    """The kernel wired to `tests.portal.routes`, and what those saw."""
    settings.GITHUB_ROUTES = "tests.portal.routes"
    yield routes.reset()
    routes.reset()


@pytest.fixture(autouse=True)
def _no_outage_of_another_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wake, "outage", Outage())


@pytest.fixture
def sent_jobs(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any]]]:
    """The wake-ups that went to the broker: name and arguments."""
    sent: list[tuple[str, dict[str, Any]]] = []

    class Recorder:
        def send_task(self, name: str, *, kwargs: dict[str, Any], **options: Any) -> None:
            sent.append((name, {**kwargs, **{k: v for k, v in options.items() if k == "countdown" and v}}))

    monkeypatch.setattr("portal.common.wake.current_app", Recorder())
    return sent
