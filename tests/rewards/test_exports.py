import csv
import io
from decimal import Decimal
from typing import Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.common.cells import neutralise, restore
from portal.common.sheets import BYTE_ORDER_MARK, as_cell, write_csv, write_xlsx
from rewards.exports.leaderboard import HEADERS, rows_of
from rewards.leaderboards import CompletedTask, LeaderboardRow
from rewards.models import Completion
from tests.rewards.scenes import NOW

FORMULAS = ["=1+1", "+1", "-1", "@login", "\t=1", "\r=1", "\n=1", " =1", "＝1", "＠login", "'=1", "''=1"]
DANGEROUS = st.text(alphabet="=+-@\t\r\n '＝ab\"", max_size=8) | st.text(max_size=8)


class TestCells:
    @pytest.mark.parametrize("text", FORMULAS)
    def test_what_begins_a_formula_becomes_text(self, text: str) -> None:
        assert neutralise(text) == f"'{text}"

    @pytest.mark.parametrize("text", ["", "alice", "a=b", "it's", "'quoted'", "12-13", "算子"])
    def test_plain_words_stay(self, text: str) -> None:
        assert neutralise(text) == text

    @given(DANGEROUS)
    def test_it_can_be_read_back(self, text: str) -> None:
        assert restore(neutralise(text)) == text

    @given(DANGEROUS)
    def test_no_cell_begins_with_a_formula(self, text: str) -> None:
        assert neutralise(text).lstrip(" ")[:1] not in {*"=+-@\t\r\n＝＋－＠"} - {""}


def row(**values: Any) -> LeaderboardRow:
    plain: dict[str, Any] = {
        "rank": 1,
        "login": "alice",
        "github_id": 1,
        "amount": Decimal("1.5"),
        "completions": 2,
        "reached_at": NOW,
        "tasks": (task("A-3", "done"), task("7", "partly")),
        "person_id": 1,
        "team_id": None,
    }
    return LeaderboardRow(**{**plain, **values})


def task(number: str, degree: str) -> CompletedTask:
    return CompletedTask(
        task_id=1, number=number, title="T", degree=Completion.Degree(degree), completed_at=NOW
    )


def read(*rows: LeaderboardRow) -> list[list[str]]:
    return list(
        csv.reader(io.StringIO("".join(write_csv(HEADERS, rows_of(rows), with_mark=False)), newline=""))
    )


class TestLeaderboard:
    def test_its_columns_and_cells(self) -> None:
        assert read(row()) == [
            ["rank", "login", "points", "completions", "tasks"],
            ["1", "alice", "1.5", "2", "A-3 7~"],
        ]

    def test_it_comes_line_by_line_after_a_byte_order_mark(self) -> None:
        lines = write_csv(HEADERS, rows_of([row()]))
        assert next(lines) == BYTE_ORDER_MARK
        assert next(lines) == "rank,login,points,completions,tasks\r\n"
        assert BYTE_ORDER_MARK.encode() == b"\xef\xbb\xbf"
        assert len(list(lines)) == 1

    def test_an_event_that_pays_nothing_leaves_the_points_empty(self) -> None:
        assert read(row(amount=None))[1][2] == ""

    def test_large_amounts_are_written_out(self) -> None:
        assert read(row(amount=Decimal("1E+6")))[1][2] == "1000000"

    @pytest.mark.parametrize("name", [*FORMULAS, 'a"b', "a,b", "a\r\nb"])
    def test_names_that_strangers_typed_are_inert_and_come_back(self, name: str) -> None:
        cell = read(row(login=name, tasks=(task("=cmd", "done"),)))[1]
        assert restore(cell[1]) == as_cell(name)
        assert cell[1] == neutralise(as_cell(name))
        assert cell[4] == "'=cmd"

    def test_excel_counts_with_its_numbers_and_runs_none_of_its_texts(self) -> None:
        book = openpyxl.load_workbook(
            io.BytesIO(write_xlsx("Board", HEADERS, rows_of([row(login="=cmd()")])))
        )
        sheet = book.active
        assert sheet is not None
        rank, login, points, completions, tasks = sheet[2]
        assert (rank.value, points.value, completions.value) == (1, 1.5, 2)
        assert (login.value, login.data_type, tasks.value) == ("'=cmd()", "s", "A-3 7~")
