"""What a text with tables says: one model for every dialect.

Everything here is a frozen value. Positions are offsets into the body that was read, so that an edit can
replace one cell and leave every other byte alone. The words are those of ``docs/architecture.md``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain
from typing import NamedTuple


class State(StrEnum):
    """How far a claim or a task has come, lowest first (TABLES.md, States).

    The last five exist only in the portal: no table has a mark for them, they are written in their
    nearest form (:data:`NEAREST_WRITTEN`).
    """

    OPEN = "open"
    WITHDRAWN = "withdrawn"
    CLOSED_UNMERGED = "closed_unmerged"
    CLAIMED = "claimed"
    RFC_SUBMITTED = "rfc_submitted"
    RFC_MERGED = "rfc_merged"
    BLOCKED = "blocked"
    PR_OPEN = "pr_open"
    APPROVED = "approved"
    DEFERRED = "deferred"
    PARTLY_DONE = "partly_done"
    DONE = "done"
    WAITING = "waiting"
    REQUESTED = "requested"
    DECLINED = "declined"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"

    @property
    def rank(self) -> int:
        """The place in the order of states; a portal-only state stands where its written form stands."""
        return _RANKS[NEAREST_WRITTEN.get(self, self)]

    @property
    def is_live(self) -> bool:
        """Neither withdrawn nor rejected: the person still counts for the row."""
        return NEAREST_WRITTEN.get(self, self) not in (State.WITHDRAWN, State.CLOSED_UNMERGED)


# TABLES.md section 5, Nearest form.
NEAREST_WRITTEN: Mapping[State, State] = {
    State.WAITING: State.CLAIMED,
    State.REQUESTED: State.CLAIMED,
    State.EXPIRED: State.WITHDRAWN,
    State.DECLINED: State.WITHDRAWN,
    State.SUPERSEDED: State.WITHDRAWN,
}
_RANKS: Mapping[State, int] = {state: rank for rank, state in enumerate(State)}


def best_state(states: Sequence[State]) -> State:
    """The highest of some states; open if there are none."""
    return max(states, key=lambda state: state.rank, default=State.OPEN)


class Dialect(StrEnum):
    """How a table writes people and states; the first that a body uses is the body's own."""

    BADGE = "badge"
    PARENTHESIS = "parenthesis"
    EMOJI = "emoji"
    PLAIN = "plain"


class Span(NamedTuple):
    """A stretch of a text: ``text[start:end]``."""

    start: int
    end: int

    def of(self, text: str) -> str:
        return text[self.start : self.end]

    def contains(self, other: "Span") -> bool:
        return self.start <= other.start and other.end <= self.end

    def shifted(self, by: int) -> "Span":
        return Span(self.start + by, self.end + by)


@dataclass(frozen=True, slots=True)
class PullRequestRef:
    """A pull request by repository and number; repositories are the same in any case."""

    repository: str
    number: int

    def __str__(self) -> str:
        return f"{self.repository}#{self.number}"

    @property
    def key(self) -> tuple[str, int]:
        """What two spellings of one pull request have in common."""
        return (self.repository.lower(), self.number)

    @property
    def url(self) -> str:
        return f"https://github.com/{self.repository}/pull/{self.number}"


@dataclass(frozen=True, slots=True)
class ReadClaimant:
    """A person or a team in a row, with the state and the pull requests the row gives them."""

    login: str | None
    team: str | None
    state: State
    pull_requests: tuple[PullRequestRef, ...]
    closed_pull_requests: tuple[PullRequestRef, ...]
    span: Span

    @property
    def name(self) -> str:
        return self.login if self.login is not None else self.team or ""


class ReadCell(NamedTuple):
    """One cell: where it stands, what it was taken for, and how sure we are (0 to 1)."""

    column: str
    span: Span
    text: str
    meaning: str
    confidence: float


@dataclass(frozen=True, slots=True)
class ReadTask:
    """One row of a task list. ``priority``, ``requires_rfc`` and ``locked`` are meaningful only where
    the table has the column (:attr:`ReadTable.columns`)."""

    number: str | None
    title: str
    url: str | None
    difficulty: str | None
    stars: str | None
    directions: tuple[str, ...]
    mentors: tuple[str, ...]
    assistants: tuple[str, ...]
    claimants: tuple[ReadClaimant, ...]
    pull_requests: tuple[PullRequestRef, ...]
    completed_by: tuple[str, ...]
    locked: tuple[str, ...]
    priority: str | None
    requires_rfc: bool | None
    completed_on: str | None
    description: str | None
    state: State
    own_mark: State | None
    removed: bool
    section: str | None
    line: int
    cells: tuple[ReadCell, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be fully read. ``code`` is a stable word; ``message_args`` fill the
    translated sentence that belongs to it. A problem never costs more than its own cell."""

    code: str
    message_args: Mapping[str, str | int]
    span: Span


@dataclass(frozen=True, slots=True)
class ReadTable:
    """A task list: its heading, its dialect, the role of each column (with the header's plain text)."""

    section: str | None
    dialect: Dialect
    columns: Mapping[str, str]
    tasks: tuple[ReadTask, ...]
    span: Span
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A row of the counts that stand in the body; they may disagree with the tasks."""

    label: str | None
    counts: Mapping[str, int]
    rates: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ContributorCount:
    """One ``@login (n)`` of the contributors line."""

    login: str
    count: int


@dataclass(frozen=True, slots=True)
class Reading:
    """All that one body says. ``board`` and ``contributors_block`` are None where the body has none."""

    dialect: Dialect
    tables: tuple[ReadTable, ...]
    board: tuple[BoardRow, ...] | None
    contributors_block: tuple[ContributorCount, ...] | None
    legend: Mapping[str, State]
    problems: tuple[Problem, ...]

    @property
    def tasks(self) -> tuple[ReadTask, ...]:
        return tuple(chain.from_iterable(table.tasks for table in self.tables))
