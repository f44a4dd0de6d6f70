"""Single cells written back: what must change, and that nothing else does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks_board.documents import editing, reading
from tasks_board.documents.editing import AddClaimant, EditRefused, SetClaimant, SetTask
from tasks_board.documents.model import PullRequestRef, ReadTask, State
from tests.tasks_board.documents.bodies import (
    REPOSITORY,
    badge_rows,
    cases,
    changed_lines,
    logins,
    marked_bodies,
    team_rows,
)

WRITABLE = [State.CLAIMED, State.PR_OPEN, State.APPROVED, State.DEFERRED, State.BLOCKED, State.DONE]
PULL = PullRequestRef("PaddlePaddle/docs", 7)


def task_of(body: str, number: str) -> ReadTask:
    return next(t for t in reading.read_body(body, repository=REPOSITORY).tasks if t.number == number)


def plain_body(cell: str, ending: str = "|") -> str:
    return f"| 任务标题 | 认领人 | PR |\n|-|-|-|\n| 甲 |{cell}{ending}\n| 乙 | @kelp-0 | |\n"


@given(body=marked_bodies(), login=logins, state=st.sampled_from(WRITABLE))
def test_it_changes_only_its_line_and_reads_as_meant(body: str, login: str, state: State) -> None:
    edit = SetClaimant(number="1", login=login, state=state, pull_requests=(PULL,))
    after = editing.apply_edit(body, edit, repository=REPOSITORY)
    assert len(changed_lines(body, after)) == 1
    task = task_of(after, "1")
    written = next(who for who in task.claimants if who.name.lower() == login)
    assert written.state is state
    assert PULL in (*written.pull_requests, *task.pull_requests)
    others = {who.name: who.state for who in task_of(body, "1").claimants if who.name.lower() != login}
    assert others.items() <= {who.name: who.state for who in task.claimants}.items()


@given(body=marked_bodies(), login=logins, state=st.sampled_from(WRITABLE))
def test_a_second_time_changes_nothing(body: str, login: str, state: State) -> None:
    edit = SetClaimant(number="1", login=login, state=state, pull_requests=(PULL,))
    once = editing.apply_edit(body, edit, repository=REPOSITORY)
    assert editing.apply_edit(once, edit, repository=REPOSITORY) == once


@given(body=marked_bodies(), login=logins)
def test_who_leaves_is_struck_and_may_come_back(body: str, login: str) -> None:
    gone = AddClaimant(number="1", login=login, state=State.WITHDRAWN)
    back = SetClaimant(number="1", login=login, state=State.CLAIMED)
    left = editing.apply_edit(body, gone, repository=REPOSITORY)
    assert {w.name.lower(): w.state for w in task_of(left, "1").claimants}[login] is State.WITHDRAWN
    returned = editing.apply_edit(left, back, repository=REPOSITORY)
    assert {w.name.lower(): w.state for w in task_of(returned, "1").claimants}[login] is State.CLAIMED


BADGES = [State.CLAIMED, State.RFC_SUBMITTED, State.RFC_MERGED, State.PR_OPEN, State.PARTLY_DONE, State.DONE]
NAMES = st.sampled_from(
    [("a", None), ("b", None), ("e", None), ("f", None), ("zz", None), (None, "青柠队"), (None, "新队")]
)


@given(body=badge_rows, name=NAMES, state=st.sampled_from([*BADGES, State.WITHDRAWN]))
def test_badges_read_as_meant(body: str, name: tuple[str | None, str | None], state: State) -> None:
    login, team = name
    edit = SetClaimant(number="1", login=login, team=team, state=state, pull_requests=(PULL,))
    after = editing.apply_edit(body, edit, repository=REPOSITORY)
    read = {who.name: who for who in task_of(after, "1").claimants}
    assert read[login or team or ""].state is state
    assert state is State.WITHDRAWN or PULL in read[login or team or ""].pull_requests
    others = {who.name: who.state for who in task_of(body, "1").claimants if who.name not in name}
    assert others == {who.name: who.state for who in read.values() if who.name not in name}
    assert editing.apply_edit(after, edit, repository=REPOSITORY) == after


@given(
    body=team_rows,
    team=st.sampled_from(["青柠队", "木星", "夜航", "雾灯", "新队"]),
    state=st.sampled_from([*BADGES, State.APPROVED, State.WITHDRAWN]),
)
def test_teams_read_at_least_as_meant(body: str, team: str, state: State) -> None:
    """The highest state of a team's items counts, so an older, higher item still speaks."""
    edit = SetClaimant(number="1", team=team, state=state, pull_requests=(PULL,))
    after = editing.apply_edit(body, edit, repository=REPOSITORY)
    read = {who.name: who.state for who in task_of(after, "1").claimants}
    before = {who.name: who.state for who in task_of(body, "1").claimants}
    highest = max([state, before.get(team, state)], key=lambda s: s.rank)
    assert read.pop(team) is (state if state is State.WITHDRAWN else highest)
    before.pop(team, None)
    assert read == before
    assert editing.apply_edit(after, edit, repository=REPOSITORY) == after


