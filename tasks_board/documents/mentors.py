"""The mentor line between a heading and its table (TABLES.md section 4, Fields of a task)."""

import re
from collections.abc import Iterable, Mapping, Sequence

from tasks_board.documents import ids, people
from tasks_board.documents import text as texts

_MENTOR_LINE = re.compile(
    r"[\s>*_`+-]*(?:[0-9]{1,9}[.)]\s+)?[*_`]*(?:mentors?|导师)[*_`]*\s*:?[*_`]*(?=[\s@\[h(<])", re.IGNORECASE
)
_ID = re.compile("[0-9]")


def mentors_by_number(lines: Iterable[str], numbers: Sequence[str]) -> Mapping[str | None, Sequence[str]]:
    """Who guides which row: logins by id key. Those of the key None guide every row.

    Logins directly before ids belong to those rows; several in a row share the ids behind them.
    """
    guides: dict[str | None, list[str]] = {}
    for line in lines:
        folded = texts.normalise(line)
        label = _MENTOR_LINE.match(folded)
        if label:
            _read_line(folded, label.end(), numbers, guides)
    return guides


def _read_line(folded: str, start: int, numbers: Sequence[str], guides: dict[str | None, list[str]]) -> None:
    mentions = list(people.find_mentions(folded))
    if not mentions or folded[start : mentions[0].span.start].strip(" :*_(<"):
        return  # a sentence about mentors names none
    waiting: list[str] = []
    for index, mention in enumerate(mentions):
        waiting.append(mention.login)
        end = mentions[index + 1].span.start if index + 1 < len(mentions) else len(folded)
        behind = folded[mention.span.end : end]
        if _ID.search(behind):
            for key in ids.read_known_ids(behind, numbers):
                guides.setdefault(key, []).extend(waiting)
            waiting = []
    if waiting:
        guides.setdefault(None, []).extend(waiting)


def guides_of(number: str | None, guides: Mapping[str | None, Sequence[str]]) -> list[str]:
    """The logins of the mentor line for one row."""
    own = guides.get(ids.id_key(number), ()) if number is not None else ()
    return [*own, *guides.get(None, ())]
