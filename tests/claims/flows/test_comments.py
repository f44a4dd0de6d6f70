"""Claiming and releasing by comment, brought in by webhook."""

from claims.models import Claim, Decision, IssueComment
from tasks_board.models import Event
from tests.claims.flows.scene import NEWCOMER, NUMBER, OTHER, REPOSITORY, Scene


class TestClaiming:
    def test_a_comment_claims_and_gets_one_answer(self, scene: Scene) -> None:
        scene.comment(NEWCOMER, "【报名】：1、3、12-13")
        scene.settle()
        assert {c.task.number for c in Claim.objects.filter(person__login=NEWCOMER)} == {"1"}  # 3 is done
        (answer,) = scene.answers()
        assert "`12`" in answer
        assert "`13`" in answer

    def test_the_english_twin_does_the_same(self, scene: Scene) -> None:
        scene.comment(NEWCOMER, "/claim 4")
        scene.settle()
        assert scene.claim(4, NEWCOMER).standing == "claimed"
        assert scene.task(4).state == "pr_open"  # somebody else is further: the table said 🚧

    def test_a_done_task_is_refused_with_the_reason_and_the_others_count(self, scene: Scene) -> None:
        scene.comment(NEWCOMER, "/claim 3, 5")
        scene.settle()
        assert not Claim.objects.filter(task__number="3", person__login=NEWCOMER).exists()
        assert scene.claim(5, NEWCOMER).standing == "claimed"
        assert "`3` is not claimed" in scene.answers()[0]

    def test_a_redelivery_changes_nothing(self, scene: Scene) -> None:
        scene.comment(NEWCOMER, "/claim 5")
        deliveries = scene.waiting()
        scene.bring(deliveries * 3)
        assert Decision.objects.filter(kind="claimed").count() == 1
        assert len(scene.answers()) == 1

    def test_claiming_twice_says_so(self, scene: Scene) -> None:
        scene.comment(NEWCOMER, "/claim 5")
        scene.comment(NEWCOMER, "/claim 5")
        scene.settle()
        assert "yours already" in scene.answers()[1]
        assert Decision.objects.filter(kind="claimed").count() == 1

    def test_asking_twice_says_that_one_has_only_asked(self, scene: Scene) -> None:
        Event.objects.filter(pk=scene.event.pk).update(rules={"who_may_claim": "mentor_approves"})
        scene.comment(NEWCOMER, "/claim 5")
        scene.comment(NEWCOMER, "/claim 5")
        scene.settle()
        for answer in scene.answers():
            assert "`5` is asked for; a mentor will answer." in answer
        assert Decision.objects.filter(kind="requested").count() == 1

    def test_quotes_and_code_claim_nothing(self, scene: Scene) -> None:
        scene.comment(NEWCOMER, "> 【报名】：5\n\nnice")
        scene.comment(NEWCOMER, "```\n/claim 5\n```")
        scene.settle()
        assert not Claim.objects.filter(person__login=NEWCOMER).exists()
        assert scene.answers() == []

    def test_what_cannot_be_read_gets_a_hint_and_waits_for_a_mentor(self, scene: Scene) -> None:
        scene.comment(NEWCOMER, "我想做 5 这个题")
        scene.settle()
        comment = IssueComment.objects.get()
        assert comment.needs_help
        assert "`【报名】：5`" in scene.answers()[0]

    def test_what_books_nothing_is_answered_too(self, scene: Scene) -> None:
        scene.comment(NEWCOMER, "【提交】：5")
        scene.comment(NEWCOMER, "【其他意向】：6、7")
        scene.settle()
        handed_in, wished = scene.answers()
        assert "`【提交】：5 #12345`" in handed_in
        assert "- `6` " in wished
        assert "- `7` " in wished
        assert not Claim.objects.filter(person__login=NEWCOMER).exists()

    def test_our_own_answers_never_speak(self, scene: Scene) -> None:
        scene.comment(NEWCOMER, "/claim 99")
        scene.settle()
        assert IssueComment.objects.count() == 1
        assert len(scene.answers()) == 1


class TestReleasing:
    def test_a_release_gives_the_task_back(self, scene: Scene) -> None:
        scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        assert scene.task(6).state == "claimed"
        scene.comment(NEWCOMER, "取消报名：6")
        scene.settle()
        assert scene.claim(6, NEWCOMER).standing == "withdrawn"
        assert scene.task(6).state == "open"

    def test_nobody_releases_for_somebody_else(self, scene: Scene) -> None:
        scene.comment(NEWCOMER, "/claim 6")
        scene.comment(OTHER, "/release 6")
        scene.settle()
        assert scene.claim(6, NEWCOMER).standing == "claimed"
        assert not scene.claim(6, OTHER).shown
        assert "not yours" in scene.answers()[1]

    def test_a_release_that_arrives_before_its_claim_still_counts(self, scene: Scene) -> None:
        scene.driver.comment(REPOSITORY, NUMBER, NEWCOMER, "/claim 6", at="2026-03-01T08:00:00Z")
        scene.driver.comment(REPOSITORY, NUMBER, NEWCOMER, "/release 6", at="2026-03-01T09:00:00Z")
        claim, release = scene.waiting()
        scene.bring([release, claim])
        assert scene.claim(6, NEWCOMER).standing == "withdrawn"
        assert scene.claim(6, NEWCOMER).shown


class TestEditing:
    def test_an_edit_acts_on_the_difference(self, scene: Scene) -> None:
        comment = scene.comment(NEWCOMER, "/claim 5")
        scene.settle()
        scene.driver.edit_comment(comment["id"], NEWCOMER, "/claim 6")
        scene.settle()
        assert scene.claim(5, NEWCOMER).standing == "withdrawn"
        assert scene.claim(6, NEWCOMER).standing == "claimed"
        assert len(scene.answers()) == 1  # edited in place
        assert "`6` is yours" in scene.answers()[0]

    def test_an_older_text_that_arrives_late_changes_nothing(self, scene: Scene) -> None:
        made = scene.driver.comment(REPOSITORY, NUMBER, NEWCOMER, "/claim 5", at="2026-03-01T08:00:00Z")
        scene.driver.edit_comment(made["id"], NEWCOMER, "/claim 6", at="2026-03-01T09:00:00Z")
        created, edited = scene.waiting()
        scene.bring([edited, created])
        assert scene.claim(6, NEWCOMER).standing == "claimed"
        assert scene.claim(5, NEWCOMER).standing == "withdrawn"

    def test_a_deletion_keeps_the_claim(self, scene: Scene) -> None:
        comment = scene.comment(NEWCOMER, "/claim 5")
        scene.settle()
        scene.driver.delete_comment(comment["id"], NEWCOMER)
        scene.settle()
        assert scene.claim(5, NEWCOMER).standing == "claimed"
        assert IssueComment.objects.get().deleted_at is not None
