"""Following rows from one body to the next, and merging the portal's claims into an edited body.

A three-way merge at the grain of one claimant in one row: *base* is the body both sides last agreed on,
*current* is what GitHub has now, *desired* is what the portal wants the row to say.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from tasks_board.documents import ids, reading
from tasks_board.documents import text as texts
from tasks_board.documents.choices import ReadingChoices
from tasks_board.documents.editing import SetClaimant
from tasks_board.documents.identity import identity_of_row, pair_rows
from tasks_board.documents.model import (
    NEAREST_WRITTEN,
    PullRequestRef,
    ReadClaimant,
    Reading,
    ReadTask,
    State,
)

# ---------------------------------------------------------------------------------------- following rows


@dataclass(frozen=True, slots=True)
class RowMatch:
    """A row in the old reading and the same row in the new one; one of them is None for added and gone."""

    old: ReadTask | None
    new: ReadTask | None

    @property
    def moved(self) -> bool:
        return bool(self.old and self.new and _section(self.old) != _section(self.new))

    @property
    def renumbered(self) -> bool:
        return bool(self.old and self.new and _number(self.old) != _number(self.new))


def match_rows(old: Reading, new: Reading) -> list[RowMatch]:
    """Pair the rows of two readings, as `identity` says. The order is that of the new rows; rows that are gone follow."""
    pairs = pair_rows(
        [identity_of_row(row) for row in old.tasks], [identity_of_row(row) for row in new.tasks]
    )
    matched = [
        RowMatch(old.tasks[pairs[place]] if place in pairs else None, task)
        for place, task in enumerate(new.tasks)
    ]
    kept = set(pairs.values())
    return [*matched, *(RowMatch(task, None) for place, task in enumerate(old.tasks) if place not in kept)]


def _number(task: ReadTask) -> str | None:
    return ids.id_key(task.number) if task.number is not None else None


def _section(task: ReadTask) -> str:
    return texts.comparison_key(task.section or "")


# -------------------------------------------------------------------------------------- three-way merge


@dataclass(frozen=True, slots=True)
class DesiredClaimant:
    """What the portal wants one row to say about one person or team.

    The row is named as the portal knows it: by its number, title and URL in the base body.
    """

    number: str | None
    title: str | None
    login: str | None
    team: str | None
    state: State
    pull_requests: tuple[PullRequestRef, ...] = ()
    section: str | None = None
    url: str | None = None
    line: int | None = None  # in the base body

    @property
    def name(self) -> str:
        return self.login if self.login is not None else self.team or ""


@dataclass(frozen=True, slots=True)
class Value:
    """What a row says about one person, as far as two sides can differ in it."""

    state: State
    pull_requests: frozenset[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Both sides changed the same claimant in different ways; ``task`` is the row as it is now.

    None stands for a person that the side does not name.
    """

    task: ReadTask
    who: DesiredClaimant
    base: ReadClaimant | None
    theirs: ReadClaimant | None

    @property
    def ours(self) -> State:
        return self.who.state


@dataclass(frozen=True, slots=True)
class MergePlan:
    """The edits to write, the conflicts to show, and the wishes whose row or column is not there."""

    edits: tuple[SetClaimant, ...]
    conflicts: tuple[Conflict, ...]
    homeless: tuple[DesiredClaimant, ...] = ()


def plan_merge(
    *,
    base: str,
    current: str,
    desired: Sequence[DesiredClaimant],
    repository: str,
    choices: ReadingChoices | None = None,
) -> MergePlan:
    """What has to be written into ``current`` so that it says what the portal wants.

    Only ours changed: an edit. Only theirs changed, or both the same: nothing. Both changed differently: a
    conflict. States are compared in the form in which the row can say them.
    """
    before = reading.read_body(base, repository=repository, choices=choices)
    now = before if base == current else reading.read_body(current, repository=repository, choices=choices)
    rows = _Rows(before, now)
    edits: list[SetClaimant] = []
    conflicts: list[Conflict] = []
    homeless: list[DesiredClaimant] = []
    for who in desired:
        match = rows.find(who)
        if match is None or match.new is None:
            homeless.append(who)
            continue
        outcome = _merged(match.old, match.new, who)
        if isinstance(outcome, Conflict):
            conflicts.append(outcome)
        elif outcome is not None:
            edits.append(outcome)
    return MergePlan(tuple(edits), tuple(conflicts), tuple(homeless))


def _merged(old: ReadTask | None, new: ReadTask, who: DesiredClaimant) -> SetClaimant | Conflict | None:
    base, theirs = _claimant(old, who), _claimant(new, who)
    wanted = _wanted(who)
    if _says(theirs, wanted) or _says(base, wanted):
        return None  # they say it already, or we want nothing new
    if _value(base) != _value(theirs):
        return Conflict(new, who, base, theirs)
    return SetClaimant(
        line=new.line, login=who.login, team=who.team, state=who.state, pull_requests=who.pull_requests
    )


def _claimant(task: ReadTask | None, who: DesiredClaimant) -> ReadClaimant | None:
    wanted = texts.comparison_key(who.name)
    return next((c for c in task.claimants if texts.comparison_key(c.name) == wanted), None) if task else None


def _wanted(who: DesiredClaimant) -> Value:
    state = NEAREST_WRITTEN.get(who.state, who.state)
    return Value(state, frozenset(ref.key for ref in who.pull_requests))


def _value(claimant: ReadClaimant | None) -> Value | None:
    if claimant is None:
        return None
    refs = (*claimant.pull_requests, *claimant.closed_pull_requests)
    return Value(claimant.state, frozenset(ref.key for ref in refs))


def _says(claimant: ReadClaimant | None, wanted: Value) -> bool:
    """Does a row say all that is wanted? Old links stay, so it may name more pull requests."""
    said = _value(claimant)
    if said is None:
        return wanted.state is State.WITHDRAWN
    return said.state is wanted.state and (
        wanted.state is State.WITHDRAWN or wanted.pull_requests <= said.pull_requests
    )


class _Rows:
    """The rows of the base by the names the portal has for them, each with its row now."""

    def __init__(self, before: Reading, now: Reading) -> None:
        self._matches = match_rows(before, now)
        self._by_name: dict[tuple[str, Hashable], list[RowMatch]] = {}
        for match in self._matches:
            task = match.old or match.new
            if task is not None:
                for name in _names(
                    _number(task), task.title, task.url, match.old.line if match.old else None
                ):
                    self._by_name.setdefault(name, []).append(match)

    def find(self, who: DesiredClaimant) -> RowMatch | None:
        number = ids.id_key(who.number) if who.number is not None else None
        found: list[RowMatch] | None = None
        for name in _names(number, who.title, who.url, who.line):
            named = [match for match in self._by_name.get(name, []) if self._in_section(match, who)]
            kept = [match for match in found if any(match is other for other in named)] if found else named
            found = kept or found
            if found and len(found) == 1:
                return found[0]
        return None

    def _in_section(self, match: RowMatch, who: DesiredClaimant) -> bool:
        task = match.old or match.new
        return who.section is None or (
            task is not None and _section(task) == texts.comparison_key(who.section)
        )


def _names(
    number: str | None, title: str | None, url: str | None, line: int | None
) -> list[tuple[str, Hashable]]:
    """The names of a row, the surest first; a line counts only where nothing else does."""
    names: list[tuple[str, Hashable]] = []
    if number is not None:
        names.append(("number", number))
    if url:
        names.append(("url", url))
    if title:
        names.append(("title", texts.comparison_key(title)))
    if line is not None:
        names.append(("line", line))
    return names
