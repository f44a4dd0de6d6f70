"""A configuration as it was read: frozen values, and what could not be read as a list of problems."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Self

from tasks_board.configurations.numbers import compact, expand
from tasks_board.documents.ids import id_key


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be taken over. `code` is a stable word; `about` is what was written, cut to a line."""

    code: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Assigned:
    """What a configuration says about tasks by their numbers, whatever the table says.

    `directions`: names with the keys of their numbers, in order. `excluded` tasks are left to people; `removed` ones are
    off the board.
    """

    directions: tuple[tuple[str, frozenset[str]], ...] = ()
    excluded: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()

    def directions_of(self, number: str | None) -> tuple[str, ...]:
        """The directions whose numbers hold this one."""
        return tuple(name for name, numbers in self.directions if number and id_key(number) in numbers)

    def excludes(self, number: str | None) -> bool:
        return bool(number) and id_key(number or "") in self.excluded

    def removes(self, number: str | None) -> bool:
        return bool(number) and id_key(number or "") in self.removed

    @property
    def names(self) -> tuple[str, ...]:
        """The directions' names, in order."""
        return tuple(name for name, _ in self.directions)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, numbers as ranges."""
        return {
            "directions": [[name, compact(numbers)] for name, numbers in self.directions],
            "excluded": compact(self.excluded),
            "removed": compact(self.removed),
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """What :meth:`to_json` gave; empty for nothing."""
        return cls(
            directions=tuple(
                (str(name), frozenset(expand(numbers).numbers))
                for name, numbers in stored.get("directions", ())
            ),
            excluded=frozenset(expand(stored.get("excluded", ())).numbers),
            removed=frozenset(expand(stored.get("removed", ())).numbers),
        )


@dataclass(frozen=True, slots=True)
class Configuration:
    """One event as a bot was told about it.

    Its identity is the issue together with the event's name: an issue may carry two events, and a later entry with the
    same identity revises the earlier one.
    """

    repository: str
    number: int
    name: str
    prefix: str = ""
    repositories: tuple[str, ...] = ()
    since: datetime | None = None
    assigned: Assigned = field(default_factory=Assigned)
    highest_number: int | None = None
    pull_request_column: int | None = None  # from 1, as written
    completed_column: int | None = None
    has_board: bool = False
    problems: tuple[Problem, ...] = ()
    host: str = ""  # of the issue's address, as written

    @property
    def address(self) -> str:
        """owner/repo#n, as GitHub compares it."""
        return f"{self.repository.lower()}#{self.number}"

    @property
    def identity(self) -> tuple[str, str]:
        """What two entries about one event have in common."""
        return self.address, self.name

    def to_json(self) -> dict[str, Any]:
        """What is kept beside the tracking issue, so that a revision shows what it changed."""
        return {
            "name": self.name,
            "prefix": self.prefix,
            "repositories": list(self.repositories),
            "since": self.since.isoformat() if self.since else None,
            **self.assigned.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a file by its place (from 1): a configuration, or none and the problems that say why."""

    place: int
    configuration: Configuration | None
    problems: tuple[Problem, ...]


def list_later(entries: Iterable[Entry]) -> dict[int, Sequence[int]]:
    """By the place of each entry, the places of those after it that are about the same event."""
    by_identity: dict[tuple[str, str], list[int]] = {}
    later: dict[int, Sequence[int]] = {}
    for entry in entries:
        later[entry.place] = ()
        if entry.configuration is not None:
            by_identity.setdefault(entry.configuration.identity, []).append(entry.place)
    for places in by_identity.values():
        later |= {place: places[number:] for number, place in enumerate(places, 1)}
    return later


def find_past(entries: Sequence[Entry], standing: Collection[int]) -> dict[int, int]:
    """By its place, each entry that a later one has revised since, with the place of the last such.

    `standing`: the places of entries that say what is stored; so all of a file may be given again.
    """
    past = {}
    for place, places in list_later(entries).items():
        stand = [later for later in places if later in standing]
        if stand and place not in standing:
            past[place] = stand[-1]
    return past


@dataclass(frozen=True, slots=True)
class Counts:
    """What a file holds."""

    entries: int
    issues: int
    events: int
    revisions: int
    shared_issues: int  # which carry more than one event


def count(configurations: Iterable[Configuration]) -> Counts:
    """Entries, issues and events of a file."""
    found: Sequence[Configuration] = list(configurations)
    events = {configuration.identity for configuration in found}
    addresses = [address for address, _name in events]
    return Counts(
        entries=len(found),
        issues=len(set(addresses)),
        events=len(events),
        revisions=len(found) - len(events),
        shared_issues=sum(addresses.count(address) > 1 for address in set(addresses)),
    )
