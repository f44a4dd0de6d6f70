"""Who is let in is let in by the rules; a mentor may overrule them, and says so."""

from datetime import timedelta

import pytest
from django.test import Client

from claims.models import Claim, Decision
from portal.models import AuditEntry, User
from tasks_board.models import Event, EventMark, EventRole
from tests.claims.flows.births import browser, words
from tests.claims.flows.scene import MENTOR, NEWCOMER, ORGANIZER, OTHER, Scene

APPROVED = {"who_may_claim": "mentor_approves"}


def change_rules(scene: Scene, **rules: object) -> None:
    Event.objects.filter(slug="pir").update(rules=APPROVED | rules)


def signed_in(scene: Scene, login: str) -> Client:
    person = scene.person(login)
    User.objects.get_or_create(username=login, defaults={"person": person})
    return browser(person)


def decide(scene: Scene, number: int, kind: str, login: str = NEWCOMER, by: str = ORGANIZER) -> str:
    """What the page says to a mentor's decision."""
    where = f"/events/pir/desk/claims/{scene.claim(number, login).pk}"
    return words(signed_in(scene, by).post(where, {"kind": kind}, follow=True).content.decode())


def item(scene: Scene, number: int, login: str = NEWCOMER) -> str:
    """The open item of a request."""
    where = f"/events/pir/desk/?item=claim-{scene.claim(number, login).pk}"
    html = signed_in(scene, ORGANIZER).get(where).content.decode()
    return html[html.index('id="item"') :]


def requested(scene: Scene, numbers: str, login: str = NEWCOMER) -> None:
    scene.comment(login, f"/claim {numbers}")
    scene.settle()


def ban(scene: Scene, login: str) -> None:
    form = {"logins": login, "kind": "banned", "note": ""}
    signed_in(scene, ORGANIZER).post("/events/pir/organize/people/marks", form)
    assert EventMark.objects.filter(person__login=login, kind="banned").exists()


def test_a_plain_yes_follows_the_rules_and_a_second_one_overrules_them(scene: Scene) -> None:
    change_rules(scene, open_claims_per_person=1)
    requested(scene, "5,6")
    assert "The rules allow it" in item(scene, 5)
    decide(scene, 5, "admitted")
    shown = item(scene, 6)
    assert "The rules do not allow it" in shown
    assert "Admit all the same" in shown
    said = decide(scene, 6, "admitted")
    assert "At most 1 unfinished task each" in said
    assert scene.claim(6, NEWCOMER).standing == "requested"
    decide(scene, 6, "admitted_all_the_same")
    assert scene.claim(6, NEWCOMER).standing == "claimed"
    made = Decision.objects.get(claim=scene.claim(6, NEWCOMER), kind="admitted")
    assert [entry["rule"] for entry in made.against] == ["open_claims_within_cap"]
    page = words(scene.client.get(f"/events/pir/tasks/{scene.task(6).pk}/").content.decode())
    assert "Against the rules: At most 1 unfinished task each: 1 / 1" in page


def test_several_at_once_are_let_in_as_far_as_the_rules_go(scene: Scene) -> None:
    change_rules(scene, open_claims_per_person=1)
    requested(scene, "5,6")
    chosen = [f"claim-{scene.claim(number, NEWCOMER).pk}" for number in (5, 6)]
    form = {"kind": "admitted", "chosen": chosen}
    answer = signed_in(scene, ORGANIZER).post("/events/pir/desk/claims/", form, follow=True)
    said = words(answer.content.decode())
    assert [scene.claim(number, NEWCOMER).standing for number in (5, 6)] == ["claimed", "requested"]
    assert f"{NEWCOMER}, No.6: This task cannot be claimed now." in said


def test_a_ban_is_overruled_by_nobody(scene: Scene) -> None:
    change_rules(scene)
    requested(scene, "6")
    ban(scene, NEWCOMER)
    shown = item(scene, 6)
    assert "The rules do not allow it" in shown
    assert "Admit all the same" not in shown
    for kind in ("admitted", "admitted_all_the_same"):
        decide(scene, 6, kind)
        assert scene.claim(6, NEWCOMER).standing == "requested"


def test_what_was_asked_in_time_is_granted_after_it_only_against_the_rules(scene: Scene) -> None:
    change_rules(scene)
    requested(scene, "6")
    Event.objects.filter(slug="pir").update(closes_at=scene.now() - timedelta(days=1))
    decide(scene, 6, "admitted")
    assert scene.claim(6, NEWCOMER).standing == "requested"
    decide(scene, 6, "admitted_all_the_same")
    assert scene.claim(6, NEWCOMER).standing == "claimed"


def test_a_yes_to_a_full_task_is_one_to_the_line_and_a_place_beside_it_takes_the_mentors_will(
    scene: Scene,
) -> None:
    change_rules(scene, places_per_task=1)
    requested(scene, "6", OTHER)
    decide(scene, 6, "admitted", OTHER)
    requested(scene, "6")
    decide(scene, 6, "admitted")
    assert scene.claim(6, NEWCOMER).standing == "waiting"
    decide(scene, 6, "admitted")
    assert scene.claim(6, NEWCOMER).standing == "waiting"
    decide(scene, 6, "admitted_all_the_same")
    assert scene.claim(6, NEWCOMER).standing == "claimed"


def test_who_is_in_line_moves_up_by_the_same_rules(scene: Scene) -> None:
    Event.objects.filter(slug="pir").update(rules={"places_per_task": 1})
    requested(scene, "6", OTHER)
    requested(scene, "6")
    Event.objects.filter(slug="pir").update(rules={"places_per_task": 1, "who_may_claim": "invitation"})
    scene.comment(OTHER, "/release 6")
    scene.settle()
    assert scene.claim(6, NEWCOMER).standing == "waiting"


@pytest.mark.parametrize("kind", ["admitted", "accepted", "released"])
def test_what_one_has_decided_another_is_told_and_changes_nothing(scene: Scene, kind: str) -> None:
    change_rules(scene)
    requested(scene, "6")
    scene.comment(MENTOR, "Welcome.")
    scene.settle()
    mentor = scene.person(MENTOR)
    EventRole.objects.get_or_create(
        event=scene.event, person=mentor, role="mentor", defaults={"granted_at": scene.now()}
    )
    decide(scene, 6, kind)
    before = AuditEntry.objects.count(), Decision.objects.count()
    said = decide(scene, 6, kind, by=MENTOR)
    assert f"{ORGANIZER} has decided that already" in said
    assert (AuditEntry.objects.count(), Decision.objects.count()) == before
    assert Claim.objects.get(pk=scene.claim(6, NEWCOMER).pk).decisions.filter(kind=kind).count() == 1
