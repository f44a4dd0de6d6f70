"""The merge of two changes of one text: nobody's change is lost, and no third thing comes out."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.texts import badge_body, hostile_bodies
from tasks_board.documents.merge import merge_texts

HEAD = "## 清单\n\n| 序号 | 题目 | 认领人 |\n|-|-|-|\n"
ROWS = [f"| {n} | 题目 {n} 的内容 | @moss{n} |" for n in range(1, 9)]
BASE = HEAD + "\n".join(ROWS) + "\n\n结尾\n"


def merged(mine: str, theirs: str, *, base: str = BASE, prefer_theirs: bool = True) -> str:
    return merge_texts(base=base, mine=mine, theirs=theirs, prefer_theirs=prefer_theirs).text


def test_changes_of_two_lines_side_by_side_are_both_kept() -> None:
    mine, theirs = BASE.replace("@moss3", "@moss3 ✅"), BASE.replace("题目 4", "新题目 4")
    assert merged(mine, theirs) == mine.replace("题目 4", "新题目 4")


def test_two_cells_of_one_row() -> None:
    mine, theirs = BASE.replace("@moss3", "@moss3 ✅"), BASE.replace("题目 3", "新题目 3")
    assert merged(mine, theirs) == mine.replace("题目 3", "新题目 3")


def test_two_places_in_one_cell() -> None:
    mine, theirs = BASE.replace("题目 3 的内容", "题目 3 的内容（改）"), BASE.replace("题目 3", "老题目 3")
    assert "| 老题目 3 的内容（改） |" in merged(mine, theirs)


def test_the_same_words_are_the_preferred_sides_and_the_other_is_told_of() -> None:
    mine, theirs = BASE.replace("题目 3", "甲 3"), BASE.replace("题目 3", "乙 3")
    later = merge_texts(base=BASE, mine=mine, theirs=theirs, prefer_theirs=True)
    assert later.text == theirs
    assert later.overruled == ("甲 3 的内容",)
    assert merged(mine, theirs, prefer_theirs=False) == mine


def test_rows_added_at_the_same_place_are_both_kept() -> None:
    mine, theirs = (BASE.replace(ROWS[-1], f"{ROWS[-1]}\n| {n} | 新 {n} | |") for n in (9, 10))
    assert merged(mine, theirs) == BASE.replace(ROWS[-1], f"{ROWS[-1]}\n| 9 | 新 9 | |\n| 10 | 新 10 | |")


def test_a_row_that_one_moves_keeps_what_the_other_changed() -> None:
    moved = BASE.replace(ROWS[1] + "\n", "").replace(ROWS[6], f"{ROWS[6]}\n{ROWS[1]}")
    changed = BASE.replace("@moss2", "@moss2 ✅")
    wanted = moved.replace("@moss2", "@moss2 ✅")
    assert merged(moved, changed) == merged(changed, moved) == wanted


def test_a_row_that_both_move_stands_once() -> None:
    without = BASE.replace(ROWS[1] + "\n", "")
    down, up = (
        without.replace(ROWS[6], f"{ROWS[6]}\n{ROWS[1]}"),
        without.replace(ROWS[0], f"{ROWS[1]}\n{ROWS[0]}"),
    )
    assert merged(down, up) == up


def test_a_new_row_in_the_place_of_one_that_is_gone_is_another_row() -> None:
    changed = BASE.replace(ROWS[1] + "\n", "| 9 | 题目 9 的内容 | |\n")
    gone = BASE.replace(ROWS[1] + "\n", "")
    assert merged(changed, gone) == merged(gone, changed) == changed
    theirs = BASE.replace("@moss2", "@moss2 ✅")
    assert "| 9 | 题目 9 的内容 | |" in merged(theirs, changed)
    assert "✅" not in merged(theirs, changed)


def test_who_comes_later_may_take_away_what_the_other_changed_and_the_other_way_round() -> None:
    gone, changed = BASE.replace(ROWS[1] + "\n", ""), BASE.replace("题目 2", "新题目 2")
    assert merged(changed, gone) == gone
    assert merged(gone, changed) == changed


def test_a_browser_that_turns_the_ends_of_all_lines_changes_nothing_else() -> None:
    mine = BASE.replace("@moss3", "@moss3 ✅")
    theirs = BASE.replace("题目 4", "新题目 4").replace("\n", "\r\n")
    assert merged(mine, theirs) == mine.replace("题目 4", "新题目 4").replace("\n", "\r\n")


def test_a_column_that_one_adds_to_rows_that_the_other_changes() -> None:
    wide = BASE.replace("认领人 |", "认领人 | 备注 |").replace("|-|-|-|", "|-|-|-|-|")
    for n in range(1, 9):
        wide = wide.replace(f"@moss{n} |", f"@moss{n} |  |")
    mine = BASE.replace("题目 5", "新题目 5")
    assert merged(mine, wide) == wide.replace("题目 5", "新题目 5")


_WHERE = st.integers(0, 7)


@given(st.sets(_WHERE), st.sets(_WHERE))
def test_disjoint_edits_are_all_there_in_either_order(mine_at: set[int], theirs_at: set[int]) -> None:
    mine = theirs = wanted = BASE
    for place in mine_at:
        row = ROWS[place].replace("| @moss", "| ✅@moss")
        mine, wanted = mine.replace(ROWS[place], row), wanted.replace(ROWS[place], row)
    for place in theirs_at:
        theirs = theirs.replace(f"题目 {place + 1} 的", f"新题 {place + 1} 的")
        wanted = wanted.replace(f"题目 {place + 1} 的", f"新题 {place + 1} 的")
    for prefer in (True, False):
        assert merged(mine, theirs, prefer_theirs=prefer) == wanted
        assert merged(theirs, mine, prefer_theirs=prefer) == wanted


@given(
    st.text("|ab\n\r\\@ ", max_size=60), st.text("|ab\n\r\\@ ", max_size=60), st.text("|ab\n@ ", max_size=60)
)
def test_it_never_fails_and_takes_what_only_one_side_changed(base: str, mine: str, theirs: str) -> None:
    assert merged(base, theirs, base=base) == theirs
    assert merged(mine, base, base=base) == mine
    assert merged(mine, mine, base=base) == mine
    merged(mine, theirs, base=base)


def test_long_and_hostile_texts_are_merged_soon() -> None:
    for text in (badge_body(664), *hostile_bodies()):
        mine, theirs = text.replace("a", "b", 1) + "x", "y" + text.replace("|", "| ", 40)
        started = time.process_time()
        merged(mine, theirs, base=text)
        assert time.process_time() - started < 3


@pytest.mark.parametrize("shape", ["taken away", "turned round"])
def test_large_changes_of_short_lines_take_their_time_and_no_more(shape: str) -> None:
    lines = [f"|{n}|" for n in range(9_000)]
    mine = lines[:4_000] if shape == "taken away" else lines[::-1]
    begun = time.process_time()
    merged = merge_texts(
        base="\n".join(lines), mine="\n".join(mine), theirs="\n".join(["First", *lines]), prefer_theirs=True
    )
    assert time.process_time() - begun < 4
    assert set(merged.text.split("\n")) == {"First", *mine}
