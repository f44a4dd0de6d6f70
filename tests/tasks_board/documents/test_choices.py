"""Corrections of the reading: what each changes, that none changes nothing, and that writing follows them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks_board.documents import announced, editing, reading, tables
from tasks_board.documents.choices import STATES, ReadingChoices, known_tables
from tasks_board.documents.columns import ROLES
from tasks_board.documents.marks import Chosen, Marks, written_state
from tasks_board.documents.model import PullRequestRef, Reading, State
from tests.tasks_board.documents.bodies import REPOSITORY, cases, marked_bodies
from tests.tasks_board.documents.test_reading import hostile

BODY = """# 活动

## 甲组

| 项 | 内容 | 谁 | 进度 |
|-|-|-|-|
| 1 | 灯塔 | 小明 | 搞定 |
| 2 | 浮标 | @moss07 | 🟣 |
| 3 | 缆绳 | 见下方 | |

## 乙组

| 序号 | 题目 | 认领人 |
|-|-|-|
| 1 | 船 | ✅@kelp-0 |
| 2 | 桨 | |
"""
FIRST = {"项": "number", "内容": "title", "谁": "claimants", "进度": "state"}
BADGES = '| 序号 | 题目 | 认领人 |\n|-|-|-|\n| 1 | 甲 | @moss07 <img src="https://img.shields.io/badge/状态-{}-2ECC71" /> |\n'


def chosen(**written: object) -> ReadingChoices:
    found = ReadingChoices.from_json(written, by_hand=True)
    assert not found.unusable
    return found


def read(body: str, choices: ReadingChoices | None = None) -> Reading:
    return reading.read_body(body, repository=REPOSITORY, choices=choices)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from(["title", "done", "moss07"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)
stored = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("columns", "marks", "sections", "names", "left_out", "else"), json_values),
        "columns ": json_values,
    },
)
texts = st.text(min_size=1, max_size=6)
choices_by_hand = st.builds(
    lambda **kinds: ReadingChoices.from_json(kinds, by_hand=True),
    columns=st.dictionaries(
        st.sampled_from(["序号", "题目", "任务", "认领人", "备注", "PR"]) | texts,
        st.sampled_from(["", *ROLES]),
    ),
    marks=st.dictionaries(
        st.sampled_from(["✅", "🚧", "🔵", "🙋", "🟣", "报名", "提交PR"]) | texts,
        st.sampled_from(["", *STATES]),
    ),
    sections=st.dictionaries(texts, texts),
    names=st.dictionaries(st.sampled_from(["a", "moss07"]) | texts, st.sampled_from(["", "kelp-0"])),
    left_out=st.lists(texts, max_size=2),
)


class TestOnTheirWay:
    @given(stored | json_values)
    def test_reading_them_never_raises(self, value: object) -> None:
        for by_hand in (True, False):
            found = ReadingChoices.from_json(value, by_hand=by_hand)
            assert ReadingChoices.from_json(found.to_json()) == found

    @given(choices_by_hand)
    def test_they_come_back_as_they_were_stored(self, found: ReadingChoices) -> None:
        again = ReadingChoices.from_json(found.to_json())
        assert again == found
        assert not again.unusable

    def test_bad_values_are_listed_and_cost_nothing_else(self) -> None:
        found = ReadingChoices.from_json(
            {
                "columns": {"谁": "nonsense", "内容": "title", "项": 3},
                "marks": ["no mapping"],
                "names": {"小明": "not a login!"},
                "left_out": [1, "k"],
                "later": True,
            }
        )
        assert found.columns == {"内容": "title"}
        assert found.left_out == {"k"}
        assert [(u.kind, u.about) for u in found.unusable] == [
            ("columns", "谁"),
            ("columns", "项"),
            ("marks", ""),
            ("names", "小明"),
            ("left_out", ""),
        ]


class TestNone:
    @pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
    def test_every_case_reads_as_before(self, case: object) -> None:
        body = case.body  # type: ignore[attr-defined]  # a Case: the parameter has no type of its own
        assert read(body, ReadingChoices()) == read(body)

    @given(hostile)
    def test_any_text_reads_as_before(self, text: str) -> None:
        assert read(text, ReadingChoices.from_json({})) == read(text)


class TestReading:
    def test_columns_make_a_table_a_task_list(self) -> None:
        assert [table.section for table in read(BODY).tables] == ["乙组"]
        tasks = read(BODY, chosen(columns=FIRST)).tasks
        assert [(task.number, task.title) for task in tasks[:2]] == [("1", "灯塔"), ("2", "浮标")]
        assert [who.login for who in tasks[1].claimants] == ["moss07"]

    def test_a_column_may_be_ignored(self) -> None:
        tasks = read(BODY, chosen(columns={"认领人": ""})).tasks
        assert [task.claimants for task in tasks] == [(), ()]

    def test_a_chosen_column_wins_over_one_that_we_know(self) -> None:
        body = "| 任务 | 内容 | 认领人 |\n|-|-|-|\n| 甲 | 乙 | |\n"
        assert read(body, chosen(columns={"内容": "title"})).tasks[0].title == "乙"

    def test_marks_and_words_mean_what_was_said(self) -> None:
        choices = chosen(columns=FIRST, marks={"🟣": "approved", "搞定": "done", "✅": "pr_open"})
        states = [task.state for task in read(BODY, choices).tasks]
        assert states == [State.DONE, State.APPROVED, State.CLAIMED, State.PR_OPEN, State.OPEN]

    def test_a_mark_may_mean_nothing(self) -> None:
        [who] = read(BODY, chosen(marks={"✅": ""})).tasks[0].claimants
        assert who.state is State.CLAIMED

    def test_badges_mean_what_was_said(self) -> None:
        choices = chosen(marks={"提交 PR": "done", "审核": "approved"})
        assert read(BADGES.format("提交%20PR"), choices).tasks[0].state is State.DONE
        assert read(BADGES.format("审核"), choices).tasks[0].state is State.APPROVED

    def test_headings_are_renamed_or_no_direction(self) -> None:
        choices = chosen(columns=FIRST, sections={"甲组": "Lights", " 乙组 ": ""})
        assert [table.section for table in read(BODY, choices).tables] == ["Lights", None]
        found = announced.sections_in_order(BODY, frozenset(["Lights"]), choices)
        assert found == ("Lights",)

    def test_names_are_logins_or_nobody(self) -> None:
        choices = chosen(columns=FIRST, names={"小明": "@ming-1", "见下方": "", "moss07": "moss-70"})
        tasks = read(BODY, choices).tasks
        assert [[who.login for who in task.claimants] for task in tasks[:3]] == [["ming-1"], ["moss-70"], []]
        assert all(cell.confidence == 1 for cell in tasks[2].cells)

    def test_mentors_may_be_bare_names(self) -> None:
        body = "| 序号 | 题目 | 导师 |\n|-|-|-|\n| 1 | 甲 | 老李、@reef |\n"
        assert read(body, chosen(names={"老李": "lin-qiao", "reef": ""})).tasks[0].mentors == ("lin-qiao",)

    def test_tables_are_left_out_one_by_one(self) -> None:
        body = "# A\n| 题目 | 认领人 |\n|-|-|\n| 甲 | |\n\n| 题目 | 认领人 |\n|-|-|\n| 乙 | |\n"
        first, second = known_tables(tables.outline(body))
        assert [task.title for task in read(body, chosen(left_out=[second.key])).tasks] == ["甲"]
        assert [task.title for task in read(body, chosen(left_out=[first.key])).tasks] == ["乙"]

    @given(hostile | marked_bodies(), choices_by_hand)
    def test_it_never_raises(self, text: str, choices: ReadingChoices) -> None:
        read(text, choices)
        announced.sections_in_order(text, frozenset(["A"]), choices)
        assert editing.apply_edits(text, [], repository=REPOSITORY, choices=choices) == text


class TestWriting:
    def write(self, body: str, choices: ReadingChoices, **edit: object) -> tuple[str, Reading]:
        wish = editing.SetClaimant(**edit)  # type: ignore[arg-type]  # keywords of the edit
        after = editing.apply_edits(body, [wish], repository=REPOSITORY, choices=choices)
        return after, read(after, choices)

    def test_a_state_is_written_with_the_mark_that_was_chosen_for_it(self) -> None:
        choices = chosen(marks={"🟣": "approved", "🟢": ""})
        after, now = self.write(BODY, choices, number="2", login="fern-9", state=State.APPROVED)
        assert "🟣@fern-9" in after
        assert now.tasks[1].claimants[0].state is State.APPROVED

    def test_a_named_person_is_written_where_their_name_stands(self) -> None:
        choices = chosen(columns=FIRST, names={"小明": "ming-1"}, marks={"🟣": "approved"})
        after, now = self.write(BODY, choices, title="灯塔", login="ming-1", state=State.PR_OPEN)
        assert "小明" in after
        assert "ming-1" not in after
        assert [who.login for who in now.tasks[0].claimants] == ["ming-1"]

    def test_a_name_that_means_somebody_else_is_not_written(self) -> None:
        with pytest.raises(editing.EditRefused, match="somebody else"):
            self.write(
                BODY, chosen(names={"fern-9": "kelp-0"}), number="2", login="fern-9", state=State.CLAIMED
            )

    def test_a_badge_whose_word_was_taken_is_written_with_another(self) -> None:
        choices = chosen(marks={"提交PR": "done", "审核": "pr_open"})
        after, now = self.write(
            BADGES.format("报名"), choices, number="1", login="moss07", state=State.PR_OPEN
        )
        assert "状态-审核-" in after
        assert now.tasks[0].claimants[0].state is State.PR_OPEN
        body = BADGES.format("报名")
        assert (
            self.write(
                body, chosen(marks={"提交PR": "done"}), number="1", login="moss07", state=State.PR_OPEN
            )[0]
            == body
        )

    @given(
        marked_bodies(),
        st.dictionaries(
            st.sampled_from(["✅", "🚧", "🔵", "🙋", "🟢", "🟣"]), st.sampled_from(["", *STATES])
        ),
        st.sampled_from([State.CLAIMED, State.PR_OPEN, State.APPROVED, State.DONE]),
    )
    def test_what_was_written_reads_as_it_was_meant(
        self, body: str, marks: dict[str, str], state: State
    ) -> None:
        choices = chosen(marks=marks)
        pull = PullRequestRef("PaddlePaddle/docs", 7)
        after, now = self.write(body, choices, number="1", login="fern-9", state=state, pull_requests=(pull,))
        of = next(task for task in now.tasks if task.number == "1")
        who = next((who for who in of.claimants if who.login == "fern-9"), None)
        if after == body or who is None:
            return
        meanings = Marks({}, Chosen(emoji={m: State(s) if s else None for m, s in marks.items()}))
        if now.dialect == "emoji":
            assert who.state is written_state(state, meanings)
