"""From what stands behind heads and in forms to the intents of a comment (cases/README.md, section 2)."""

from collections.abc import Iterable
from dataclasses import dataclass

from claims.grammar.id_list import ListedIds
from claims.grammar.ids import TaskIds
from claims.grammar.model import Intent, IntentKind
from claims.grammar.unread import ReadableText
from tasks_board.documents.model import PullRequestRef

# How many ids one comment may name; what goes beyond is left out, so that ranges cannot multiply a text.
MOST_IDS = 20_000


@dataclass(frozen=True, slots=True)
class Wish:
    """One head or form with its ids; a struck head strikes all of them."""

    kind: IntentKind
    items: tuple[ListedIds, ...]
    struck: bool = False
    pull_requests: tuple[PullRequestRef, ...] = ()


class WishList:
    """Collects wishes from top to bottom and merges them into intents."""

    def __init__(self, source: ReadableText, ids: TaskIds) -> None:
        self._source, self._ids = source, ids
        self._left = MOST_IDS
        self._stance: dict[str, IntentKind] = {}
        self._alternatives: dict[str, None] = {}
        self._submits: list[Intent] = []
        self._unknown: dict[str, None] = {}

    def add(self, wish: Wish) -> None:
        """Take in one wish; of claim and release of one id the later wins."""
        submitted: dict[str, None] = {}
        for item in wish.items:
            struck = wish.struck or self._source.is_struck(item.start)
            tasks = self._known(item, struck)
            if struck:
                self._take_back(wish.kind, tasks)
            elif wish.kind is IntentKind.RELEASE:
                self._take_stance(tasks, IntentKind.RELEASE)
            elif item.denied:
                continue
            elif wish.kind is IntentKind.CLAIM:
                self._take_stance(tasks, IntentKind.CLAIM)
            else:
                target = submitted if wish.kind is IntentKind.SUBMIT else self._alternatives
                target.update(dict.fromkeys(tasks))
        if submitted:
            self._submits.append(Intent(IntentKind.SUBMIT, tuple(submitted), wish.pull_requests))

    def release(self, tasks: Iterable[str]) -> None:
        """Add releases that no word of the comment asks for."""
        self._take_stance(tasks, IntentKind.RELEASE)

    @property
    def unknown(self) -> tuple[str, ...]:
        return tuple(self._unknown)

    @property
    def intents(self) -> tuple[Intent, ...]:
        """At most one claim, release and alternative, and the submits; none without tasks."""
        merged = [
            Intent(IntentKind.CLAIM, self._with_stance(IntentKind.CLAIM)),
            Intent(IntentKind.RELEASE, self._with_stance(IntentKind.RELEASE)),
            Intent(IntentKind.ALTERNATIVE, tuple(self._alternatives)),
        ]
        return (*(intent for intent in merged if intent.tasks), *self._submits)

    def _known(self, item: ListedIds, struck: bool) -> list[str]:
        """The ids of the event among these; the others are noted unless they are struck."""
        if self._left <= 0:
            return []
        known, unknown = self._ids.known(item.named), self._ids.unknown(item.named)
        self._left -= len(known) + len(unknown)
        if not struck:
            self._unknown.update(dict.fromkeys(unknown))
        return known

    def _take_back(self, kind: IntentKind, tasks: Iterable[str]) -> None:
        """Struck ids of a claim are a release; anything else struck is ignored."""
        if kind is IntentKind.CLAIM:
            self._take_stance(tasks, IntentKind.RELEASE)

    def _take_stance(self, tasks: Iterable[str], kind: IntentKind) -> None:
        for task in tasks:
            self._stance.pop(task, None)
            self._stance[task] = kind

    def _with_stance(self, kind: IntentKind) -> tuple[str, ...]:
        return tuple(task for task, stance in self._stance.items() if stance is kind)
