"""In a real browser: no violation that axe knows, keys, the verdict beside its button, pages without script."""

from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe

from portal.models import Person, User
from tests.pages import scenes
from tests.pages.scenes import BACKEND

if TYPE_CHECKING:
    from django.test import Client
    from playwright.sync_api import Browser, Page
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAGES = [
    "/",
    "/tasks/?q=dtype",
    "/events/pir/",
    "/events/pir/tasks/",
    "/events/pir/leaderboard/",
    "/events/pir/desk/",
    "/events/pir/organize/",
    "/events/pir/organize/people/",
    "/events/pir/organize/names/",
    "/events/pir/organize/registrations/",
    "/events/pir/teams/",
    "/events/pir/organize/issues/",
    "/events/pir/organize/event/",
    "/people/alice/",
]
OPTIONS = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def sign_in(page: "Page", live_server: "LiveServer", client: "Client", person: Person) -> None:
    client.force_login(User.objects.get(person=person), backend=BACKEND)
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])


def violations(page: "Page") -> list[str]:
    found = Axe().run(page, options=OPTIONS).response["violations"]
    return [f"{v['id']}: {n['html'][:120]} {n['failureSummary'][:200]}" for v in found for n in v["nodes"]]


@pytest.mark.parametrize(("width", "theme"), [(1440, "light"), (1440, "dark"), (390, "light"), (390, "auto")])
def test_it_is_open_to_everybody(
    live_server: "LiveServer", page: "Page", client: "Client", width: int, theme: str
) -> None:
    scene = scenes.make_scene()
    scenes.make_claim(scene.tasks[1], scene.bob, "requested")
    scenes.make_people(scene)
    sign_in(page, live_server, client, scene.olga)
    page.context.add_cookies([{"name": "regatta_theme", "value": theme, "url": live_server.url}])
    page.set_viewport_size({"width": width, "height": 900})
    for address in [*PAGES, f"/events/pir/tasks/{scene.tasks[1].pk}/"]:
        page.goto(live_server.url + address)
        assert violations(page) == [], address
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (
            f"{address} scrolls sideways"
        )


def test_it_claims_with_the_keyboard_alone(live_server: "LiveServer", page: "Page", client: "Client") -> None:
    scene = scenes.make_scene()
    sign_in(page, live_server, client, scene.bob)
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.on("console", lambda message: failures.append(message.text) if message.type == "error" else None)
    page.goto(live_server.url + "/events/pir/tasks/")
    page.keyboard.press("j")
    page.keyboard.press("c")
    page.locator("#verdict:popover-open").wait_for()
    assert "You can claim No.1" in page.locator("#verdict").inner_text()
    assert violations(page) == []
    page.keyboard.press("Enter")
    page.locator(f"#task-{scene.tasks[0].pk}[data-mine]").wait_for()
    assert "You have claimed No.1." in page.locator("#messages").inner_text()
    assert page.locator("#verdict:popover-open").count() == 0
    assert failures == []


def test_it_filters_while_one_types(live_server: "LiveServer", page: "Page") -> None:
    scenes.make_scene()
    page.goto(live_server.url + "/events/pir/tasks/")
    page.keyboard.press("/")
    page.locator("#board-search").fill("dtype")
    page.locator('#board[data-shown="1 task found"]').wait_for()
    assert page.locator("tr[data-row]").count() == 1
    assert "q=dtype" in page.url
    assert page.locator("#announce").inner_text() == "1 task found"


def test_it_works_without_script(live_server: "LiveServer", browser: "Browser", client: "Client") -> None:
    scene = scenes.make_scene()
    context = browser.new_context(java_script_enabled=False, locale="en-US")
    page = context.new_page()
    sign_in(page, live_server, client, scene.bob)
    page.goto(live_server.url + "/events/pir/tasks/")
    page.locator("#board-search").fill("单测")
    page.locator("#board-search").press("Enter")
    page.get_by_role("link", name="Claim No.1").click()
    page.locator("#claim").get_by_role("button", name="Claim").click()
    assert "You have claimed No.1." in page.locator("#messages").inner_text()
    context.close()
