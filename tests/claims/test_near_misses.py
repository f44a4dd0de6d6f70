"""Titles that look like work on a task and are tied to none."""

import pytest

from claims.grammar.ids import TaskIds
from claims.grammar.model import TitlePrefix
from claims.mine.near_misses import find_near_miss

NUMBERS = {"pir": ["1", "12", "A-3"], "hack": ["7", "16"]}


def prefix(key: str, words: str) -> TitlePrefix:
    return TitlePrefix(
        key=key, prefix=words, repositories=frozenset({"o/r"}), task_ids=TaskIds.of(NUMBERS[key])
    )


EVENTS = [prefix("pir", "PIR No."), prefix("hack", "PaddlePaddle Hackathon 3 No.")]


@pytest.mark.parametrize(
    ("title", "event", "number"),
    [
        ("[pir] fix task 12 in the pass", "pir", "12"),
        ("PIR: a-3 rewritten", "pir", "A-3"),
        ("(Hackathon 3rd, 16) add kernel", "hack", "16"),
        ("【PIR No.99】nothing of this number", "pir", ""),
    ],
)
def test_it_finds_what_was_meant(title: str, event: str, number: str) -> None:
    found = find_near_miss(title, repository="o/r", events=EVENTS, numbers=NUMBERS)
    assert found is not None
    assert (found.event, found.number) == (event, number)


@pytest.mark.parametrize(
    "title", ["Fix 12 typos", "[PIR] tidy up", "PIRATES 12", "Revert “【PIR No.12】x”", "", "Hackathon 3"]
)
def test_it_leaves_the_rest_alone(title: str) -> None:
    assert find_near_miss(title, repository="o/r", events=EVENTS, numbers=NUMBERS) is None
