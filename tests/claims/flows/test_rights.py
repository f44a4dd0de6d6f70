"""Nobody gains a right or an award by editing a text, naming a pull request, or by the order of events."""

import pytest

from claims.models import Decision, PullRequest, PullRequestLink, TableConflict
from claims.operations import deciding
from portal.common.errors import DomainError
from tests.claims.flows.scene import MENTOR, NEWCOMER, NUMBER, ORGANIZER, OTHER, REPOSITORY, Scene

TICK = ("dtype 动静统一🚧", "dtype 动静统一✅")


def edit_twice(scene: Scene, first: str, second: str) -> None:
    """One ticks, the other mends a heading a minute later."""
    ticked = scene.body().replace(*TICK)
    scene.driver.edit_issue(REPOSITORY, NUMBER, first, ticked, at="2030-03-01T08:01:00Z")
    mended = ticked.replace("## 背景", "## 缘起")
    scene.driver.edit_issue(REPOSITORY, NUMBER, second, mended, at="2030-03-01T08:02:00Z")


class TestTicks:
    def test_a_strangers_tick_does_not_become_the_organizers_whose_edit_arrives_first(
        self, scene: Scene
    ) -> None:
        edit_twice(scene, OTHER, ORGANIZER)
        tick, mend = scene.waiting()
        scene.bring([mend])
        assert scene.completions() == set()
        scene.bring([tick])
        assert scene.completions() == set()

    def test_nor_if_the_strangers_event_is_lost(self, scene: Scene) -> None:
        edit_twice(scene, OTHER, ORGANIZER)
        _tick, mend = scene.waiting()
        scene.bring([mend])
        assert scene.claim(4, "zrr1999").basis == "statement"
        assert scene.completions() == set()

    def test_an_organizers_tick_counts_though_a_strangers_later_edit_arrives_first(
        self, scene: Scene
    ) -> None:
        edit_twice(scene, ORGANIZER, OTHER)
        tick, mend = scene.waiting()
        scene.bring([mend])
        scene.bring([tick])
        assert Decision.objects.get(kind="accepted").decided_by == scene.person(ORGANIZER)
        assert scene.completions() == {("4", "zrr1999")}
        assert scene.issue.body == scene.body()

    def test_putting_a_row_back_decides_nothing(self, scene: Scene) -> None:
        line = next(row for row in scene.rows() if "op_callstack" in row)
        scene.edit_body(OTHER, line + "\n", "")
        scene.settle()
        scene.edit_body(ORGANIZER, "| dtype 动静统一", line + "\n| dtype 动静统一")
        scene.settle()
        assert scene.completions() == set()
        assert scene.claim(3, "xingmingyyj").basis == "statement"

    def test_an_organizer_may_take_a_tick_back(self, scene: Scene) -> None:
        scene.write_table()
        first = scene.body()
        for minute, body in enumerate((first.replace(*TICK), first)):
            scene.driver.edit_issue(REPOSITORY, NUMBER, ORGANIZER, body, at=f"2030-03-01T08:0{minute}:00Z")
            scene.settle()
        assert scene.completions() == set()
        assert TICK[0] in scene.body()

    def test_an_organizers_tick_on_a_released_claim_holds(self, scene: Scene) -> None:
        scene.comment(NEWCOMER, "/claim 6")
        scene.comment(NEWCOMER, "/release 6")
        scene.settle()
        deciding.decide(
            claim=scene.claim(6, NEWCOMER),
            kind=Decision.Kind.ACCEPTED,
            acting_user=scene.person(ORGANIZER),
            key="yes",
            now=scene.now(),
        )
        assert scene.claim(6, NEWCOMER).standing == "done"

    def test_history_is_what_the_first_text_ticked_and_nothing_typed_since(self, scene: Scene) -> None:
        scene.edit_body(OTHER, *TICK)
        scene.settle()
        deciding.confirm_history(event=scene.event, acting_user=scene.person(ORGANIZER), now=scene.now())
        assert scene.completions() == {("3", "xingmingyyj")}


