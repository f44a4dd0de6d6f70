"""Merging two changes of one text: line by line, in a row cell by cell, in a cell word by word.

*base* is the text both sides began with, *mine* and *theirs* what became of it. What only one side changed is taken from
that side; rows that one side moved keep the other side's changes. Where both changed the same words differently the
preferred side's whole cell stands, and the other's is told of as overruled.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

_PIPE = re.compile(r"(?<!\\)\|")
_WORD = re.compile(r"[A-Za-z0-9_@#/:.\-]+|\s+|.", re.DOTALL)
_NUMBER = re.compile(r"\W*[A-Za-z]{0,3}[-_]?[0-9]+(?:[-.][0-9]+)*\W*")
_LIKE = 0.5  # how much two lines must have in common to be one line, changed
_MOST_PAIRS = 4_000  # what is aligned by likeness; a greater heap of changed lines is taken in order
_MOST_MOVES = 16_000_000  # rows that are gone by rows that are new, of one side
_LONGEST_COMPARED = 400


@dataclass(frozen=True, slots=True)
class MergedText:
    """A text with both changes in it, and what of the other side gave way to the preferred one."""

    text: str
    overruled: tuple[str, ...] = ()


def merge_texts(*, base: str, mine: str, theirs: str, prefer_theirs: bool) -> MergedText:
    """Both changes of a text in one. Never fails; disjoint changes give the same in either order."""
    if base == mine or mine == theirs:
        return MergedText(theirs)
    if base == theirs:
        return MergedText(mine)
    overruled: list[str] = []
    lines = _Merger(_line, _likeness, _is_same_row, overruled, prefer_theirs=prefer_theirs).merged(
        base.split("\n"), mine.split("\n"), theirs.split("\n")
    )
    return MergedText("\n".join(lines), tuple(overruled))


# ------------------------------------------------------------------------------------------ lines and cells

MergeItem = Callable[[str, str, str, bool, list[str]], str]


def _line(base: str, mine: str, theirs: str, prefer_theirs: bool, overruled: list[str]) -> str:
    """A line that both changed. Its ending is a change of its own: browsers turn the ends of all lines."""
    ends = [line.endswith("\r") for line in (base, mine, theirs)]
    end = ends[2] if ends[2] != ends[0] else ends[1]
    first, second, third = (line.removesuffix("\r") for line in (base, mine, theirs))
    return _row(first, second, third, prefer_theirs, overruled) + ("\r" if end else "")


def _row(base: str, mine: str, theirs: str, prefer_theirs: bool, overruled: list[str]) -> str:
    if mine == theirs or base == theirs:
        return mine
    if base == mine:
        return theirs
    if not all(_PIPE.search(line) for line in (base, mine, theirs)):
        return _words(base, mine, theirs, prefer_theirs, overruled)
    sides = [_PIPE.split(line) for line in (base, mine, theirs)]
    if len({len(cells) for cells in sides}) == 1:
        cells = [
            _cell(first, second, third, prefer_theirs, overruled)
            for first, second, third in zip(*sides, strict=True)
        ]
    else:
        merger = _Merger(_words, _ratio, _is_same_cell, overruled, prefer_theirs=prefer_theirs)
        cells = merger.merged(sides[0], sides[1], sides[2])
    return "|".join(cells)


def _cell(base: str, mine: str, theirs: str, prefer_theirs: bool, overruled: list[str]) -> str:
    if mine == theirs or base == theirs:
        return mine
    return theirs if base == mine else _words(base, mine, theirs, prefer_theirs, overruled)


def _words(base: str, mine: str, theirs: str, prefer_theirs: bool, overruled: list[str]) -> str:
    """Both sides' words where something that both left alone stands between them; else the preferred side's all.

    What both changed alike is agreed, and comes once.
    """
    sides = [_WORD.findall(text) for text in (base, mine, theirs)]
    changes = [_changes(sides[0], side) for side in sides[1:]]
    agreed = [change for change in changes[0] if change in changes[1]]
    changes = [[change for change in side if change not in agreed] for side in changes]
    if _touch(*changes):
        winner, loser = (theirs, mine) if prefer_theirs else (mine, theirs)
        overruled.append(loser.strip())
        return winner
    parts: list[str] = []
    place = 0
    for start, end, words in sorted([*agreed, *changes[0], *changes[1]]):
        parts += [*sides[0][place:start], *words]
        place = end
    return "".join([*parts, *sides[0][place:]])


def _changes(base: Sequence[str], side: Sequence[str]) -> list[tuple[int, int, Sequence[str]]]:
    codes = SequenceMatcher(None, base, side).get_opcodes()
    return [(i1, i2, side[j1:j2]) for tag, i1, i2, j1, j2 in codes if tag != "equal"]


def _touch(
    mine: Sequence[tuple[int, int, Sequence[str]]], theirs: Sequence[tuple[int, int, Sequence[str]]]
) -> bool:
    return any(a[0] <= b[1] and b[0] <= a[1] for a in mine for b in theirs)


def _likeness(one: str, other: str) -> float:
    """How much two lines have in common: rows by their cells, other lines by their letters.

    Rows with other numbers are two rows, unless most of what they say is the same.
    """
    first, second = _said(one), _said(other)
    if not first or not second:
        return _ratio(one, other)
    share = len(set(first) & set(second)) / len(first)
    if first[0] == second[0]:
        return max(share, _LIKE)
    if _NUMBER.fullmatch(first[0]) and _NUMBER.fullmatch(second[0]):
        return share if share > _LIKE else 0.0
    return max(share, _ratio(one, other) - 0.1)


def _is_same_row(one: str, other: str) -> bool:
    """Whether a row that is gone here and one that is new there are the same, perhaps changed on the way."""
    first, second = _said(one), _said(other)
    if not first or not second:
        return False
    return first[0] == second[0] or len(set(first) & set(second)) / len(first) > _LIKE


def _said(line: str) -> list[str]:
    """What the cells of a row say; nothing for a line that is none."""
    cells = _PIPE.split(line.strip())
    return [cell.strip() for cell in cells if cell.strip()] if len(cells) > 2 else []


def _is_same_cell(one: str, other: str) -> bool:
    return one == other


def _ratio(one: str, other: str) -> float:
    if one == other:
        return 1.0
    return SequenceMatcher(None, one[:_LONGEST_COMPARED], other[:_LONGEST_COMPARED]).ratio()


# --------------------------------------------------------------------------------------------- both changes


@dataclass
class _Side:
    """What became of each item of the base (None: it is gone), and what was put in before each, and at the end."""

    items: list[str | None]
    put_in: list[list[str]] = field(default_factory=list)
    gaps: Sequence[int] = ()  # where something was put in


@dataclass(frozen=True)
class _Merger:
    merge: MergeItem
    likeness: Callable[[str, str], float]
    is_same: Callable[[str, str], bool]
    overruled: list[str]
    prefer_theirs: bool

    def merged(self, base: Sequence[str], mine: Sequence[str], theirs: Sequence[str]) -> list[str]:
        """The items of both sides."""
        ours, others = self._side(base, mine), self._side(base, theirs)
        self._follow_moved(base, ours, others)
        found: list[str] = []
        for place in range(len(base) + 1):
            found += ours.put_in[place]
            found += [item for item in others.put_in[place] if item not in ours.put_in[place]]
            if place < len(base):
                found += self._item(base[place], ours.items[place], others.items[place])
        return found

    def _item(self, base: str, mine: str | None, theirs: str | None) -> Iterator[str]:
        if mine is not None and theirs is not None:
            yield self.merge(base, mine, theirs, self.prefer_theirs, self.overruled)
            return
        kept, preferred = (mine, theirs) if self.prefer_theirs else (theirs, mine)
        if preferred is not None and preferred != base:  # changed by the later, taken away by the earlier
            yield preferred
        elif preferred is None and kept not in (None, base):
            self.overruled.append(str(kept).strip())

    def _follow_moved(self, base: Sequence[str], mine: _Side, theirs: _Side) -> None:
        """A row that a side took away here and put in elsewhere is the same row: the other side's change goes along."""
        for side in (mine, theirs):
            side.gaps = [gap for gap, rows in enumerate(side.put_in) if rows]
            if side.items.count(None) * sum(len(side.put_in[gap]) for gap in side.gaps) > _MOST_MOVES:
                return  # lines too short for rows of a table
        for place, item in enumerate(base):
            here, there = mine.items[place], theirs.items[place]
            if here is not None and there is not None:
                continue
            moved = [
                self._moved(item, side) if now is None else None
                for side, now in ((mine, here), (theirs, there))
            ]
            if moved[0] and moved[1]:  # both moved it: one place is enough
                self._join(item, (mine, *moved[0]), (theirs, *moved[1]))
            elif moved[0] and there is not None:
                gap, index = moved[0]
                row = mine.put_in[gap][index]
                mine.put_in[gap][index] = self.merge(item, row, there, self.prefer_theirs, self.overruled)
                theirs.items[place] = None
            elif moved[1] and here is not None:
                gap, index = moved[1]
                row = theirs.put_in[gap][index]
                theirs.put_in[gap][index] = self.merge(item, here, row, self.prefer_theirs, self.overruled)
                mine.items[place] = None
            elif moved[0] and self.prefer_theirs:  # moved by the earlier, taken away by the later
                mine.put_in[moved[0][0]].pop(moved[0][1])
            elif moved[1] and not self.prefer_theirs:
                theirs.put_in[moved[1][0]].pop(moved[1][1])

    def _join(self, item: str, mine: tuple[_Side, int, int], theirs: tuple[_Side, int, int]) -> None:
        one, other = mine[0].put_in[mine[1]], theirs[0].put_in[theirs[1]]
        row = self.merge(item, one[mine[2]], other[theirs[2]], self.prefer_theirs, self.overruled)
        keep, drop = (theirs, mine) if self.prefer_theirs else (mine, theirs)
        keep[0].put_in[keep[1]][keep[2]] = row
        drop[0].put_in[drop[1]].pop(drop[2])

    def _moved(self, item: str, side: _Side) -> tuple[int, int] | None:
        """Where a side put an item in again that it took away, unchanged or nearly so."""
        if len(item.strip()) < 4:
            return None
        put_in = [(gap, index, row) for gap in side.gaps for index, row in enumerate(side.put_in[gap])]
        exact = [(gap, index) for gap, index, row in put_in if row.strip() == item.strip()]
        if not exact and len(put_in) <= 60:
            exact = [(gap, index) for gap, index, row in put_in if self.is_same(item, row)]
        return exact[0] if len(exact) == 1 else None

    def _side(self, base: Sequence[str], side: Sequence[str]) -> _Side:
        found = _Side([None] * len(base), [[] for _ in range(len(base) + 1)])
        head = 0
        while head < min(len(base), len(side)) and base[head] == side[head]:
            found.items[head] = base[head]
            head += 1
        tail = 0
        while tail < min(len(base), len(side)) - head and base[-1 - tail] == side[-1 - tail]:
            found.items[len(base) - 1 - tail] = base[-1 - tail]
            tail += 1
        inner, changed = base[head : len(base) - tail], side[head : len(side) - tail]
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, inner, changed).get_opcodes():
            if tag == "equal":
                found.items[head + i1 : head + i2] = inner[i1:i2]
            else:
                self._align(found, head + i1, inner[i1:i2], changed[j1:j2])
        return found

    def _align(self, found: _Side, start: int, base: Sequence[str], side: Sequence[str]) -> None:
        """Which of the changed items were which; what has no partner is gone, or new."""
        pairs = self._pairs(base, side)
        place = 0
        for item, partner in sorted(pairs.items()):
            found.put_in[start + item] += side[place:partner]
            found.items[start + item] = side[partner]
            place = partner + 1
        found.put_in[start + len(base)] += side[place:]

    def _pairs(self, base: Sequence[str], side: Sequence[str]) -> dict[int, int]:
        if len(base) == len(side) == 1 and self.likeness(base[0], side[0]) == 0.0 and base[0].strip():
            return {}
        if len(base) * len(side) > _MOST_PAIRS or len(base) == len(side) == 1:
            return (
                dict(zip(range(len(base)), range(len(side)), strict=False)) if len(base) == len(side) else {}
            )
        best = [[0.0] * (len(side) + 1) for _ in range(len(base) + 1)]
        likeness = [[self.likeness(one, other) for other in side] for one in base]
        for i in reversed(range(len(base))):
            for j in reversed(range(len(side))):
                paired = likeness[i][j] + best[i + 1][j + 1] if likeness[i][j] >= _LIKE else 0.0
                best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
        pairs: dict[int, int] = {}
        i = j = 0
        while i < len(base) and j < len(side):
            if likeness[i][j] >= _LIKE and best[i][j] == likeness[i][j] + best[i + 1][j + 1]:
                pairs[i] = j
                i, j = i + 1, j + 1
            elif best[i][j] == best[i + 1][j]:
                i += 1
            else:
                j += 1
        return pairs
