"""The tests' own database: no key of one table is a key of another."""

import pytest

from tests.keys import APART
from tests.pages.scenes import make_scene

pytestmark = pytest.mark.django_db


def test_keys_of_different_tables_lie_apart() -> None:
    scene = make_scene()
    rows = (scene.event, scene.tasks[0], scene.bob)
    assert len({row.pk // APART for row in rows}) == len(rows)
    assert all(row.pk > APART for row in rows)
