"""The figures block and the people block: written as the two bots print them, and nothing else of a body."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks_board.documents.blocks import label_key, refresh_board, refresh_contributors
from tasks_board.documents.figures import Figures
from tasks_board.documents.model import ContributorCount, Dialect, State
from tasks_board.documents.reading import read_body

CASES = Path("tests/cases/tables")
S = State
HEAD = (
    "| 任务方向 | 任务数量 | 提交作品 / 任务认领 | 提交率 | 完成 | 完成率 |\n"
    "| :----: | :----: | :----:  | :----: | :----: | :----: |\n"
)
ROW = "|  Lamps  |  4  | 0 / 0 | 0.0% |  0  | 0.0% |\n"
AUTO = (
    "| 📊任务数量 | 🔵可认领 | 🚧迁移中 | 🟢待合入 | ✅完成 | 🟡下阶段推进 | 🏁完成率 |\n"
    "| ----- | ---- | ---- | ---- | --- | ------ | ---- |\n"
    "| 7   | 7  | 0    | 0    | 0  | 0      | 0.0% |\n"
)


def case(name: str) -> str:
    return (CASES / name).read_text(encoding="utf-8")


class TestFigures:
    def test_hackathonbots_row(self) -> None:
        states = [S.DONE, S.PR_OPEN, S.CLAIMED, S.OPEN, S.OPEN, S.OPEN, S.OPEN]
        written = refresh_board(HEAD + ROW, [Figures.of("Lamps", states)])
        assert written == HEAD + "|  Lamps  |  7  | 2 / 3 | 28.57% |  1  | 14.29% |\n"

    def test_a_new_row_stands_in_the_quote_of_its_board(self) -> None:
        quoted = "".join(f"> {line}\n" for line in (HEAD + ROW).splitlines())
        written = refresh_board(quoted, [Figures.of("Lamps", [S.OPEN] * 4), Figures.of("Sails", [S.DONE])])
        assert written.startswith(quoted)
        assert written[len(quoted) :].startswith("> |  Sails  |  1  |")

    def test_autotables_row_counts_struck_rows_and_has_one_decimal(self) -> None:
        states = [S.DONE, S.PR_OPEN, S.APPROVED, S.DEFERRED, S.OPEN, S.CLAIMED]
        written = refresh_board(AUTO, [Figures.of(None, states, [S.OPEN])])
        assert written.splitlines()[2] == "| 7   | 2  | 1    | 1    | 1  | 1      | 14.3% |"

    def test_the_given_boards_already_say_what_their_tasks_say(self) -> None:
        body = case("badge_challenge.md")
        tables = read_body(body, repository="o/r").tables
        figures = [Figures.of(t.section, [row.state for row in t.tasks if not row.removed]) for t in tables]
        assert refresh_board(body, figures) == body

    def test_a_new_direction_gets_a_row_of_its_own(self) -> None:
        written = refresh_board(HEAD + ROW + "#####\n", [Figures.of("Buoys", [S.OPEN])])
        assert written == HEAD + ROW + "|  Buoys  |  1  | 0 / 0 | 0.0% |  0  | 0.0% |\n#####\n"
        assert refresh_board(HEAD, [Figures.of("Lamps", [S.OPEN] * 4)]) == HEAD + ROW.rstrip("\n") + "\n"

    def test_line_ends_stay(self) -> None:
        body = (HEAD + ROW).replace("\n", "\r\n")
        written = refresh_board(body, [Figures.of("Lamps", [S.DONE] * 4), Figures.of("Buoys", [S.OPEN])])
        assert written.count("\r\n") == written.count("\n") == 4

    @pytest.mark.parametrize("label", ["a|b", "a\nb", "<!--", "`", "[x](y)"])
    def test_a_name_that_would_break_the_table_is_not_written(self, label: str) -> None:
        assert refresh_board(HEAD + ROW, [Figures.of(label, [S.OPEN])]) == HEAD + ROW

    def test_without_a_board_nothing_is_written(self) -> None:
        body = "| 序号 | 题目 |\n| - | - |\n| 1 | x |\n"
        assert refresh_board(body, [Figures.of("Lamps", [S.OPEN])]) == body


class TestPeople:
    @pytest.mark.parametrize(
        ("line", "written"),
        [
            ("> 排名不分先后 @moss07 (1) ", "> 排名不分先后 @moss07 (2) @zw-chen (22) "),
            ("> 排名不分先后 @moss07(1) ", "> 排名不分先后 @moss07(2) @zw-chen(22) "),
            ("> 排名不分先后 @Moss07 (2) @gone (3)", "> 排名不分先后 @Moss07 (2)  @zw-chen (22)"),
            (
                "整体（2/3），排名不分先后： @zw-chen (22) @moss07 (1)！",
                "整体（2/3），排名不分先后： @zw-chen (22) @moss07 (2)！",
            ),
            ("> 排名不分先后", "> 排名不分先后 @moss07 (2) @zw-chen (22)"),
        ],
    )
    def test_each_as_its_bot_prints_it(self, line: str, written: str) -> None:
        counts = [ContributorCount("moss07", 2), ContributorCount("zw-chen", 22)]
        assert refresh_contributors(f"a\n{line}\r\nb", counts) == f"a\n{written}\r\nb"

    def test_an_empty_line_of_autotable_gets_no_blank(self) -> None:
        counts = [ContributorCount("moss07", 2)]
        assert (
            refresh_contributors("排名不分先后", counts, dialect=Dialect.EMOJI) == "排名不分先后 @moss07(2)"
        )

    def test_without_such_a_line_nothing_is_written(self) -> None:
        assert refresh_contributors("@moss07 (1)\n", [ContributorCount("moss07", 2)]) == "@moss07 (1)\n"


LOGINS = st.from_regex(r"[a-z0-9](-?[a-z0-9]){0,8}", fullmatch=True)
COUNTS = st.dictionaries(LOGINS, st.integers(1, 500), max_size=8).map(
    lambda found: [ContributorCount(login, count) for login, count in found.items()]
)
STATES = st.lists(
    st.sampled_from([S.OPEN, S.CLAIMED, S.PR_OPEN, S.APPROVED, S.PARTLY_DONE, S.DONE, S.DEFERRED])
)
PIECES = st.lists(
    st.sampled_from(
        [
            "@a (1)",
            "@b(2) ",
            " ",
            "、",
            "x",
            "(3)",
            "@a",
            "～",
            "（4）",
            "＠c（5）",
            "\u200b",
            "~~",
            "`",
            "<br>",
            "[",
        ]
    )
).map("".join)


class TestAlways:
    @given(PIECES, COUNTS)
    def test_what_we_wrote_reads_as_we_meant_or_nothing_was_written(
        self, line: str, counts: list[ContributorCount]
    ) -> None:
        body = f"before | x\n\n排名不分先后{line}\n\n| 题目 |\n|-|\n| x |\n"
        written = refresh_contributors(body, counts)
        read = read_body(written, repository="o/r").contributors_block
        assert written == body or {c.login.lower(): c.count for c in read or ()} == {
            c.login: c.count for c in counts
        }
        assert written.splitlines()[:2] == body.splitlines()[:2]
        assert written.split("\n")[3:] == body.split("\n")[3:]
        assert refresh_contributors(written, counts) == written

    @given(st.sampled_from([HEAD + ROW, AUTO, case("glossary.md"), case("kit_mix.md")]), STATES, STATES)
    def test_figures_read_as_they_were_meant(
        self, body: str, states: list[State], struck: list[State]
    ) -> None:
        board = read_body(body, repository="o/r").board or ()
        figures = [Figures.of(row.label, states, struck) for row in board]
        written = refresh_board(body, figures)
        for row in read_body(written, repository="o/r").board or ():
            counts = figures[0].counts(with_struck="📊" in body)
            assert {key: counts[key] for key in row.counts} == row.counts
        assert len(written.splitlines()) == len(body.splitlines())
        assert refresh_board(written, figures) == written

    @given(st.text(max_size=60), st.text(max_size=20), STATES)
    def test_no_text_is_too_much(self, text: str, label: str, states: list[State]) -> None:
        body = f"{text}\n{HEAD}| {text} | 3 | {text} |\n{text}排名不分先后{text}"
        written = refresh_board(body, [Figures.of(label, states)])
        refresh_contributors(written, [ContributorCount(label, 3)])
        assert label_key(label) == label_key(f" {label} ")
