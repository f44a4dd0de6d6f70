"""The ids of an event's tasks: how they are compared, counted and spelled (cases/README.md, section 1).

An id is a series and a number in it: ``12`` is 12 in the series of plain numbers, ``A-3`` is 3 in ``a-``,
``1.4`` is 4 in ``1.``. An id in words (赛题五) is a series of its own. Numbers stay digits until somebody
counts, because a stranger may write more of them than Python turns into an integer.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from tasks_board.documents import text as texts

PLAIN = ""
LONGEST_RANGE = 1_000
# No event has ids longer than this; longer runs of digits are compared, never counted.
_COUNTABLE_DIGITS = 15

_LETTER_ID = re.compile(r"([a-z]{1,2})([-+*_ ]?)([0-9]+)")
_LAST_NUMBER = re.compile(r"(.*?)([0-9]+)", re.DOTALL)
_LEADING_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")
_PIECES = re.compile(r"[0-9]+|[a-z]+|.", re.DOTALL)
_DASHES = re.compile("[‐–—−]")
_COMPACT_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
_COMPACT_SERIES = re.compile(r"(.*?)([0-9]{1,9})\.\.(.*?)([0-9]{1,9})", re.DOTALL)
_CHINESE_NUMERALS = "零〇一二三四五六七八九十百千两"


@dataclass(frozen=True, slots=True)
class NamedIds:
    """Ids as a text names them: one, or a range whose ends belong to one series.

    ``first`` and ``last`` are digits without leading zeros, empty for ids in words.
    """

    series: str
    first: str
    last: str
    written: str

    @property
    def is_range(self) -> bool:
        return self.first != self.last

    @property
    def bounds(self) -> tuple[int, int] | None:
        """Both ends, the smaller first; None if they are not to be counted number by number."""
        if max(len(self.first), len(self.last)) > _COUNTABLE_DIGITS or not self.first:
            return None
        low, high = sorted((int(self.first), int(self.last)))
        return (low, high) if high - low < LONGEST_RANGE else None


def one_id(series: str, digits: str, written: str) -> NamedIds:
    """A single id; leading zeros do not matter."""
    number = digits.lstrip("0") or digits[-1:]
    return NamedIds(series, number, number, written)


class TaskIds:
    """The ids an event has. Comparing ignores case, full-width forms and leading zeros."""

    def __init__(self, spellings: Iterable[str]) -> None:
        self._spelling: dict[str, str] = {}
        self._numbers: dict[str, list[int]] = {}
        self._joint = "-"
        self._upper = True
        odd = set()
        for spelling in spellings:
            series, number, is_odd = self._split(spelling)
            if series + number in self._spelling or not series + number:
                continue
            self._spelling[series + number] = spelling
            countable = number and len(number) <= _COUNTABLE_DIGITS
            self._numbers.setdefault(series, []).extend([int(number)] if countable else [])
            if is_odd:
                odd.add(series + number)
        for numbers in self._numbers.values():
            numbers.sort()
        self._odd = frozenset(odd)

    def __repr__(self) -> str:
        return f"TaskIds.of({list(self._spelling.values())!r})"

    @classmethod
    def of(cls, single_ids: Iterable[str]) -> "TaskIds":
        """The ids themselves, one by one, as the event spells them."""
        return cls(single_ids)

    @classmethod
    def from_compact(cls, compact: Iterable[str]) -> "TaskIds":
        """A compact list: ``1-80``, ``A-1..A-60``, ``B-01..B-30``, ``1.1..1.6``, ``=1-1``, or one id."""
        return cls(single for entry in compact for single in _expand(entry))

    def _split(self, spelling: str) -> tuple[str, str, bool]:
        """Series and number of an id of the event; odd ids are neither plain nor letter-number."""
        normal = _normal(spelling)
        if letter := _LETTER_ID.fullmatch(normal):
            if not self.letters_seen:
                self._joint = letter[2]
                self._upper = not texts.normalise(spelling).strip()[:1].islower()
            return f"{letter[1]}-", letter[3], False
        if last := _LAST_NUMBER.fullmatch(normal):
            return last[1], last[2], last[1] != PLAIN
        return normal, "", True

    @property
    def letters_seen(self) -> bool:
        return any(_is_letter_series(series) for series in self._numbers)

    @cached_property
    def has_plain(self) -> bool:
        """Does the event have ids that are plain numbers?"""
        return PLAIN in self._numbers

    @cached_property
    def has_dotted(self) -> bool:
        """Does the event have ids like ``1.4``?"""
        return any(re.fullmatch(r"[0-9.]*[0-9]\.", series) for series in self._numbers)

    @cached_property
    def letters(self) -> frozenset[str]:
        """The letters of the event's letter ids, lower case."""
        return frozenset(series[:-1] for series in self._numbers if _is_letter_series(series))

    @cached_property
    def odd_pattern(self) -> re.Pattern[str] | None:
        """Finds ids that are neither plain numbers nor letter-number, as whole text, longest first."""
        if not self._odd:
            return None
        keys = sorted(self._odd, key=len, reverse=True)
        dash = "-" if self.has_plain else "[-‐–—−]"
        return re.compile("|".join(_whole_text(key, dash) for key in keys), re.IGNORECASE)

    def odd_id(self, written: str) -> NamedIds:
        """The id that :attr:`odd_pattern` found."""
        spelled = written if _normal(written) in self._odd else _DASHES.sub("-", written)
        series, number, _ = self._split(spelled)
        return NamedIds(series, number, number, written)

    def has_any(self, named: NamedIds) -> bool:
        """Is at least one of these ids an id of the event?"""
        return next(self._known(named), None) is not None

    def known(self, named: NamedIds) -> list[str]:
        """Those of these ids that the event has, in its spelling."""
        return list(self._known(named))

    def unknown(self, named: NamedIds) -> list[str]:
        """Those the event does not have, in its style; a range too long to count stays as written."""
        if not named.is_range:
            return [] if self.has_any(named) else [self._in_event_style(named.series, named.first)]
        if named.bounds is None:
            return ["".join(named.written.split())]
        low, high = named.bounds
        numbers = (str(number) for number in range(low, high + 1))
        return [
            self._in_event_style(named.series, number)
            for number in numbers
            if named.series + number not in self._spelling
        ]

    def _known(self, named: NamedIds) -> Iterator[str]:
        if not named.is_range:
            yield from filter(None, [self._spelling.get(named.series + named.first)])
        elif named.bounds is not None:
            numbers = self._numbers.get(named.series, [])
            low, high = named.bounds
            for number in numbers[bisect_left(numbers, low) : bisect_right(numbers, high)]:
                yield self._spelling[f"{named.series}{number}"]

    def _in_event_style(self, series: str, number: str) -> str:
        if not _is_letter_series(series):
            return series + number
        letters = series[:-1].upper() if self._upper else series[:-1]
        return f"{letters}{self._joint}{number}"


