"""What the preview of a revision says of rows that go from one text of an event to another is what then happens."""

import io

import pytest
from django.core.management import call_command
from django.test import Client

from claims.models import Claim
from portal.models import Person
from tasks_board.models import Task, TrackingIssue
from tests.claims.flows.births import BODY, begin, browser, confirm, page, words
from tests.github_stand_in.driver import Driver

HEAD = "# 第二期\n\n| 序号 | 题目 | 认领人 |\n|-|-|-|\n"
OTHER = HEAD + "| 21 | 桥 | |\n"
TOWER = "| 2 | 塔 | 见下方 | |\n"


@pytest.fixture
def client(lights: TrackingIssue, lantern: Driver) -> Client:
    """The event reads a second issue too."""
    lantern.create_issue("harbor/lantern", "第二期", OTHER, "mei", 9)
    client = browser(Person.objects.get(login="olga"))
    client.post("/events/lights/organize/issues/add", {"issue": "harbor/lantern#9"})
    assert Task.objects.get(title="桥").tracking_issue != lights
    return client


def edit(lantern: Driver, number: int, body: str, day: int) -> None:
    lantern.edit_issue("harbor/lantern", number, "mei", body, at=f"2030-01-{day:02}T00:00:00Z")


def revise(client: Client, number: int) -> str:
    """What the preview says; then it is confirmed."""
    draft = begin(client, issue=f"harbor/lantern#{number}")
    html = page(client, draft)
    answer = confirm(client, draft, html)
    assert answer.status_code == 302
    return words(html) + words(client.get(answer["Location"]).content.decode())


def test_a_row_that_left_for_another_text(client: Client, lantern: Driver) -> None:
    tower = Task.objects.get(title="塔")
    claims = set(Claim.objects.filter(task=tower).values_list("pk", flat=True))
    assert claims
    edit(lantern, 9, OTHER + TOWER, 1)
    said = revise(client, 9)
    assert "stands in harbor/lantern#7 too, and stays there 2 塔" in said
    edit(lantern, 7, BODY.replace(TOWER, ""), 2)
    out = io.StringIO()
    call_command("import_event", "harbor/lantern#7", dry_run=True, stdout=out, stderr=out)
    assert "moved: 2 塔 (to harbor/lantern#9)" in out.getvalue()
    said = revise(client, 7)
    assert "moved to harbor/lantern#9 2 塔 stays with the task 见下方: Claimed" in said
    assert "Off the board 0 Moved to another text 1" in said
    assert "1 row went from one text to another" in said
    tower.refresh_from_db()
    assert (tower.is_removed, str(tower.tracking_issue)) == (False, "harbor/lantern#9")
    assert set(Claim.objects.filter(task=tower).values_list("pk", flat=True)) == claims


def test_one_that_got_another_number_on_its_way(client: Client, lantern: Driver) -> None:
    tower = Task.objects.get(title="塔")
    edit(lantern, 9, OTHER + TOWER.replace("2", "22"), 1)
    assert "new 22 塔" in revise(client, 9)
    edit(lantern, 7, BODY.replace(TOWER, ""), 2)
    assert "moved to harbor/lantern#9 2 塔" in revise(client, 7)
    tower.refresh_from_db()
    assert (tower.number, tower.is_removed) == ("22", False)
    assert Task.objects.filter(title="塔", is_removed=False).count() == 1


def test_one_that_comes_after_it_left(client: Client, lantern: Driver) -> None:
    tower = Task.objects.get(title="塔")
    edit(lantern, 7, BODY.replace(TOWER, ""), 1)
    assert "off the board 2 塔" in revise(client, 7)
    edit(lantern, 9, OTHER + TOWER, 2)
    said = revise(client, 9)
    assert "moved here from harbor/lantern#7 2 塔" in said
    assert "New 0" in said
    tower.refresh_from_db()
    assert (tower.is_removed, str(tower.tracking_issue)) == (False, "harbor/lantern#9")


def test_a_copy_that_is_known_is_no_change(client: Client, lantern: Driver) -> None:
    edit(lantern, 9, OTHER + TOWER, 1)
    revise(client, 9)
    edit(lantern, 9, OTHER + TOWER + "| 23 | 船 | | |\n", 2)
    said = revise(client, 9)
    assert "new 23 船" in said
    assert "too, and stays there" not in said


def test_a_text_given_by_hand_says_until_when_it_counts(client: Client) -> None:
    pasted = begin(client, text=BODY.replace("塔", "高塔"), issue="harbor/lantern#7")
    confirm(client, pasted, page(client, pasted))
    draft = begin(client, issue="harbor/lantern#7")
    assert "has read a newer text" in page(client, draft)
    answer = client.post(f"/events/new/{draft.pk}/lights/", {"action": "fetch"})
    told = client.get(answer["Location"]).content.decode()
    assert "given by hand after it counts for this event, until the issue is edited" in told


def test_another_text_that_changed_since_is_shown_first(client: Client, lantern: Driver) -> None:
    edit(lantern, 7, BODY.replace(TOWER, ""), 1)
    draft = begin(client, issue="harbor/lantern#7")
    html = page(client, draft)
    assert "off the board 2 塔" in words(html)
    edit(lantern, 9, OTHER + TOWER, 2)
    other = begin(client, issue="harbor/lantern#9")
    confirm(client, other, page(client, other))
    answer = confirm(client, draft, html)
    assert answer.status_code == 409
    assert "moved to harbor/lantern#9 2 塔" in words(answer.content.decode())
