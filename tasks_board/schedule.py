"""When an event takes claims, from its own dates and its phases, and when a task does. Ends are inclusive."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from tasks_board.models import Event, Phase, Task


@dataclass(frozen=True, slots=True)
class Window:
    """Whether claiming has begun at a moment, and whether it is over. Between two phases it has not begun again."""

    has_opened: bool
    has_closed: bool


_OPEN = Window(has_opened=True, has_closed=False)


def claiming_window(event: Event, at: datetime) -> Window:
    """The window for claims at a moment: the event's dates, narrowed by its phases.

    Where phases have claims open, claims are made in those; where none has, whenever no phase is under way.
    """
    whole = _within(event.opens_at, event.closes_at, at)
    phases = list(event.phases.all())
    opening = [phase for phase in phases if phase.claims_open]
    by_phase = _of_phases(opening, at) if opening else _beside(phases, event, at)
    return Window(whole.has_opened and by_phase.has_opened, whole.has_closed or by_phase.has_closed)


def task_window(task: Task, at: datetime) -> Window:
    """The window that the task has of its own."""
    return _within(task.claims_open_at, task.claims_close_at, at)


def has_ended(event: Event, at: datetime) -> bool:
    """Whether the event's own time is over; people in a waiting list move up until then."""
    return _within(None, event.closes_at, at).has_closed


def _of_phases(phases: Sequence[Phase], at: datetime) -> Window:
    windows = [_within(phase.starts_at, phase.ends_at, at) for phase in phases]
    if any(window == _OPEN for window in windows):
        return _OPEN
    is_ahead = any(not window.has_opened for window in windows)
    return Window(has_opened=not is_ahead, has_closed=not is_ahead)


def _beside(closing: Sequence[Phase], event: Event, at: datetime) -> Window:
    """Phases without claims close the event while they last; for good, if nothing of it comes after them."""
    ends = [phase.ends_at for phase in closing if _within(phase.starts_at, phase.ends_at, at) == _OPEN]
    if not ends:
        return _OPEN
    is_last = any(end is None or (event.closes_at is not None and end >= event.closes_at) for end in ends)
    return Window(has_opened=is_last, has_closed=is_last)


def _within(opens_at: datetime | None, closes_at: datetime | None, at: datetime) -> Window:
    return Window(opens_at is None or at >= opens_at, closes_at is not None and at > closes_at)
