"""The value of a single cell: number, title, address, stars, directions, dates (TABLES.md, Fields of a task)."""

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from itertools import pairwise

from tasks_board.documents import plain, references
from tasks_board.documents import text as texts
from tasks_board.documents.marks import Marks
from tasks_board.documents.model import Span, State

_NUMBER_MARK = re.compile(r"\s*No(?:\.|(?=[\s0-9]))\s*", re.IGNORECASE)
_LETTER = re.compile(r"\w")
_NEW = re.compile("🆕\ufe0f?")

_STAR = r"(?:⭐|🌟|:star:)"
_STARS = re.compile(_STAR)
_FACTOR = re.compile(
    rf"(?<![A-Za-z0-9.])(?P<range>[0-9.]+\s*[-‐–—−~〜至到]\s*)?(?P<factor>[0-9]{{1,9}}(?:\.[0-9]{{1,9}})?)(?:\s*[×xX*]\s*)?{_STAR}"
)
_LEADING_FACTOR = re.compile(
    rf"[\s*_]*(?P<range>[0-9.]+\s*[-‐–—−~〜至到]\s*)?(?P<factor>[0-9]{{1,9}}(?:\.[0-9]{{1,9}})?)\s+{_STAR}"
)
_TIMES = re.compile(rf"{_STAR}\ufe0f?\s*[×xX*]\s*(?P<factor>[0-9]{{1,9}}(?:\.[0-9]{{1,9}})?)(?![0-9.A-Za-z])")
_RANGE_BETWEEN = re.compile(r"[\ufe0f\s]*(?:[-‐–—−~〜]|至|到)")

_BULLET = re.compile(r"^\s*[-*•]\s+")
_DIRECTION_BREAK = re.compile(r"[+&、,;]|(?<=\s)/(?=\s)")

_DATE = (
    r"(?P<year>[12][0-9]{3})\s*[-/.年]\s*(?P<month>[0-9]{1,2})\s*[-/.月]\s*(?P<day>[0-9]{1,2})(?![0-9])\s*日?"
)
_FINISH_WORD = r"(?:已?完成|结项|合入|于|时间|在|[:\s])*+"
_FINISH_DATE = re.compile(rf"{_FINISH_WORD}{_DATE}{_FINISH_WORD}")
_DATE_ANYWHERE = re.compile(rf"(?<![0-9]){_DATE}")
FINISHED = "已完成"
_PLAN = re.compile("预计|计划|截止")
_REMARK = re.compile(r"\(([^()]*+)\)")

_ANCHOR = re.compile(
    r"""\]\(\s*(#[^\s()]+)\s*\)|<a\s(?>[^<>]*?href)\s*=\s*["']?(#[^\s"'<>]+)""", re.IGNORECASE
)
_PROFILE = re.compile(
    r"https?://(?:www\.)?github\.com/@?(?P<login>[A-Za-z0-9][A-Za-z0-9_-]*)/?(?:[?#]\S*)?", re.IGNORECASE
)
_YES_NO = {"是": True, "否": False}


def profile_login(address: str) -> str | None:
    """The login of a profile link."""
    match = _PROFILE.fullmatch(address.strip())
    return match["login"] if match else None


def has_words(text: str) -> bool:
    """Is there a letter or a digit? Dashes and dots say nothing."""
    return bool(_LETTER.search(text))


def without_struck(source: str) -> str:
    """The text without what is struck."""
    parts, place = [], 0
    for strike in texts.every_strike(source):
        parts.append(source[place : strike.span.start])
        place = strike.span.end
    return "".join([*parts, source[place:]])


def standing(source: str) -> str:
    """What of a cell stands; all of it where everything is struck, as in a row taken out."""
    left = without_struck(source) if texts.may_strike(source) else source
    return left if left.strip() else source


# ------------------------------------------------------------------------------------ number and title


def read_number(source: str, marks: Marks) -> str | None:
    """Without marks, strike and ``No.``; None for a cell that says nothing."""
    bare = source.strip()
    if bare.isascii() and bare.isalnum() and bare[:2].lower() != "no":
        return bare
    number = plain.plain_text(source, clean=lambda text: _NEW.sub("", marks.every.sub("", text)))
    folded = texts.fold(number)
    mark = _NUMBER_MARK.match(folded.text)
    number = number[folded.span_of(mark).end :] if mark else number
    return number if has_words(number) else None


def read_title(source: str, marks: Marks, finish: Span | None = None) -> str:
    """Plain text without status marks, the new-mark, 已完成 behind a mark and the date of completion."""
    if finish is not None:
        source = source[: finish.start] + source[finish.end :]
    return plain.plain_text(source, clean=lambda text: marks.title_noise.sub(" ", text), keep_urls=False)


def is_struck_as_a_whole(source: str, marks: Marks) -> bool:
    """Is all that a title or number says struck? Marks and 已完成 behind it do not matter."""
    if not texts.may_strike(source):
        return False
    left = read_title(without_struck(source), marks)
    return (not has_words(left) or left == FINISHED) and has_words(read_title(source, marks))


