"""Nobody decides on an own claim, gains a role or an award by editing a text: one test for each way in."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from claims.desk.queue import list_items
from claims.desk.rows import load_rows
from claims.models import Claim, Decision, Notice
from claims.operations import deciding
from portal.common.errors import NotAllowed
from rewards.models import LedgerEntry
from tasks_board import rights
from tasks_board.models import Event, EventMark, EventRole, Task, TaskHelper
from tests.claims.flows.scene import MENTOR, NEWCOMER, NUMBER, ORGANIZER, OTHER, REPOSITORY, Scene
from tests.demo import people

TICK = ("dtype 动静统一🚧", "dtype 动静统一✅")
WORK = "【PIR No.6】x"


def claimed(scene: Scene, number: int = 6, login: str = NEWCOMER) -> None:
    scene.comment(login, f"/claim {number}")
    scene.settle()


def admit(scene: Scene, claim: Claim) -> None:
    deciding.decide(
        claim=claim,
        kind=Decision.Kind.ADMITTED,
        acting_user=scene.person(ORGANIZER),
        key=f"admit {claim.pk}",
        now=scene.now(),
    )


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


def rules(scene: Scene, **values: Any) -> None:
    event = scene.event
    event.rules = values
    event.save()


def marked(scene: Scene, kind: str) -> None:
    scene.comment(NEWCOMER, "hello")
    scene.settle()
    EventMark.objects.create(
        event=scene.event,
        person=scene.person(NEWCOMER),
        kind=kind,
        set_by=scene.person(ORGANIZER),
        set_at=scene.now(),
    )


def by_invitation(scene: Scene) -> None:
    rules(scene, who_may_claim="invitation")


def if_a_mentor_approves(scene: Scene) -> None:
    rules(scene, who_may_claim="mentor_approves")


def not_banned(scene: Scene) -> None:
    marked(scene, "banned")


def not_after_the_end(scene: Scene) -> None:
    Event.objects.update(closes_at=scene.now() - timedelta(days=1))


def not_in_a_closed_event(scene: Scene) -> None:
    Event.objects.update(status="closed")


def within_the_cap(scene: Scene) -> None:
    rules(scene, open_claims_per_person=1)
    claimed(scene, 5)


def into_a_free_place(scene: Scene) -> None:
    rules(scene, places_per_task=1, waiting_list=False)
    claimed(scene, 6, OTHER)


def after_what_comes_first(scene: Scene) -> None:
    scene.task(6).requires.add(scene.task(5))


REFUSED = [
    by_invitation,
    if_a_mentor_approves,
    not_banned,
    not_after_the_end,
    not_in_a_closed_event,
    within_the_cap,
    into_a_free_place,
    after_what_comes_first,
]


def with_names(row: str, *names: str) -> str:
    """The row with these people beside whoever stands there."""
    told = " ".join(f"@{name}" for name in names)
    return f"{row[:-1]} {told} |" if row.count("|") > 4 else f"{row} {told} |"


def write_in(scene: Scene, editor: str, *names: str) -> None:
    """Write people into the row of task 6; everybody is known here."""
    scene.comment(NEWCOMER, "hello")
    scene.settle()
    row = next(row for row in scene.rows() if "动转静 train step" in row)
    scene.edit_body(editor, row, with_names(row, *names))
    scene.settle()


def finish(scene: Scene, login: str, title: str = WORK) -> None:
    scene.merge(scene.open_pull_request(login, title))
    scene.settle()


class TestByANameInTheTable:
    @pytest.mark.parametrize("editor", [NEWCOMER, "tariq-tests"])
    @pytest.mark.parametrize("arrange", REFUSED)
    def test_whoever_the_rules_refuse_asks_the_mentor(
        self, scene: Scene, arrange: Callable[[Scene], None], editor: str
    ) -> None:
        scene.write_table()
        arrange(scene)
        write_in(scene, editor, NEWCOMER)
        claim = scene.claim(6, NEWCOMER)
        assert (claim.standing, claim.reason["code"], claim.shown) == ("requested", "entered", True)
        finish(scene, NEWCOMER)
        nothing_gained(scene)
        assert f"@{NEWCOMER}" in scene.body()
        assert scene.claim(6, NEWCOMER).standing == "requested"
        if arrange is into_a_free_place:
            assert scene.claim(6, OTHER).standing == "claimed"

    def test_a_mentor_who_lets_them_in_has_the_last_word(self, scene: Scene) -> None:
        by_invitation(scene)
        write_in(scene, NEWCOMER, NEWCOMER)
        admit(scene, scene.claim(6, NEWCOMER))
        finish(scene, NEWCOMER)
        assert scene.completions() == {("6", NEWCOMER)}

    @pytest.mark.parametrize("editor", [ORGANIZER, MENTOR])
    def test_what_an_organizer_or_mentor_writes_of_somebody_else_is_their_word(
        self, scene: Scene, editor: str
    ) -> None:
        by_invitation(scene)
        scene.comment(editor, "hello")
        scene.settle()
        EventRole.objects.get_or_create(
            event=scene.event,
            person=scene.person(editor),
            role="mentor",
            defaults={"granted_at": scene.now()},
        )
        write_in(scene, editor, NEWCOMER)
        assert scene.claim(6, NEWCOMER).standing == "claimed"
        finish(scene, NEWCOMER)
        assert scene.completions() == {("6", NEWCOMER)}

    def test_an_organizer_comes_in_by_the_rules_of_all(self, scene: Scene) -> None:
        if_a_mentor_approves(scene)
        write_in(scene, ORGANIZER, ORGANIZER)
        assert scene.claim(6, ORGANIZER).standing == "requested"

    @pytest.mark.parametrize("editor", [NEWCOMER, "tariq-tests"])
    def test_where_a_comment_would_be_a_claim_the_name_is_one(self, scene: Scene, editor: str) -> None:
        rules(scene, places_per_task=1, open_claims_per_person=1)
        write_in(scene, editor, NEWCOMER)
        assert scene.claim(6, NEWCOMER).standing == "claimed"
        finish(scene, NEWCOMER)
        assert scene.completions() == {("6", NEWCOMER)}

    def test_whoever_is_invited_comes_in(self, scene: Scene) -> None:
        by_invitation(scene)
        marked(scene, "invited")
        write_in(scene, NEWCOMER, NEWCOMER)
        assert scene.claim(6, NEWCOMER).standing == "claimed"

    def test_where_all_places_are_taken_they_wait_in_line(self, scene: Scene) -> None:
        rules(scene, places_per_task=1)
        claimed(scene, 6, OTHER)
        write_in(scene, NEWCOMER, NEWCOMER)
        assert scene.claim(6, NEWCOMER).standing == "waiting"
        scene.comment(OTHER, "/release 6")
        scene.settle()
        assert scene.claim(6, NEWCOMER).standing == "claimed"

    def test_one_edit_takes_no_more_than_there_is(self, scene: Scene) -> None:
        rules(scene, open_claims_per_person=1, waiting_list=False)
        Task.objects.filter(number="6").update(places=1)
        body, third = scene.body(), people.OTHERS[1].login
        for row in scene.rows():
            if "SOT 动态 shape" in row:
                body = body.replace(row, with_names(row, NEWCOMER))
            if "动转静 train step" in row:
                body = body.replace(row, with_names(row, NEWCOMER, OTHER, third))
        scene.driver.edit_issue(REPOSITORY, NUMBER, "tariq-tests", body)
        scene.settle()
        assert scene.claim(5, NEWCOMER).standing == "claimed"
        stands = {login: scene.claim(6, login).standing for login in (NEWCOMER, OTHER, third)}
        assert stands == {NEWCOMER: "requested", OTHER: "claimed", third: "requested"}

    def test_what_stood_in_the_first_text_is_the_organizers_to_confirm(self, scene: Scene) -> None:
        by_invitation(scene)
        assert {claim.standing for claim in Claim.objects.all()} >= {"claimed"}
        assert not Claim.objects.filter(standing="requested").exists()

    def test_a_name_that_a_stranger_takes_out_and_puts_back_is_no_new_one(self, scene: Scene) -> None:
        by_invitation(scene)
        before = {claim.pk: claim.standing for claim in Claim.objects.all()}
        row = next(row for row in scene.rows() if "@zrr1999" in row)
        scene.edit_body("tariq-tests", row, row.replace("@zrr1999", ""))
        scene.settle()
        scene.edit_body("tariq-tests", row.replace("@zrr1999", ""), row)
        scene.settle()
        assert {claim.pk: claim.standing for claim in Claim.objects.all()} == before

    def test_it_is_told_and_waits_at_the_desk(self, scene: Scene) -> None:
        by_invitation(scene)
        write_in(scene, NEWCOMER, NEWCOMER)
        told = Notice.objects.values_list("person__login", "kind")
        assert set(told) >= {(NEWCOMER, "entered"), (ORGANIZER, "desk")}
        organizer = scene.person(ORGANIZER)
        rows = load_rows(scene.event, viewer=organizer, rights=rights.rights_in(scene.event, organizer))
        items = list_items(rows, viewer=organizer, silent_days=14, reminder_days=3, now=scene.now())
        assert ("approve", "entered", NEWCOMER) in {(item.category, item.code, item.name) for item in items}


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
