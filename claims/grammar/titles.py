"""Titles of pull requests to the tasks they credit (cases/README.md, section 3)."""

import re
from collections.abc import Sequence

from claims.grammar.model import TitlePrefix, TitleReading
from claims.grammar.title_ids import TAG, TitleIds, ids_behind
from claims.grammar.title_marks import QUOTES, is_partial, is_revert, says_rfc
from claims.grammar.title_words import (
    Match,
    find_matches,
    words_before_numbers,
    words_of,
    written_names,
)
from claims.grammar.tokens import SEPARATOR_WORDS, spell_out
from tasks_board.documents import text as texts
from tasks_board.documents.pointers import POINTER_WORDS

USUAL_RFC_REPOSITORIES = frozenset({"PaddlePaddle/community"})
# GitHub allows 256 characters; what is longer is no title of a pull request.
LONGEST_TITLE = 1_024

_POINTER = re.compile(POINTER_WORDS, re.IGNORECASE | re.ASCII)
_BETWEEN = rf"{TAG.pattern}|[\s{QUOTES}【】\[\]「」()]"
_BEHIND_POINTER = re.compile(rf"\s*+:?(?:{_BETWEEN})*+")
_JOINED = re.compile(rf"(?:{_BETWEEN}|[、,;/&+]|{SEPARATOR_WORDS})*+", re.IGNORECASE)


def read_title(title: str, *, repository: str, events: Sequence[TitlePrefix]) -> TitleReading:
    """Which event and tasks a title names, in the events that look at this repository."""
    text = texts.fold(spell_out(title[:LONGEST_TITLE])).text
    looked_at = [event for event in events if _is_in(repository, event.repositories)]
    matches = find_matches(words_of(text), looked_at)
    if not matches:
        return TitleReading()
    return _Reader(text, repository, matches, words_before_numbers(events)).read()


def call_alike(one: TitlePrefix, other: TitlePrefix) -> bool:
    """Whether some title calls both events by the same words."""
    return not written_names(one).isdisjoint(written_names(other))


class _Reader:
    """A title in which some prefix stands."""

    def __init__(
        self, title: str, repository: str, matches: Sequence[Match], editions: frozenset[str]
    ) -> None:
        self.title, self.repository, self.matches = title, repository, matches
        self.ids: list[TitleIds] = [ids_behind(title, match, editions) for match in matches]
        self.pointed: list[bool] = []
        for place in range(len(matches)):
            self.pointed.append(self._is_pointed_at(place))

    def read(self) -> TitleReading:
        own = (match for match, pointed in zip(self.matches, self.pointed, strict=True) if not pointed)
        named = next(own, self.matches[0])
        event = self._event_named_by(named)
        if event is None:
            return TitleReading()
        return TitleReading(
            event=event.key,
            tasks=self._tasks_of(event),
            partial=is_partial(self.title),
            revert=is_revert(self.title[: named.start]),
            rfc=_is_in(self.repository, _rfc_repositories(event)) or says_rfc(self.title),
        )

    def _event_named_by(self, named: Match) -> TitlePrefix | None:
        """Of several events on the same words the one that has more of the named ids."""
        events = {match.event.key: match.event for match in self.matches if match.same_place(named)}
        by_count: dict[int, list[TitlePrefix]] = {}
        for event in events.values():
            by_count.setdefault(self._count_of_ids(event, named), []).append(event)
        best = by_count[max(by_count)]
        return best[0] if len(best) == 1 else None

    def _count_of_ids(self, event: TitlePrefix, named: Match) -> int:
        """How many of the named ids an event has; those of a prefix behind a pointer tell events apart too."""
        behind_named = {
            task
            for match, found in zip(self.matches, self.ids, strict=True)
            if match.event is event and match.same_place(named)
            for task in found.known(event.task_ids)
        }
        return len(behind_named | set(self._tasks_of(event)))

    def _tasks_of(self, event: TitlePrefix) -> tuple[str, ...]:
        """The event's ids behind all its prefixes that no pointer stands before."""
        named = zip(self.matches, self.ids, self.pointed, strict=True)
        return tuple(
            dict.fromkeys(
                task
                for match, found, pointed in named
                if match.event is event and not pointed
                for task in found.known(event.task_ids)
            )
        )

    def _is_pointed_at(self, place: int) -> bool:
        """Behind a pointer word, or joined to a prefix that is."""
        start = self.matches[place].start
        pointers = list(_POINTER.finditer(self.title, 0, start))
        if pointers and _BEHIND_POINTER.fullmatch(self.title, pointers[-1].end(), start):
            return True
        for earlier in range(place):
            if self.matches[earlier].same_place(self.matches[place]):
                return self.pointed[earlier]
        if place == 0 or not self.pointed[place - 1]:
            return False
        return _JOINED.fullmatch(self.title, self.ids[place - 1].end, start) is not None


def _rfc_repositories(event: TitlePrefix) -> frozenset[str]:
    return USUAL_RFC_REPOSITORIES if event.rfc_repositories is None else event.rfc_repositories


def _is_in(repository: str, repositories: frozenset[str]) -> bool:
    return repository.lower() in {name.lower() for name in repositories}
