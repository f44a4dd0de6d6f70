"""A world to ask things of, a GitHub that lets us write, and nobody throttled."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from django.core.cache import cache

from portal.github import connect
from portal.github.types import Account
from tests.pages.conftest import english
from tests.pages.scenes import NOW
from tests.permissions.world import World, make_world

__all__ = ["english"]


@pytest.fixture(autouse=True)
def unthrottled() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture(autouse=True)
def github(monkeypatch: pytest.MonkeyPatch) -> None:
    """GitHub lets the portal edit every issue."""
    gateway = SimpleNamespace(
        get_me=lambda: Account(id=9, login="regatta-bot"),
        get_repository=lambda name: SimpleNamespace(can_push=True, is_private=False),
        get_issue=lambda name, number: SimpleNamespace(
            author=SimpleNamespace(id=9),
            state="open",
            is_pull_request=False,
            repository=name,
            number=number,
            title="Another form",
            body="| 序号 | 任务 |\n| - | - |\n| 77 | 灯 |",
            updated_at=NOW,
        ),
        find_account=lambda login: None,
        list_body_edits=lambda name, number: [],
        list_issue_comments=lambda name, number, since: [],
    )
    monkeypatch.setattr(connect, "connect", lambda: gateway)
    monkeypatch.setattr("portal.common.clock.now", lambda: NOW)


@pytest.fixture
def world(db: None) -> World:
    return make_world()
