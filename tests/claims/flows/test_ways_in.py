"""Nobody decides on an own claim, gains a role or an award by editing a text: one test for each way in."""

import pytest

from claims.models import Claim, Decision
from claims.operations import deciding
from portal.common.errors import NotAllowed
from rewards.models import LedgerEntry
from tasks_board import rights
from tasks_board.models import EventRole, TaskHelper
from tests.claims.flows.scene import MENTOR, NEWCOMER, NUMBER, ORGANIZER, OTHER, REPOSITORY, Scene

TICK = ("dtype 动静统一🚧", "dtype 动静统一✅")
WORK = "【PIR No.6】x"


def claimed(scene: Scene, number: int = 6, login: str = NEWCOMER) -> None:
    scene.comment(login, f"/claim {number}")
    scene.settle()


def nothing_gained(scene: Scene) -> None:
    assert scene.completions() == set()
    assert not LedgerEntry.objects.exists()
    assert not Decision.objects.filter(kind__in=Decision.BY_MENTORS).exists()


class TestByTheTable:
    def test_a_claimant_ticks_their_own_row(self, scene: Scene) -> None:
        scene.edit_body("zrr1999", *TICK)
        scene.settle()
        nothing_gained(scene)

    @pytest.mark.parametrize("login", [ORGANIZER, MENTOR])
    def test_an_organizer_or_mentor_ticks_what_they_claimed_themselves(
        self, scene: Scene, login: str
    ) -> None:
        scene.write_table()
        claimed(scene, 6, login)
        EventRole.objects.get_or_create(
            event=scene.event, person=scene.person(login), role="mentor", defaults={"granted_at": scene.now()}
        )
        row = next(row for row in scene.rows() if f"@{login}" in row)
        ticked = row.replace("🚧", "✅") if "🚧" in row else row.replace(f"@{login}", f"✅@{login}")
        scene.edit_body(login, row, ticked)
        scene.settle()
        nothing_gained(scene)

    def test_somebody_writes_themselves_into_the_column_of_mentors(self, scene: Scene) -> None:
        row = next(row for row in scene.rows() if "op_callstack" in row)
        cells = row.split("|")
        cells[2] = f" @{OTHER} "
        scene.edit_body(OTHER, row, "|".join(cells))
        scene.settle()
        assert not TaskHelper.objects.exclude(granted_at=None).filter(person__login=OTHER).exists()
        assert not rights.rights_in(scene.event, scene.person(OTHER)).may_decide

    def test_somebody_writes_themselves_into_a_finished_row(self, scene: Scene) -> None:
        row = next(row for row in scene.rows() if "@xingmingyyj" in row)
        scene.edit_body(OTHER, row, row.replace("@xingmingyyj", f"@xingmingyyj @{OTHER}"))
        scene.settle()
        nothing_gained(scene)

    def test_somebody_names_a_merged_pull_request_beside_their_name(self, scene: Scene) -> None:
        number = scene.open_pull_request(OTHER, "Fix a typo")
        scene.merge(number)
        scene.settle()
        scene.write_table()
        claimed(scene, 6, OTHER)
        row = next(row for row in scene.rows() if f"@{OTHER}" in row)
        scene.edit_body(OTHER, row, row.replace(f"@{OTHER}", f"@{OTHER} #{number}"))
        scene.settle()
        nothing_gained(scene)


class TestByAComment:
    @pytest.mark.parametrize(
        "words",
        [
            "/award 6",
            "/approve 6",
            "/accept 6",
            "/done 6",
            "/admit @chen-contributes",
            "/mentor @chen-contributes",
            "【验收通过】：6",
            "6 已完成 ✅",
            "| 序号 | 题目 | 认领人 |\n| - | - | - |\n| 6 | x | @chen-contributes ✅ |",
        ],
    )
    def test_commands_of_entitled_people_are_no_commands_of_a_claimant(
        self, scene: Scene, words: str
    ) -> None:
        claimed(scene)
        scene.comment(NEWCOMER, words)
        scene.settle()
        nothing_gained(scene)
        assert not rights.rights_in(scene.event, scene.person(NEWCOMER)).may_decide

    def test_a_claimant_names_a_pull_request_of_their_own_that_was_merged_for_something_else(
        self, scene: Scene
    ) -> None:
        claimed(scene)
        number = scene.open_pull_request(NEWCOMER, "Fix a typo")
        scene.comment(NEWCOMER, f"【提交】：6 #{number}")
        scene.settle()
        scene.merge(number)
        scene.settle()
        nothing_gained(scene)
        assert scene.claim(6, NEWCOMER).doubts

    def test_nor_one_of_somebody_else(self, scene: Scene) -> None:
        claimed(scene)
        number = scene.open_pull_request(OTHER, "Fix a typo")
        scene.merge(number)
        scene.comment(NEWCOMER, f"【提交】：6 #{number}")
        scene.settle()
        nothing_gained(scene)

    def test_nobody_claims_for_somebody_else(self, scene: Scene) -> None:
        scene.comment(NEWCOMER, f"@{OTHER} /claim 6")
        scene.comment(NEWCOMER, f"> /claim 5\n\n@{OTHER}")
        scene.settle()
        assert not Claim.objects.filter(person__login=OTHER).exists()


