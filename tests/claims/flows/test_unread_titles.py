"""A claimant's title that cannot be read is not passed over: they hear what works, and a mentor links it with one click."""

import io

import pytest
from django.core.management import call_command

from claims.desk.loading import load_rows
from claims.desk.queue import DeskItem, list_items
from claims.mine import notices, overview
from claims.models import Notice, PullRequest
from claims.operations import crediting
from portal.models import User
from tasks_board import rights
from tasks_board.models import Event, Task
from tests.claims.flows.births import browser
from tests.claims.flows.scene import NEWCOMER, NUMBER, ORGANIZER, OTHER, REPOSITORY, Scene

SIX = "【PIR No.6】"


def on_the_desk(scene: Scene, slug: str = "pir") -> list[DeskItem]:
    event, organizer = Event.objects.get(slug=slug), scene.person(ORGANIZER)
    rows = load_rows(event, viewer=organizer, rights=rights.rights_in(event, organizer))
    items = list_items(rows, viewer=organizer, silent_days=14, reminder_days=3, now=scene.now())
    return [item for item in items if item.kind == "title"]


def told(scene: Scene, login: str) -> list[str]:
    of_titles = Notice.objects.filter(person=scene.person(login), kind__startswith="title_")
    return list(of_titles.order_by("pk").values_list("kind", flat=True))


def opened(scene: Scene, title: str, login: str = NEWCOMER) -> PullRequest:
    number = scene.open_pull_request(login, title)
    scene.settle()
    return PullRequest.objects.get(number=number)


def claimed(scene: Scene) -> None:
    scene.comment(NEWCOMER, "/claim 6")
    scene.settle()


@pytest.mark.parametrize(
    ("title", "code", "said"),
    [
        ("【PIR No.999】x", "unknown_number", "The event has no task 999. Begin the title with"),
        ("【PRI No.6】x", "other_form", "Its title looks as if it meant a task. Begin it with"),
        ("【PIRR No 6】 x", "other_form", "Its title looks as if it meant a task. Begin it with"),
        ("PIR 6: x", "other_form", "Its title looks as if it meant a task. Begin it with"),
        ("【PIR No.】6", "other_form", "Its title looks as if it meant a task. Begin it with"),
    ],
)
def test_its_author_hears_what_works_and_a_mentor_links_it(
    scene: Scene, title: str, code: str, said: str
) -> None:
    claimed(scene)
    pull_request = opened(scene, title)
    assert told(scene, NEWCOMER) == ["title_unread"]
    line = next(line for line in notices.list_notices(scene.person(NEWCOMER)) if "title" in line.notice.kind)
    assert line.text.endswith(f"Begin it with {SIX}")
    [miss] = overview.list_missed(scene.person(NEWCOMER))
    assert (miss.why, miss.title) == (said, SIX)
    [item] = on_the_desk(scene)
    assert (item.category, item.code, [task.number for task in item.candidates]) == ("doubtful", code, ["6"])
    scene.merge(pull_request.number)
    scene.settle()
    assert told(scene, NEWCOMER) == ["title_unread"]
    assert scene.completions() == set()
    crediting.link(
        task=scene.task(6),
        pull_request=pull_request,
        acting_user=scene.person(ORGANIZER),
        now=scene.now(),
    )
    assert scene.completions() == {("6", NEWCOMER)}
    assert on_the_desk(scene) == []


def test_a_better_title_settles_it(scene: Scene) -> None:
    claimed(scene)
    pull_request = opened(scene, "【PIR No.】6")
    scene.driver.retitle(REPOSITORY, pull_request.number, NEWCOMER, f"{SIX}x")
    scene.settle()
    assert on_the_desk(scene) == []
    assert scene.claim(6, NEWCOMER).standing == "pr_open"


def test_people_without_a_claim_are_left_alone(scene: Scene) -> None:
    for title in ("【PIR No.999】x", "【PRI No.6】x", "PIR 6: x", "【PIR No.】6"):
        opened(scene, title, OTHER)
    assert told(scene, OTHER) == []
    assert on_the_desk(scene) == []


def test_a_number_that_two_tasks_share_asks_the_mentor_which(scene: Scene) -> None:
    Task.objects.filter(number="2").update(number="6")
    opened(scene, f"{SIX}x", OTHER)
    assert told(scene, OTHER) == ["title_shared"]
    [item] = on_the_desk(scene)
    assert (item.code, [task.number for task in item.candidates]) == ("shared_number", ["6", "6"])
    [miss] = overview.list_missed(scene.person(OTHER))
    assert (miss.title, miss.why.startswith("Several tasks carry the number 6")) == ("", True)


def test_a_name_that_two_events_share_waits_at_both_desks(scene: Scene) -> None:
    named = ("--slug", "twin", "--name", "Twin", "--prefix", "PIR No.", "--organizer", ORGANIZER)
    call_command("import_event", f"{REPOSITORY}#{NUMBER}", *named, "--publish", stdout=io.StringIO())
    opened(scene, f"{SIX}x", OTHER)
    assert told(scene, OTHER) == ["title_of_several"]
    assert [item.code for slug in ("pir", "twin") for item in on_the_desk(scene, slug)] == ["shared_name"] * 2
    [miss] = overview.list_missed(scene.person(OTHER))
    assert miss.why.startswith("Several events go by this name")


def test_the_desk_has_a_button_for_each_answer(scene: Scene) -> None:
    claimed(scene)
    pull_request = opened(scene, "【PIR No.999】x")
    organizer = scene.person(ORGANIZER)
    User.objects.get_or_create(username=ORGANIZER, defaults={"person": organizer})
    desk = browser(organizer)
    page = desk.get(f"/events/pir/desk/?item=title-{pull_request.pk}").content.decode()
    assert "A pull request by chen-contributes" in page
    assert "names the number 999" in page
    address = f"/events/pir/tasks/{scene.task(6).pk}/pull-requests/{pull_request.pk}"
    assert f'action="{address}"' in page
    desk.post(address, {"action": "apart"})
    assert on_the_desk(scene) == []
    desk.post(address, {"action": "link"})
    assert scene.claim(6, NEWCOMER).standing == "pr_open"
