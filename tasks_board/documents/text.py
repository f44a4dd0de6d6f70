"""Characters: how texts are compared, and what a strike covers (cases/README.md, sections 1 and 2).

Texts are *recognised* after NFKC and without zero-width characters, but *given back* with their own
characters. :class:`Folded` bridges the two: patterns run over ``folded.text``, and ``folded.span`` tells
which stretch of the original a match came from.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tasks_board.documents.model import Span

ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u180e"
# Stands for each character of a remark nobody sees while its line is written: a blank to every reader.
HIDDEN = "\x1f"
_ZERO_WIDTH = dict.fromkeys(map(ord, ZERO_WIDTH))
# Marks of direction come along when text is copied; a name given back keeps its own.
_UNSEEN = _ZERO_WIDTH | dict.fromkeys(
    map(ord, "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
)
_ZERO_WIDTH_IN_WORDS = {code: None for code in _ZERO_WIDTH if code != 0x200D}  # it joins emoji
_BLANKS = re.compile(r"\s+")
_EMPTY_LINE = re.compile(r"\n[^\S\n]*\n")
# Three tildes in a row are no mark.
_DOUBLE_TILDE = re.compile(r"(?<!~)~~~(?!~)|~~")
# At the start of a line, with something right behind, a mark opens and never closes.
_OPENS_LINE = re.compile(r"^[^\S\n]*+(?:(?:[-*+•]|[0-9]{1,9}[.)])[^\S\n]++)?~~(?=[^\s~])", re.MULTILINE)
_STRIKE_TAG = re.compile(r"<(?P<slash>/?)(?P<tag>del|strike|s)(?:\s[^<>]*)?>", re.IGNORECASE)


# NFKC sorts runs of combining marks by insertion, so a stranger's endless run is taken in pieces.
_PIECE = 1000
_PIECES = re.compile(rf"[^\n]{{1,{_PIECE}}}\n?|\n")


def normalise(text: str) -> str:
    """The form in which texts are read: NFKC, without zero-width characters."""
    if text.isascii():
        return text
    seen = text.translate(_UNSEEN)
    if len(seen) <= _PIECE:
        return unicodedata.normalize("NFKC", seen)
    pieces = _PIECES.findall(seen)
    return "".join([unicodedata.normalize("NFKC", piece) for piece in pieces])


def comparison_key(text: str) -> str:
    """What two spellings of one name or header have in common: width, case and blanks do not matter."""
    return squeeze(normalise(text)).casefold()


def squeeze(text: str) -> str:
    """Runs of blanks become one, none stands at the ends; zero-width characters go, all others stay."""
    seen = text if text.isascii() else text.translate(_ZERO_WIDTH_IN_WORDS)
    return _BLANKS.sub(" ", seen).strip()


@dataclass(frozen=True, slots=True)
class Folded:
    """A text as it is recognised, with the way back to the original.

    ``origins[i]`` is the offset in the original of the character that gave ``text[i]``; the last entry is
    the original's length. None means that both texts are the same.
    """

    text: str
    origins: Sequence[int] | None

    def span(self, start: int, end: int) -> Span:
        """The stretch of the original from which ``text[start:end]`` came."""
        if self.origins is None:
            return Span(start, end)
        if end <= start:
            return Span(self.origins[start], self.origins[start])
        return Span(self.origins[start], self.origins[end - 1] + 1)

    def span_of(self, match: "re.Match[str]", group: int | str = 0) -> Span:
        return self.span(match.start(group), match.end(group))


@lru_cache(maxsize=4096)
def _fold_character(character: str) -> str:
    return unicodedata.normalize("NFKC", character.translate(_UNSEEN))


def fold(original: str) -> Folded:
    """Fold character by character, so that every folded character knows where it came from."""
    if original.isascii():
        return Folded(original, None)
    parts = [_fold_character(character) for character in original]
    text = "".join(parts)
    if text == original:
        return Folded(original, None)
    origins = [place for place, part in enumerate(parts) for _ in part]
    origins.append(len(original))
    return Folded(text, origins)


def aligned(original: str) -> str:
    """The text folded where that keeps its length, so that places in both are the same."""
    if original.isascii():
        return original
    return "".join(
        [one if len(one := _fold_character(character)) == 1 else character for character in original]
    )


# ------------------------------------------------------------------------------------------- struck text


@dataclass(frozen=True, slots=True)
class Strike:
    """A struck stretch: ``span`` with its tildes or tags, ``inner`` without."""

    span: Span
    inner: Span


def strikes(original: str) -> list[Strike]:
    """Struck stretches, from left to right; they do not overlap and do not cross an empty line.

    One inside another is no stretch of its own. ``~~…~~`` strikes whatever is inside. ``~…~`` strikes only where the first tilde has no letter or digit
    before it, the last has none behind, and no blank stands just inside (so ``26~30`` is a range). Give
    the text as written: only tildes that were ASCII before NFKC can strike, and no three in a row.
    """
    if "~" not in original:
        return []
    doubles = _double_strikes(original)
    return _outermost(doubles + _single_strikes(original, doubles))


def every_strike(original: str) -> list[Strike]:
    """The strikes of a table's cell: those of :func:`strikes`, and ``<del>``, ``<s>`` and ``<strike>``, which look alike."""
    return (
        _outermost([*strikes(original), *_html_strikes(original)]) if "</" in original else strikes(original)
    )


