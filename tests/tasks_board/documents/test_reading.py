"""Rules of TABLES.md that no case shows by itself, and promises about any text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks_board.documents import editing, reading
from tasks_board.documents.model import Dialect, ReadTask, State
from tests.tasks_board.documents.bodies import REPOSITORY, badge_body

PIECES = [
    "|",
    "-",
    "\n",
    "|-|-|\n",
    "| 序号 | 任务 | 认领人 |\n",
    "~~",
    "~",
    "`",
    "```\n",
    "<!--",
    "-->",
    "[",
    "](",
    ")",
    "(",
]
PIECES += [
    "@a",
    "#1",
    "✅",
    "🚧",
    "<br>",
    "</br>",
    "<img src='https://img.shields.io/badge/状态-报名-1'>",
    "报名",
    "\\",
    "&",
]
PIECES += [
    "（",
    "～",
    "：",
    "1",
    "A-1",
    "⭐",
    "**",
    "_",
    "# ",
    "- [x] 1. ",
    "\r",
    "\0",
    "\ue000",
    "mentor ",
    "完成",
    "2024/1/1",
]
hostile = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=60).map("".join)


def read_row(header: str, row: str, above: str = "") -> ReadTask:
    width = header.count("|") + 1
    body = f"{above}\n\n| {header} |\n|{'-|' * width}\n| {row} |\n"
    return reading.read_body(body, repository=REPOSITORY).tasks[0]


@given(hostile)
def test_it_never_raises(text: str) -> None:
    read = reading.read_body(text, repository=REPOSITORY)
    for task in read.tasks:
        for cell in task.cells:
            assert 0 <= cell.confidence <= 1
            assert len(cell.span.of(text)) == len(cell.text)


@given(st.text())
def test_it_never_raises_on_any_characters(text: str) -> None:
    reading.read_body(
        f"| 序号 | 题目 | 认领人 |\n|-|-|-|\n| {text} | {text} | {text} |", repository=REPOSITORY
    )


@pytest.mark.parametrize(
    "unit", ["|", "`", "[", "](", "~", "~~a", "<", "<a href=", "<!--", "@a ", "(", "a(报名)", "1-"]
)
@pytest.mark.parametrize("place", ["body", "cell"])
def test_it_reads_hostile_texts_of_the_greatest_length(unit: str, place: str) -> None:
    head = "| 序号 | 题目 | 认领人 |\n|-|-|-|\n| 1 | "
    text = (unit * 65_536)[:65_000]
    body = text if place == "body" else f"{head}{text.replace('|', '丨')} | {text.replace('|', '丨')[:100]} |"
    read = reading.read_body(body, repository=REPOSITORY)
    assert all(task.line >= 0 for task in read.tasks)


def test_a_long_body_is_read_and_written_whole() -> None:
    body = badge_body(664)
    edit = editing.AddClaimant(number="500", login="fern-9", state=State.CLAIMED)
    assert len(reading.read_body(body, repository=REPOSITORY).tasks) == 664
    edited = editing.apply_edit(body, edit, repository=REPOSITORY)
    assert len(reading.read_body(edited, repository=REPOSITORY).tasks) == 664


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        ("No.12", "12"),
        ("**A-3**", "A-3"),
        ("~~✅7~~", "7"),
        ("1.10", "1.10"),
        ("`2-3`", "2-3"),
        ("-", None),
        ("", None),
    ],
)
def test_numbers(cell: str, number: str | None) -> None:
    assert read_row("序号 | 题目", f"{cell} | 甲").number == number


@pytest.mark.parametrize(
    ("cell", "stars"),
    [
        ("⭐⭐️", "2"),
        ("1.50×⭐", "1.5"),
        ("2.0 × ⭐", "2"),
        ("0.25🌟", "0.25"),
        ("P1 ⭐⭐", "2"),
        ("P1⭐", "1"),
        ("⭐~⭐⭐", None),
        ("1×⭐～2×⭐", None),
        ("0.5~1×⭐", None),
        ("⭐ 至 ⭐⭐", None),
        ("难", None),
        (":star::star:", "2"),
    ],
)
def test_stars(cell: str, stars: str | None) -> None:
    assert read_row("序号 | 题目 | 难度", f"1 | 甲 | {cell}").stars == stars


@pytest.mark.parametrize(
    ("cell", "title"),
    [
        ("[**甲** `a_b`](https://a.b/c)🆕 ✅ 已完成", "甲 a_b"),
        ("`__init__.py`", "__init__.py"),
        ("a\\_b &amp; c", "a_b & c"),
        ("**粗** *斜*", "粗 斜"),
        ("甲<br/>乙", "甲 乙"),
        ("修复 https://github.com/a/b/issues/1", "修复"),
        ("https://github.com/a/b/issues/1", "https://github.com/a/b/issues/1"),
        ("支持 `❌` 的显示", "支持 ❌ 的显示"),
    ],
)
def test_titles(cell: str, title: str) -> None:
    assert read_row("序号 | 题目", f"1 | {cell}").title == title


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("luz@partner.example", []),
        ("待定", []),
        ("无", []),
        ("-", []),
        ("@a、@b", ["a", "b"]),
        ("[@a](https://github.com/a) [b](https://github.com/b/)", ["a", "b"]),
        ("青柠队，Team Kite & 松果队 #5", ["青柠队", "Team Kite", "松果队"]),
        ("@moss07 @MOSS07", ["moss07"]),
        ("待认领", []),
        ("@a\u200bb", ["ab"]),
    ],
)
def test_people(cell: str, names: list[str]) -> None:
    assert [who.name for who in read_row("序号 | 题目 | 认领人", f"1 | 甲 | {cell}").claimants] == names


def test_a_mark_belongs_to_the_person_it_touches() -> None:
    task = read_row("序号 | 题目 | 认领人", "🚧1 | 甲 | @a✅ @b 🙋@c")
    assert [(who.name, who.state) for who in task.claimants] == [
        ("a", State.DONE),
        ("b", State.PR_OPEN),
        ("c", State.CLAIMED),
    ]


def test_a_rejected_team_counts_over_all_its_items() -> None:
    links = "[#1](https://github.com/a/b/pull/1)"
    task = read_row("序号 | 题目 | 认领人", f"1 | 甲 | 青柠队(报名)</br>青柠队(~~提交作品~~)(~~{links}~~)")
    assert [who.state for who in task.claimants] == [State.CLOSED_UNMERGED]
    assert task.state is State.OPEN


def test_a_state_that_was_never_filled_in_says_nothing() -> None:
    task = read_row("序号 | 题目 | 认领人", "1 | 甲 | 青柠队(报名/提交作品)</br>松果队(报名)")
    assert [who.state for who in task.claimants] == [State.CLAIMED, State.CLAIMED]


@pytest.mark.parametrize(
    ("line", "mentors"),
    [
        ("mentor: @a (1-3) @b (4)", ("a",)),
        ("**导师**：[a](https://github.com/a) 1、2 @b", ("a", "b")),
        ("导师 @a（４－９）@b（1）", ("b",)),
        ("导师说 @a 很好", ()),
    ],
)
def test_the_mentor_line(line: str, mentors: tuple[str, ...]) -> None:
    assert read_row("序号 | 题目", "1 | 甲", above=f"## 甲\n{line}").mentors == mentors


@pytest.mark.parametrize(
    ("above", "section"),
    [
        ("# 一 #", "一"),
        ("**一**<a name='x'></a>", "一"),
        ("一\n---", "一"),
        ("<summary>\n\n### 一\n\n</summary>", "一"),
        ("# 一\n\n#####", "一"),
        ("# 一\n\n正文 **粗** 字", "一"),
        ("```\n# 一\n```", None),
        ("<!--\n# 一\n-->", None),
    ],
)
def test_the_section(above: str, section: str | None) -> None:
    assert read_row("序号 | 题目", "1 | 甲", above=above).section == section


def test_problems_cost_only_their_own_cell() -> None:
    body = (
        "| 序号 | 题目 | 导师 | PR |\n|-|-|-|-|\n| 1 | 甲 | 某某 | 见上 |\n| 2 | 乙 | @a | #3 | 多 |\n| 3 |\n"
    )
    read = reading.read_body(body, repository=REPOSITORY)
    assert [task.number for task in read.tasks] == ["1", "2", "3"]
    assert [problem.code for problem in read.problems] == [
        "cell_not_understood",
        "cell_not_understood",
        "row_too_long",
        "row_too_short",
    ]


def test_a_forgotten_comment_end_hides_nothing() -> None:
    assert read_row("序号 | 题目", "1 | 甲", above="<!-- note").number == "1"


def test_an_empty_body() -> None:
    read = reading.read_body("", repository=REPOSITORY)
    assert (read.dialect, read.tables, read.board, read.tasks) == (Dialect.PLAIN, (), None, ())


def test_a_mark_whose_preset_the_legend_changed_is_not_written_any_more() -> None:
    body = "🚧：待分析\n\n| 序号 | 题目 | 认领人 |\n|-|-|-|\n| 🚧1 | 甲 | |\n"
    edit = editing.AddClaimant(number="1", login="moss07", state=State.PR_OPEN)
    after = editing.apply_edit(body, edit, repository=REPOSITORY)
    assert "| 🙋1 | 甲 | 🙋@moss07 |" in after


def test_ticks_may_stand_before_the_references() -> None:
    task = read_row("序号 | 题目 | 认领人 | PR", "1 | 甲 | @a | ✅#1 #2")
    assert [who.state for who in task.claimants] == [State.PARTLY_DONE]


@pytest.mark.parametrize(
    ("item", "name", "state"),
    [
        ("[a](https://github.com/a)(提交作品)([#1](https://github.com/a/b/pull/1))", "a", State.PR_OPEN),
        ("@a（报名）[#1](https://github.com/a/b/pull/1)", "a", State.CLAIMED),
        ("青柠队(报名)（#1） 松果队(完成贡献)", "松果队", State.DONE),
        ("青柠队(报名)(", "青柠队", State.CLAIMED),
        ("青柠队(报名)</br>@b #3", "b", State.PR_OPEN),
    ],
)
def test_teams_in_any_parentheses(item: str, name: str, state: State) -> None:
    task = read_row("序号 | 题目 | 认领人", f"1 | 甲 | {item}")
    assert {who.name: who.state for who in task.claimants}[name] is state


def test_a_bare_team_with_a_mark_makes_a_table_of_marks() -> None:
    read = reading.read_body("| 题目 | 认领人 |\n|-|-|\n| 甲 | 🚧青柠队 |\n", repository=REPOSITORY)
    assert (read.dialect, read.tasks[0].state) == (Dialect.EMOJI, State.PR_OPEN)


def test_an_impossible_date_is_no_finish() -> None:
    assert read_row("序号 | 题目 | 结项时间", "1 | 甲 | 2024/13/40").completed_on is None


def test_several_guides_of_one_line_share_the_ids_behind_them() -> None:
    body = "mentor @a @b 1-1、2\n\n| 序号 | 题目 |\n|-|-|\n| 1-1 | 甲 |\n| 1 | 乙 |\n| 2 | 丙 |\n"
    read = reading.read_body(body, repository=REPOSITORY)
    assert [task.mentors for task in read.tasks] == [("a", "b"), (), ("a", "b")]