class TestNamedPullRequests:
    def test_one_merged_in_a_repository_nobody_watches_asks_the_mentor(self, scene: Scene) -> None:
        scene.driver.create_repository(f"{NEWCOMER}/sandbox", owners=[NEWCOMER])
        made = scene.driver.open_pull_request(f"{NEWCOMER}/sandbox", "mine", NEWCOMER)["number"]
        scene.driver.merge(f"{NEWCOMER}/sandbox", made, NEWCOMER)
        scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        scene.comment(NEWCOMER, f"【提交】：6 {NEWCOMER}/sandbox#{made}")
        scene.settle()
        assert PullRequestLink.objects.filter(task__number="6").exists()
        assert scene.completions() == set()
        assert scene.claim(6, NEWCOMER).doubts

    def test_one_merged_before_the_claim_asks_the_mentor(self, scene: Scene) -> None:
        number = scene.open_pull_request(NEWCOMER, "Fix a typo")
        scene.merge(number)
        scene.driver.comment(REPOSITORY, NUMBER, NEWCOMER, "/claim 6", at="2030-01-01T00:00:00Z")
        scene.driver.comment(
            REPOSITORY, NUMBER, NEWCOMER, f"【提交】：6 #{number}", at="2030-01-02T00:00:00Z"
        )
        scene.settle()
        assert PullRequestLink.objects.filter(task__number="6").exists()
        assert scene.completions() == set()
        assert scene.claim(6, NEWCOMER).doubts

    def test_one_merged_afterwards_shows_and_counts_by_a_mentor_s_word(self, scene: Scene) -> None:
        number = scene.open_pull_request(NEWCOMER, "Adapt the train step")
        scene.comment(NEWCOMER, "/claim 6")
        scene.comment(NEWCOMER, f"【提交】：6 #{number}")
        scene.settle()
        assert scene.claim(6, NEWCOMER).standing == "pr_open"
        scene.merge(number)
        scene.settle()
        assert scene.completions() == set()
        assert [doubt["code"] for doubt in scene.claim(6, NEWCOMER).doubts] == ["named_only"]
        deciding.decide(
            claim=scene.claim(6, NEWCOMER),
            kind=Decision.Kind.ACCEPTED,
            acting_user=scene.person(ORGANIZER),
            key="yes",
            now=scene.now(),
        )
        assert scene.completions() == {("6", NEWCOMER)}


class TestDesk:
    def test_an_author_may_be_admitted_again_after_a_no(self, scene: Scene) -> None:
        scene.open_pull_request(NEWCOMER, "【PIR No.6】x")
        scene.settle()
        pull_request, organizer = PullRequest.objects.get(), scene.person(ORGANIZER)
        for again in range(2):
            claim = deciding.admit_author(
                task=scene.task(6), pull_request=pull_request, acting_user=organizer, now=scene.now()
            )
            assert claim.standing == "pr_open"
            deciding.decide(
                claim=claim,
                kind=Decision.Kind.DECLINED,
                acting_user=organizer,
                key=f"no:{again}",
                now=scene.now(),
            )

    def test_a_conflict_is_settled_once(self, scene: Scene) -> None:
        claim, organizer = scene.claim(4, "zrr1999"), scene.person(ORGANIZER)
        conflict = TableConflict.objects.create(
            claim=claim,
            ours="claimed",
            theirs="done",
            revision=scene.issue.revisions.get(),
            raised_at=scene.now(),
        )
        stale = TableConflict.objects.get(pk=conflict.pk)
        deciding.settle_conflict(conflict=conflict, keep_ours=True, acting_user=organizer, now=scene.now())
        with pytest.raises(DomainError):
            deciding.settle_conflict(conflict=stale, keep_ours=False, acting_user=organizer, now=scene.now())
        assert scene.completions() == set()


def test_a_part_that_was_merged_first_keeps_its_credit(scene: Scene) -> None:
    scene.comment(NEWCOMER, "/claim 6")
    scene.comment(OTHER, "/claim 6")
    scene.driver.merge(REPOSITORY, scene.open_pull_request(NEWCOMER, "【PIR No.6】x -part"), MENTOR)
    scene.driver.merge(
        REPOSITORY, scene.open_pull_request(OTHER, "【PIR No.6】the rest"), MENTOR, at="2030-01-01T00:00:00Z"
    )
    scene.settle()
    assert scene.completions() == {("6", NEWCOMER), ("6", OTHER)}
