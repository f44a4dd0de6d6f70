"""Which title of a pull request counts.

While it is open, the one it has. Afterwards, the one under which it was merged (or closed, if a bot landed it): nobody who
merged it has seen a later one, so a title that is changed since asks a mentor, unless an organizer or mentor of the event
changed it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from claims.grammar.model import TitleReading
from claims.models import PullRequest
from claims.operations.rivals import read_among
from claims.operations.task_numbers import tasks_by_number, title_prefix
from portal.accounts import people
from portal.github import types
from portal.models import Person
from tasks_board import rights
from tasks_board.models import Event, Task

_JUST_BEFORE = timedelta(microseconds=1)  # GitHub's times are whole seconds


@dataclass(frozen=True, slots=True)
class Named:
    """The tasks that a title names, by key, and what it says of the work.

    `rivals`: the events of which it cannot be told whose it is. `shared`: the numbers that several tasks carry.
    """

    tasks: dict[int, Task]
    reading: TitleReading
    event: Event | None = None
    rivals: tuple[Event, ...] = ()
    shared: tuple[str, ...] = ()


def title_that_counts(pull_request: PullRequest) -> str:
    """The title by which it is work for tasks."""
    is_over = pull_request.state != PullRequest.State.OPEN
    return pull_request.merged_title if is_over and pull_request.merged_title else pull_request.title


def learn_title(
    stored: PullRequest,
    fact: types.PullRequest,
    *,
    previous: str | None,
    editor: types.Account | None,
    events: Sequence[Event],
) -> bool:
    """Take in what a fact says of the title at the end; whether another one counts now.

    The earliest title that is known since the last end counts, in whatever order the facts come; the latest that somebody
    entitled gave it counts before that. `previous` and `editor` where the fact is told because of a new title.
    """
    if fact.state is types.PullRequestState.OPEN:
        return False
    ends = (fact.merged_at, fact.closed_at, stored.merged_at, stored.closed_at)
    end = max((at for at in ends if at is not None), default=fact.updated_at)
    if fact.updated_at < end:
        return False  # of an earlier end, before it was opened again
    if stored.merged_title_at is not None and stored.merged_title_at < end - _JUST_BEFORE:
        stored.merged_title, stored.merged_title_at, stored.merged_title_by = "", None, None
    entitled = _entitled(stored, editor, events, fact.updated_at) if previous is not None else None
    if entitled is not None:
        return _keep(stored, fact.title, fact.updated_at, entitled)
    if previous is not None:
        return _keep(stored, previous, fact.updated_at - _JUST_BEFORE, None)
    return _keep(stored, fact.title, fact.updated_at, None)


def _keep(stored: PullRequest, title: str, at: datetime, by: Person | None) -> bool:
    known_at, known_by = stored.merged_title_at, stored.merged_title_by
    if by is not None:
        is_better = known_by is None or known_at is None or at > known_at
    else:
        is_better = known_by is None and (known_at is None or at < known_at)
    if not is_better:
        return False
    is_other = stored.merged_title != title
    stored.merged_title, stored.merged_title_at, stored.merged_title_by = title, at, by
    stored.save(update_fields=["merged_title", "merged_title_at", "merged_title_by"])
    return is_other


def _entitled(
    stored: PullRequest, editor: types.Account | None, events: Iterable[Event], at: datetime
) -> Person | None:
    """The editor, if they decide in one of the events and it is not their own work."""
    if editor is None:
        return None
    person = people.remember(editor, seen_at=at)
    author = stored.author
    if person.whole_id == author.whole_id:
        return None
    return person if any(person.pk in rights.deciders(event)[0] for event in events) else None


def read_for(pull_request: PullRequest, title: str, events: Sequence[Event]) -> Named:
    """What a title says to those of the events to whose time the pull request belongs.

    A number that several tasks share names none of them, and neither does a title that several events share.
    """
    by_key = {str(event.pk): event for event in events if _is_of_its_time(event, pull_request)}
    reading, rivals = read_among(
        title,
        repository=pull_request.repository,
        author=pull_request.author,
        events=by_key,
        prefixes=[title_prefix(event) for event in by_key.values()],
    )
    if reading.event is None:
        return Named({}, reading, rivals=tuple(by_key[key] for key in rivals))
    event = by_key[reading.event]
    by_number = tasks_by_number(event, reading.tasks)
    return Named(
        {tasks[0].pk: tasks[0] for tasks in by_number.values() if len(tasks) == 1},
        reading,
        event,
        shared=tuple(number for number, tasks in by_number.items() if len(tasks) > 1),
    )


def _is_of_its_time(event: Event, pull_request: PullRequest) -> bool:
    return event.pull_requests_since is None or pull_request.opened_at >= event.pull_requests_since
