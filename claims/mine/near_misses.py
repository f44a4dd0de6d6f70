"""Titles that look as if they meant a task and are tied to none. Pure: a hint for people, nothing follows from it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from claims.grammar.model import TitlePrefix
from claims.grammar.titles import LONGEST_TITLE, read_title
from tasks_board.documents import text as texts

_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"(?:[A-Za-z]-?)?\d+(?:[.-]\d+)*")
_MEANS_A_NUMBER = frozenset({"no", "number", "task"})


@dataclass(frozen=True, slots=True)
class NearMiss:
    """The event that a title seems to mean, and the number of a task in it, if one stands there."""

    event: str
    number: str = ""


def find_near_miss(
    title: str, *, repository: str, events: Sequence[TitlePrefix], numbers: Mapping[str, Sequence[str]]
) -> NearMiss | None:
    """The first of these events that the title names without a task, or whose word stands in it beside a number.

    `numbers`: those of the tasks, by event.
    """
    reading = read_title(title, repository=repository, events=events)
    if reading.revert:
        return None
    if reading.event:
        return NearMiss(reading.event, reading.tasks[0] if reading.tasks else "")
    folded = texts.fold(title[:LONGEST_TITLE]).text
    for event in events:
        number = _number_beside(folded, event, numbers.get(event.key, ()))
        if number:
            return NearMiss(event.key, number)
    return None


def _number_beside(title: str, event: TitlePrefix, numbers: Sequence[str]) -> str:
    said = [word.lower() for word in _WORD.findall(title)]
    for prefix in (event.prefix, *event.aliases):
        words = [w.lower() for w in _WORD.findall(prefix) if w.lower() not in _MEANS_A_NUMBER]
        if words and words[-1] in said:
            own = set(_NUMBER.findall(prefix))
            found = [n for n in _NUMBER.findall(title) if n not in own]
            return next((known for n in found if (known := _known(n, numbers))), "")
    return ""


def _known(number: str, numbers: Sequence[str]) -> str:
    wanted = number.lower().lstrip("0")
    return next((n for n in numbers if n.lower().lstrip("0") == wanted), "")
