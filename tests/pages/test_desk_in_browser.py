"""The desk in a real browser: several things are chosen by keyboard, or without a script on a phone."""

from typing import TYPE_CHECKING

import pytest

from claims.models import Claim, Decision
from portal.models import Person, User
from tests.pages import scenes
from tests.pages.scenes import BACKEND

if TYPE_CHECKING:
    from django.test import Client
    from playwright.sync_api import Browser, FloatRect, Locator, Page
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DESK = "/events/pir/desk/"
PHONE = {"width": 390, "height": 700}


def sign_in(page: "Page", live_server: "LiveServer", client: "Client", person: Person) -> None:
    client.force_login(User.objects.get(person=person), backend=BACKEND)
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])


def box_of(thing: "Locator") -> "FloatRect":
    box = thing.bounding_box()
    assert box is not None
    return box


def many_requests(scene: scenes.Scene, number: int) -> list[Claim]:
    return [
        scenes.make_claim(
            scenes.make_task(scene.event, 100 + n, f"Task {n}"), (scene.bob, scene.alice)[n % 2], "requested"
        )
        for n in range(number)
    ]


def test_several_are_chosen_and_settled_by_keyboard(
    live_server: "LiveServer", page: "Page", client: "Client"
) -> None:
    scene = scenes.make_scene()
    many_requests(scene, 4)
    sign_in(page, live_server, client, scene.olga)
    page.goto(f"{live_server.url}{DESK}?show=approve")
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.locator("[data-desk-item][aria-current]").get_by_text("No.101").wait_for()
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.locator("[data-desk-item][aria-current]").get_by_text("No.102").wait_for()
    assert page.locator("input[name=chosen]:checked").count() == 2
    # A tick by hand leaves the keys as they are.
    page.locator("input[name=chosen]").nth(3).press("Space")
    page.keyboard.press("Shift+A")
    page.locator("#messages").get_by_text(
        "Admitted (3): bob, No.100; alice, No.101; alice, No.103"
    ).wait_for()
    assert page.locator("input[name=chosen]").count() == 1
    assert page.locator("input[name=chosen]:checked").count() == 0
    page.keyboard.press("u")
    page.locator("#messages").get_by_text("Taken back: bob, No.100").wait_for()
    assert Decision.objects.filter(kind="undone").count() == 3


def test_all_are_selected_and_none_again(live_server: "LiveServer", page: "Page", client: "Client") -> None:
    scene = scenes.make_scene()
    many_requests(scene, 3)
    sign_in(page, live_server, client, scene.olga)
    page.goto(f"{live_server.url}{DESK}?show=approve")
    page.get_by_role("link", name="Select all: To approve").press("Enter")
    none = page.get_by_role("link", name="Select none: To approve")
    none.wait_for()
    assert page.locator("input[name=chosen]:checked").count() == 3
    none.press("Enter")
    page.get_by_role("link", name="Select all: To approve").wait_for()
    assert page.locator("input[name=chosen]:checked").count() == 0


def test_on_a_phone_without_a_script_the_bar_comes_to_whoever_ticks(
    live_server: "LiveServer", browser: "Browser", client: "Client"
) -> None:
    scene = scenes.make_scene()
    many_requests(scene, 25)
    context = browser.new_context(java_script_enabled=False, locale="en-US", viewport=PHONE)  # type: ignore[arg-type]
    page = context.new_page()
    sign_in(page, live_server, client, scene.olga)
    page.goto(f"{live_server.url}{DESK}?show=approve")
    bar, boxes = page.locator("#desk-bulk"), page.locator("input[name=chosen]")
    assert box_of(bar)["y"] > PHONE["height"]
    boxes.nth(0).check()
    boxes.nth(2).check()
    seen = box_of(bar)
    assert seen["y"] + seen["height"] == pytest.approx(PHONE["height"], abs=1)
    rows = page.locator(".rg-queue > li")
    bar.scroll_into_view_if_needed()
    page.locator("#item").scroll_into_view_if_needed()
    last = box_of(rows.last)
    assert box_of(bar)["y"] >= last["y"] + last["height"] - 1, "the last row is covered"
    bar.get_by_role("button", name="For all selected").click()
    assert "Admitted (2): " in page.locator("#messages").inner_text()
    context.close()
