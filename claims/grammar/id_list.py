"""The id list: what a head, a field or a title's number mark is followed by (cases/README.md, section 1).

A list is read from left to right, one piece at a time, and ends before the first thing that is no part of
it. Readers differ only in their :class:`ListRules`: titles separate with ``+`` too and close with the
bracket around them.
"""

import re
from dataclasses import dataclass, replace

from claims.grammar import tokens
from claims.grammar.ids import PLAIN, NamedIds, TaskIds, one_id

# What joins numbers to a date or a time.
_JOINTS = (":", "/", "-")


@dataclass(frozen=True, slots=True)
class ListRules:
    """What differs between lists: what is skipped on the way, and which numbers are trusted."""

    skipped: re.Pattern[str]
    # The first number is treated as one behind a blank alone: no id before a word.
    starts_weak: bool = False
    # ``#n`` is a pull request where the event has no task n; the list ends before it.
    names_pull_requests: bool = False


COMMENT_LIST = ListRules(tokens.SKIPPED_IN_COMMENTS)
SUBMIT_LIST = ListRules(tokens.SKIPPED_IN_COMMENTS, names_pull_requests=True)


@dataclass(frozen=True, slots=True)
class ListedIds:
    """One item of a list: which ids, where they stand, and what stands round them."""

    named: NamedIds
    start: int
    end: int
    denied: bool = False
    # A number that stands behind nothing but a blank: an id only if no word follows.
    weak: bool = False


@dataclass(frozen=True, slots=True)
class IdList:
    """The items of a list and the place where it ended."""

    items: tuple[ListedIds, ...]
    end: int


@dataclass(frozen=True, slots=True)
class _Id:
    """One id as it stands in the text, before anybody looks whether a range goes on behind it."""

    named: NamedIds
    end: int
    weak: bool = False


def read_id_list(text: str, start: int, end: int, ids: TaskIds, rules: ListRules = COMMENT_LIST) -> IdList:
    """Read a list from ``start``; it never goes on beyond ``end``."""
    return _ListReader(text, start, end, ids, rules).read()


def id_at(text: str, place: int, end: int, ids: TaskIds, carried: str = PLAIN) -> _Id | None:
    """The single id that begins at a place; ``carried`` is the series a bare number belongs to."""
    if ids.odd_pattern and (odd := ids.odd_pattern.match(text, place, end)):
        named = ids.odd_id(odd[0])
        return None if named.first and tokens.UNIT.match(text, odd.end(), end) else _Id(named, odd.end())
    found = _number_at(text, place, end, ids, carried) or _letter_id_at(text, place, end, ids)
    if found is None or _is_glued(text, found, end, ids) or tokens.UNIT.match(text, found.end, end):
        return None
    return found


def place_of_id(text: str, place: int, end: int, ids: TaskIds) -> int:
    """Behind the fillers, marks and brackets before an id; an id in words may begin like a filler (赛题五)."""
    while not (ids.odd_pattern and ids.odd_pattern.match(text, place, end)):
        piece = tokens.BEFORE_ID.match(text, place, end)
        if piece is None:
            break
        place = piece.end()
    return place


def _is_glued(text: str, found: _Id, end: int, ids: TaskIds) -> bool:
    """Is a number part of a word (3D, 8-bit)? ``A-3-A-6`` is none, but a range."""
    glued = tokens.GLUED.match(text, found.end, end)
    if glued is None or found.named.series == PLAIN:
        return glued is not None
    is_joined = glued.end() - glued.start() > 1
    return not (is_joined and _letter_id_at(text, glued.end() - 1, end, ids))


def no_id_at(text: str, place: int, end: int, ids: TaskIds) -> int:
    """Behind the date or time that begins at a place; the place itself if none does."""
    for pattern in (tokens.TIME, tokens.DAY_OF_DEADLINE, tokens.DATE):
        match = pattern.match(text, place, end)
        if match and not (pattern is tokens.DATE and _event_has_year(match, ids)):
            return match.end()
    return place


def _event_has_year(date: re.Match[str], ids: TaskIds) -> bool:
    year = date["year"] or date["last_year"]
    return ids.has_any(one_id(PLAIN, year, year))