def http_links(source: str) -> list[str]:
    """The http addresses of a cell, as written, those of profiles left out; struck ones only if no other stands there."""
    if "://" not in source:
        return []
    if not texts.may_strike(source):
        return _http_links(source)
    return _http_links(without_struck(source)) or _http_links(_with_strikes_blanked(source))


def _with_strikes_blanked(source: str) -> str:
    parts, place = [], 0
    for strike in texts.every_strike(source):
        parts += [source[place : strike.span.start], " ", strike.inner.of(source), " "]
        place = strike.span.end
    return "".join([*parts, source[place:]])


def _http_links(source: str) -> list[str]:
    shown = plain.IMAGE.sub(" ", source) if "![" in source else source
    shown = plain.IMAGE_TAG.sub(" ", shown) if "<" in shown else shown
    found = (references.address_of(token) for token in references.TOKENS.finditer(shown))
    return [link for link in found if link and link.lower().startswith("http") and not profile_login(link)]


def in_page_anchor(source: str) -> str | None:
    match = _ANCHOR.search(source) if "#" in source else None
    return (match[1] or match[2]) if match else None


# ----------------------------------------------------------------------------- difficulty and directions


def read_stars(source: str) -> str | None:
    """The number of stars as a plain decimal string; None for a range and without stars."""
    folded = texts.normalise(plain.BREAK.sub(" ", _unstruck(source)))
    stars = list(_STARS.finditer(folded))
    between = (folded[left.end() : right.start()] for left, right in pairwise(stars))
    if not stars or any(_RANGE_BETWEEN.match(gap) for gap in between):
        return None
    if factor := _FACTOR.search(folded) or (len(stars) == 1 and _LEADING_FACTOR.match(folded)):
        return None if factor["range"] else _plain_decimal(factor["factor"])
    times = _TIMES.search(folded) if len(stars) == 1 else None
    return _plain_decimal(times["factor"]) if times else str(len(stars))


def _unstruck(source: str) -> str:
    """What of a cell's stars stands; all of them where the whole row is struck. Single tildes are range marks here."""
    if "~~" not in source and "</" not in source:
        return source
    left = without_struck(source)
    return left if _STARS.search(left) else source.replace("~~", "")


def _plain_decimal(text: str) -> str:
    number = format(Decimal(text), "f")
    return (number.rstrip("0").rstrip(".") or "0") if "." in number else number.lstrip("0") or "0"


def read_directions(source: str) -> tuple[str, ...]:
    """Split at ``+ & 、 , ;`` and line breaks, and at ``/`` with blanks on both sides."""
    if not source.strip():
        return ()
    text = plain.plain_text(plain.BREAK.sub("、", source))
    pieces = (texts.squeeze(_BULLET.sub("", piece)) for piece in split(text, _DIRECTION_BREAK))
    return tuple(piece for piece in pieces if has_words(piece))


def read_requires_rfc(source: str) -> bool | None:
    return None if not source else _YES_NO.get(texts.normalise(plain.plain_text(source)))


# ----------------------------------------------------------------------------------------------- dates


def read_finish_date(source: str) -> str | None:
    """The date of a 结项时间 cell; a planned or struck date is no finish."""
    if not source:
        return None
    folded = texts.normalise(without_struck(source))
    match = None if _PLAN.search(folded) else _DATE_ANYWHERE.search(folded)
    return _iso_date(match) if match else None


def read_title_date(source: str, marks: Marks, *, always: bool) -> tuple[str, Span] | None:
    """The date in parentheses behind a title, where a done mark stands before it (or ``always``)."""
    if "(" not in source and "（" not in source:
        return None
    folded = texts.fold(source)
    remark = next(reversed(list(_REMARK.finditer(folded.text))), None)
    match = _FINISH_DATE.fullmatch(remark[1].strip()) if remark else None
    iso = _iso_date(match) if match else None
    if remark is None or iso is None:
        return None
    behind = marks.title_noise.sub("", plain.without_tags(folded.text[remark.end() :]))
    ticked = any(
        marks.state_of(mark) is State.DONE for mark in marks.pattern.finditer(folded.text, 0, remark.start())
    )
    if has_words(behind.replace(FINISHED, "")) or not (always or ticked):
        return None
    return iso, folded.span_of(remark)


def _iso_date(match: "re.Match[str]") -> str | None:
    try:
        return date(int(match["year"]), int(match["month"]), int(match["day"])).isoformat()
    except ValueError:
        return None


def split(source: str, breaks: "re.Pattern[str]") -> Sequence[str]:
    """Cut a cell at the breaks of a pattern; the pieces keep their own characters."""
    folded = texts.fold(source)
    pieces, place = [], 0
    for match in breaks.finditer(folded.text):
        span = folded.span_of(match)
        pieces.append(source[place : span.start])
        place = span.end
    return [*pieces, source[place:]]


def read_plain(source: str) -> str | None:
    """The plain text of a cell; None for an empty one."""
    return plain.plain_text(source) or None if source.strip() else None
