"""Which row of a new text is which known task.

People add, remove, move and renumber rows. A row is recognized by its number together with its URL or title; then by
its URL; then by its title; then by its number alone. Each step pairs only what is alone with its key on both sides, a
row in the same section before one in another, so that a doubtful row is a new row rather than somebody else's.
What is left is a retitled row if it stands between the same neighbours and reads much the same.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from tasks_board.documents import ids
from tasks_board.documents import text as texts
from tasks_board.documents.model import ReadTask

MOSTLY = 0.6  # how much of two titles must agree


@dataclass(frozen=True, slots=True)
class RowIdentity:
    """What identifies a row, in the forms in which two spellings are compared. `identity_of` makes it."""

    number: str | None
    title: str
    url: str | None
    section: str


def identity_of(*, number: str | None, title: str, url: str | None, section: str | None) -> RowIdentity:
    """A row's identity. `number` is None where the table has none, also if we gave the task one of ours."""
    return RowIdentity(
        number=ids.id_key(number) if number else None,
        title=texts.comparison_key(title),
        url=url or None,
        section=texts.comparison_key(section or ""),
    )


def identity_of_row(row: ReadTask) -> RowIdentity:
    """The identity of a row as it was read."""
    return identity_of(number=row.number, title=row.title, url=row.url, section=row.section)


Key = Callable[[RowIdentity], tuple[Hashable, ...]]

# A key with an empty part (but for the section) identifies nothing.
_SURELY: tuple[Key, ...] = (
    lambda row: (row.section, row.number, row.url),
    lambda row: (row.section, row.number, row.title),
    lambda row: (row.number, row.url),
    lambda row: (row.number, row.title),
    lambda row: (row.section, row.url),
    lambda row: (row.url,),
    lambda row: (row.section, row.title),
    lambda row: (row.title,),
)
_BY_NUMBER: tuple[Key, ...] = (
    lambda row: (row.section, row.number),
    lambda row: (row.number,),
)


def pair_rows(
    known: Sequence[RowIdentity], found: Sequence[RowIdentity], *, without: Collection[int] = ()
) -> dict[int, int]:
    """Pairs as {place in `found`: place in `known`}; what is missing is new, or gone.

    `without`: places in `found` that are known to be somebody else's.
    """
    left_found = {place: row for place, row in enumerate(found) if place not in without}
    pairs = _pair(dict(enumerate(known)), left_found, (*_SURELY, *_BY_NUMBER))
    return pairs | _retitled(known, found, pairs, without)


def pair_surely(
    known: Sequence[RowIdentity], found: Sequence[RowIdentity], *, by_number: bool = False
) -> dict[int, int]:
    """The pairs that more than a number makes, or (`by_number`) a number alone where nothing else does.

    For rows of another text: neighbours say nothing there.
    """
    steps = (*_SURELY, *_BY_NUMBER) if by_number else _SURELY
    return _pair(dict(enumerate(known)), dict(enumerate(found)), steps)


def are_copies(one: RowIdentity, other: RowIdentity) -> bool:
    """Whether two rows that stand in two texts at once are one task written twice, and not two that are called alike."""
    if one.number and other.number:
        return one.number == other.number
    return not (one.url and other.url and one.url != other.url)


def _pair(
    left_known: dict[int, RowIdentity], left_found: dict[int, RowIdentity], steps: Sequence[Key]
) -> dict[int, int]:
    pairs: dict[int, int] = {}
    for key in steps:
        ours, theirs = _alone(left_known, key), _alone(left_found, key)
        for value, place in theirs.items():
            if value in ours:
                pairs[place] = ours[value]
                del left_found[place], left_known[ours[value]]
    return pairs


def _retitled(
    known: Sequence[RowIdentity],
    found: Sequence[RowIdentity],
    pairs: Mapping[int, int],
    without: Collection[int],
) -> dict[int, int]:
    """Rows that stand alone between the same neighbours on both sides, with a title that is mostly the old one."""
    gaps_known = _gaps(len(known), {place: place for place in pairs.values()})
    gaps_found = _gaps(len(found), pairs, without)
    return {
        theirs[0]: gaps_known[gap][0]
        for gap, theirs in gaps_found.items()
        if len(theirs) == len(gaps_known.get(gap, ())) == 1
        and _read_alike(known[gaps_known[gap][0]], found[theirs[0]])
    }


def _gaps(
    count: int, paired: Mapping[int, int], without: Collection[int] = ()
) -> dict[tuple[int | None, int | None], list[int]]:
    """The places of unpaired rows, by the known rows that their nearest paired neighbours are."""
    gaps: dict[tuple[int | None, int | None], list[int]] = {}
    above: int | None = None
    open_places: list[int] = []
    for place in range(count):
        if place in without:
            continue
        if place not in paired:
            open_places.append(place)
            continue
        if open_places:
            gaps[above, paired[place]] = open_places
        above, open_places = paired[place], []
    if open_places:
        gaps[above, None] = open_places
    return gaps


def _read_alike(one: RowIdentity, other: RowIdentity) -> bool:
    if one.section != other.section or (one.number and other.number and one.number != other.number):
        return False
    return SequenceMatcher(None, one.title[:200], other.title[:200], autojunk=False).ratio() >= MOSTLY


def _alone(rows: Mapping[int, RowIdentity], key: Key) -> dict[tuple[Hashable, ...], int]:
    """Rows whose key no other row has, by key."""
    places: dict[tuple[Hashable, ...], list[int]] = defaultdict(list)
    for place, row in rows.items():
        value = key(row)
        if all(part not in (None, "") for part in value):
            places[value].append(place)
    return {value: found[0] for value, found in places.items() if len(found) == 1}
