"""The part of the queue that a mentor asked to see: one page, how many wait beside it, and the item that is open."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from claims.desk.queue import CATEGORIES, DeskItem

ITEMS_ON_A_PAGE = 30


@dataclass(frozen=True, slots=True)
class DeskAsk:
    """What the reader of the desk wants to see: one category (or `handled`), a direction, their own tasks, words, a page."""

    show: str = ""
    direction: int | None = None
    mine: bool = False
    q: str = ""
    days: int = 14
    page: int = 1
    item: str = ""
    ticked: str = ""  # the category whose things are all ticked

    @property
    def is_narrowed(self) -> bool:
        """Whether things may wait that it leaves out, whatever their category."""
        return bool(self.q or self.mine or self.direction is not None)


@dataclass(frozen=True, slots=True)
class DeskPage:
    """A page of the queue, how many wait in each category, and the item that is open."""

    ask: DeskAsk
    groups: Sequence[tuple[str, Sequence[DeskItem]]]
    counts: Mapping[str, int]
    total: int
    oldest: datetime | None
    number: int
    pages: int
    open: DeskItem | None
    following: str = ""  # the key of the item that comes next once the open one is settled

    @property
    def shown(self) -> int:
        """How many the category has, on all pages."""
        return self.counts.get(self.ask.show, 0) if self.ask.show else self.total

    @property
    def previous(self) -> int:
        """The page before."""
        return self.number - 1

    @property
    def next(self) -> int:
        """The page after."""
        return self.number + 1


def arrange(
    items: Iterable[DeskItem], ask: DeskAsk, mine: frozenset[int], beside: DeskItem | None = None
) -> DeskPage:
    """The page that was asked for; an item that has gone in the meantime gives way to the one that stands in its place.

    `beside`: a claim that was asked for, shown though nothing about it waits.
    """
    wanted = [item for item in items if _keeps(ask, item, mine)]
    counts = Counter(item.category for item in wanted)
    shown = [item for item in wanted if not ask.show or item.category == ask.show]
    shown.sort(key=lambda item: (CATEGORIES.index(item.category), item.since, item.key))
    pages = max(1, -(-len(shown) // ITEMS_ON_A_PAGE))
    number = min(max(1, ask.page), pages)
    open_item = next((item for item in wanted if item.key == ask.item), beside)
    here = shown[(number - 1) * ITEMS_ON_A_PAGE : number * ITEMS_ON_A_PAGE]
    return DeskPage(
        ask=replace(ask, page=number),
        groups=[
            (category, group)
            for category in CATEGORIES
            if (group := [item for item in here if item.category == category])
        ],
        counts=counts,
        total=len(wanted),
        oldest=min((item.since for item in wanted), default=None),
        number=number,
        pages=pages,
        open=open_item or (here[0] if here else None),
        following=_following(here, open_item) if open_item is None or open_item.category else "",
    )


def _following(here: Sequence[DeskItem], open_item: DeskItem | None) -> str:
    """The key of the one after the open item, before it at the end of the page; nothing if it is the only one."""
    at = here.index(open_item) if open_item in here else 0
    others = [*here[at + 1 : at + 2], *here[max(at - 1, 0) : at]]
    return others[0].key if others else ""


def _keeps(ask: DeskAsk, item: DeskItem, mine: frozenset[int]) -> bool:
    tasks = item.candidates if item.task is None else (item.task,)
    if ask.direction is not None and all(task.direction_id != ask.direction for task in tasks):
        return False
    if ask.mine and tasks and all(task.pk not in mine for task in tasks):
        return False
    return all(word in item.text for word in ask.q.lower().split())
