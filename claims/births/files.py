"""What a configuration of several entries holds: which of them are new, which stand, and what is left to do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from claims.births.configuration_words import configuration_sentences
from claims.births.targets import Stored, events_of_entries
from claims.models import ImportDraft
from claims.operations import drafting
from claims.operations.configuring import says_the_same
from portal.models import Person
from tasks_board.configurations.hackathonbot import read_written
from tasks_board.configurations.model import Entry, find_past, list_later
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
    taken = list(drafting.list_taken(file).select_related("event").defer("body").order_by("-pk"))
    stored = {**_made(entries, taken), **events_of_entries(entries, viewer=viewer)}
    begun = {draft.plan[drafting.FILE]["place"]: draft.pk for draft in taken if draft.event is None}
    same = {entry.place for entry in entries if _stands(entry, stored.get(entry.place))}
    past, later = find_past(entries, same), list_later(entries)
    return Entries(
        [
            Line(
                entry,
                PAST if entry.place in past else SAME if entry.place in same else _state(entry, stored),
                stored[entry.place].event if entry.place in stored else None,
                past.get(entry.place) or next(iter(later[entry.place]), None),
                begun.get(entry.place),
            )
            for entry in entries
        ]
    )


def _made(entries: Sequence[Entry], taken: Sequence[ImportDraft]) -> dict[int, Stored]:
    """Events that were made from the file; who has no account at GitHub made them for others, and sees no draft."""
    of = {entry.place: entry.configuration.identity for entry in entries if entry.configuration}
    made = {
        of[draft.plan[drafting.FILE]["place"]]: Stored(draft.event, None) for draft in taken if draft.event
    }
    return {place: made[identity] for place, identity in of.items() if identity in made}


def _stands(entry: Entry, stored: Stored | None) -> bool:
    """Whether what is stored is what the entry says."""
    text = stored.text if stored is not None else None
    return text is not None and entry.configuration is not None and says_the_same(text, entry.configuration)


def _state(entry: Entry, stored: Mapping[int, Stored]) -> str:
    if entry.configuration is None:
        return UNREAD
    if entry.place not in stored:
        return NEW
    return DIFFERS if stored[entry.place].text is not None else OTHERS
