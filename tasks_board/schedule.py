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


def claiming_window(event: Event, at: datetime) -> Window:
    """The window for claims at a moment: the event's dates, narrowed by those phases that have claims open."""
    whole = _within(event.opens_at, event.closes_at, at)
    phases = [phase for phase in event.phases.all() if phase.claims_open]
    if not phases:
        return whole
    by_phase = _of_phases(phases, at)
    return Window(whole.has_opened and by_phase.has_opened, whole.has_closed or by_phase.has_closed)


def task_window(task: Task, at: datetime) -> Window:
    """The window that the task has of its own."""
    return _within(task.claims_open_at, task.claims_close_at, at)


def has_ended(event: Event, at: datetime) -> bool:
    """Whether the event's own time is over; people in a waiting list move up until then."""
    return _within(None, event.closes_at, at).has_closed


def _of_phases(phases: Sequence[Phase], at: datetime) -> Window:
    windows = [_within(phase.starts_at, phase.ends_at, at) for phase in phases]
    if any(window.has_opened and not window.has_closed for window in windows):
        return Window(has_opened=True, has_closed=False)
    is_ahead = any(not window.has_opened for window in windows)
    return Window(has_opened=not is_ahead, has_closed=not is_ahead)


def _within(opens_at: datetime | None, closes_at: datetime | None, at: datetime) -> Window:
    return Window(opens_at is None or at >= opens_at, closes_at is not None and at > closes_at)
