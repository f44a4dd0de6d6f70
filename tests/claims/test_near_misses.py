"""Titles that look like work on a task and are tied to none."""

import pytest

from claims.grammar.ids import TaskIds
from claims.grammar.model import TitlePrefix
from claims.near_misses import Known, NearMiss, Why, find_near_miss

NUMBERS = {"pir": {"1": 1, "6": 1, "12": 1, "A-3": 1, "8": 2}, "hack": {"7": 1, "16": 1}}


def prefix(key: str, words: str) -> TitlePrefix:
    return TitlePrefix(
        key=key, prefix=words, repositories=frozenset({"o/r"}), task_ids=TaskIds.of(NUMBERS[key])
    )


EVENTS = [prefix("pir", "PIR No."), prefix("hack", "PaddlePaddle Hackathon 3 No.")]


def look(title: str, *held: str, is_name_shared: bool = False) -> dict[str, NearMiss]:
    """What a title is to each event; `held`: the numbers of the author's claims in the first."""
    found = {}
    for event in EVENTS:
        known = Known(
            event,
            NUMBERS[event.key],
            held if event.key == "pir" else (),
            [other for other in EVENTS if other is not event],
            is_name_shared,
        )
        miss = find_near_miss(title, repository="o/r", known=known)
        if miss is not None:
            found[event.key] = miss
    return found


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
    assert {key: miss.number for key, miss in look(title).items()} == {event: number}


@pytest.mark.parametrize(
    "title",
    [
        "Fix 12 typos",
        "[PIR] tidy up",
        "PIRATES 12",
        "Revert “【PIR No.12】x”",
        "",
        "Hackathon 3",
        "【PRI No.6】x",
    ],
)
def test_it_leaves_the_rest_alone(title: str) -> None:
    assert look(title) == {}


@pytest.mark.parametrize(
    ("title", "why", "number", "said"),
    [
        ("【PIR No.999】x", Why.UNKNOWN_NUMBER, "6", "999"),
        ("【PIR No.999】fix 6 things", Why.UNKNOWN_NUMBER, "6", "999"),
        ("【PRI No.6】x", Why.OTHER_FORM, "6", ""),
        ("【PIRR No 6】x", Why.OTHER_FORM, "6", ""),
        ("[PRI][06] x", Why.OTHER_FORM, "6", ""),
        ("PIR 6: x", Why.OTHER_FORM, "6", ""),
        ("【PIR No.】6", Why.OTHER_FORM, "6", ""),
        ("【PIR No.8】x", Why.SHARED_NUMBER, "8", "8"),
    ],
)
def test_a_claimant_s_attempt_is_sure(title: str, why: Why, number: str, said: str) -> None:
    assert look(title, "6") == {"pir": NearMiss(why, number, said, is_sure=True)}


@pytest.mark.parametrize(
    "title",
    ["[PIR] fix 12 typos", "【PIR No.】x", "【PRI No.12】x", "【PAIR 12】x", "Fix what PR 6 left"],
)
def test_what_may_be_something_else_is_not(title: str) -> None:
    assert not any(miss.is_sure for miss in look(title, "6").values())


def test_of_several_tasks_that_one_has_none_is_guessed() -> None:
    assert look("【PIR No.999】x", "6", "12") == {
        "pir": NearMiss(Why.UNKNOWN_NUMBER, "", "999", is_sure=True)
    }


def test_a_name_that_several_events_share_is_sure_for_anybody() -> None:
    assert look("【PIR No.6】x", is_name_shared=True) == {"pir": NearMiss(Why.SHARED_NAME, "6", is_sure=True)}