def _number_at(text: str, place: int, end: int, ids: TaskIds, carried: str) -> _Id | None:
    digits = tokens.DIGITS.match(text, place, end)
    if digits is None:
        return None
    if text[digits.end() : digits.end() + 1] in _JOINTS and no_id_at(text, place, end, ids) != place:
        return None
    if ids.has_dotted and (dotted := tokens.DOTTED.match(text, place, end)):
        series = one_id(PLAIN, dotted[1][:-1], "").first + "."
        return _Id(one_id(series, dotted[2], dotted[0]), dotted.end())
    return _Id(one_id(carried, digits[0], digits[0]), digits.end())


def _letter_id_at(text: str, place: int, end: int, ids: TaskIds) -> _Id | None:
    if not ids.letters:
        return None
    match = tokens.LETTER_ID.match(text, place, end)
    if match is None:
        return None
    if match["letters"].lower() not in ids.letters:
        match = tokens.STRICT_LETTER_ID.match(text, place, end)
        if match is None:
            return None
    weak = bool(match.groupdict().get("blank"))
    return _Id(one_id(f"{match['letters'].lower()}-", match["digits"], match[0]), match.end(), weak)


def is_denied_at(text: str, place: int, end: int, ids: TaskIds) -> bool:
    """Do words stand here that take an id back (已放弃, dropped), with no word glued and no id behind?"""
    denial = tokens.DENIAL.match(text, place, end)
    if denial is None:
        return False
    behind = tokens.end_of(tokens.BEHIND_DENIAL, text, denial.end(), end)
    return id_at(text, place_of_id(text, behind, end, ids), end, ids) is None


