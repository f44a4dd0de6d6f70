"""Reverts are found by what they name, by the title they quote, or as the last merge before them."""

from datetime import UTC, datetime, timedelta

from claims.reverts import Merged, is_revert_title, reverted_times

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def at(hours: int) -> datetime:
    return NOON + timedelta(hours=hours)


def work(number: int, hours: int, title: str = "【PIR No.3】 Fix", repository: str = "o/r") -> Merged:
    return Merged(repository, number, title, "", at(hours), is_revert=False)


def revert(number: int, hours: int, title: str, body: str = "", *, is_revert: bool = True) -> Merged:
    return Merged("o/r", number, title, body, at(hours), is_revert)


def test_a_revert_names_what_it_takes_back() -> None:
    merged = [work(1, 1), work(2, 2), revert(3, 3, 'Revert "【PIR No.3】 Fix"', "Reverts o/r#1")]
    assert reverted_times(merged) == {("o/r", 1): at(3)}


def test_a_bare_number_is_of_the_same_repository() -> None:
    merged = [work(1, 1), work(2, 2), revert(3, 3, 'Revert "【PIR No.3】 Fix"', "Reverts #2")]
    assert reverted_times(merged) == {("o/r", 2): at(3)}


def test_without_a_number_the_quoted_title_says_it() -> None:
    merged = [
        work(1, 1, "【PIR No.3】 One"),
        work(2, 2, "【PIR No.3】 Two"),
        revert(3, 3, 'Revert "【PIR No.3】 One"'),
    ]
    assert reverted_times(merged) == {("o/r", 1): at(3)}


def test_without_either_it_is_the_last_merge_before() -> None:
    merged = [work(1, 1), work(2, 2), work(4, 4), revert(3, 3, "Revert 【PIR No.3】 all of it")]
    assert reverted_times(merged) == {("o/r", 2): at(3)}


def test_a_revert_of_a_revert_makes_it_void() -> None:
    first = revert(2, 2, 'Revert "【PIR No.3】 Fix"', "Reverts o/r#1")
    second = revert(3, 3, 'Revert "Revert "【PIR No.3】 Fix""', "Reverts o/r#2", is_revert=False)
    assert ("o/r", 1) not in reverted_times([work(1, 1), first, second])
    third = revert(4, 4, 'Revert "Revert "Revert "【PIR No.3】 Fix"""', "Reverts o/r#3")
    assert reverted_times([work(1, 1), first, second, third])["o/r", 1] == at(2)


def test_a_revert_that_names_something_else_takes_nothing_back_here() -> None:
    assert reverted_times([work(1, 1), revert(3, 3, 'Revert "x"', "Reverts other/repo#1")]) == {}


def test_what_is_a_revert_title() -> None:
    assert is_revert_title('Revert "x" (#12)')
    assert is_revert_title('revert "Revert "x""')
    assert not is_revert_title("Reverting to the old API")
