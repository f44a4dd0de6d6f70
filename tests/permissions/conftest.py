"""A world to ask things of, a GitHub that lets us write, and nobody throttled."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from django.core.cache import cache

from portal.github import connect
from portal.github.types import Account, Issue, Repository
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
    portal = Account(id=9, login="regatta-bot")
    gateway = SimpleNamespace(
        get_me=lambda: portal,
        get_repository=lambda name: Repository(4, name, "develop", can_push=True),
        get_issue=lambda name, number: Issue(
            5,
            name,
            number,
            "Another form",
            "| 序号 | 任务 |\n| - | - |\n| 77 | 灯 |",
            portal,
            "open",
            NOW,
            NOW,
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