def may_strike(text: str) -> bool:
    """Whether a cell may hold a strike at all, told quickly."""
    return "~" in text or "</" in text


def is_struck(span: Span, struck: Sequence[Strike]) -> bool:
    """Does a whole stretch lie inside one of these strikes (in order, as :func:`strikes` gives them)?"""
    place = bisect_right(struck, span.start, key=lambda strike: strike.span.start)
    return place > 0 and struck[place - 1].span.contains(span)


def without_strike_marks(text: str) -> str:
    """The text with its strike tildes taken off; what they struck stays."""
    parts, place = [], 0
    for strike in strikes(text):
        parts += [text[place : strike.span.start], without_strike_marks(strike.inner.of(text))]
        place = strike.span.end
    return "".join([*parts, text[place:]])


def _outermost(found: Iterable[Strike]) -> list[Strike]:
    """From left to right, without those that begin inside another."""
    kept: list[Strike] = []
    for strike in sorted(found, key=lambda strike: strike.span):
        if not kept or strike.span.start >= kept[-1].span.end:
            kept.append(strike)
    return kept


def _html_strikes(original: str) -> list[Strike]:
    found: list[Strike] = []
    opening: re.Match[str] | None = None
    for tag in _STRIKE_TAG.finditer(original):
        if opening is None:
            opening = None if tag["slash"] else tag
        elif tag["slash"] and tag["tag"].lower() == opening["tag"].lower():
            found.append(Strike(Span(opening.start(), tag.end()), Span(opening.end(), tag.start())))
            opening = None
    return found


def _double_strikes(original: str) -> list[Strike]:
    found: list[Strike] = []
    opening_a_line = {line.end() for line in _OPENS_LINE.finditer(original)}
    opened: int | None = None
    for mark in _DOUBLE_TILDE.finditer(original):
        if len(mark[0]) > 2:
            continue
        if (
            opened in (None, mark.start())
            or mark.end() in opening_a_line
            or _EMPTY_LINE.search(original, opened, mark.start())
        ):
            opened = mark.end()
        else:
            found.append(Strike(Span(opened - 2, mark.end()), Span(opened, mark.start())))
            opened = None
    return found


def _single_strikes(original: str, doubles: Sequence[Strike]) -> list[Strike]:
    """One pass over the lone tildes outside double strikes; the first opener waits for a closer."""
    found: list[Strike] = []
    opening: int | None = None
    seen = 0
    for place in _lone_tildes(original, doubles):
        if opening is not None and _EMPTY_LINE.search(original, max(opening, seen), place):
            opening = None
        seen = place
        before, behind = original[place - 1 : place], original[place + 1 : place + 2]
        if opening is not None and not before.isspace() and not behind.isalnum():
            found.append(Strike(Span(opening, place + 1), Span(opening + 1, place)))
            opening = None
        elif opening is None and behind.strip() and not before.isalnum():
            opening = place
    return found


def _lone_tildes(original: str, doubles: Sequence[Strike]) -> list[int]:
    places: list[int] = []
    covered = iter([*doubles, Strike(Span(len(original), len(original)), Span(0, 0))])
    current = next(covered)
    for match in re.finditer(r"~+", original):
        while match.start() >= current.span.end and current.span.start < len(original):
            current = next(covered)
        outside = match.start() < current.span.start or match.start() >= current.span.end
        if outside and len(match.group()) == 1:
            places.append(match.start())
    return places
