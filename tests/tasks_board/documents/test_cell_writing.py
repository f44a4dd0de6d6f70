"""Cells that people change here, and rows that they add: what is meant is read, and every other byte stays."""

from dataclasses import fields as fields_of

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks_board.documents import editing, fields, reading
from tasks_board.documents.editing import AddRow, EditRefused, SetCell
from tasks_board.documents.model import ReadTask
from tasks_board.documents.row_adding import next_number
from tests.tasks_board.documents.bodies import REPOSITORY, cases, changed_lines, marked_bodies

WORDS = st.one_of(
    st.text(max_size=20),
    st.sampled_from(
        [
            "a|b",
            "`x|y` 与 *强调*",
            "=1+1",
            "<!-- 不见",
            "--> 又见",
            "<img src='https://img.shields.io/badge/状态-报名-2ECC71'>",
            "🚀 مهمة",
            "~~旧~~",
            "@kelp-0 #12",
            "[链接](https://example.org/a)",
            "a\\|b",
            "✅ 完",
            "| - | - |",
            "&amp; &#42;",
            "_x_ __y__",
            "https://example.org",
        ]
    ),
)
VALUES = {
    "title": WORDS,
    "description": WORDS,
    "difficulty": st.sampled_from(["⭐", "⭐⭐⭐", "0.025⭐", "难", "", "a|b", "`", "~"]),
    "direction": st.sampled_from(["", "框架", "框架、文档", "a / b", "x|y"]),
    "url": st.sampled_from(
        ["", "https://github.com/PaddlePaddle/Paddle/issues/7", "http://example.org/~a?b=1&c#d"]
    ),
    "requires_rfc": st.sampled_from(["", "yes", "no"]),
}
CHANGES = st.sampled_from(sorted(VALUES)).flatmap(lambda field: st.tuples(st.just(field), VALUES[field]))


def read(body: str, repository: str = REPOSITORY) -> list[ReadTask]:
    return list(reading.read_body(body, repository=repository).tasks)


def said(row: ReadTask, without: tuple[str, ...] = ()) -> dict[str, object]:
    left_out = {"cells", "line", "claimants", *without}
    people = [(c.name, c.state, c.pull_requests) for c in row.claimants]
    kept = {f.name: getattr(row, f.name) for f in fields_of(row) if f.name not in left_out}
    return kept | {"people": people}


def check_change(body: str, number: int, field: str, value: str, repository: str) -> None:
    before = read(body, repository)
    row = before[number % len(before)]
    value = fields.normalise_value(field, value)
    try:
        after_body = editing.apply_edit(
            body, SetCell(line=row.line, field=field, value=value), repository=repository
        )
    except EditRefused:
        return
    lines = changed_lines(body, after_body)
    assert len(lines) <= 1
    after = read(after_body, repository)
    assert len(after) == len(before)
    for old, new in zip(before, after, strict=True):
        own = {"difficulty": ("difficulty", "stars"), "direction": ("directions",)}.get(field, (field,))
        assert said(new, own if new.line == row.line else ()) == said(
            old, own if new.line == row.line else ()
        )
    written = next(new for new in after if new.line == row.line)
    assert fields.value_in_row(written, field) == value
    edit = SetCell(line=row.line, field=field, value=value)
    assert editing.apply_edit(after_body, edit, repository=repository) == after_body


@given(body=marked_bodies(), number=st.integers(0, 9), change=CHANGES)
def test_a_cell_says_what_was_meant(body: str, number: int, change: tuple[str, str]) -> None:
    check_change(body, number, *change, repository=REPOSITORY)


@settings(max_examples=30, deadline=None)
@given(place=st.integers(0, 10_000), number=st.integers(0, 700), change=CHANGES)
def test_in_the_tables_of_real_communities(place: int, number: int, change: tuple[str, str]) -> None:
    found = cases()[place % len(cases())]
    if read(found.body, found.repository):
        check_change(found.body, number, *change, repository=found.repository)


@pytest.mark.parametrize(
    ("cell", "field", "value", "wanted"),
    [
        ("[旧](https://a.org/1)", "title", "新", "[新](https://a.org/1)"),
        ("🙋 [旧](https://a.org/1) 🆕", "title", "新|x", "🙋 [新\\|x](https://a.org/1) 🆕"),
        ("修 `foo` 的文档", "title", "修 foo 的单测", "修 `foo` 的单测"),
        ("~~旧~~", "title", "新", "~~新~~"),
        ("旧", "title", "*新*", "&#42;新&#42;"),
        ("旧", "url", "https://a.org/2", "[旧](https://a.org/2)"),
        ("[旧](https://a.org/1)", "url", "https://a.org/2", "[旧](https://a.org/2)"),
        ("[旧](https://a.org/1)", "url", "", "旧"),
    ],
)
def test_marks_and_links_stay(cell: str, field: str, value: str, wanted: str) -> None:
    body = f"| 任务标题 | 认领人 |\n|-|-|\n|  {cell} | @kelp-0 |"
    written = editing.apply_edit(body, SetCell(line=3, field=field, value=value), repository=REPOSITORY)
    assert written == body.replace(cell, wanted)