class _ListReader:
    """The list as it grows: ``place`` is how far it was read, ``items`` what was found."""

    def __init__(self, text: str, start: int, end: int, ids: TaskIds, rules: ListRules) -> None:
        self.text, self.start, self.place, self.end = text, start, start, end
        self.ids, self.rules = ids, rules
        self.items: list[ListedIds] = []
        self.letter_of_bracket = ""

    def read(self) -> IdList:
        while self._skip() or self._open_letter_bracket() or self._take_item():
            pass
        self._drop_weak_tail()
        words = tokens.end_of(tokens.BEFORE_DENIAL, self.text, self.place, self.end)
        if is_denied_at(self.text, words, self.end, self.ids):
            self.items = [replace(item, denied=True) for item in self.items]
        return IdList(tuple(self.items), self.place)

    def _skip(self) -> bool:
        """Go over a separator, filler, mark, bracket, emphasis or remark."""
        if self.text.startswith("(", self.place, self.end):
            return self._skip_remark()
        if self.ids.odd_pattern and self.ids.odd_pattern.match(self.text, self.place, self.end):
            return False  # an id in words may begin like a filler: 赛题五
        if self.letter_of_bracket and self.text[self.place : min(self.place + 1, self.end)] in ("]", "】"):
            self.letter_of_bracket = ""
            self.place += 1
            return True
        skipped = self.rules.skipped.match(self.text, self.place, self.end)
        if skipped is not None:
            self.place = skipped.end()
        return skipped is not None

    def _skip_remark(self) -> bool:
        behind = tokens.closing_parenthesis(self.text, self.place, self.end)
        if behind == -1:
            return False
        inside = self.place + 1
        while inside < behind and self.text[inside].isspace():
            inside += 1
        if self._stands_behind_item() and is_denied_at(self.text, inside, behind - 1, self.ids):
            self.items[-1] = replace(self.items[-1], denied=True)
        self.place = behind
        return True

    def _stands_behind_item(self) -> bool:
        return bool(self.items) and self._only(tokens.GOES_WITH_ID, self.place)

    def _only(self, pattern: re.Pattern[str], place: int) -> bool:
        """Does nothing but this stand between the last item and a place?"""
        return pattern.fullmatch(self.text, self.items[-1].end, place) is not None

    def _open_letter_bracket(self) -> bool:
        """``A-[3-5]``: the letter before a bracket belongs to the numbers inside."""
        match = tokens.LETTER_BEFORE_BRACKET.match(self.text, self.place, self.end)
        if match is None or match["letters"].lower() not in self.ids.letters:
            return False
        self.letter_of_bracket = f"{match['letters'].lower()}-"
        self.place = match.end()
        return True

    def _take_item(self) -> bool:
        first = self._id_at(self.place, self._carried_series())
        if first is None:
            return False
        item = self._range_from(first)
        if item is None or self._arrow_follows(item.end):
            return False
        self.items.append(item)
        self.place = item.end
        return True

    def _id_at(self, place: int, carried: str = PLAIN) -> _Id | None:
        found = id_at(self.text, place, self.end, self.ids, carried)
        return None if found and self._is_pull_request(place, found) else found

    def _is_pull_request(self, place: int, found: _Id) -> bool:
        hashed = self.rules.names_pull_requests and self.text.startswith("#", place - 1)
        return hashed and not self.ids.has_any(found.named)

    def _carried_series(self) -> str:
        if self.letter_of_bracket or self.ids.has_plain or not self.items:
            return self.letter_of_bracket
        return _carried_from(self.items[-1].named)

    def _range_from(self, first: _Id) -> ListedIds | None:
        """The item that begins with this id; None if a number that is no id is joined to it (3-5天)."""
        start = self.place
        item = ListedIds(
            named=first.named,
            start=start,
            end=first.end,
            weak=first.weak or (self.text[start].isdigit() and self._only_blank_before(start)),
        )
        gap = tokens.end_of(tokens.BEFORE_RANGE_MARK, self.text, first.end, self.end)
        mark = tokens.RANGE_MARK.match(self.text, gap, self.end)
        if mark is None:
            return item
        behind = place_of_id(self.text, mark.end(), self.end, self.ids)
        second = self._id_at(behind, _carried_from(first.named))
        if second is not None and second.named.series == first.named.series and first.named.first:
            return replace(item, named=self._join(start, first, second), end=second.end)
        is_quantity = second is None and self._joins_number(mark[0], first.end, behind)
        return None if is_quantity else item

    def _joins_number(self, mark: str, start: int, behind: int) -> bool:
        """Does a range mark join an id to the number behind it? A dash with a blank beside it only parts them."""
        found = id_at(self.text, behind, self.end, self.ids)
        if found and self._is_pull_request(behind, found):
            return False
        is_dash = not mark.strip("-‐–—− \t")
        has_blank = any(map(str.isspace, self.text[start:behind]))
        return self.text[behind : behind + 1].isdigit() and not (is_dash and has_blank)

    def _join(self, start: int, first: _Id, second: _Id) -> NamedIds:
        written = self.text[start : second.end].replace(tokens.WIDE_TILDE, "~")
        return NamedIds(first.named.series, first.named.first, second.named.first, written)

    def _only_blank_before(self, start: int) -> bool:
        if self.items:
            return self._only(tokens.ONLY_BLANK, start)
        return self.rules.starts_weak and tokens.FILLER.search(self.text, self.start, start) is None

    def _arrow_follows(self, end: int) -> bool:
        arrow = tokens.ARROW.match(self.text, end, self.end)
        if arrow is None:
            return False
        return self._id_at(place_of_id(self.text, arrow.end(), self.end, self.ids)) is not None

    def _drop_weak_tail(self) -> None:
        """Numbers that only a blank parts from the id before count only if no word follows."""
        while self.items and self.items[-1].weak and self._word_follows(self.items[-1].end):
            self.place = self.items.pop().start

    def _word_follows(self, place: int) -> bool:
        text, end = self.text, self.end
        behind = tokens.end_of(tokens.BEFORE_RANGE_MARK, text, place, end)
        separator = tokens.SEPARATOR.match(text, behind, end)
        if separator is not None and separator[0].isalpha():
            return id_at(text, place_of_id(text, separator.end(), end, self.ids), end, self.ids) is None
        if behind >= end or tokens.is_punctuation(text[behind]) or tokens.is_emoji(text[behind]):
            return False
        patterns = (tokens.MENTION, tokens.LINK, tokens.REFERENCE, tokens.COURTESY)
        if any(pattern.match(text, behind, end) for pattern in patterns):
            return False
        return not is_denied_at(text, behind, end, self.ids)


def _carried_from(named: NamedIds) -> str:
    """The letter (or word) before a number is carried on to bare numbers behind: A-3、4."""
    is_carried = named.first and not named.series[:1].isdigit()
    return named.series if is_carried else PLAIN
