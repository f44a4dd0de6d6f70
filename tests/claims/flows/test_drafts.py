"""A draft is nobody's to see: it answers nobody at GitHub, and hears what was written meanwhile once it is opened."""

import pytest

from claims import github_reading
from claims.models import IssueComment, Reply
from portal.github.connect import connect
from tasks_board.models import Event
from tasks_board.operations import events
from tests.claims.flows.scene import NEWCOMER, ORGANIZER, OTHER, Scene
from tests.claims.flows.test_two_events import bear_twin


@pytest.fixture
def draft(scene: Scene) -> Scene:
    Event.objects.update(status=Event.Status.DRAFT)
    return scene


def poll(scene: Scene) -> None:
    github_reading.poll_tracking_issue(tracking_issue=scene.issue, gateway=connect(), now=scene.now())
    scene.settle()


def open_event(scene: Scene) -> None:
    events.publish_event(event=scene.event, acting_user=scene.person(ORGANIZER), now=scene.now())


def test_a_draft_says_nothing_to_strangers(draft: Scene) -> None:
    draft.comment(NEWCOMER, "【报名】：6")
    draft.comment(NEWCOMER, "claim 6 for me")
    draft.settle()
    assert draft.answers() == []
    assert not Reply.objects.exists()


@pytest.mark.parametrize("is_looked_at", [False, True])
def test_what_was_claimed_meanwhile_is_heard_once_it_is_open(draft: Scene, is_looked_at: bool) -> None:
    draft.comment(NEWCOMER, "/claim 6")
    changed = draft.comment(OTHER, "/claim 4")
    draft.settle()
    if is_looked_at:  # an organizer has the text of a draft read anew
        poll(draft)
    draft.driver.edit_comment(changed["id"], OTHER, "/claim 5")
    draft.settle()
    open_event(draft)
    poll(draft)
    assert draft.claim(6, NEWCOMER).standing == "claimed"
    assert draft.claim(5, OTHER).standing == "claimed"
    assert ["is yours" in answer for answer in draft.answers()] == [True, True]
    assert IssueComment.objects.count() == 2


def test_a_draft_beside_a_running_event_adds_nothing(draft: Scene) -> None:
    bear_twin(draft)
    draft.comment(NEWCOMER, "/claim 6")
    draft.settle()
    (answer,) = draft.answers()
    assert "`6` is yours: claimed." in answer
    assert "Batch 2" not in answer