def _is_letter_series(series: str) -> bool:
    return series.endswith("-") and 2 <= len(series) <= 3 and series[:-1].isalpha() and series.isascii()


def _normal(spelling: str) -> str:
    text = "".join(texts.normalise(spelling).split()).lower()
    return _LEADING_ZEROS.sub("", text)


def _whole_text(key: str, dash: str) -> str:
    """A pattern for one odd id: zeros may lead its numbers, a blank may part its words (赛题 五), ``dash`` stands
    for its hyphens, and nothing glued to its end makes it longer."""
    parts, before = [], ""
    for piece in _PIECES.findall(key):
        if before.isalnum() and piece.isalnum():
            parts.append(r"[^\S\n]?")
        number = re.fullmatch("[0-9]+", piece)
        parts.append(f"0{{0,4}}{piece}" if number else dash if piece == "-" else re.escape(piece))
        before = piece
    glued = "[0-9A-Za-z]|[.][0-9]" if key[-1].isascii() else f"[{_CHINESE_NUMERALS}]"
    return f"{''.join(parts)}(?!{glued})"


def _expand(entry: str) -> Iterator[str]:
    if entry.startswith("="):
        yield entry[1:]
    elif plain := _COMPACT_RANGE.fullmatch(entry):
        yield from _count("", plain[1], plain[2], entry)
    elif (series := _COMPACT_SERIES.fullmatch(entry)) and series[1] == series[3]:
        yield from _count(series[1], series[2], series[4], entry)
    else:
        yield entry


def _count(prefix: str, first: str, last: str, entry: str) -> Iterator[str]:
    if not int(first) <= int(last) < int(first) + 100_000:
        yield entry
        return
    width = len(first) if first.startswith("0") else 0
    for number in range(int(first), int(last) + 1):
        yield f"{prefix}{number:0{width}d}"
