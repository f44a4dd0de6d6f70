"""Rows are followed when people move, rename and renumber them; a doubtful row is a new one."""

from hypothesis import given
from hypothesis import strategies as st

from tasks_board.documents.identity import RowIdentity, pair_rows


def row(number: str | None, title: str, url: str | None = None, section: str = "A") -> RowIdentity:
    return RowIdentity(number, title, url, section)


def test_moved_rows_are_followed() -> None:
    known = [row("1", "one"), row("2", "two"), row("3", "three")]
    assert pair_rows(known, [known[2], known[0], known[1]]) == {0: 2, 1: 0, 2: 1}


def test_renumbered_rows_are_followed_by_url_then_title() -> None:
    known = [row("1", "one", "u1"), row("2", "two")]
    assert pair_rows(known, [row("2", "uno", "u1"), row("1", "two")]) == {0: 0, 1: 1}


def test_a_new_title_under_an_old_number_is_the_same_row() -> None:
    assert pair_rows([row("7", "old")], [row("7", "new")]) == {0: 0}


def test_swapped_titles_follow_the_titles() -> None:
    assert pair_rows([row("1", "a"), row("2", "b")], [row("1", "b"), row("2", "a")]) == {0: 1, 1: 0}


def test_rows_without_numbers_go_by_title_within_their_section() -> None:
    known = [row(None, "same", section="A"), row(None, "same", section="B")]
    assert pair_rows(known, [row(None, "same", section="B"), row(None, "same", section="A")]) == {0: 1, 1: 0}


def test_twins_that_nothing_tells_apart_are_not_guessed() -> None:
    known = [row(None, "same"), row(None, "same")]
    assert pair_rows(known, [row(None, "same", section="C")]) == {}


def test_a_retitled_row_without_number_is_followed_between_its_neighbours() -> None:
    known = [row(None, "Adapt the loader"), row(None, "Support dynamic shape"), row(None, "Train step")]
    found = [known[0], row(None, "Support dynamic shapes (new)"), known[2]]
    assert pair_rows(known, found) == {0: 0, 1: 1, 2: 2}


def test_another_row_in_its_place_is_another_row() -> None:
    known = [row(None, "Adapt the loader"), row(None, "Support dynamic shape")]
    assert pair_rows(known, [known[0], row(None, "Write the docs")]) == {0: 0}
    assert pair_rows(known, [known[0], row(None, "Support dynamic shape!", section="B")]) == {0: 0}


_ROWS = st.lists(
    st.builds(
        RowIdentity,
        st.sampled_from([None, "1", "2", "A-1"]),
        st.sampled_from(["a", "b", "c"]),
        st.sampled_from([None, "u1", "u2"]),
        st.sampled_from(["S", "T"]),
    ),
    max_size=6,
)


@given(_ROWS, _ROWS)
def test_no_row_is_paired_twice(known: list[RowIdentity], found: list[RowIdentity]) -> None:
    pairs = pair_rows(known, found)
    assert len(set(pairs.values())) == len(pairs)
    assert all(place < len(found) for place in pairs)


@given(
    st.lists(
        st.tuples(st.integers(1, 99), st.text(min_size=1, max_size=3)),
        unique_by=(lambda r: r[0], lambda r: r[1]),
    )
)
def test_the_same_rows_pair_with_themselves(rows: list[tuple[int, str]]) -> None:
    known = [row(str(number), title) for number, title in rows]
    assert pair_rows(known, known) == {place: place for place in range(len(known))}
