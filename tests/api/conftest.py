"""The pages' scene with more around it, and a reader who is not throttled for what another test asked."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache

from tests.api import scenes
from tests.pages.conftest import english

__all__ = ["english"]


@pytest.fixture(autouse=True)
def unthrottled() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def scene(db: None) -> scenes.Scene:
    return scenes.make_full_scene()
