"""The pages where an event is set up and a reading corrected, in a real browser: open to everybody, and never sideways."""

from typing import TYPE_CHECKING

import pytest

from claims.models import ImportDraft
from portal.common import clock
from portal.models import User
from tests.pages import scenes
from tests.pages.test_accessibility import sign_in, violations

if TYPE_CHECKING:
    from django.test import Client
    from playwright.sync_api import Page
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BODY = (
    "## 甲组\n\n| 序号 | 题目 | 认领人 | 进度 |\n|-|-|-|-|\n| 1 | 灯塔的第一盏灯，要亮到看得见浮标为止 | ✅@moss07 #7 | |\n"
    "| 2 | 塔 | 见下方 | 搞定 |\n| 3 | 多 | | | 出 |\n\n## 乙组\n\n| 事 | 谁 |\n|-|-|\n| 船 | @reef |\n"
)


@pytest.mark.parametrize(("width", "theme"), [(1440, "light"), (390, "dark")])
def test_they_are_open_to_everybody(
    live_server: "LiveServer", page: "Page", client: "Client", width: int, theme: str
) -> None:
    scene = scenes.make_scene()
    owner = User.objects.get(person=scene.olga)
    draft = ImportDraft.objects.create(
        owner=owner, repository="harbor/lantern", title="灯塔计划", body=BODY, created_at=clock.now()
    )
    several = ImportDraft.objects.create(
        owner=owner,
        entries=[
            {"issue_name": "Lights", "issue_url": "https://github.com/harbor/lantern/issues/7"},
            {"nothing": 1},
        ],
        created_at=clock.now(),
    )
    about = {
        "owner": owner,
        "repository": "PaddlePaddle/Paddle",
        "number": 62704,
        "title": "PIR",
        "body": BODY,
    }
    revising = ImportDraft.objects.create(**about, created_at=clock.now())
    entry = {"issue_name": "Lights", "issue_url": "https://github.com/PaddlePaddle/Paddle/issues/62704"}
    asking = ImportDraft.objects.create(**about, entry=entry, created_at=clock.now())
    sign_in(page, live_server, client, scene.olga)
    page.context.add_cookies([{"name": "regatta_theme", "value": theme, "url": live_server.url}])
    page.set_viewport_size({"width": width, "height": 900})
    for address in (
        "/events/new/",
        f"/events/new/{draft.pk}/",
        f"/events/new/{several.pk}/",
        f"/events/new/{revising.pk}/?as=new",
        f"/events/new/{asking.pk}/",
        f"/events/new/{asking.pk}/pir/",
        f"/events/pir/organize/tasks/{scene.tasks[1].pk}/",
        f"/events/new/{revising.pk}/pir/",
        f"/events/pir/organize/issues/{scene.issue.pk}/reading/",
    ):
        page.goto(live_server.url + address)
        assert page.locator("h1").count() == 1, address
        assert violations(page) == [], address
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (
            f"{address} scrolls sideways"
        )
    page.get_by_role("button", name="See what these corrections would change").click()
    assert violations(page) == []
