"""A mentor decides on any claim, also on one that asks nobody, and on the work of somebody who never claimed."""

import pytest
from django.test import Client

from claims.models import Claim, Decision
from portal.models import User
from tasks_board.models import EventMark
from tests.claims.flows.births import browser, words
from tests.claims.flows.scene import NEWCOMER, ORGANIZER, OTHER, Scene

STRANGER = "quill-writes"


def signed_in(scene: Scene, login: str) -> Client:
    person = scene.person(login)
    User.objects.get_or_create(username=login, defaults={"person": person})
    return browser(person)


@pytest.fixture
def claimed(scene: Scene) -> Scene:
    scene.comment(NEWCOMER, "/claim 6")
    scene.settle()
    return scene


def page_of(scene: Scene, number: int, login: str = ORGANIZER) -> str:
    return signed_in(scene, login).get(f"/events/pir/tasks/{scene.task(number).pk}/").content.decode()


def press(scene: Scene, kind: str, note: str = "") -> str:
    """What the task's page offers about the claim, pressed; the page after it."""
    address, offer = f"/events/pir/desk/claims/{scene.claim(6, NEWCOMER).pk}", f'name="kind" value="{kind}"'
    html = page_of(scene, 6)
    form = html[html.index(f'action="{address}"') :]
    assert offer in form[: form.index("</form>")]
    there = f"/events/pir/tasks/{scene.task(6).pk}/"
    answer = signed_in(scene, ORGANIZER).post(
        address, {"kind": kind, "note": note, "next": there}, follow=True
    )
    assert answer.redirect_chain[-1][0] == there
    return words(answer.content.decode())


def test_a_fresh_claim_is_released_with_a_reason_from_the_tasks_page(claimed: Scene) -> None:
    assert "Two weeks without a word" in press(claimed, "released", "Two weeks without a word")
    assert claimed.claim(6, NEWCOMER).standing == "withdrawn"
    press(claimed, "admitted")
    assert claimed.claim(6, NEWCOMER).standing == "claimed"


@pytest.mark.parametrize("kind", ["deferred", "blocked"])
def test_a_claim_is_put_aside_and_goes_on(claimed: Scene, kind: str) -> None:
    press(claimed, kind)
    assert claimed.claim(6, NEWCOMER).standing == kind
    press(claimed, "follows_facts")
    assert claimed.claim(6, NEWCOMER).standing == "claimed"


def test_nobody_is_offered_a_decision_on_their_own_claim(claimed: Scene) -> None:
    claimed.comment(ORGANIZER, "/claim 5")
    claimed.settle()
    own = f"/events/pir/desk/claims/{claimed.claim(5, ORGANIZER).pk}"
    assert own not in page_of(claimed, 5)
    assert f"/events/pir/desk/claims/{claimed.claim(6, NEWCOMER).pk}" not in page_of(claimed, 6, NEWCOMER)


def test_the_desk_shows_a_claim_that_asks_nobody(claimed: Scene) -> None:
    claim = claimed.claim(6, NEWCOMER)
    html = signed_in(claimed, ORGANIZER).get(f"/events/pir/desk/?item=claim-{claim.pk}").content.decode()
    item = html[html.index('id="item"') :]
    assert f'action="/events/pir/desk/claims/{claim.pk}"' in item
    assert "Nothing about this claim waits for a mentor." in item
    assert 'value="released"' in item


def accept(scene: Scene, login: str, note: str = "Gave the talk", by: str = ORGANIZER) -> str:
    where = f"/events/pir/tasks/{scene.task(6).pk}/accept"
    answer = signed_in(scene, by).post(where, {"login": login, "note": note}, follow=True)
    return words(answer.content.decode())


def test_work_of_somebody_without_a_claim_is_accepted(scene: Scene) -> None:
    scene.comment(OTHER, "Hello.")
    scene.settle()
    assert 'name="login"' in page_of(scene, 6)
    assert f"{OTHER}’s work is accepted as done." in accept(scene, f"@{OTHER}")
    assert ("6", OTHER) in scene.completions()
    made = Decision.objects.get(claim=scene.claim(6, OTHER), kind="accepted")
    assert made.note == "Gave the talk"


def test_also_of_somebody_who_has_never_been_here(scene: Scene) -> None:
    scene.driver.create_user(STRANGER, id=88_001)
    assert f"{STRANGER}’s work is accepted as done." in accept(scene, STRANGER)
    assert scene.person(STRANGER).github_id == 88_001
    assert "GitHub knows no account “nobody-at-all”." in accept(scene, "nobody-at-all")


def test_never_ones_own_nor_that_of_the_banned_nor_without_a_ground(scene: Scene) -> None:
    scene.comment(OTHER, "Hello.")
    scene.settle()
    assert "Nobody decides on their own claim" in accept(scene, ORGANIZER)
    assert "Say on what ground" in accept(scene, OTHER, note="")
    EventMark.objects.create(event=scene.event, person=scene.person(OTHER), kind="banned", set_at=scene.now())
    assert "You may take part in this event: no" in accept(scene, OTHER)
    assert not Claim.objects.filter(task__number="6", person__login__in=[OTHER, ORGANIZER]).exists()
