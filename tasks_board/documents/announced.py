"""Directions that a text announces before they have tasks: a heading beside others with tables, and "to be added" below.

A heading counts only if what stands under it is nothing but such a note, so that an introduction is no direction.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from tasks_board.documents import plain, tables
from tasks_board.documents.choices import NO_CHOICES, ReadingChoices

_HEADING = re.compile(r"^ {0,3}(?P<marks>#{1,6})[ \t]+(?P<text>[^\n]*?)[ \t]*#*[ \t]*\r?$", re.MULTILINE)
_TO_BE_ADDED = re.compile(
    r"待补充|待添加|待定|待更新|敬请期待|稍后|to be added|to be announced|coming soon|\bTBD\b|\bTBA\b", re.I
)
_LONGEST_NOTE = 200


@dataclass(frozen=True, slots=True)
class _Section:
    level: int
    parent: int | None
    name: str
    text: str


def sections_in_order(
    body: str, with_tasks: frozenset[str], choices: ReadingChoices | None = None
) -> tuple[str, ...]:
    """The names of a text's directions in its order: those with tasks, and those that are only announced.

    `with_tasks` are the sections of its task lists. An announced one stands at the level and under the parent of one
    of them.
    """
    found = [*_renamed(_sections(tables.mask(body)), choices or NO_CHOICES)]
    places = {(section.level, section.parent) for section in found if section.name in with_tasks}
    names = [
        section.name
        for section in found
        if section.name in with_tasks
        or ((section.level, section.parent) in places and _only_announces(section.text))
    ]
    return tuple(dict.fromkeys(names))


def _renamed(found: Iterable[_Section], choices: ReadingChoices) -> Iterator[_Section]:
    """The sections under the names that directions were given; without those that were said to be none."""
    for section in found:
        name = choices.section(section.name)
        if name is not None:
            yield section if name == section.name else replace(section, name=name)


def _only_announces(text: str) -> bool:
    return len(text) <= _LONGEST_NOTE and _TO_BE_ADDED.search(text) is not None


def _sections(masked: str) -> Iterator[_Section]:
    """Every Markdown heading with the text up to the next one, and which heading it stands under."""
    headings = list(_HEADING.finditer(masked))
    above: list[tuple[int, int]] = []
    for place, heading in enumerate(headings):
        level = len(heading["marks"])
        while above and above[-1][0] >= level:
            above.pop()
        parent = above[-1][1] if above else None
        above.append((level, place))
        end = headings[place + 1].start() if place + 1 < len(headings) else len(masked)
        yield _Section(level, parent, plain.plain_text(heading["text"]), masked[heading.end() : end].strip())
