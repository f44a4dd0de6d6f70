"""Claiming and releasing with the buttons: one path, explained refusals, with and without script."""

import pytest
from django.test import Client

from claims.models import Claim, Decision
from portal.models import User
from tasks_board.models import Event
from tasks_board.operations import teams
from tests.pages.scenes import BACKEND, NOW, Scene, client_of

HTMX = {"HX-Request": "true"}


def address(scene: Scene, number: int, verb: str) -> str:
    return f"/events/pir/tasks/{scene.tasks[number].pk}/{verb}"


def test_it_claims_and_says_so(scene: Scene) -> None:
    response = client_of(scene.bob).post(address(scene, 0, "claim"), follow=True)
    assert response.redirect_chain[-1][0] == f"/events/pir/tasks/{scene.tasks[0].pk}/"
    assert "You have claimed No.1." in response.content.decode()
    claim = Claim.objects.get(task=scene.tasks[0], person=scene.bob)
    assert claim.standing == "claimed"


def test_it_claims_for_the_team(scene: Scene) -> None:
    team = teams.create_team(event=scene.event, name="Oars", captain=scene.bob, now=NOW)
    client_of(scene.bob).post(address(scene, 0, "claim"), {"for": "team"})
    assert Claim.objects.get(team=team).standing == "claimed"


def test_it_says_that_there_is_no_place_and_that_one_waits(scene: Scene) -> None:
    Event.objects.update(rules={"places_per_task": 1})
    client_of(scene.mei).post(address(scene, 0, "claim"))
    response = client_of(scene.bob).post(address(scene, 0, "claim"), follow=True)
    assert "No.1 has no free place. You wait in line" in response.content.decode()
    assert Claim.objects.get(person=scene.bob).standing == "waiting"


def test_it_says_that_one_has_only_asked(scene: Scene) -> None:
    Event.objects.update(rules={"who_may_claim": "mentor_approves"})
    teams.create_team(event=scene.event, name="Oars", captain=scene.bob, now=NOW)
    for number, form, words in (
        (0, {"for": "me"}, "You have asked for No.1. A mentor answers."),
        (3, {"for": "team"}, "Oars has asked for No.10. A mentor answers."),
    ):
        html = client_of(scene.bob).post(address(scene, number, "claim"), form, follow=True).content.decode()
        assert words in html
        assert "claimed No." not in html


def test_it_takes_two_clicks_on_one_form_as_one_wish(scene: Scene) -> None:
    client = client_of(scene.bob)
    for _click in range(2):
        response = client.post(address(scene, 0, "claim"), {"once": "same"}, follow=True)
        assert "You have claimed No.1." in response.content.decode()
    assert Decision.objects.filter(claim__task=scene.tasks[0]).count() == 1


@pytest.mark.parametrize(
    ("language", "words"), [("en", "The task can be claimed: Done"), ("zh-hans", "任务可以认领：完成")]
)
def test_it_names_the_rule_that_says_no(scene: Scene, language: str, words: str) -> None:
    response = client_of(scene.bob, language).post(address(scene, 2, "claim"), follow=True)
    assert words in response.content.decode()
    assert not Claim.objects.filter(task=scene.tasks[2], person=scene.bob).exists()


def test_it_releases(scene: Scene) -> None:
    client = client_of(scene.bob)
    client.post(address(scene, 0, "claim"))
    response = client.post(address(scene, 0, "release"), follow=True)
    assert "You have released No.1." in response.content.decode()
    assert Claim.objects.get(task=scene.tasks[0], person=scene.bob).standing == "withdrawn"


def test_it_answers_htmx_with_the_row_as_it_stands_now(scene: Scene) -> None:
    response = client_of(scene.bob).post(address(scene, 0, "claim"), headers=HTMX)
    html = response.content.decode()
    assert response.status_code == 200
    assert f'id="task-{scene.tasks[0].pk}" data-row="claimed" data-mine' in html
    assert 'hx-swap-oob="true"' in html


def test_it_answers_htmx_with_the_reason_of_a_refusal(scene: Scene) -> None:
    response = client_of(scene.bob).post(address(scene, 0, "release"), headers=HTMX)
    assert response.status_code == 409
    assert "You have no claim on this task." in response.content.decode()


def test_it_sends_strangers_to_sign_in(scene: Scene) -> None:
    response = client_of(None).post(address(scene, 0, "claim"))
    assert response.status_code == 302
    assert response["Location"].startswith("/sign-in/")
    assert Claim.objects.filter(task=scene.tasks[0]).count() == 0


def test_it_refuses_accounts_that_belong_to_nobody(scene: Scene) -> None:
    client = Client()
    client.force_login(User.objects.create(username="root"), backend=BACKEND)
    assert client.post(address(scene, 0, "claim")).status_code == 403


def test_it_wants_the_token_of_the_form(scene: Scene) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.get(person=scene.bob), backend=BACKEND)
    response = client.post(address(scene, 0, "claim"))
    assert response.status_code == 403
    assert "The form has grown old" in response.content.decode()


def test_it_does_not_claim_by_looking(scene: Scene) -> None:
    assert client_of(scene.bob).get(address(scene, 0, "claim")).status_code == 405
    verdict = client_of(scene.bob).get(address(scene, 0, "verdict")).content.decode()
    assert "You can claim No.1" in verdict
    assert 'hx-post="' in verdict
