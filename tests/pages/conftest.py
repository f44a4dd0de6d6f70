"""The scene of every page test, and English to begin with."""

from collections.abc import Iterator

import pytest
from django.utils import translation

from tests.pages import scenes


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """A request leaves its language behind in the thread; the next test shall not hear of it."""
    translation.activate("en")
    yield
    translation.deactivate()


@pytest.fixture
def scene(db: None) -> scenes.Scene:
    return scenes.make_scene()
