"""Titles that look as if they meant a task and are tied to none. Pure: a hint for people, nothing follows from it."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from claims.grammar.ids import TaskIds
from claims.grammar.model import TitlePrefix, TitleReading
from claims.grammar.title_words import is_one_letter_apart
from claims.grammar.titles import LONGEST_TITLE, read_title
from tasks_board.documents import text as texts

_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"(?:[A-Za-z]-?)?\d+(?:[.-]\d+)*")
_FIRST_TAG = re.compile(r"\s*+[【\[「(]([^【】\[\]「」()]*+)[】\]」)]\s*+[【\[「(]?[^【】\[\]「」()]{0,12}")
_MEANS_A_NUMBER = frozenset({"no", "number", "task"})
_MOST_NUMBERS = 20


class Why(StrEnum):
    """Why a title that looks like work on a task is tied to none."""

    UNKNOWN_NUMBER = "unknown_number"  # the event has no such task
    SHARED_NUMBER = "shared_number"  # several tasks carry it
    SHARED_NAME = "shared_name"  # several events go by the name
    NO_NUMBER = "no_number"
    OTHER_FORM = "other_form"  # name and number stand there, and not as a title has them
    READ = "read"  # it is read, and something else keeps it apart


@dataclass(frozen=True, slots=True)
class NearMiss:
    """Why a title is tied to no task of an event, and the number of the one it seems to mean, if that can be guessed.

    `said`: the number that it names, where there is none of it, or several. `is_sure`: sure enough to tell its author and
    the mentors, since a false alarm is worse than a miss.
    """

    why: Why
    number: str = ""
    said: str = ""
    is_sure: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of an event where a title is looked at.

    `numbers`: how many tasks carry each; `held`: those of the author's open claims; `others`: the events of other names.
    """

    event: TitlePrefix
    numbers: Mapping[str, int]
    held: Collection[str] = ()
    others: Sequence[TitlePrefix] = ()
    is_name_shared: bool = False

    @property
    def only_held(self) -> str:
        """The author's one task there, if it is one."""
        return next(iter(self.held)) if len(self.held) == 1 else ""


def find_near_miss(title: str, *, repository: str, known: Known) -> NearMiss | None:
    """What becomes of a title in an event where it is tied to nothing; None if it does not look like work on its tasks.

    A misspelt name counts only beside the number of a task that the author has.
    """
    reading = read_title(title, repository=repository, events=[known.event, *known.others])
    if reading.revert or reading.event not in (None, known.event.key):
        return None
    folded = texts.fold(title[:LONGEST_TITLE]).text
    if reading.event is not None:
        return _of_named(folded, repository, reading, known)
    if number := _number_beside(folded, known) or _number_misspelt(folded, known):
        return NearMiss(Why.OTHER_FORM, number, is_sure=number in known.held)
    return None


def _of_named(title: str, repository: str, reading: TitleReading, known: Known) -> NearMiss:
    """The title names the event."""
    shared = [number for number in reading.tasks if known.numbers.get(number, 0) > 1]
    if shared:
        return NearMiss(Why.SHARED_NUMBER, shared[0], shared[0], is_sure=True)
    if reading.tasks:
        why = Why.SHARED_NAME if known.is_name_shared else Why.READ
        return NearMiss(why, reading.tasks[0], is_sure=known.is_name_shared)
    written = TaskIds.of(_NUMBER.findall(title)[:_MOST_NUMBERS])
    if unknown := read_title(
        title, repository=repository, events=[replace(known.event, task_ids=written)]
    ).tasks:
        return NearMiss(Why.UNKNOWN_NUMBER, known.only_held, unknown[0], is_sure=bool(known.held))
    if number := _number_beside(title, known):
        return NearMiss(Why.OTHER_FORM, number, is_sure=number in known.held)
    return NearMiss(Why.NO_NUMBER)


def _number_beside(title: str, known: Known) -> str:
    """A number of the event's in a title in which its last word stands."""
    said = [word.lower() for word in _WORD.findall(title)]
    for name, own in _names(known.event):
        if name in said:
            found = [number for number in _NUMBER.findall(title) if number not in own]
            return next((number for n in found if (number := _among(n, known.numbers))), "")
    return ""


def _number_misspelt(title: str, known: Known) -> str:
    """A number of the author's in the first tag of a title, behind a word one letter apart from the event's."""
    head = _FIRST_TAG.match(title)
    said = [word.lower() for word in _WORD.findall(head[1])] if head else []
    for name, own in _names(known.event):
        if head and len(name) > 2 and any(is_one_letter_apart(name, word) for word in said):
            found = [number for number in _NUMBER.findall(head[0]) if number not in own]
            return _among(found[0], known.held) if found else ""
    return ""


def _names(event: TitlePrefix) -> list[tuple[str, set[str]]]:
    """The last word of the prefix and of each alias, with the numbers that belong to it."""
    found = []
    for prefix in (event.prefix, *event.aliases):
        words = [w.lower() for w in _WORD.findall(prefix) if w.lower() not in _MEANS_A_NUMBER]
        found += [(words[-1], set(_NUMBER.findall(prefix)))] if words else []
    return found


def _among(number: str, numbers: Collection[str]) -> str:
    wanted = number.lower().lstrip("0")
    return next((n for n in numbers if n.lower().lstrip("0") == wanted), "")
