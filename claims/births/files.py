"""What a configuration of several entries holds: which of them are new, which stand, and what is left to do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from claims.births.configuration_words import configuration_sentences
from claims.births.targets import Stored, events_of_entries
from claims.models import ImportDraft
from claims.operations import drafting
from claims.operations.configuring import Told
from portal.models import Person
from tasks_board.configurations.hackathonbot import read_written
from tasks_board.configurations.model import Entry
from tasks_board.models import Event

NEW, DIFFERS, SAME, PAST, OTHERS, UNREAD = "new", "differs", "same", "past", "others", "unread"


@dataclass(frozen=True, slots=True)
class Line:
    """An entry, and what became of it.

    `state`: its event is `new`; stands and `differs`, or says the `same`; went on to a later entry (`past`); belongs to
    `others`; the entry names no issue or no event (`unread`). `event` is the one that stands.
    `next`: the place of the entry that says it anew. `begun`: the draft in which it is looked at.
    """

    entry: Entry
    state: str
    event: Event | None
    next: int | None
    begun: int | None

    @property
    def is_open(self) -> bool:
        return self.state in (NEW, DIFFERS)

    @property
    def problems(self) -> list[str]:
        """What of it could not be read, in sentences."""
        return configuration_sentences(self.entry.problems)


@dataclass(frozen=True, slots=True)
class Entries:
    """All entries of a configuration in their order: those that are left to do, those that are settled, those unread."""

    lines: Sequence[Line]

    @property
    def open(self) -> list[Line]:
        return [line for line in self.lines if line.is_open]

    @property
    def settled(self) -> list[Line]:
        return [line for line in self.lines if line.state in (SAME, PAST, OTHERS)]

    @property
    def unread(self) -> list[Line]:
        return [line for line in self.lines if line.state == UNREAD]

    def find_event(self, slug: str) -> Event | None:
        """The event with this address, if an entry is about it."""
        return next((line.event for line in self.lines if line.event and line.event.slug == slug), None)


def list_entries(file: ImportDraft, *, viewer: Person | None) -> Entries:
    """The entries as they stand now; issues are not read anew for it. Four queries, however many there are."""
    entries = read_written(file.entries)
    stored = events_of_entries(entries, viewer=viewer)
    begun = {
        draft.plan[drafting.FILE]["place"]: draft.pk for draft in drafting.list_begun(file).order_by("-pk")
    }
    same = {entry.place for entry in entries if _says_the_same(entry, stored.get(entry.place))}
    later = _later(entries)
    return Entries(
        [
            Line(
                entry,
                _state(entry, stored.get(entry.place), same, later),
                stored[entry.place].event if entry.place in stored else None,
                next(iter(later[entry.place]), None),
                begun.get(entry.place),
            )
            for entry in entries
        ]
    )


def _later(entries: Sequence[Entry]) -> Mapping[int, Sequence[int]]:
    """By the place of each entry, the places of those after it that are about the same event."""
    by_identity: dict[object, list[int]] = {}
    for entry in entries:
        if entry.configuration is not None:
            by_identity.setdefault(entry.configuration.identity, []).append(entry.place)
    later: dict[int, Sequence[int]] = {entry.place: () for entry in entries}
    for places in by_identity.values():
        later |= {place: places[number:] for number, place in enumerate(places, 1)}
    return later


def _says_the_same(entry: Entry, stored: Stored | None) -> bool:
    if stored is None or stored.text is None:
        return False
    told = Told.of(stored.text, "", entry.configuration)
    return told is not None and not told.differs(stored.text)


def _state(entry: Entry, stored: Stored | None, same: set[int], later: Mapping[int, Sequence[int]]) -> str:
    if entry.configuration is None:
        return UNREAD
    if stored is None:
        return NEW
    if stored.text is None:
        return OTHERS
    if entry.place in same:
        return SAME
    return PAST if same.intersection(later[entry.place]) else DIFFERS
