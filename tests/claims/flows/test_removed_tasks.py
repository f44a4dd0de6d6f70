"""A task that leaves the list lets its claimants go: no cap, no time limit, and it can be given back by its number."""

from datetime import timedelta

import pytest

from claims.mine import overview
from claims.models import Notice
from claims.operations import deadlines
from tasks_board.models import Event, Task
from tests.claims.flows.scene import NEWCOMER, ORGANIZER, Scene

ROW = "SOT 动态 shape 支持"


@pytest.fixture
def removed(scene: Scene) -> Scene:
    """The newcomer has task 5, the only one that they may have, and its row was taken out."""
    Event.objects.update(rules={"open_claims_per_person": 1, "days_to_pull_request": 7})
    scene.comment(NEWCOMER, "/claim 5")
    scene.settle()
    assert scene.claim(5, NEWCOMER).due_at is not None
    scene.edit_body(ORGANIZER, row_of(scene), "")
    scene.settle()
    return scene


def row_of(scene: Scene) -> str:
    return next(row for row in scene.rows() if ROW in row) + "\n"


def test_it_is_in_nobodys_hands(removed: Scene) -> None:
    claim = removed.claim(5, NEWCOMER)
    assert (claim.standing, claim.turn, claim.due_at) == ("claimed", "", None)
    assert deadlines.list_due(removed.now() + timedelta(days=90)) == []
    removed.comment(NEWCOMER, "/claim 6")
    removed.settle()
    assert removed.claim(6, NEWCOMER).standing == "claimed"


def test_its_claimant_hears_once_and_reads_why(removed: Scene) -> None:
    def told() -> list[str]:
        of_it = Notice.objects.filter(person=removed.person(NEWCOMER), kind="removed")
        return list(of_it.values_list("task__number", flat=True))

    assert told() == ["5"]
    [mine] = overview.list_mine(removed.person(NEWCOMER), now=removed.now())["others"]
    assert mine.step.text.startswith("The task was taken out of the list")
    assert mine.may_release
    Task.objects.filter(number="5").update(is_removed=True)
    removed.edit_body(ORGANIZER, "| PIR op_callstack", "| PIR op_callstack ")
    removed.settle()
    assert told() == ["5"]


@pytest.mark.parametrize("words", ["/release 5", "【取消报名】：5"])
def test_it_is_given_back_by_its_number(removed: Scene, words: str) -> None:
    removed.comment(NEWCOMER, words)
    removed.settle()
    assert removed.claim(5, NEWCOMER).standing == "withdrawn"
    assert "not a task" not in removed.answers()[-1]


def test_nobody_claims_it_any_more(removed: Scene) -> None:
    removed.comment(NEWCOMER, "/release 5")
    removed.comment(NEWCOMER, "/claim 5")
    removed.settle()
    assert removed.claim(5, NEWCOMER).standing == "withdrawn"
    assert "`5` is not a task of this event" in removed.answers()[-1]


def test_what_comes_back_is_in_hand_again(scene: Scene) -> None:
    scene.comment(NEWCOMER, "/claim 5")
    scene.settle()
    row = row_of(scene)
    before = next(line for line in scene.rows() if "dtype 动静统一" in line) + "\n"
    scene.edit_body(ORGANIZER, row, "")
    scene.settle()
    assert scene.claim(5, NEWCOMER).turn == ""
    scene.edit_body(ORGANIZER, before, before + row)
    scene.settle()
    assert scene.claim(5, NEWCOMER).turn == "claimant"