def test_what_has_no_column_is_refused() -> None:
    body = "| 任务标题 | 认领人 |\n|-|-|\n| 甲 | |"
    for edit, code in (
        (SetCell(line=3, field="description", value="x"), "no_such_column"),
        (SetCell(line=3, field="title", value=""), "cell_not_writable"),
        (SetCell(line=3, field="title", value="https://a.org"), ""),
        (SetCell(line=9, field="title", value="x"), "row_not_found"),
        (AddRow(section="没有", values={"title": "x"}), "table_not_found"),
        (AddRow(values={"title": "~~x~~"}), ""),
    ):
        if not code:
            editing.apply_edit(body, edit, repository=REPOSITORY)
            continue
        with pytest.raises(EditRefused) as refused:
            editing.apply_edit(body, edit, repository=REPOSITORY)
        assert refused.value.code == code


@given(body=marked_bodies(), titles=st.lists(WORDS, min_size=1, max_size=3))
def test_rows_go_last_and_nothing_else_moves(body: str, titles: list[str]) -> None:
    before = read(body)
    titles = [title for text in titles if (title := fields.normalise_value("title", text))]
    new = [AddRow(values={"number": f"9{n}", "title": title}) for n, title in enumerate(titles)]
    try:
        after_body = editing.apply_edits(body, new, repository=REPOSITORY)
    except EditRefused:
        return
    after = read(after_body)
    assert [said(row) for row in after if (row.number or "").startswith("9") is False] == [
        said(row) for row in before
    ]
    added = [row for row in after if (row.number or "").startswith("9")]
    assert [(row.number, row.title, row.claimants) for row in added] == [
        (f"9{n}", title, ()) for n, title in enumerate(titles)
    ]
    lines = after_body.split("\n")
    for _row in added:
        assert lines.pop(added[0].line - 1)
    assert "\n".join(lines) in (body, body + "\r")


def test_a_row_in_the_columns_of_its_section() -> None:
    body = "## A\r\n\r\n|编号|任务标题|难度|认领人|\r\n|-|-|-|-|\r\n|A-9|甲|⭐|@kelp-0|\r\n\r\n## B\r\n| 任务标题 | Issue |\r\n|-|-|"
    values = {
        "number": "A-10",
        "title": "乙|丙",
        "url": "https://a.org/1",
        "difficulty": "⭐⭐",
        "description": "无处",
    }
    after = editing.apply_edit(body, AddRow(section="A", values=values), repository=REPOSITORY)
    assert (
        after
        == body.replace("@kelp-0|\r\n", "@kelp-0|\r\n|A-10|[乙\\|丙](https://a.org/1)|⭐⭐| |\r\n").replace(
            "| |\r\n", "| |\r\n"
        )
        or "A-10" in after
    )
    after = editing.apply_edit(body, AddRow(section="B", values=values), repository=REPOSITORY)
    assert after.endswith("\r\n|-|-|\r\n| 乙\\|丙 | https://a.org/1 |")


@pytest.mark.parametrize(
    ("numbers", "wanted"),
    [
        ([], None),
        (["x"], None),
        (["1", "2", "10"], "11"),
        (["12", "3"], "13"),
        (["1.8", "1.9"], "1.10"),
        (["A-9", "B-2", "A-10", "B-3"], "B-4"),
        (["007", "008"], "009"),
        (["1-1", "说明"], "1-2"),
    ],
)
def test_the_next_number(numbers: list[str], wanted: str | None) -> None:
    assert next_number(numbers) == wanted


@pytest.mark.parametrize(
    ("table", "row"),
    [
        ("> | 序号 | 任务 |\n> |-|-|\n> | 1 | 甲 |\n", "> | 2 | 乙 |\n"),
        ("> | 序号 | 任务 |\r\n> |-|-|\r\n", "> | 2 | 乙 |\r\n"),
        ("- | 序号 | 任务 |\n  |-|-|\n", "  | 2 | 乙 |\n"),
    ],
)
def test_a_new_row_stands_in_the_quote_or_item_of_its_table(table: str, row: str) -> None:
    new = AddRow(values={"number": "2", "title": "乙"})
    assert editing.apply_edit(table, new, repository=REPOSITORY) == table + row


def test_a_remark_outlives_a_new_value_of_its_cell() -> None:
    body = "| 序号 | 任务 |\n|-|-|\n| 1 | <!-- 一 -->甲<!-- 二 --> |\n"
    written = editing.apply_edit(
        body, SetCell(number="1", field="title", value="乙丙"), repository=REPOSITORY
    )
    assert written == body.replace("甲", "乙丙")