@given(body=st.one_of(badge_rows, team_rows), state=st.sampled_from([State.BLOCKED, State.DEFERRED]))
def test_a_state_without_a_form_changes_nothing(body: str, state: State) -> None:
    edit = SetClaimant(number="1", login="a", state=state, pull_requests=(PULL,))
    assert editing.apply_edit(body, edit, repository=REPOSITORY) == body


@given(body=st.one_of(marked_bodies(), st.sampled_from([case.body for case in cases()])))
def test_no_edit_leaves_every_byte(body: str) -> None:
    assert editing.apply_edits(body, [], repository=REPOSITORY) == body


@given(body=marked_bodies())
def test_many_edits_in_one_pass_equal_one_after_the_other(body: str) -> None:
    edits: list[editing.Edit] = [
        SetClaimant(number="1", login="moss07", state=State.PR_OPEN, pull_requests=(PULL,)),
        AddClaimant(number="1", login="moss070", state=State.CLAIMED),
        SetTask(number="0", state=State.DONE),
    ]
    step_by_step = body
    for edit in edits:
        step_by_step = editing.apply_edit(step_by_step, edit, repository=REPOSITORY)
    assert editing.apply_edits(body, edits, repository=REPOSITORY) == step_by_step


@pytest.mark.parametrize(
    ("state", "written"),
    [
        (State.WAITING, "🙋@moss07"),
        (State.REQUESTED, "🙋@moss07"),
        (State.CLOSED_UNMERGED, "🙋@moss07"),
        (State.RFC_MERGED, "🙋@moss07"),
        (State.PARTLY_DONE, "🚧@moss07"),
        (State.EXPIRED, "~~🚧@moss07~~"),
        (State.DECLINED, "~~🚧@moss07~~"),
        (State.SUPERSEDED, "~~🚧@moss07~~"),
    ],
)
def test_states_without_a_mark_take_the_nearest_form(state: State, written: str) -> None:
    body = "| 序号 | 题目 | 认领人 |\n|-|-|-|\n| 🚧1 | 甲 | 🚧@moss07 |\n"
    after = editing.apply_edit(
        body, SetClaimant(number="1", login="MOSS07", state=state), repository=REPOSITORY
    )
    assert written in after


@pytest.mark.parametrize(
    ("row", "written"),
    [
        ("| 甲 |", "| 甲 | @moss07 | PaddlePaddle/docs#7 |"),
        ("|甲", "|甲| @moss07 | PaddlePaddle/docs#7 |"),
        ("| 甲 | @moss07 |", "| 甲 | @moss07 | PaddlePaddle/docs#7 |"),
        ("| 甲 | 待定 | - | 多 |", "| 甲 | @moss07 | PaddlePaddle/docs#7 | 多 |"),
        ("|甲|@a||", "|甲|@a @moss07| PaddlePaddle/docs#7 |"),
        ("| 甲 | @moss07 docs#7 | |", "| 甲 | @moss07 docs#7 | |"),
        (
            "| 甲🚧 | @moss07 | ~~https://github.com/PaddlePaddle/docs/pull/7~~ |",
            "| 甲🚧 | @moss07 | ~~https://github.com/PaddlePaddle/docs/pull/7~~ |",
        ),
    ],
)
def test_ragged_rows_are_completed(row: str, written: str) -> None:
    body = f"| 任务标题 | 认领人 | PR |\n|-|-|-|\n{row}\r\n| 乙 | @kelp-0 | |\n"
    edit = SetClaimant(title="甲", login="moss07", state=State.PR_OPEN, pull_requests=(PULL,))
    after = editing.apply_edit(body, edit, repository=REPOSITORY).split("\n")[2]
    assert after == f"{written}\r"


