"""Patterns of other tools become words and a number's place, and autoTable's comments in a body a configuration."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks_board.configurations.autotable import read_markers
from tasks_board.configurations.patterns import read_pattern


class TestPatterns:
    @pytest.mark.parametrize(
        ("pattern", "parts", "number_at"),
        [
            ("PPSCI Export&Infer No.", ["PPSCI Export&Infer No."], 1),
            ("Hackathon 10th OCR+ERNIE No.", ["Hackathon 10th OCR+ERNIE No."], 1),
            ("[Auto Parallel] Add spmd rule", ["[Auto Parallel] Add spmd rule"], 1),
            ("Hackathon.*?No", ["Hackathon", "No"], 2),
            (r"\[Typing\]\[(?P<task_id>[\S\s]+)\]", ["[Typing][", "]"], 1),
            (r"(\[|【)报名(\]|】)(:|：)(?P<task_id>[\S\s]+)", ["[报名]:"], 1),
            (r"^PIR\s*No\.(?P<task_id>\d+)$", ["PIR", "No."], 2),
            ("Speech (demo) No.", ["Speech (demo) No."], 1),
            ("", [], 0),
        ],
    )
    def test_as_words(self, pattern: str, parts: list[str], number_at: int) -> None:
        words = read_pattern(pattern)
        assert (list(words.parts), words.number_at) == (parts, number_at)

    def test_a_prefix_ends_before_the_bracket_of_the_number(self) -> None:
        assert read_pattern(r"\[Typing\]\[(?P<task_id>[\S\s]+)\]").prefix == "[Typing]"

    @pytest.mark.parametrize("pattern", [r"(?=x)No", r"(?<!x)No", r"\bNo", r"x\1"])
    def test_what_is_not_understood_is_listed(self, pattern: str) -> None:
        assert [problem.code for problem in read_pattern(pattern).problems][:1] == ["pattern_not_understood"]

    @pytest.mark.parametrize(
        "pattern", ["(" * 300, "(?P<a>" * 50, "[" * 300, "\\" * 299, "(a|" * 99, "x" * 9_000]
    )
    def test_hostile_patterns_end(self, pattern: str) -> None:
        read_pattern(pattern)

    @given(st.text(alphabet="ab .*+?\\[](){}|^$PS<>_:=!\0\1", max_size=60))
    def test_no_pattern_is_too_much(self, pattern: str) -> None:
        words = read_pattern(pattern)
        assert 0 <= words.number_at <= len(words.parts)


class TestMarkers:
    def test_a_given_body(self) -> None:
        body = Path("tests/cases/tables/auto_typing.md").read_text(encoding="utf-8")
        found = read_markers(body)
        assert found is not None
        assert [table.letter for table in found.tables] == ["A"]
        assert found.tables[0].span.of(body).strip().startswith("| 序号 | 文件 |")
        assert (found.prefix, found.comments and found.comments.prefix) == ("[Typing]", "[报名]:")

    def test_all_markers(self) -> None:
        found = read_markers(
            '<!--repo="o/a;o/b;?"--><!--start_pull_time="2024-6-27"--><!--pr_search_content="/\\[Typing\\]/"-->'
            '<!--table_start="A"-->x<!--table_start="B"-->y<!--table_end="B"-->'
        )
        assert found is not None
        assert (found.repositories, found.since) == (("o/a", "o/b"), datetime(2024, 6, 27, tzinfo=UTC))
        assert [table.letter for table in found.tables] == ["B"]
        assert {problem.code for problem in found.problems} == {"table_never_ended", "repository_not_read"}

    def test_a_body_without_markers_has_none(self) -> None:
        assert read_markers("<!-- a comment --> | x |") is None

    @given(
        st.lists(
            st.sampled_from(
                ['<!--table_start="A"-->', '<!--table_end="A"-->', '<!--repo="', '"-->', "x", "\n"]
            )
        )
    )
    def test_no_body_is_too_much(self, pieces: list[str]) -> None:
        read_markers("".join(pieces))
