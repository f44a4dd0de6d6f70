"""When a comment that books nothing was an attempt all the same (cases/README.md, section 2: hint)."""

import re
from collections.abc import Sequence

from claims.grammar import tokens
from claims.grammar.heads import behind_bullet, lines_of
from claims.grammar.id_list import no_id_at, read_id_list
from claims.grammar.ids import TaskIds
from claims.grammar.model import Attempt
from tasks_board.documents.model import Span

_WISHING = re.compile(
    r"想做|想试|想要|想报名|想认领|想领|我来|我要|我想|我报名|我认领|我领|接下|报名|報名|认领|领取|放弃|取消|退出|释放"
    r"|(?<![a-z])(?:i['’]d like|i want|want to|would like|take|work on|(?:un)?claim)(?![a-z])",
    re.IGNORECASE,
)
# Addresses, mentions and pull requests of other repositories hold numbers that are no ids.
NAMES = re.compile(
    r"https?://[!-~]++|www\.[!-~]++|@[a-z0-9-]++|(?<![a-z0-9_./-])[a-z0-9_.-]++(?:/[a-z0-9_.-]++)*+\#[0-9]++",
    re.IGNORECASE,
)
MAY_BE_ID = re.compile(
    r"(?<![a-z0-9_])(?<![a-z]-)(?<![0-9]\.)(?:[0-9]++|[a-z]{1,2}(?=\s?[-+*_‐–—−]?\s?[\[【]?[0-9]))",
    re.IGNORECASE,
)
# +1 agrees with somebody.
_VOTE = re.compile(r"\s*+[-+][0-9]++\s*+")
_NUMBER_HEADERS = ("序号", "编号", "题号", "任务编号")
_DELIMITER_ROW = re.compile(r"\s*+\|?\s*+:?-++:?\s*+(?:\|\s*+:?-*+:?\s*+)*+")


def attempt_in(text: str, ids: TaskIds) -> Attempt | None:
    """Does a text without head look as if its author wanted a task? Give it without what is struck."""
    lines = lines_of(text)
    if _is_bare_list(text, lines, ids):
        return Attempt.LIST
    if any(_WISHING.search(text, line.start, line.end) and _names_id(line.of(text), ids) for line in lines):
        return Attempt.WORDS
    return Attempt.TABLE if _holds_table_of_ids(text, lines, ids) else None


def _is_bare_list(text: str, lines: Sequence[Span], ids: TaskIds) -> bool:
    """The whole text is an id list with at least one id of the event."""
    if _VOTE.fullmatch(text):
        return False
    plain = " ".join(text[behind_bullet(text, line) : line.end] for line in lines)
    listed = read_id_list(plain, 0, len(plain), ids)
    return listed.end == len(plain) and any(ids.has_any(item.named) for item in listed.items)


def _names_id(line: str, ids: TaskIds) -> bool:
    plain = NAMES.sub(lambda name: " " * len(name[0]), line)
    if ids.odd_pattern and any(not found[0][:1].isdigit() for found in ids.odd_pattern.finditer(plain)):
        return True
    place = 0
    while number := MAY_BE_ID.search(plain, place):
        listed = read_id_list(plain, number.start(), len(plain), ids)
        for item in listed.items:
            if ids.has_any(item.named) and not tokens.ENGLISH_UNIT.match(plain, item.end):
                return True
        place = max(number.end(), no_id_at(plain, number.start(), len(plain), ids))
        place = max(place, listed.items[-1].end if listed.items else 0)
    return False


def _holds_table_of_ids(text: str, lines: Sequence[Span], ids: TaskIds) -> bool:
    """A Markdown table whose first column is one of numbers, with ids of the event in it."""
    in_table = False
    for line, below in zip(lines, [*lines[1:], Span(0, 0)], strict=True):
        row = line.of(text)
        if in_table and "|" in row:
            first = _first_cell(row)
            listed = read_id_list(first, 0, len(first), ids)
            if any(ids.has_any(item.named) for item in listed.items):
                return True
        else:
            is_header = "|" in row and _first_cell(row) in _NUMBER_HEADERS
            in_table = is_header and _DELIMITER_ROW.fullmatch(below.of(text)) is not None
    return False


def _first_cell(row: str) -> str:
    return "".join(row.strip().removeprefix("|").split("|", 1)[0].replace("*", " ").split())