class TestByATitle:
    def test_a_title_without_a_claim_is_work_for_the_mentor(self, scene: Scene) -> None:
        number = scene.open_pull_request(OTHER, WORK)
        scene.merge(number)
        scene.settle()
        nothing_gained(scene)
        assert not Claim.objects.filter(person__login=OTHER).exists()

    def test_a_title_that_is_changed_after_the_merge_asks_the_mentor(self, scene: Scene) -> None:
        claimed(scene)
        number = scene.open_pull_request(NEWCOMER, "Fix a typo")
        scene.merge(number)
        scene.settle()
        scene.driver.retitle(REPOSITORY, number, NEWCOMER, WORK, at="2030-05-01T08:00:00Z")
        scene.settle()
        nothing_gained(scene)
        assert scene.claim(6, NEWCOMER).doubts

    def test_in_whatever_order_we_hear_of_it(self, scene: Scene) -> None:
        claimed(scene)
        number = scene.open_pull_request(NEWCOMER, "Fix a typo")
        scene.merge(number)
        scene.driver.retitle(REPOSITORY, number, NEWCOMER, WORK, at="2030-05-01T08:00:00Z")
        scene.bring(list(reversed(scene.waiting())))
        scene.settle()
        nothing_gained(scene)

    def test_a_part_does_not_become_the_whole_after_the_merge(self, scene: Scene) -> None:
        claimed(scene)
        number = scene.open_pull_request(NEWCOMER, f"{WORK} -part")
        scene.merge(number)
        scene.settle()
        scene.driver.retitle(REPOSITORY, number, NEWCOMER, WORK, at="2030-05-01T08:00:00Z")
        scene.settle()
        assert scene.claim(6, NEWCOMER).standing == "partly_done"

    def test_a_mentor_who_mends_the_title_of_a_merge_is_heard(self, scene: Scene) -> None:
        claimed(scene)
        number = scene.open_pull_request(NEWCOMER, "Fix a typo")
        scene.merge(number)
        scene.settle()
        scene.driver.retitle(REPOSITORY, number, ORGANIZER, WORK, at="2030-05-01T08:00:00Z")
        scene.settle()
        assert scene.completions() == {("6", NEWCOMER)}


class TestByAReview:
    def test_a_claimant_approves_the_work_of_their_second_account(self, scene: Scene) -> None:
        claimed(scene, 5, NEWCOMER)
        claimed(scene, 6, OTHER)
        second, main = scene.person(NEWCOMER), scene.person(OTHER)
        second.canonical = main
        second.save()
        number = scene.open_pull_request(OTHER, WORK)
        scene.driver.review(REPOSITORY, number, NEWCOMER, "APPROVE", association="NONE")
        scene.settle()
        assert scene.claim(6, OTHER).standing == "pr_open"


class TestOnTheWeb:
    def test_nobody_decides_on_a_claim_of_their_own(self, scene: Scene) -> None:
        claimed(scene, 6, ORGANIZER)
        with pytest.raises(NotAllowed):
            deciding.decide(
                claim=scene.claim(6, ORGANIZER),
                kind=Decision.Kind.ACCEPTED,
                acting_user=scene.person(ORGANIZER),
                key="own",
                now=scene.now(),
            )
        nothing_gained(scene)


def test_an_issue_that_somebody_else_opens_with_the_same_table_is_nobodys_event(scene: Scene) -> None:
    copied = scene.body().replace("@xingmingyyj", f"@{OTHER}")
    made = scene.driver.create_issue(REPOSITORY, "PIR form, again", copied, OTHER)
    scene.settle()
    assert made["number"] != NUMBER
    assert not Claim.objects.filter(person__login=OTHER).exists()
