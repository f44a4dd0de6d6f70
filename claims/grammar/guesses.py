"""Which tasks a comment might have meant that could not be read for sure: offered to a mentor, never booked by itself."""

import re

from claims.grammar.hints import MAY_BE_ID, NAMES
from claims.grammar.id_list import read_id_list
from claims.grammar.ids import TaskIds
from claims.grammar.unread import readable

MOST = 6  # more candidates than that are no help
_LONGEST_TEXT = 2_000
_IN_HAN = re.compile(r"[零〇一二两三四五六七八九十百]{1,7}(?=\s?[号题個个道])")
_DIGITS = {"零": 0, "〇": 0, "两": 2} | {digit: n for n, digit in enumerate("一二三四五六七八九", start=1)}
_TENS = {"十": 10, "百": 100}


def guess_ids(comment: str, ids: TaskIds) -> tuple[str, ...]:
    """The ids of the event that a comment may have meant, in the order in which they stand there; at most six."""
    text = readable(comment[:_LONGEST_TEXT]).without_struck()
    plain = NAMES.sub(lambda name: " " * len(name[0]), text)
    found = [*_in_digits(plain, ids), *_in_han(plain, ids)]
    ordered = dict.fromkeys(known for _place, known in sorted(found, key=lambda pair: pair[0]))
    return tuple(ordered)[:MOST]


def _in_digits(text: str, ids: TaskIds) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    place = 0
    while (number := MAY_BE_ID.search(text, place)) and len(found) < 4 * MOST:
        listed = read_id_list(text, number.start(), len(text), ids)
        for item in listed.items:
            found += [(item.start, known) for known in ids.known(item.named)[: MOST + 1]]
        place = max([number.end(), *(item.end for item in listed.items)])
    return found


def _in_han(text: str, ids: TaskIds) -> list[tuple[int, str]]:
    found = []
    for numeral in _IN_HAN.finditer(text):
        digits = str(_count(numeral[0]))
        listed = read_id_list(digits, 0, len(digits), ids)
        found += [(numeral.start(), known) for item in listed.items for known in ids.known(item.named)]
    return found


def _count(numeral: str) -> int:
    """十三 is 13, 六十四 64, 一百零五 105, 二三 23."""
    if not any(sign in _TENS for sign in numeral):
        return int("".join(str(_DIGITS[sign]) for sign in numeral))
    total, digit = 0, None
    for sign in numeral:
        if sign in _TENS:
            total += (1 if digit is None else digit) * _TENS[sign]
            digit = None
        else:
            digit = _DIGITS[sign]
    return total + (digit or 0)
