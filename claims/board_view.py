"""What a reader asked of the board: filters, search, order, groups; and how many rows each filter would leave."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from claims.board import BoardRow
from claims.standing import RANKS
from tasks_board.models import Direction, Task
from tasks_board.queries import lane_of

ROWS_ON_A_PAGE = 200
SHOWS = ("open", "going", "done", "mine")
SORTS = ("number", "title", "difficulty", "state", "updated")
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
_GOING = frozenset({"claimed", "rfc_submitted", "rfc_merged", "pr_open", "approved", "partly_done"})


@dataclass(frozen=True, slots=True)
class BoardAsk:
    """Filters, search, order and density."""

    q: str = ""
    directions: frozenset[int] = frozenset()
    states: frozenset[str] = frozenset()
    mentors: frozenset[str] = frozenset()
    show: str = ""  # open, going, done, mine
    claimable: bool = False
    sort: str = "number"
    backwards: bool = False
    compact: bool = False
    page: int = 1  # 0: all rows on one page

    @property
    def is_filtered(self) -> bool:
        """Whether rows may be hidden."""
        return bool(self.q or self.directions or self.states or self.mentors or self.show or self.claimable)

    def keeps(self, row: BoardRow) -> bool:
        """Whether this row is wanted."""
        return (
            (
                not self.directions
                or row.direction_id in self.directions
                or bool(self.directions & row.area_ids)
            )
            and (not self.states or row.state in self.states)
            and (not self.mentors or bool(self.mentors.intersection(row.mentors)))
            and (not self.show or _SHOWS[self.show](row))
            and (not self.claimable or row.may_claim)
            and all(word in _text(row) for word in self.q.lower().split())
        )


_SHOWS: Mapping[str, Callable[[BoardRow], bool]] = {
    "open": lambda row: row.is_free,
    "going": lambda row: row.state in _GOING,
    "done": lambda row: row.state == Task.State.DONE,
    "mine": lambda row: row.is_mine,
}


def _text(row: BoardRow) -> str:
    people = [claim.name for claim in row.claims]
    prs = [pr.address for claim in row.claims for pr in claim.pull_requests]
    return "\n".join([row.number, f"no.{row.number}", row.title, *people, *row.mentors, *prs]).lower()


@dataclass(frozen=True, slots=True)
class BoardGroup:
    """Rows of one direction with its lane (of all its rows, whatever is filtered)."""

    direction: Direction | None
    rows: Sequence[BoardRow]
    lane: Mapping[str, int]

    @property
    def total(self) -> int:
        """All tasks of the direction."""
        return sum(self.lane.values())


@dataclass(frozen=True, slots=True)
class BoardPage:
    """The board as asked for. Facets count all rows, so that a filter says what it would leave."""

    ask: BoardAsk
    groups: Sequence[BoardGroup]
    shown: int
    total: int
    number: int  # of the page, 0 if it has all rows
    pages: int
    shows: Mapping[str, int]
    states: Sequence[tuple[str, int]]
    mentors: Sequence[tuple[str, int]]
    directions: Sequence[tuple[Direction, int]]
    has_mentors: bool
    has_difficulty: bool
    has_legs: bool

    @property
    def previous(self) -> int:
        """The number of the page before."""
        return self.number - 1

    @property
    def next(self) -> int:
        """The number of the page after."""
        return self.number + 1


def arrange(rows: Sequence[BoardRow], directions: Sequence[Direction], ask: BoardAsk) -> BoardPage:
    """Filter, sort and group the rows."""
    kept = sorted((row for row in rows if ask.keeps(row)), key=_KEYS[ask.sort], reverse=ask.backwards)
    states = Counter(row.state for row in rows)
    mentors = Counter(login for row in rows for login in row.mentors)
    tagged = Counter(pk for row in rows for pk in {row.direction_id, *row.area_ids})
    pages = max(1, -(-len(kept) // ROWS_ON_A_PAGE))
    number = min(ask.page, pages)
    return BoardPage(
        ask=ask,
        groups=_cut(_groups(kept, rows, directions, ask), number),
        shown=len(kept),
        total=len(rows),
        number=number,
        pages=pages,
        shows={name: sum(map(keeps, rows)) for name, keeps in _SHOWS.items()},
        states=[(state, states[state]) for state in Task.State.values if states[state]],
        mentors=sorted(mentors.items(), key=lambda item: (-item[1], item[0].lower())),
        directions=[(direction, tagged[direction.pk]) for direction in directions if tagged[direction.pk]],
        has_mentors=bool(mentors),
        has_difficulty=any(row.difficulty or row.star_steps for row in rows),
        has_legs=any(row.has_legs for row in rows),
    )


_KEYS: Mapping[str, Callable[[BoardRow], Any]] = {
    "number": lambda row: 0,  # as the table has them
    "title": lambda row: row.title.lower(),
    "difficulty": lambda row: (row.star_steps or 0, row.difficulty),
    "state": lambda row: RANKS.get(row.state, -1),
    "updated": lambda row: row.changed_at or _LONG_AGO,
}


def _groups(
    kept: Sequence[BoardRow], rows: Iterable[BoardRow], directions: Sequence[Direction], ask: BoardAsk
) -> list[BoardGroup]:
    if ask.sort != "number":
        return [BoardGroup(None, kept, {})] if kept else []
    by_direction: dict[int | None, list[BoardRow]] = {}
    states: dict[int | None, list[str]] = {}
    for row in kept:
        by_direction.setdefault(row.direction_id, []).append(row)
    for row in rows:
        states.setdefault(row.direction_id, []).append(row.state)
    sections: list[Direction | None] = [d for d in directions if d.source == Direction.Source.SECTION]
    ordered = [*sections, None]
    if ask.backwards:
        by_direction = {pk: found[::-1] for pk, found in by_direction.items()}
    groups = []
    for section in ordered:
        pk = section.pk if section else None
        empty_section = section is not None and pk not in states and not ask.is_filtered
        if by_direction.get(pk) or empty_section:
            groups.append(BoardGroup(section, by_direction.get(pk, []), lane_of(states.get(pk, []))))
    return groups


def _cut(groups: Sequence[BoardGroup], number: int) -> list[BoardGroup]:
    """Only the rows of one page; a group without rows stays where it stands."""
    if number == 0:
        return list(groups)
    first, last = (number - 1) * ROWS_ON_A_PAGE, number * ROWS_ON_A_PAGE
    found, at = [], 0
    for group in groups:
        rows = group.rows[max(first - at, 0) : max(last - at, 0)]
        if rows or (not group.rows and first <= at < last):
            found.append(replace(group, rows=rows))
        at += len(group.rows)
    return found
