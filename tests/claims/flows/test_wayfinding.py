"""A claim where no claims are read: one friendly answer that shows the way, and nothing else."""

from typing import Any

import pytest

from claims.models import Claim
from tasks_board.models import Event
from tests.claims.flows.scene import NEWCOMER, NUMBER, ORGANIZER, OTHER, REPOSITORY, Scene


def another_issue(scene: Scene) -> int:
    number = int(scene.driver.create_issue(REPOSITORY, "A bug", "It crashes.", ORGANIZER)["number"])
    scene.settle()
    return number


def said(scene: Scene, number: int) -> list[str]:
    """Ours, under this issue or pull request."""
    written = scene.driver.list_comments(REPOSITORY, number)
    return [comment["body"] for comment in written if "claims are not read" in comment["body"]]


def claimed(scene: Scene) -> bool:
    return Claim.objects.filter(person__login=NEWCOMER).exists()


def test_under_another_issue(scene: Scene) -> None:
    other = another_issue(scene)
    scene.driver.comment(REPOSITORY, other, NEWCOMER, "/claim 6")
    scene.bring(scene.waiting() * 2)
    scene.settle()
    (answer,) = said(scene, other)
    assert answer.startswith(f"@{NEWCOMER}, claims are not read in this thread")
    assert "/events/pir/" in answer
    assert "`6`" in answer
    assert not claimed(scene)


def test_under_a_pull_request_in_the_language_of_the_comment(scene: Scene) -> None:
    number = scene.open_pull_request(OTHER, "try")
    scene.settle()
    scene.driver.comment(REPOSITORY, number, NEWCOMER, "【报名】：6")
    scene.settle()
    written = scene.driver.list_comments(REPOSITORY, number)
    assert len(written) == 2
    assert "/events/pir/" in written[1]["body"]
    assert not claimed(scene)


@pytest.mark.parametrize(
    "text", ["/claim 999", "I want 6", "/release 6", "【提交】：6 #3", "> /claim 6", "`/claim 6`", "报名 6"]
)
def test_what_is_not_our_form_with_a_task_of_ours_gets_nothing(scene: Scene, text: str) -> None:
    other = another_issue(scene)
    scene.driver.comment(REPOSITORY, other, NEWCOMER, text)
    scene.settle()
    assert len(scene.driver.list_comments(REPOSITORY, other)) == 1


def test_a_retired_text_shows_the_way_to_the_board(scene: Scene) -> None:
    scene.issue_update(retired_at=scene.now())
    scene.comment(NEWCOMER, "/claim 6")
    scene.settle()
    assert len(said(scene, NUMBER)) == 1
    assert not claimed(scene)


@pytest.mark.parametrize("values", [{"status": "closed"}, {"status": "draft"}, {"rules": {"quiet": True}}])
def test_events_that_take_no_claims_or_are_quiet_say_nothing(scene: Scene, values: dict[str, Any]) -> None:
    other = another_issue(scene)
    Event.objects.update(**values)
    scene.driver.comment(REPOSITORY, other, NEWCOMER, "/claim 6")
    scene.settle()
    assert said(scene, other) == []


def test_another_repository_is_no_business_of_ours(scene: Scene) -> None:
    scene.driver.create_repository("o/else")
    other = int(scene.driver.create_issue("o/else", "A bug", "It crashes.", ORGANIZER)["number"])
    scene.driver.comment("o/else", other, NEWCOMER, "/claim 6")
    scene.settle()
    assert len(scene.driver.list_comments("o/else", other)) == 1


def test_it_is_limited_for_each_author_and_hour(scene: Scene, settings: Any) -> None:
    settings.REPLIES_PER_AUTHOR_AND_HOUR = 2
    other = another_issue(scene)
    for _time in range(4):
        scene.driver.comment(REPOSITORY, other, NEWCOMER, "/claim 6")
    scene.settle()
    assert len(said(scene, other)) == 2
