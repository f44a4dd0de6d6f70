"""Directions without tasks yet are directions where the text announces them, and only there."""

import pytest

from tasks_board.documents.announced import sections_in_order

FORM = """# Form

## Why

Tasks will follow, to be added.

## Tasks

### Static

> [!NOTE]
>
> 相关任务待补充

### Sparse

| 题目 | 认领人 |
| - | - |
| One | |

### Notes on style

Write tests, please, and read the guide before you begin.

### Later

Coming soon.
"""


def test_announced_sections_stand_in_the_order_of_the_text() -> None:
    assert sections_in_order(FORM, frozenset({"Sparse"})) == ("Static", "Sparse", "Later")


def test_nothing_is_announced_beside_no_table() -> None:
    assert sections_in_order(FORM, frozenset()) == ()


def test_code_announces_nothing() -> None:
    assert sections_in_order(f"```\n{FORM}\n```", frozenset({"Sparse"})) == ()


@pytest.mark.parametrize(
    "text", ["# " * 30_000, "#" * 60_000, "# x\n" * 15_000, "# x" + " #" * 30_000, "# x" + " " * 60_000]
)
def test_hostile_texts_announce_nothing(text: str) -> None:
    assert set(sections_in_order(text, frozenset({"x"}))) <= {"x"}
