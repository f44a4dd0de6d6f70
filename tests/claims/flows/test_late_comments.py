"""Comments whose events come late, twice, in one second, or after somebody else's edit."""

import json
from typing import Any

from claims.models import Claim, Decision, IssueComment
from tests.claims.flows.scene import MENTOR, NEWCOMER, NUMBER, OTHER, REPOSITORY, Scene


def write(scene: Scene, body: str, minute: int, author: str = NEWCOMER) -> int:
    at = f"2030-03-01T08:{minute:02d}:00Z"
    return int(scene.driver.comment(REPOSITORY, NUMBER, author, body, at=at)["id"])


def edit(scene: Scene, comment: int, body: str, minute: int) -> None:
    scene.driver.edit_comment(comment, NEWCOMER, body, at=f"2030-03-01T08:{minute:02d}:00Z")


def standings(scene: Scene, login: str = NEWCOMER) -> dict[str, str]:
    claims = Claim.objects.filter(person__login=login, shown=True).select_related("task")
    return {claim.task.number: claim.standing for claim in claims}


class TestOrder:
    def test_a_claim_made_again_counts_though_its_release_arrives_last(self, scene: Scene) -> None:
        write(scene, "/claim 6", 1)
        write(scene, "/release 6", 2)
        write(scene, "/claim 6", 3)
        claim, release, again = scene.waiting()
        for delivery in (claim, again, release):
            scene.bring([delivery])
        assert standings(scene) == {"6": "claimed"}

    def test_a_text_between_two_known_ones_leaves_no_claim_behind(self, scene: Scene) -> None:
        comment = write(scene, "/claim 5", 1)
        edit(scene, comment, "/claim 6", 2)
        edit(scene, comment, "/claim 5", 3)
        created, between, last = scene.waiting()
        for delivery in (created, last, between):
            scene.bring([delivery])
        assert standings(scene) == {"5": "claimed", "6": "withdrawn"}

    def test_the_first_text_never_overwrites_an_edit_of_the_same_second(self, scene: Scene) -> None:
        comment = write(scene, "/claim 5", 1)
        edit(scene, comment, "/claim 6", 1)
        created, edited = scene.waiting()
        scene.bring([edited])
        scene.bring([created])
        assert standings(scene) == {"5": "withdrawn", "6": "claimed"}
        assert IssueComment.objects.get().body == "/claim 6"


class TestEdits:
    def test_a_corrected_typo_does_not_claim_again_what_was_given_back(self, scene: Scene) -> None:
        comment = write(scene, "/claim 6", 1)
        write(scene, "/release 6", 2)
        edit(scene, comment, "/claim 6\n\nthanks", 3)
        scene.settle()
        assert standings(scene) == {"6": "withdrawn"}

    def test_an_edit_that_adds_a_task_claims_only_that_one(self, scene: Scene) -> None:
        comment = write(scene, "/claim 6", 1)
        write(scene, "/release 6", 2)
        edit(scene, comment, "/claim 5, 6", 3)
        scene.settle()
        assert standings(scene) == {"5": "claimed", "6": "withdrawn"}

    def test_somebody_elses_edit_speaks_for_nobody_and_waits_for_a_mentor(self, scene: Scene) -> None:
        comment = write(scene, "/claim 5", 1)
        scene.settle()
        scene.driver.edit_comment(comment, MENTOR, "/claim 6", at="2030-03-01T08:02:00Z")
        scene.settle()
        assert standings(scene) == {"5": "claimed"}
        assert not Claim.objects.filter(person__login=MENTOR).exists()
        stored = IssueComment.objects.get()
        assert (stored.body, stored.needs_help) == ("/claim 6", True)

    def test_a_comment_that_asks_for_nothing_any_more_is_not_called_unreadable(self, scene: Scene) -> None:
        comment = write(scene, "/claim 99", 1)
        scene.settle()
        edit(scene, comment, "Never mind.", 2)
        scene.settle()
        assert "could not be read" not in scene.answers()[0]


class TestWhoSpeaks:
    def test_a_deleted_account_claims_nothing(self, scene: Scene) -> None:
        write(scene, "/claim 6", 1, OTHER)
        (delivery,) = scene.waiting()
        payload: dict[str, Any] = json.loads(delivery["body"])
        payload["comment"]["user"] = None
        scene.bring([{**delivery, "body": json.dumps(payload)}])
        assert not Claim.objects.filter(task__number="6").exists()
        assert scene.answers() == []

    def test_who_was_declined_asks_again_and_does_not_simply_take_it(self, scene: Scene) -> None:
        from claims.operations import deciding
        from tests.claims.flows.scene import ORGANIZER

        scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        deciding.decide(
            claim=scene.claim(6, NEWCOMER),
            kind=Decision.Kind.DECLINED,
            acting_user=scene.person(ORGANIZER),
            key="no",
            now=scene.now(),
        )
        scene.driver.comment(REPOSITORY, NUMBER, NEWCOMER, "/release 6", at="2031-01-01T00:00:00Z")
        scene.driver.comment(REPOSITORY, NUMBER, NEWCOMER, "/claim 6", at="2031-01-02T00:00:00Z")
        scene.settle()
        assert scene.claim(6, NEWCOMER).standing == "requested"

    def test_a_comment_that_names_hundreds_of_tasks_gets_an_answer_that_github_takes(
        self, scene: Scene
    ) -> None:
        scene.comment(NEWCOMER, "/claim 3, " + ", ".join(str(n) for n in range(100, 700)))
        scene.settle()
        (answer,) = scene.answers()
        assert len(answer) < 20_000
