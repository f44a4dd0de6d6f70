"""Numbers as configurations list them: single ones and ranges, as numbers or texts, also list within list."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tasks_board.documents.ids import id_key

MOST_NUMBERS = 10_000
_DEEPEST = 4
_RANGE = re.compile(r"(?P<first>[0-9]{1,9})\s*(?:[-~–—]|\.\.)\s*(?P<last>[0-9]{1,9})")
_SINGLE = re.compile(r"[A-Za-z]{0,3}[-_]?[0-9]{1,9}(?:[-.][0-9]{1,9})*")


@dataclass(frozen=True, slots=True)
class Numbers:
    """Task numbers (as keys) in order, and what was no number. `written`: how many were named, repeated ones too."""

    numbers: tuple[str, ...]
    unread: tuple[str, ...] = ()
    written: int = 0


def expand(written: object, most: int = MOST_NUMBERS) -> Numbers:
    """All numbers that a list names, each once. What is unread costs nothing but itself; empty texts say nothing.

    `most`: how many it may name; what goes beyond is unread, before it is spelled out.
    """
    numbers: dict[str, None] = {}
    unread: list[str] = []
    left = most
    for item in _flat(written, 0):
        found = _numbers_of(item, left)
        if found is None:
            unread.append(item)
        else:
            left -= len(found)
            numbers.update(dict.fromkeys(found))
    return Numbers(tuple(numbers), tuple(unread), most - left)


def compact(numbers: Iterable[str]) -> list[str]:
    """Keys as a short list in which neighbours are ranges."""
    plain = sorted(int(number) for number in numbers if number.isascii() and number.isdigit())
    others = sorted(number for number in numbers if not (number.isascii() and number.isdigit()))
    runs: list[tuple[int, int]] = []
    for number in plain:
        if runs and number == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return [str(first) if first == last else f"{first}-{last}" for first, last in runs] + others


def _flat(written: object, depth: int) -> Iterator[str]:
    if isinstance(written, list | tuple):
        for item in written if depth < _DEEPEST else ():
            yield from _flat(item, depth + 1)
    elif isinstance(written, bool) or written is None:
        yield str(written)
    elif text := str(written).strip():
        yield text


def _numbers_of(item: str, most: int) -> list[str] | None:
    spread = _RANGE.fullmatch(item)
    if spread:
        first, last = int(spread["first"]), int(spread["last"])
        return [str(n) for n in range(first, last + 1)] if 0 <= last - first < most else None
    return [id_key(item)] if most > 0 and _SINGLE.fullmatch(item) else None
