"""Following rows between bodies, and the three-way merge of claims."""

import pytest

from tasks_board.documents import editing, reading
from tasks_board.documents.editing import SetClaimant
from tasks_board.documents.merge import DesiredClaimant, MergePlan, match_rows, plan_merge
from tasks_board.documents.model import PullRequestRef, State
from tests.tasks_board.documents.bodies import REPOSITORY

HEAD = "## 清单\n\n| 序号 | 题目 | 认领人 | PR |\n|-|-|-|-|\n"
BASE = HEAD + "| 🙋1 | 甲 | 🙋@moss07 | |\n| 🔵2 | 乙 | | |\n"
PULL = PullRequestRef("PaddlePaddle/Paddle", 9)


def wish(
    state: State, login: str = "moss07", number: str = "1", refs: tuple[PullRequestRef, ...] = ()
) -> DesiredClaimant:
    return DesiredClaimant(number=number, title=None, login=login, team=None, state=state, pull_requests=refs)


def plan(current: str, *desired: DesiredClaimant) -> MergePlan:
    return plan_merge(base=BASE, current=current, desired=desired, repository=REPOSITORY)


def test_only_ours_changed_is_an_edit() -> None:
    merged = plan(BASE, wish(State.PR_OPEN, refs=(PULL,)), wish(State.CLAIMED, "fern-9", "2"))
    after = editing.apply_edits(BASE, merged.edits, repository=REPOSITORY)
    assert after == HEAD + "| 🚧1 | 甲 | 🚧@moss07 | PaddlePaddle/Paddle#9 |\n| 🙋2 | 乙 | 🙋@fern-9 | |\n"
    assert merged.conflicts == ()


def test_only_theirs_changed_is_left_alone() -> None:
    current = BASE.replace("🙋@moss07", "🚧@moss07")
    assert plan(current, wish(State.CLAIMED)) == MergePlan((), ())


def test_both_changed_the_same_is_nothing() -> None:
    current = BASE.replace("🙋@moss07", "🚧@moss07")
    assert plan(current, wish(State.PR_OPEN)) == MergePlan((), ())


def test_both_changed_differently_is_a_conflict() -> None:
    current = BASE.replace("🙋@moss07", "✅@moss07")
    merged = plan(current, wish(State.PR_OPEN))
    assert merged.edits == ()
    [conflict] = merged.conflicts
    assert (
        conflict.base and conflict.base.state,
        conflict.theirs and conflict.theirs.state,
        conflict.ours,
    ) == (
        State.CLAIMED,
        State.DONE,
        State.PR_OPEN,
    )


def test_somebody_they_took_out_while_we_moved_on_is_a_conflict() -> None:
    merged = plan(BASE.replace("🙋@moss07", ""), wish(State.PR_OPEN))
    [conflict] = merged.conflicts
    assert conflict.theirs is None


def test_other_people_of_the_row_do_not_disturb() -> None:
    current = BASE.replace("🙋@moss07", "🙋@moss07<br/>🚧@lin-qiao<br/>")
    [edit] = plan(current, wish(State.APPROVED)).edits
    assert isinstance(edit, SetClaimant)
    assert (edit.login, edit.line) == ("moss07", 5)


def test_our_edit_follows_a_row_that_moved() -> None:
    current = HEAD + "| 🔵2 | 乙 | | |\n| 🙋7 | 甲 | 🙋@moss07 | |\n"
    [edit] = plan(current, wish(State.DONE)).edits
    assert edit.line == 6


def test_a_row_that_is_gone_leaves_the_wish_homeless() -> None:
    current = HEAD + "| 🔵2 | 乙 | | |\n"
    assert plan(current, wish(State.DONE)).homeless == (wish(State.DONE),)


def test_an_expired_claim_that_is_struck_already_is_nothing() -> None:
    current = BASE.replace("🙋@moss07", "~~🙋@moss07~~")
    assert plan(current, wish(State.EXPIRED)) == MergePlan((), ())


def rows(*lines: str) -> str:
    return "| 序号 | 题目 | 认领人 |\n|-|-|-|\n" + "".join(f"| {line} | |\n" for line in lines)


@pytest.mark.parametrize(
    ("old", "new", "pairs"),
    [
        (["1 | 甲", "2 | 乙"], ["2 | 乙", "1 | 甲"], [("2", "2"), ("1", "1")]),
        (["1 | 甲", "2 | 乙"], ["1 | 新", "2 | 甲", "3 | 乙"], [(None, "1"), ("1", "2"), ("2", "3")]),
        (["1 | 甲"], ["1 | 改名"], [("1", "1")]),
        (["1 | [甲](https://a.b/1)"], ["5 | [改名](https://a.b/1)"], [("1", "5")]),
        (["1 | 甲", "2 | 甲"], ["2 | 甲"], [("2", "2"), ("1", None)]),
        (["1 | 甲"], [], [("1", None)]),
    ],
)
def test_rows_are_followed(
    old: list[str], new: list[str], pairs: list[tuple[str | None, str | None]]
) -> None:
    before = reading.read_body(rows(*old), repository=REPOSITORY)
    after = reading.read_body(rows(*new), repository=REPOSITORY)
    found = [
        (m.old.number if m.old else None, m.new.number if m.new else None) for m in match_rows(before, after)
    ]
    assert found == pairs


def test_moves_and_new_numbers_are_told() -> None:
    before = reading.read_body("# A\n" + rows("1 | 甲"), repository=REPOSITORY)
    after = reading.read_body("# B\n" + rows("2 | 甲"), repository=REPOSITORY)
    [match] = match_rows(before, after)
    assert (match.moved, match.renumbered) == (True, True)


def test_a_number_of_two_sections_is_found_by_its_title_or_section() -> None:
    body = "# A\n" + rows("1 | 甲") + "\n# B\n" + rows("1 | 乙")
    by_title = DesiredClaimant(number="1", title="乙", login="a", team=None, state=State.CLAIMED)
    by_section = DesiredClaimant(
        number="1", title=None, login="a", team=None, state=State.CLAIMED, section="A"
    )
    by_number = DesiredClaimant(number="1", title=None, login="a", team=None, state=State.CLAIMED)
    merged = plan_merge(
        base=body, current=body, desired=[by_title, by_section, by_number], repository=REPOSITORY
    )
    assert [edit.line for edit in merged.edits] == [9, 4]
    assert merged.homeless == (by_number,)
