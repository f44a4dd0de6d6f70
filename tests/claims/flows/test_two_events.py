"""One issue may carry two events: both hear its comments, and their writing comes to rest."""

import io
from typing import Any

from django.core.management import call_command

from claims.models import Claim, Statement
from claims.operations.writing import hold_event
from tasks_board.models import Event, Task, TrackingIssue
from tests.claims.flows.scene import NEWCOMER, NUMBER, ORGANIZER, REPOSITORY, Scene


def test_two_events_of_one_issue_hear_it_and_come_to_rest(scene: Scene) -> None:
    call_command(
        "import_event",
        f"{REPOSITORY}#{NUMBER}",
        "--slug",
        "twin",
        "--organizer",
        ORGANIZER,
        "--publish",
        stdout=io.StringIO(),
    )
    TrackingIssue.objects.update(writing=TrackingIssue.Writing.ON)
    scene.comment(NEWCOMER, "/claim 6")
    scene.settle()
    assert Claim.objects.filter(person__login=NEWCOMER, standing="claimed").count() == 2
    assert scene.body().count(f"@{NEWCOMER}") == 1
    assert not Statement.objects.filter(claim__person__login=NEWCOMER).exists()
    assert {issue.body for issue in TrackingIssue.objects.all()} == {scene.body()}


def bear_twin(scene: Scene, *without: str) -> None:
    """A second event of the same issue, which lacks some of the tasks."""
    wanted = (f"{REPOSITORY}#{NUMBER}", "--slug", "twin", "--name", "Batch 2", "--organizer", ORGANIZER)
    call_command("import_event", *wanted, "--publish", stdout=io.StringIO())
    for number in without:
        lose(number, of="twin")


def lose(number: str, *, of: str) -> None:
    """The number is no task of the event."""
    Task.objects.filter(event__slug=of, number=number).update(number=f"90{number}")


class TestOneAnswer:
    def test_a_number_of_one_event_is_answered_by_it_alone(self, scene: Scene) -> None:
        bear_twin(scene, "6")
        scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        (answer,) = scene.answers()
        assert "`6` is yours: claimed." in answer
        assert "not a task" not in answer
        assert "Batch 2" not in answer

    def test_each_takes_its_own_and_what_none_knows_is_said_once(self, scene: Scene) -> None:
        bear_twin(scene, "6")
        lose("5", of="pir")
        scene.comment(NEWCOMER, "/claim 5, 6, 99")
        scene.settle()
        (answer,) = scene.answers()
        first, second = answer.split("In `Batch 2`:")
        assert "`6` is yours: claimed." in first
        assert "`5` is yours: claimed." in second
        assert answer.count("`99` is not a task of this event.") == 1
        assert answer.count("not a task") == 1

    def test_a_number_of_both_is_said_of_both(self, scene: Scene) -> None:
        bear_twin(scene)
        scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        (answer,) = scene.answers()
        assert answer.count("`6` is yours: claimed.") == 2
        assert "In `Batch 2`:" in answer

    def test_a_neighbour_that_is_over_adds_nothing_to_what_is_taken(self, scene: Scene) -> None:
        bear_twin(scene)
        Event.objects.filter(slug="pir").update(status="closed")
        scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        (answer,) = scene.answers()
        assert "`6` is yours: claimed." in answer
        assert "not claimed" not in answer

    def test_what_both_refuse_is_refused_once_by_the_one_that_is_running(self, scene: Scene) -> None:
        bear_twin(scene)
        Event.objects.filter(slug="pir").update(status="closed")
        Event.objects.filter(slug="twin").update(rules={"who_may_claim": "invitation"})
        scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        (answer,) = scene.answers()
        assert answer.count("not claimed") == 1
        assert "you are not invited" in answer

    def test_two_hints_are_one(self, scene: Scene) -> None:
        bear_twin(scene)
        scene.comment(NEWCOMER, "claim 6 for me")
        scene.settle()
        (answer,) = scene.answers()
        assert answer.count("nothing is booked") == 1

    def test_what_a_held_event_says_comes_when_it_is_released(self, scene: Scene) -> None:
        bear_twin(scene, "5")
        organizer = scene.person(ORGANIZER)
        hold_event(event=scene.event, held=True, acting_user=organizer, now=scene.now())
        scene.comment(NEWCOMER, "/claim 5, 6")
        scene.settle()
        (answer,) = scene.answers()
        assert "`6` is yours" in answer
        assert "`5` is yours" not in answer
        hold_event(event=scene.event, held=False, acting_user=organizer, now=scene.now())
        scene.settle()
        (answer,) = scene.answers()
        assert "`5` is yours: claimed." in answer

    def test_what_an_event_said_before_it_went_to_the_archive_stays(self, scene: Scene) -> None:
        bear_twin(scene, "5")
        made = scene.comment(NEWCOMER, "/claim 5")
        scene.settle()
        Event.objects.filter(slug="pir").update(status="archived")
        scene.driver.edit_comment(made["id"], NEWCOMER, "/claim 5, 6")
        scene.settle()
        (answer,) = scene.answers()
        assert "`5` is yours: claimed." in answer
        assert "`6` is yours: claimed." in answer

    def test_a_quiet_one_reacts_to_what_it_took_and_the_other_says_nothing_of_it(self, scene: Scene) -> None:
        bear_twin(scene, "6")
        Event.objects.filter(slug="pir").update(rules={"quiet": True})
        made = scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        assert scene.answers() == []
        [found] = [c for c in scene.driver.list_comments(REPOSITORY, NUMBER) if c["id"] == made["id"]]
        assert found["reactions"]["+1"] == 1

    def test_a_comment_counts_once_against_the_hours_answers(self, scene: Scene, settings: Any) -> None:
        settings.REPLIES_PER_AUTHOR_AND_HOUR = 2
        bear_twin(scene)
        scene.comment(NEWCOMER, "/claim 5")
        scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        assert [answer.count("is yours") for answer in scene.answers()] == [2, 2]
