"""What a comment may have meant: offered to a mentor, so a wrong guess costs a glance and a missed one nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.grammar.guesses import MOST, guess_ids
from claims.grammar.ids import TaskIds

IDS = TaskIds.from_compact(["1-80", "A-1..A-9"])


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("我想试试十三题和六十四题", ("13", "64")),
        ("我想做第二十个", ("20",)),
        ("I'd like to take 5, 6 and 7?", ("5", "6", "7")),
        ("a3 please", ("A-3",)),
        ("想做 No.24 或者 25-28", ("24", "25", "26", "27", "28")),
        ("【报名】：999", ()),
        ("报名 第九百题", ()),
        ("> 我想试试十三题\n\n不清楚", ()),
        ("https://github.com/o/r/pull/12 @rower12 o/r#13", ()),
        ("~~12~~ 想做 14", ("14",)),
        ("1-80 都想做", ("1", "2", "3", "4", "5", "6")),
    ],
)
def test_it_guesses(comment: str, expected: tuple[str, ...]) -> None:
    assert guess_ids(comment, IDS) == expected


@given(st.text(alphabet="一二十百零题第号 ,，0123456789-~>`@#/.aA\n", max_size=300))
def test_it_never_fails_and_names_only_what_is_there(comment: str) -> None:
    guessed = guess_ids(comment, IDS)
    assert len(guessed) <= MOST
    assert set(guessed) <= {*map(str, range(1, 81)), *(f"A-{n}" for n in range(1, 10))}
