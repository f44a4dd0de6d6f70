"""In a real browser: no violation that axe knows, keys, the verdict beside its button, pages without script."""

from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe

from claims.models import Decision, Notice
from portal.models import Person, User
from tasks_board.operations import teams
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
    "/me/",
    "/me/notices/",
    "/read/?about=PaddlePaddle/Paddle%237",
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


def test_notices_keep_to_a_phone_seen_or_not(
    live_server: "LiveServer", page: "Page", client: "Client"
) -> None:
    scene = scenes.make_scene()
    task = scenes.make_task(scene.event, 77, "A title that is as long as titles of tasks come to be " * 3)
    for key, seen_at in (("new", None), ("seen", scenes.NOW)):
        Notice.objects.create(
            person=scene.bob, event=scene.event, task=task, kind="admitted", at=scenes.NOW, key=key,
            data={"by": scene.mei.pk}, seen_at=seen_at,
        )  # fmt: skip
    sign_in(page, live_server, client, scene.bob)
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(live_server.url + "/me/notices/")
    assert page.locator("[data-notice]").count() == 2
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


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


def test_a_notice_that_is_followed_is_seen(live_server: "LiveServer", page: "Page", client: "Client") -> None:
    scene = scenes.make_scene()
    notice = Notice.objects.create(
        person=scene.alice,
        event=scene.event,
        task=scene.tasks[1],
        kind="approved",
        at=scenes.NOW,
        key="one",
        data={"about": "PaddlePaddle/Paddle#7", "by": scene.mei.pk},
    )
    sign_in(page, live_server, client, scene.alice)
    page.goto(live_server.url + "/me/notices/")
    page.locator("a[data-notice]").click()
    page.wait_for_url(f"**/events/pir/tasks/{scene.tasks[1].pk}/**")
    assert page.get_by_label("Notices: 1 new").count() == 0
    notice.refresh_from_db()
    assert notice.seen_at is not None


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


def test_mentors_and_team_mates_need_no_script(
    live_server: "LiveServer", browser: "Browser", client: "Client"
) -> None:
    scene = scenes.make_scene()
    scenes.make_claim(scene.tasks[0], scene.bob, "requested")
    team = teams.create_team(event=scene.event, name="Night Ferry", captain=scene.alice, now=scenes.NOW)
    context = browser.new_context(java_script_enabled=False, locale="en-US")
    page = context.new_page()
    sign_in(page, live_server, client, scene.olga)
    page.goto(live_server.url + "/events/pir/desk/?show=approve")
    page.get_by_role("button", name="Admit", exact=True).click()
    assert "Decided: bob, No.1" in page.locator("#messages").inner_text()
    page.get_by_role("button", name="Undo").click()
    assert "Taken back: bob, No.1" in page.locator("#messages").inner_text()
    sign_in(page, live_server, client, scene.alice)
    page.goto(live_server.url + "/events/pir/teams/")
    page.get_by_label("Invite by GitHub login").fill("bob")
    page.get_by_role("button", name="Invite", exact=True).click()
    sign_in(page, live_server, client, scene.bob)
    page.goto(live_server.url + "/me/notices/")
    page.get_by_role("button", name="Accept the invitation of Night Ferry").click()
    assert page.url.endswith("/me/notices/")
    assert team.members.seated().count() == 2
    page.goto(live_server.url + "/me/")
    page.get_by_role("button", name="Release No.1").click()
    assert "You have released No.1." in page.locator("#messages").inner_text()
    context.close()


def test_the_keys_of_the_desk_are_letters_where_one_writes(
    live_server: "LiveServer", page: "Page", client: "Client"
) -> None:
    scene = scenes.make_scene()
    scenes.make_claim(scene.tasks[0], scene.bob, "requested")
    sign_in(page, live_server, client, scene.olga)
    page.goto(live_server.url + "/events/pir/desk/?show=approve")
    before = Decision.objects.count()
    for field in ("#desk-note", "#desk-search"):
        page.locator(field).focus()
        page.keyboard.type("jkadperuxonl")
        assert page.locator(field).input_value() == "jkadperuxonl"
    assert Decision.objects.count() == before
    page.locator("#desk-note").blur()
    page.keyboard.press("Escape")
    page.locator("h2").first.click()
    page.keyboard.press("a")
    page.locator("#messages").get_by_text("Decided: bob, No.1").wait_for()
    assert Decision.objects.count() == before + 1
    assert (
        page.evaluate("document.activeElement !== document.body")
        or page.locator("[data-desk-item]").count() == 0
    )


def test_the_way_back_leads_to_the_board_as_it_is_now(
    live_server: "LiveServer", page: "Page", client: "Client"
) -> None:
    scene = scenes.make_scene()
    sign_in(page, live_server, client, scene.bob)
    board, row = f"{live_server.url}/events/pir/tasks/", page.locator(f"#task-{scene.tasks[0].pk}[data-mine]")
    page.goto(board)
    page.locator(f"#task-{scene.tasks[0].pk} [data-verdict]").click()
    page.locator("#verdict").get_by_role("button", name="Claim", exact=True).click()
    row.wait_for()
    page.goto(f"{live_server.url}/events/pir/")
    page.go_back()
    assert page.url == board
    assert row.count() == 1


def test_a_board_that_the_browser_kept_whole_is_asked_for_again(
    live_server: "LiveServer", page: "Page", client: "Client"
) -> None:
    scene = scenes.make_scene()
    sign_in(page, live_server, client, scene.bob)
    page.goto(f"{live_server.url}/events/pir/tasks/")
    client.post(f"/events/pir/tasks/{scene.tasks[0].pk}/claim")
    page.evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    page.locator(f"#task-{scene.tasks[0].pk}[data-mine]").wait_for()


def test_a_reason_that_was_refused_at_the_desk_is_still_there(
    live_server: "LiveServer", page: "Page", client: "Client"
) -> None:
    scene = scenes.make_scene()
    scenes.make_comment(scene, "求带")
    sign_in(page, live_server, client, scene.olga)
    page.goto(f"{live_server.url}/events/pir/desk/?show=doubtful")
    page.locator("input[name=chosen]").check()
    page.locator("#desk-kind").select_option("seen")
    page.get_by_text("With a reason").click()
    page.locator("#desk-many-note").fill("a reason")
    page.locator("#desk-bulk").get_by_role("button", name="For all selected").click()
    page.locator("#desk [aria-invalid]").wait_for()
    assert page.locator("#desk-many-note").input_value() == "a reason"
    assert page.locator("input[name=chosen]:checked").count() == 1
    assert page.evaluate("document.activeElement.id") == "desk-many-note"
    assert violations(page) == []


def test_the_page_of_a_refused_form_stands_at_its_own_address(
    live_server: "LiveServer", page: "Page", client: "Client"
) -> None:
    scene = scenes.make_scene()
    sign_in(page, live_server, client, scene.olga)
    task = f"{live_server.url}/events/pir/tasks/{scene.tasks[0].pk}/"
    page.goto(task)
    page.locator("#task-chain").fill("a, b, c")
    page.locator("#task-chain").press("Enter")
    page.locator("#task-chain[aria-invalid]").wait_for()
    assert page.locator("#task-chain").input_value() == "a, b, c"
    assert page.evaluate("document.activeElement.id") == "task-chain"
    assert page.url == task
    assert violations(page) == []
    page.reload()
    assert page.locator("#task-chain[aria-invalid]").count() == 0
