"""Where the prefixes of events stand in a title (cases/README.md, section 3: words, match)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from claims.grammar.model import TitlePrefix

_NUMERALS = "一二三四五六七八九十"
_WORD = re.compile(
    rf"第\s*(?:(?P<digits>[0-9]+)|(?P<numerals>[{_NUMERALS}]+))\s*期"
    r"|(?P<ordinal>[0-9]+)(?:st|nd|rd|th)(?![a-z])"
    r"|(?P<number>[0-9]+)"
    r"|[a-z]+"
    rf"|(?:(?!第\s*(?:[0-9]+|[{_NUMERALS}]+)\s*期)[\u3400-\u9fff\uf900-\ufaff])+",
    re.IGNORECASE,
)
RFC_TAG = re.compile(r"[【\[「(]\s*rfc\s*(?:v?\s*[0-9]+(?:\.[0-9]+)*)?\s*[】\]」)]", re.IGNORECASE)
_NUMBER_MARKS = ("no", "nos")
_FORGIVING_LENGTH = 7


@dataclass(frozen=True, slots=True)
class Word:
    """A word in lower case; ``7th``, ``7`` and 第七期 are all ``7``."""

    text: str
    start: int
    end: int
    in_rfc_tag: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """A prefix in a title: the words it covers, and whether its number mark is among them."""

    event: TitlePrefix
    start: int
    end: int
    words: int
    marked: bool
    exact: bool
    last_word: str

    def overlaps(self, other: "Match") -> bool:
        return self.start < other.end and other.start < self.end

    def same_place(self, other: "Match") -> bool:
        return (self.start, self.end, self.words) == (other.start, other.end, other.words)


@dataclass(frozen=True, slots=True)
class _Prefix:
    words: tuple[str, ...]
    marked: bool


def words_of(title: str) -> list[Word]:
    """Cut a text into words: runs of Latin letters, of digits, of Chinese characters."""
    rfc = [tag.span() for tag in RFC_TAG.finditer(title)]
    return [
        Word(_plain(match), *match.span(), any(a <= match.start() < b for a, b in rfc))
        for match in _WORD.finditer(title)
    ]


def find_matches(words: Sequence[Word], events: Sequence[TitlePrefix]) -> list[Match]:
    """All prefixes and aliases that stand in a title, overlaps resolved, from left to right."""
    found = [
        match
        for event in events
        for written in (event.prefix, *event.aliases)
        for match in _matches_of(words, event, _prefix(written))
    ]
    if any(match.exact for match in found):
        found = [match for match in found if match.exact]
    kept: list[Match] = []
    for match in sorted(found, key=lambda match: (-match.words, match.start)):
        if all(match.same_place(other) or not match.overlaps(other) for other in kept):
            kept.append(match)
    return sorted(kept, key=lambda match: match.start)


def words_before_numbers(events: Sequence[TitlePrefix]) -> frozenset[str]:
    """The words behind which some prefix has a number: there a number is an edition, no id."""
    prefixes = [_prefix(written).words for event in events for written in (event.prefix, *event.aliases)]
    return frozenset(word for words in prefixes for word, behind in pairwise(words) if behind.isdigit())


def written_names(event: TitlePrefix) -> frozenset[object]:
    """The prefix and aliases of an event, equal to those of another one where titles cannot tell them apart."""
    return frozenset(_prefix(written) for written in (event.prefix, *event.aliases) if written)


def _prefix(written: str) -> _Prefix:
    words = [word.text for word in words_of(written)]
    marked = len(words) > 1 and words[-1] in _NUMBER_MARKS
    named = words[:-1] if marked else words
    said_once = [word for place, word in enumerate(named) if place == 0 or word != named[place - 1]]
    return _Prefix(tuple(said_once), marked)


def _matches_of(words: Sequence[Word], event: TitlePrefix, prefix: _Prefix) -> Iterator[Match]:
    for first in range(len(words)):
        if prefix.words and _is_same(prefix.words[0], words[first].text) and not words[first].in_rfc_tag:
            match = _match_from(words, first, event, prefix)
            if match is not None:
                yield match


def _match_from(words: Sequence[Word], first: int, event: TitlePrefix, prefix: _Prefix) -> Match | None:
    place, exact = first, words[first].text == prefix.words[0]
    for expected in prefix.words[1:]:
        following = _following(words, place, (expected,))
        if following is None:
            return None
        place, exact = following, exact and words[following].text == expected
    if prefix.marked:
        following = _following(words, place, _NUMBER_MARKS)
        if following is None:
            return None
        place = following
    elif not words[place].text.isdigit():
        place = _behind_repeated(words, place)
    return Match(
        event=event,
        start=words[first].start,
        end=words[place].end,
        words=len(prefix.words) + prefix.marked,
        marked=prefix.marked,
        exact=exact,
        last_word=prefix.words[-1],
    )


def _following(words: Sequence[Word], place: int, expected: tuple[str, ...]) -> int | None:
    """The next word, if it is the expected one; a word said again and RFC tags may stand between."""
    for number in range(place + 1, len(words)):
        if any(_is_same(word, words[number].text) for word in expected):
            return number
        if not words[number].in_rfc_tag and words[number].text != words[place].text:
            return None
    return None


def _behind_repeated(words: Sequence[Word], place: int) -> int:
    while place + 1 < len(words) and words[place + 1].text == words[place].text:
        place += 1
    return place


def _is_same(expected: str, said: str) -> bool:
    """Equal, or one letter apart where the prefix's word has seven letters or more."""
    if expected == said:
        return True
    if (
        len(expected) < _FORGIVING_LENGTH
        or not expected.isascii()
        or not expected.isalpha()
        or not said.isascii()
    ):
        return False
    return is_one_letter_apart(expected, said)


def is_one_letter_apart(expected: str, said: str) -> bool:
    """Whether a letter is added, lost or changed, or two neighbours are swapped."""
    if abs(len(expected) - len(said)) > 1:
        return False
    longer, shorter = (expected, said) if len(expected) >= len(said) else (said, expected)
    place = next((i for i, (a, b) in enumerate(zip(longer, shorter, strict=False)) if a != b), len(shorter))
    if len(longer) != len(shorter):
        return longer[place + 1 :] == shorter[place:]
    swapped = longer[place : place + 2][::-1] == shorter[place : place + 2]
    return longer[place + 1 :] == shorter[place + 1 :] or (
        swapped and longer[place + 2 :] == shorter[place + 2 :]
    )


def _plain(match: re.Match[str]) -> str:
    if match["numerals"]:
        return str(_count(match["numerals"]))
    digits = match["digits"] or match["ordinal"] or match["number"]
    return (digits.lstrip("0") or "0") if digits else match[0].lower()


def _count(numerals: str) -> int:
    """A Chinese number up to 99."""
    tens, ten, ones = numerals.rpartition("十")
    value = _NUMERALS.find(ones[-1:] or " ") + 1 if ones else 0
    return value + (10 * (_NUMERALS.find(tens[-1:]) + 1 if tens else 1) if ten else 0)
