import csv
import io
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.common.cells import neutralise, restore
from rewards.exports.leaderboard_csv import BYTE_ORDER_MARK, csv_lines
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
    return list(csv.reader(io.StringIO("".join(csv_lines(rows, with_mark=False)), newline="")))


class TestLeaderboard:
    def test_its_columns_and_cells(self) -> None:
        assert read(row()) == [
            ["rank", "login", "points", "completions", "tasks"],
            ["1", "alice", "1.5", "2", "A-3 7~"],
        ]

    def test_it_comes_line_by_line_after_a_byte_order_mark(self) -> None:
        lines = csv_lines([row()])
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
        assert restore(cell[1]) == name
        assert cell[1] == neutralise(name)
        assert cell[4] == "'=cmd"