def test_one_of_several_struck_together_comes_back_alone() -> None:
    badge = '<img src="https://img.shields.io/badge/状态-报名-2ECC71" />'
    body = f"| 序号 | 题目 | 认领人 |\n|-|-|-|\n| 1 | 甲 | ~~@a {badge} <br>@b {badge} <br>~~ |\n"
    edit = SetClaimant(number="1", login="a", state=State.CLAIMED)
    task = task_of(editing.apply_edit(body, edit, repository=REPOSITORY), "1")
    assert [(who.name, who.state) for who in task.claimants] == [
        ("a", State.CLAIMED),
        ("b", State.WITHDRAWN),
    ]


def test_a_bare_name_is_not_lost_beside_a_mention() -> None:
    body = plain_body(" 青柠队 ", "| |")
    edit = AddClaimant(title="甲", login="moss07", state=State.CLAIMED)
    names = reading.read_body(editing.apply_edit(body, edit, repository=REPOSITORY), repository=REPOSITORY)
    assert [who.name for who in names.tasks[0].claimants] == ["青柠队", "moss07"]


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (SetTask(title="丙", state=State.DONE), "row_not_found"),
        (SetTask(line=99, state=State.DONE), "row_not_found"),
        (SetTask(state=State.DONE), "row_not_found"),
        (SetTask(number="1", state=State.DONE), "row_ambiguous"),
        (AddClaimant(title="乙", login="moss07", state=State.CLAIMED), "no_claimants_column"),
        (AddClaimant(title="甲", login="a|b", state=State.CLAIMED), "name_not_writable"),
        (AddClaimant(title="甲", team="<br>@x", state=State.CLAIMED), "name_not_writable"),
        (AddClaimant(title="甲", team=" ", state=State.CLAIMED), "name_not_writable"),
    ],
)
def test_what_cannot_be_written_is_refused(edit: editing.Edit, code: str) -> None:
    body = "# A\n\n| 序号 | 题目 | 认领人 |\n|-|-|-|\n| 1 | 甲 | |\n"
    body += "\n# B\n\n| 序号 | 题目 |\n|-|-|\n| 2 | 乙 |\n\n# C\n\n| 序号 | 题目 | 认领人 |\n|-|-|-|\n| 1 | 丁 | |\n"
    with pytest.raises(EditRefused) as refusal:
        editing.apply_edit(body, edit, repository=REPOSITORY)
    assert refusal.value.code == code


def test_a_defence_result_is_never_written() -> None:
    body = "| 序号 | 题目 | 汇报人 | 答辩成绩 |\n|-|-|-|-|\n| 1 | 甲 | @a | 良好 |\n"
    after = editing.apply_edit(body, SetTask(number="1", state=State.BLOCKED), repository=REPOSITORY)
    assert after.splitlines()[-1] == "| 1 | 甲❌ | @a | 良好 |"


def test_a_table_without_titles_and_marks_takes_no_mark() -> None:
    body = "- [ ] 1. 甲\n\n| 编号 | 认领人 |\n|-|-|\n| 1 | @a |\n"
    assert editing.apply_edit(body, SetTask(number="1", state=State.APPROVED), repository=REPOSITORY) == body


def test_a_person_between_others_is_given_a_badge() -> None:
    badge = '<img src="https://img.shields.io/badge/状态-报名-2ECC71" />'
    body = f"| 序号 | 题目 | 认领人 |\n|-|-|-|\n| 1 | 甲 | @a #3、@b {badge} <br> |\n"
    edit = SetClaimant(number="1", login="a", state=State.CLAIMED)
    after = editing.apply_edit(body, edit, repository=REPOSITORY).splitlines()[-1]
    link = "[#3](https://github.com/PaddlePaddle/Paddle/pull/3)"
    assert after == f"| 1 | 甲 | @a {badge} {link}<br> @b {badge} <br> |"


def test_a_title_narrows_a_number_that_several_rows_have() -> None:
    body = "| 序号 | 题目 |\n|-|-|\n| 1 | 甲 |\n| 1 | 乙 |\n"
    edit = SetTask(number="1", title="乙", state=State.DONE)
    assert editing.apply_edit(body, edit, repository=REPOSITORY) == body.replace("乙", "乙✅")
