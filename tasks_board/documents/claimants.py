"""Who claims a row, and in which state (TABLES.md section 4, The state of a person)."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from tasks_board.documents import entries, people, references, teams
from tasks_board.documents.entries import CellText, Entry
from tasks_board.documents.model import Dialect, PullRequestRef, ReadClaimant, State, best_state

# The row's own mark speaks for people without a mark only if it tells how far the work has come.
_SPEAKS_FOR_PEOPLE = frozenset(
    {
        State.RFC_SUBMITTED,
        State.RFC_MERGED,
        State.PR_OPEN,
        State.APPROVED,
        State.PARTLY_DONE,
        State.DONE,
    }
)


@dataclass(frozen=True, slots=True)
class RowFacts:
    """What the other cells of a row say about its people."""

    own_mark: State | None
    finished: bool  # a completion date, a ticked checklist line, or a struck title that means finished
    winners: Set[str]  # their keys
    column_state: State | None  # what the pull-request column gives
    dialect: Dialect


def read_entries(cell: CellText) -> list[Entry]:
    """Everybody a claimants cell names, in order; the same name may come twice."""
    found: list[Entry] = []
    for item in cell.items():
        in_parentheses = teams.read_item(cell, item) if cell.dialect is Dialect.PARENTHESIS else []
        found += in_parentheses or people.read_item(cell, item)
    return entries.named(found, cell.names)


def by_name(found: Sequence[Entry]) -> Mapping[str, list[Entry]]:
    """The entries of each name, in the order of their first."""
    named: dict[str, list[Entry]] = {}
    for entry in found:
        named.setdefault(entry.key, []).append(entry)
    return named


def settle(named: Mapping[str, list[Entry]], facts: RowFacts, offset: int) -> tuple[ReadClaimant, ...]:
    """One claimant for each name, with the highest state and all pull requests."""
    return tuple(_claimant(key, group, facts, offset) for key, group in named.items())


def _claimant(key: str, group: Sequence[Entry], facts: RowFacts, offset: int) -> ReadClaimant:
    counted = references.unique(f.ref for entry in group for f in entry.references if not f.struck)
    closed = references.unique(f.ref for entry in group for f in entry.references if f.struck)
    return ReadClaimant(
        login=group[0].login,
        team=group[0].team,
        state=_state(key, group, facts),
        pull_requests=counted,
        closed_pull_requests=_without(closed, counted),
        span=group[0].span.shifted(offset),
    )


def with_references(claimant: ReadClaimant, column: Sequence[references.FoundReference]) -> ReadClaimant:
    """The only claimant of a row, with the pull requests of the separate column."""
    counted = [*claimant.pull_requests, *(found.ref for found in column if not found.struck)]
    closed = [*claimant.closed_pull_requests, *(found.ref for found in column if found.struck)]
    return replace(
        claimant,
        pull_requests=references.unique(counted),
        closed_pull_requests=_without(references.unique(closed), counted),
    )


def _without(refs: Sequence[PullRequestRef], others: Sequence[PullRequestRef]) -> tuple[PullRequestRef, ...]:
    taken = {ref.key for ref in others}
    return tuple(ref for ref in refs if ref.key not in taken)


def _state(key: str, group: Sequence[Entry], facts: RowFacts) -> State:
    standing = [entry for entry in group if not entry.struck]
    if not standing:
        return State.WITHDRAWN
    if key in facts.winners:
        return State.DONE
    if _all_links_are_struck(standing):
        return State.CLOSED_UNMERGED
    return best_state([_entry_state(entry, facts) for entry in standing])


def _all_links_are_struck(standing: Sequence[Entry]) -> bool:
    """A team whose words left are 报名 or none, and whose links are all struck, was rejected."""
    links = sum(entry.links for entry in standing)
    return (
        links > 0
        and links == sum(entry.struck_links for entry in standing)
        and all(entry.state in (None, State.CLAIMED) for entry in standing)
    )


def _entry_state(entry: Entry, facts: RowFacts) -> State:
    if entry.state is not None:
        return entry.state
    if facts.dialect is Dialect.BADGE:
        return State.CLAIMED
    has_pull_request = any(not found.struck for found in entry.references)
    if facts.winners:
        return State.PR_OPEN if has_pull_request else State.CLAIMED
    if facts.finished:
        return State.DONE
    if facts.own_mark in _SPEAKS_FOR_PEOPLE:
        return facts.own_mark or State.CLAIMED
    return State.PR_OPEN if has_pull_request else facts.column_state or State.CLAIMED
