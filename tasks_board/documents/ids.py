"""Numbers of tasks: how they are compared, and the short lists behind a mentor's name.

The full language of id lists (comments and titles) lives in ``claims.grammar``; a table needs only lists of
its own row numbers (TABLES.md section 4, the mentor line).
"""

import re
from collections.abc import Iterable, Mapping

from tasks_board.documents import text as texts

_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")
_SPLIT = re.compile(r"[A-Za-z]+|[0-9]+")
_WORD = re.compile(r"[A-Za-z0-9]+(?:[-.][A-Za-z0-9]+)*")
_RANGE = re.compile(
    r"(?P<prefix>[A-Za-z]{0,2}\s*[-+*_]?\s*(?:[0-9]{1,6}[.-]){0,3})(?P<first>[0-9]{1,6})"
    r"\s*(?:[-‐–—−~〜]+|至|到)\s*"
    r"(?P<again>[A-Za-z]{0,2}\s*[-+*_]?\s*(?:[0-9]{1,6}[.-]){0,3})(?P<last>[0-9]{1,6})(?![0-9])"
)
_NUMBER_MARK = re.compile(r"(?<![A-Za-z0-9])No\.?\s*(?=[0-9])", re.IGNORECASE)
_MOST = 1000


def id_key(number: str) -> str:
    """What two spellings of one id have in common: case, width and leading zeros do not matter."""
    return _ZEROS.sub("", texts.comparison_key(number).replace(" ", ""))


def read_known_ids(text: str, known: Iterable[str]) -> set[str]:
    """The ids (as keys) of ``known`` that a short list names; ranges are expanded number by number.

    Ids of the table are tried first as whole text: where a row has the number ``2-3``, it is no range.
    """
    keys = {id_key(number) for number in known}
    loose = {_loose(key): key for key in keys}
    folded = _NUMBER_MARK.sub("", texts.normalise(text))
    found: set[str] = set()
    place = 0
    while match := _WORD.search(folded, place):
        whole = _known(match[0], keys, loose)
        spread = None if whole else _RANGE.match(folded, match.start())
        if whole:
            found.add(whole)
        elif spread:
            found |= {key for number in _expand(spread) if (key := _known(number, keys, loose))}
        place = (spread or match).end()
    return found


def _known(number: str, keys: set[str], loose: Mapping[str, str]) -> str | None:
    key = id_key(number)
    return key if key in keys else loose.get(_loose(key))


def _loose(key: str) -> str:
    """``A3`` and ``a-3`` are one id where letters stand before a number; ``1-3`` and ``13`` are two."""
    parts = _SPLIT.findall(key)
    return "".join(parts) if len(parts) == 2 and parts[0].isalpha() else key


def _expand(spread: "re.Match[str]") -> Iterable[str]:
    first, last = sorted((int(spread["first"]), int(spread["last"])))
    again = spread["again"].strip()
    if (again and id_key(again) != id_key(spread["prefix"])) or last - first >= _MOST:
        return ()
    return (f"{spread['prefix']}{number}" for number in range(first, last + 1))
