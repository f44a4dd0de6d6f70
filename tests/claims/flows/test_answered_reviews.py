"""Once the author has answered a review that asks for changes, the reviewer has the ball, however we learn of it."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from claims import github_reading
from claims.models import Claim
from claims.operations import deadlines
from portal.github.connect import connect
from portal.models import User
from tasks_board.models import Event
from tests.claims.flows.births import browser
from tests.claims.flows.scene import MENTOR, NEWCOMER, ORGANIZER, OTHER, REPOSITORY, Scene

TITLE = "【PIR No.6】dtype"
Act = Callable[[Scene, int], Any]


def signed_in(scene: Scene, login: str) -> Client:
    person = scene.person(login)
    User.objects.get_or_create(username=login, defaults={"person": person})
    return browser(person)


def later(scene: Scene, **span: float) -> None:
    scene.passed += timedelta(**span)
    scene.keep_pace()


def asked_for_changes(scene: Scene) -> int:
    """A claim whose pull request needs changes, an hour ago."""
    scene.comment(NEWCOMER, "/claim 6")
    number = scene.open_pull_request(NEWCOMER, TITLE)
    scene.settle()
    scene.driver.review(REPOSITORY, number, MENTOR, "REQUEST_CHANGES", association="MEMBER")
    scene.settle()
    assert scene.claim(6, NEWCOMER).turn == "claimant"
    later(scene, hours=1)
    return number


def poll(scene: Scene) -> None:
    for repository in github_reading.list_repositories_to_watch():
        github_reading.reconcile_repository(repository=repository, gateway=connect(), now=scene.now())


def push(scene: Scene, number: int) -> None:
    scene.driver.push(REPOSITORY, number, NEWCOMER)


def write(scene: Scene, number: int) -> None:
    scene.driver.comment(REPOSITORY, number, NEWCOMER, "Done, please look again.")


def reply_in_the_review(scene: Scene, number: int) -> None:
    scene.driver.review(REPOSITORY, number, NEWCOMER, "COMMENT", body="See above.")


def ask_again(scene: Scene, number: int) -> None:
    scene.driver.request_review(REPOSITORY, number, MENTOR)


def ask_somebody_else(scene: Scene, number: int) -> None:
    scene.driver.request_review(REPOSITORY, number, ORGANIZER)


def let_others_talk(scene: Scene, number: int) -> None:
    scene.driver.comment(REPOSITORY, number, OTHER, "I would like to see this, too.")
    scene.driver.comment(REPOSITORY, number, MENTOR, "Any news?")


ANSWERS = (push, write, reply_in_the_review, ask_again)
NO_ANSWERS = (ask_somebody_else, let_others_talk)


@pytest.mark.parametrize("act", ANSWERS)
@pytest.mark.parametrize("by_webhook", [True, False])
def test_an_answer_gives_the_ball_back(scene: Scene, act: Act, by_webhook: bool) -> None:
    number = asked_for_changes(scene)
    act(scene, number)
    if by_webhook and act is ask_again:
        tell_of_request(scene, number)
    elif by_webhook:
        scene.settle()
    else:
        poll(scene)
    assert scene.claim(6, NEWCOMER).turn == "reviewer"
    scene.settle()
    poll(scene)
    assert scene.claim(6, NEWCOMER).turn == "reviewer"


def tell_of_request(scene: Scene, number: int) -> None:
    """GitHub's `review_requested`, which the stand-in does not send."""
    told = next(d for d in scene.driver.deliveries(with_payload=True) if d["event"] == "pull_request")
    payload = json.loads(told["body"]) | {
        "action": "review_requested",
        "number": number,
        "pull_request": scene.driver.get_pull_request(REPOSITORY, number),
    }
    delivery = {"id": "review-requested", "event": "pull_request", "body": json.dumps(payload)}
    assert scene.post(delivery) == 202
    scene.work()


@pytest.mark.parametrize("act", NO_ANSWERS)
def test_what_is_no_answer_leaves_it(scene: Scene, act: Act) -> None:
    number = asked_for_changes(scene)
    act(scene, number)
    scene.settle()
    poll(scene)
    assert scene.claim(6, NEWCOMER).turn == "claimant"


def test_each_new_request_for_changes_needs_an_answer_of_its_own(scene: Scene) -> None:
    number = asked_for_changes(scene)
    push(scene, number)
    write(scene, number)
    scene.settle()
    later(scene, hours=1)
    scene.driver.review(REPOSITORY, number, MENTOR, "REQUEST_CHANGES", association="MEMBER")
    scene.settle()
    assert scene.claim(6, NEWCOMER).turn == "claimant"
    poll(scene)
    assert scene.claim(6, NEWCOMER).turn == "claimant"


def test_who_answered_is_neither_reminded_nor_out_nor_over_the_cap(scene: Scene) -> None:
    Event.objects.filter(slug="pir").update(
        rules={"days_of_silence": 3, "reminder_days": 0, "grace_days": 0, "open_claims_per_person": 1}
    )
    number = asked_for_changes(scene)
    push(scene, number)
    scene.settle()
    assert scene.claim(6, NEWCOMER).due_at is None
    for _week in range(3):
        later(scene, days=7)
        github_reading.settle_deadlines(gateway=connect(), now=scene.now())
    assert not deadlines.list_due(scene.now())
    assert scene.claim(6, NEWCOMER).standing == "pr_open"
    scene.comment(NEWCOMER, "/claim 5")
    scene.settle()
    assert scene.claim(5, NEWCOMER).standing == "claimed"


def test_the_pages_say_so(scene: Scene) -> None:
    number = asked_for_changes(scene)
    page = signed_in(scene, NEWCOMER).get("/me/").content.decode()
    assert "Answer the review" in page
    push(scene, number)
    scene.settle()
    page = signed_in(scene, NEWCOMER).get("/me/").content.decode()
    assert "Answer the review" not in page
    assert "Reviewers have it" in page
    desk = signed_in(scene, ORGANIZER).get("/events/pir/desk/?show=review").content.decode()
    assert f"claim-{Claim.objects.get(task__number='6', person__login=NEWCOMER).pk}" in desk
