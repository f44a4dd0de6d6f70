"""Races are about who wins and what is lost, not about how long a loaded machine lets twenty wait for one lock."""

import pytest


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("portal.locks.LONGEST_WAIT", "60s")
