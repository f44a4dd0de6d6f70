"""Everything by keyboard, in a real browser: what Tab reaches, where the cursor is seen, which keys press what."""

from typing import TYPE_CHECKING

import pytest

from claims.models import Decision, ImportDraft
from portal.models import Person, User
from tests.pages import scenes
from tests.pages.scenes import BACKEND

if TYPE_CHECKING:
    from django.test import Client
    from playwright.sync_api import Page
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DESK, BOARD = "/events/pir/desk/", "/events/pir/tasks/"
_TEXT = "| 序号 | 任务 | 认领人 |\n| - | - | - |\n| 1 | 补单测 | @alice |\n"
# What a reader can act on and has not folded away, and whether it shows that the cursor is there.
_REACHED = """
() => {
  const e = document.activeElement;
  const isRoundAgain = e?.matches(".rg-skip") && e.dataset.reached;
  if (!e || e === document.body || isRoundAgain) return null;
  const shows = (style) => (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
  const ring = shows(getComputedStyle(e)) || shows(getComputedStyle(e, "::after"));
  e.dataset.reached = "yes";
  return { what: e.outerHTML.slice(0, 120), ring };
}
"""
_MISSED = """
() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
  .filter((e) => e.checkVisibility() && !e.disabled && e.type !== "hidden" && !e.dataset.reached && e.type !== "radio")
  .filter((e) => !e.closest("[popover]:not(:popover-open)"))
  .map((e) => e.outerHTML.slice(0, 120))
"""


@pytest.fixture
def scene(live_server: "LiveServer") -> scenes.Scene:
    return scenes.make_scene()


def sign_in(page: "Page", live_server: "LiveServer", client: "Client", person: Person) -> User:
    user = User.objects.get(person=person)
    client.force_login(user, backend=BACKEND)
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    return user


def walk(page: "Page") -> None:
    """Tab through the whole page: nothing is left out, and the cursor is seen wherever it is."""
    for _step in range(400):
        page.keyboard.press("Tab")
        reached = page.evaluate(_REACHED)
        if reached is None:
            break
        assert reached["ring"], f"no ring on {reached['what']}"
    assert page.evaluate(_MISSED) == []


@pytest.mark.parametrize(
    "address",
    [
        DESK,
        BOARD,
        f"{BOARD}{{task}}/",
        "/events/new/{draft}/?as=new",
        "/events/pir/organize/tasks/",
        "/events/pir/organize/registrations/",
    ],
)
def test_tab_reaches_everything_and_shows_where_it_is(
    scene: scenes.Scene, live_server: "LiveServer", page: "Page", client: "Client", address: str
) -> None:
    scenes.make_claim(scene.tasks[0], scene.bob, "requested")
    scenes.make_people(scene)
    user = sign_in(page, live_server, client, scene.olga)
    draft = ImportDraft.objects.create(
        owner=user, repository="a/b", body=_TEXT, created_at=scenes.NOW, plan={"is_pasted": True}
    )
    ImportDraft.objects.update(created_at=user.date_joined)
    page.goto(live_server.url + address.format(task=scene.tasks[1].pk, draft=draft.pk))
    walk(page)


def test_the_first_tab_leads_past_the_bar(
    scene: scenes.Scene, live_server: "LiveServer", page: "Page", client: "Client"
) -> None:
    sign_in(page, live_server, client, scene.olga)
    for address in (DESK, BOARD, "/events/new/"):
        page.goto(live_server.url + address)
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "rg-skip"
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('main') !== null"), address


def test_letters_press_nothing_where_one_types_or_with_another_key(
    scene: scenes.Scene, live_server: "LiveServer", page: "Page", client: "Client"
) -> None:
    scenes.make_claim(scene.tasks[0], scene.bob, "requested")
    sign_in(page, live_server, client, scene.olga)
    page.goto(live_server.url + DESK)
    before = Decision.objects.count()
    for field in ("#desk-note", "#desk-search", "#desk-days"):
        page.locator(field).focus()
        for key in ("d", "r", "p"):
            page.keyboard.press(key)
        if field == "#desk-search":
            page.locator(field).fill("")
    page.locator("#item").click(position={"x": 2, "y": 2})
    for key in ("Control+d", "Alt+r", "Meta+p"):
        page.keyboard.press(key)
    page.locator("[data-desk-item][aria-current]").focus()
    page.keyboard.press("x")
    page.locator("input[name=chosen]:checked").wait_for()
    assert Decision.objects.count() == before
    page.keyboard.press("d")
    page.locator("#messages").get_by_text("Decided: bob, No.1: Declined.").wait_for()
    assert Decision.objects.count() == before + 1


def test_a_key_that_is_held_down_decides_once(
    scene: scenes.Scene, live_server: "LiveServer", page: "Page", client: "Client"
) -> None:
    for place in (0, 1, 3):
        scenes.make_claim(scene.tasks[place], scene.bob, "requested")
    sign_in(page, live_server, client, scene.olga)
    page.goto(f"{live_server.url}{DESK}?show=approve")
    page.keyboard.down("d")
    page.locator("#messages").get_by_text("Decided: bob").wait_for()
    for _beat in range(5):
        page.keyboard.down("d")
    page.keyboard.up("d")
    page.keyboard.press("j")
    page.locator("[data-desk-item]").nth(1).and_(page.locator("[aria-current]")).wait_for()
    assert Decision.objects.filter(kind="declined").count() == 1


def test_what_opens_closes_with_escape_and_gives_the_cursor_back(
    scene: scenes.Scene, live_server: "LiveServer", page: "Page", client: "Client"
) -> None:
    sign_in(page, live_server, client, scene.bob)
    page.goto(live_server.url + BOARD)
    button = page.locator(f"#task-{scene.tasks[0].pk} [data-verdict]")
    button.press("Enter")
    page.locator("#verdict:popover-open").wait_for()
    assert page.evaluate("document.activeElement.closest('#verdict') !== null")
    page.keyboard.press("j")
    assert page.locator("#verdict:popover-open").count() == 1
    page.keyboard.press("Escape")
    page.locator("#verdict:popover-open").wait_for(state="detached")
    assert button.evaluate("e => e === document.activeElement")


def test_a_menu_closes_with_escape_and_when_one_goes_on(
    scene: scenes.Scene, live_server: "LiveServer", page: "Page", client: "Client"
) -> None:
    sign_in(page, live_server, client, scene.bob)
    page.goto(live_server.url + BOARD)
    summary = page.locator("details[data-menu] > summary").last
    summary.press("Enter")
    page.locator("details[data-menu][open]").wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    assert page.locator("details[data-menu][open]").count() == 0
    assert summary.evaluate("e => e === document.activeElement")
    summary.press("Enter")
    page.locator("#board-search").focus()
    assert page.locator("details[data-menu][open]").count() == 0
