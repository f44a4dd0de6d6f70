"""What is counted of tasks, as the two bots count it (domain: boards and leaderboards)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tasks_board.documents.model import State

_SUBMITTED = (State.PR_OPEN, State.APPROVED, State.PARTLY_DONE, State.DONE)
_IN_PROGRESS = (State.PR_OPEN, State.PARTLY_DONE)


@dataclass(frozen=True, slots=True)
class Figures:
    """The tasks of one direction (or of all: label None) by state.

    `struck` are the rows that are struck out but still stand in the table: autoTable counts them too.
    """

    label: str | None
    states: Mapping[State, int]
    struck: Mapping[State, int] = field(default_factory=dict)

    @classmethod
    def of(cls, label: str | None, states: Iterable[State], struck: Iterable[State] = ()) -> "Figures":
        """Counted from the states of tasks."""
        return cls(label, Counter(states), Counter(struck))

    @classmethod
    def add_up(cls, parts: Iterable["Figures"]) -> "Figures":
        """All of them together."""
        states, struck = Counter[State](), Counter[State]()
        for part in parts:
            states.update(part.states)
            struck.update(part.struck)
        return cls(None, states, struck)

    def counts(self, *, with_struck: bool = False) -> Mapping[str, int]:
        """By the keys of a board's columns."""
        states = Counter(self.states)
        if with_struck:
            states.update(self.struck)
        tasks = states.total()
        return {
            "tasks": tasks,
            "submitted": sum(states[state] for state in _SUBMITTED),
            "claimed": tasks - states[State.OPEN],
            "open": states[State.OPEN],
            "in_progress": sum(states[state] for state in _IN_PROGRESS),
            "approved": states[State.APPROVED],
            "deferred": states[State.DEFERRED],
            "done": states[State.DONE],
        }

    def rates(self, *, decimals: int, with_struck: bool = False) -> Mapping[str, str]:
        """In percent, as Python prints a rounded number: ``43.75%``, ``50.0%``."""
        counts = self.counts(with_struck=with_struck)
        return {
            key: f"{round(100 * counts[of] / counts['tasks'], decimals) if counts['tasks'] else 0.0}%"
            for key, of in (("submit_rate", "submitted"), ("done_rate", "done"))
        }
