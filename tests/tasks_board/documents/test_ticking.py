"""Tasks of a checklist: done is ticked, not done any more is unticked, and every other byte stays."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks_board.documents import editing, reading
from tasks_board.documents.editing import AddClaimant, Edit, SetClaimant, SetTask
from tasks_board.documents.merge import merge_texts
from tasks_board.documents.model import PullRequestRef, ReadTask, State
from tests.tasks_board.documents.bodies import REPOSITORY, changed_lines

LIST = "* [x] 1-1. 引入 `_hints` 模块\n* [ ] 1-2. 给 Tensor 写存根\n- [ ] [2-1. 接入流水线](https://example.org/9)\n"
ROWS = "| 任务编号 | 认领人 | 任务 PR |\n| - | - | - |\n| 1-1 | @star-f @fern-9 | #63604 |\n| 1-2 | @fern-9 | |\n| 2-1 |  | |\n"
BODY = f"## 任务\n\n{LIST}\n{ROWS}"


def write(*edits: Edit, body: str = BODY) -> list[str]:
    """The lines that change."""
    return changed_lines(body, editing.apply_edits(body, edits, repository=REPOSITORY))


def row(body: str, number: str) -> ReadTask:
    tasks = reading.read_body(body, repository=REPOSITORY).tasks
    return next(task for task in tasks if task.number == number)


def claims(number: str, state: State, *logins: str) -> Sequence[SetClaimant]:
    return [SetClaimant(number=number, login=login, state=state) for login in logins]


def test_who_is_done_ticks_the_line_and_the_row_needs_no_mark() -> None:
    assert write(*claims("1-2", State.DONE, "fern-9")) == ["* [x] 1-2. 给 Tensor 写存根"]


def test_people_and_pull_requests_stand_in_the_row() -> None:
    ref = PullRequestRef(REPOSITORY, 7)
    edit = AddClaimant(number="2-1", login="kelp-0", state=State.DONE, pull_requests=(ref,))
    assert write(edit) == [
        "- [x] [2-1. 接入流水线](https://example.org/9)",
        "| 2-1 | @kelp-0 | PaddlePaddle/Paddle#7 |",
    ]


def test_who_is_not_done_any_more_unticks_it_with_the_last_of_them() -> None:
    assert write(*claims("1-1", State.PR_OPEN, "fern-9")) == []
    both = claims("1-1", State.PR_OPEN, "fern-9", "star-f")
    assert write(*both) == ["* [ ] 1-1. 引入 `_hints` 模块"]


def test_it_may_be_said_who_is_meant_to_be_done() -> None:
    [edit] = claims("1-1", State.PR_OPEN, "fern-9")
    said = SetClaimant(number="1-1", login="fern-9", state=edit.state, is_done=False)
    assert write(said) == ["* [ ] 1-1. 引入 `_hints` 模块"]


def test_the_task_itself_is_ticked_and_unticked() -> None:
    assert write(SetTask(number="2-1", state=State.DONE)) == [
        "- [x] [2-1. 接入流水线](https://example.org/9)"
    ]
    assert write(SetTask(number="1-1", state=State.OPEN)) == ["* [ ] 1-1. 引入 `_hints` 模块"]


@pytest.mark.parametrize("tick", ["x", "X"])
def test_what_is_ticked_already_stays_as_people_typed_it(tick: str) -> None:
    body = BODY.replace("[x]", f"[{tick}]")
    assert write(*claims("1-1", State.DONE, "fern-9"), body=body) == []


def test_line_ends_stay() -> None:
    body = BODY.replace("\n", "\r\n")
    after = editing.apply_edits(body, claims("1-2", State.DONE, "fern-9"), repository=REPOSITORY)
    assert after == body.replace("[ ] 1-2", "[x] 1-2")


def test_a_state_without_a_form_changes_no_tick() -> None:
    badge = '@b <img src="https://img.shields.io/badge/状态-完成任务-9B59B6" /> <br>'
    body = f"- [x] 1. 甲\n\n| 序号 | 认领人 |\n|-|-|\n| 1 | {badge} |\n"
    assert write(*claims("1", State.BLOCKED, "b"), body=body) == []
    assert write(*claims("1", State.PR_OPEN, "b"), body=body)[0] == "- [ ] 1. 甲"


def test_a_title_brings_its_link_along() -> None:
    body = (
        f"- [ ] 1-1. [甲](https://example.org/1)\n- [x] [1-2 乙][b]\n\n{ROWS}\n[b]: https://example.org/2\n"
    )
    assert (row(body, "1-1").title, row(body, "1-1").url) == ("甲", "https://example.org/1")
    assert (row(body, "1-2").title, row(body, "1-2").url) == ("乙", "https://example.org/2")
    assert row(body, "1-2").state is State.DONE


STATES = st.sampled_from([State.DONE, State.PR_OPEN, State.CLAIMED, State.WITHDRAWN])


@given(st.lists(st.tuples(st.sampled_from(["1-1", "1-2", "2-1"]), STATES), max_size=4))
@settings(deadline=None, max_examples=60)
def test_what_is_written_is_read_and_nothing_else_moves(asked: list[tuple[str, State]]) -> None:
    body = BODY
    for number, state in asked:
        edit = SetClaimant(number=number, login="kelp-0", state=state, is_done=state is State.DONE)
        after = editing.apply_edit(body, edit, repository=REPOSITORY)
        assert (row(after, number).state is State.DONE) is (state is State.DONE)
        assert len(changed_lines(body, after)) <= 2
        assert editing.apply_edit(after, edit, repository=REPOSITORY) == after
        body = after


class TestMerging:
    TICKED = BODY.replace("[ ] 1-2", "[x] 1-2")

    @pytest.mark.parametrize("prefer_theirs", [True, False])
    @pytest.mark.parametrize(
        ("theirs", "merged"),
        [
            (BODY.replace("Tensor", "张量"), TICKED.replace("Tensor", "张量")),
            (TICKED.replace("Tensor", "张量"), TICKED.replace("Tensor", "张量")),
            (BODY.replace("[x]", "[ ]"), TICKED.replace("[x] 1-1", "[ ] 1-1")),
            (BODY.replace("| @fern-9 | |", "| @fern-9 | #9 |"), TICKED.replace("-9 | |", "-9 | #9 |")),
        ],
    )
    def test_our_tick_and_a_persons_edit_are_both_kept(
        self, theirs: str, merged: str, *, prefer_theirs: bool
    ) -> None:
        found = merge_texts(base=BODY, mine=self.TICKED, theirs=theirs, prefer_theirs=prefer_theirs)
        assert (found.text, found.overruled) == (merged, ())

    def test_what_both_changed_alike_costs_nobody_anything(self) -> None:
        mine, theirs = "| 1 | 甲✅ | @a 乙 |", "| 1 | 甲✅ | @a 乙 #7 |"
        for prefer_theirs in (True, False):
            found = merge_texts(base="| 1 | 甲 | @a |", mine=mine, theirs=theirs, prefer_theirs=prefer_theirs)
            assert "甲✅" in found.text
