"""Whoever takes part by comment alone learns from our answer what became of each task: it is edited in place."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import translation

from claims.models import Decision
from claims.operations import deadlines, deciding, undoing
from claims.since import Since, tell
from tasks_board.models import Event
from tests.claims.flows.scene import NEWCOMER, ORGANIZER, OTHER, REPOSITORY, Scene
from tests.claims.flows.test_quiet import reactions

KIND = Decision.Kind


def rule(**rules: Any) -> None:
    Event.objects.filter(slug="pir").update(rules=rules)


def decide(scene: Scene, kind: Decision.Kind, note: str = "", number: int = 6) -> None:
    claim = scene.claim(number, NEWCOMER)
    organizer = scene.person(ORGANIZER)
    deciding.decide(claim=claim, kind=kind, acting_user=organizer, key=kind, now=scene.now(), note=note)
    scene.settle()


def since(answer: str) -> str:
    """What stands behind what the answer said at first."""
    return answer.partition("<!-- since then -->")[2].partition("<!--")[0].strip()


def test_who_moves_up_is_told(scene: Scene) -> None:
    rule(places_per_task=1)
    scene.comment(OTHER, "/claim 6")
    scene.comment(NEWCOMER, "/claim 6")
    scene.settle()
    assert "wait in line" in scene.answers()[1]
    scene.comment(OTHER, "/release 6")
    scene.settle()
    taken, waited, released = scene.answers()
    assert since(waited) == "- `6` is yours now."
    assert since(taken) == "- `6` is released."
    assert since(released) == ""


class TestMentors:
    @pytest.mark.parametrize(
        ("kind", "said"),
        [
            (KIND.ADMITTED, "- `6` is yours now."),
            (KIND.DECLINED, "- `6` was declined by a mentor."),
            (KIND.RELEASED, "- `6` was taken back by a mentor and is not yours any more."),
        ],
    )
    def test_a_mentors_word_comes_with_the_reason(self, scene: Scene, kind: Decision.Kind, said: str) -> None:
        rule(who_may_claim="mentor_approves")
        scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        decide(scene, kind, "please take 5, @everybody `now` #7")
        (answer,) = scene.answers()
        assert since(answer) == f"{said} Reason: `please take 5, @everybody 'now' #7`"

    def test_in_the_language_of_the_comment(self, scene: Scene) -> None:
        rule(who_may_claim="mentor_approves")
        scene.comment(NEWCOMER, "【报名】：6")
        scene.settle()
        decide(scene, KIND.DECLINED)
        (answer,) = scene.answers()
        with translation.override("zh-hans"):
            assert since(answer) == tell(Since("6", "declined"), "")

    def test_what_is_taken_back_is_gone_again(self, scene: Scene) -> None:
        rule(who_may_claim="mentor_approves")
        scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        decide(scene, KIND.DECLINED)
        undoing.undo_decision(
            decision=Decision.objects.get(kind="declined"),
            acting_user=scene.person(ORGANIZER),
            now=scene.now(),
        )
        scene.settle()
        (answer,) = scene.answers()
        assert since(answer) == ""

    def test_work_that_is_done_is_told_with_what_it_rests_on(self, scene: Scene) -> None:
        scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        number = scene.open_pull_request(NEWCOMER, "【PIR No.6】 done")
        scene.settle()
        assert since(scene.answers()[0]) == ""
        scene.merge(number)
        scene.settle()
        told = since(scene.answers()[0])
        assert told.startswith("- `6` is done. Thank you! (`")
        assert f"#{number}`" in told


def test_a_reminder_and_the_end_of_the_time_are_told(scene: Scene) -> None:
    rule(days_to_pull_request=7)
    scene.comment(NEWCOMER, "/claim 6")
    scene.settle()
    told = []
    for _day in range(20):
        scene.passed += timedelta(days=1)
        for claim in deadlines.list_due(scene.now()):
            deadlines.settle_deadline(claim=claim, now=scene.now())
            scene.work()
            told.append(since(scene.answers()[0]))
    reminded, ended = told
    assert "the time for it ends on" in reminded
    assert "(Asia/Shanghai)" in reminded
    assert "the time ran out" in ended
    assert scene.claim(6, NEWCOMER).standing == "expired"


class TestQuiet:
    @pytest.mark.parametrize(("kind", "wanted"), [(KIND.ADMITTED, "+1"), (KIND.DECLINED, "confused")])
    def test_the_reaction_is_exchanged(self, scene: Scene, kind: Decision.Kind, wanted: str) -> None:
        rule(quiet=True, who_may_claim="mentor_approves")
        made = scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        assert reactions(scene, made["id"]) == ["eyes"]
        decide(scene, kind)
        assert reactions(scene, made["id"]) == [wanted]
        assert scene.answers() == []


def test_claiming_again_after_the_pull_request_was_closed_says_whose_turn_it_is(scene: Scene) -> None:
    scene.comment(NEWCOMER, "/claim 6")
    number = scene.open_pull_request(NEWCOMER, "【PIR No.6】 try")
    scene.settle()
    scene.driver.close(REPOSITORY, number, NEWCOMER)
    scene.settle()
    assert "closed without merging" in since(scene.answers()[0])
    scene.comment(NEWCOMER, "/claim 6")
    scene.settle()
    again = scene.answers()[1]
    assert "`6` is still yours, though its pull request was closed without merging" in again
    assert "is yours: claimed" not in again
