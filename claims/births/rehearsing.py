"""What importing the entries of a configuration would make, one after the other. Nothing is stored.

A later entry about the same event is compared with what those before it would have left.
"""

from copy import copy
from dataclasses import dataclass
from datetime import datetime

from claims.births.comparing import is_off
from claims.births.revising import Differences, tell_apart
from claims.operations import configuring, importing
from claims.operations.importing import IssueText
from claims.operations.revising import Update, as_taken_in, is_older
from tasks_board.configurations.model import Configuration
from tasks_board.documents.choices import ReadingChoices
from tasks_board.models import Event, TrackingIssue
from tasks_board.tracking import choices_of


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """An entry's event as it would be: a new one with so many tasks, or what would change of the one that stands.

    `after`: the entry of the same file that comes first. `is_older`: the event has read a newer text, and keeps it.
    """

    name: str
    tasks: int
    differences: Differences | None
    after: int | None = None
    is_older: bool = False

    @property
    def is_new(self) -> bool:
        return self.differences is None

    @property
    def is_unchanged(self) -> bool:
        return self.differences is not None and self.differences.is_empty


class Rehearsal:
    """The entries of a file in their order; each meets what those before it would have left."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.left: dict[tuple[str, str], tuple[int, TrackingIssue]] = {}

    def take(self, place: int, configuration: Configuration, text: IssueText) -> Rehearsed:
        """Raises NoTasksFound, DomainError where the import would."""
        identity = f"{text.repository}#{text.number}".lower(), configuration.name
        before = self.left.get(identity)
        issue = before[1] if before else configuring.find_told(configuration, text)
        choices = choices_of(issue) if issue is not None else ReadingChoices()
        update = Update(text, choices, configuration)
        importing.check_reading(update.reading, configuration.address)
        if issue is None:
            planned = _plan(configuration, text)
            self.left[identity] = place, planned
            tasks = sum(not is_off(row, configuration.assigned) for row in update.reading.tasks)
            return Rehearsed(configuration.name, tasks, None)
        importing.check_is_read(issue)
        taken_in = as_taken_in(issue, update)
        differences = tell_apart(issue, taken_in, now=self.now)
        self.left[identity] = place, _after(issue, taken_in)
        return Rehearsed(
            issue.event.name,
            len(update.reading.tasks),
            differences,
            before[0] if before else None,
            is_older(issue, update),
        )


def _plan(configuration: Configuration, text: IssueText) -> TrackingIssue:
    """The event that an entry would make, with its issue, unsaved."""
    plan = configuring.plan_of(configuration, slug="")
    event = Event(
        name=plan.name,
        title_prefix=plan.title_prefix,
        repositories=list(plan.repositories),
        proposal_repositories=list(plan.proposal_repositories),
        pull_requests_since=configuration.since,
    )
    return TrackingIssue(
        event=event,
        repository=text.repository,
        number=text.number,
        body=text.body,
        agreed_body=text.body,
        configuration=plan.configuration,
    )


def _after(issue: TrackingIssue, update: Update) -> TrackingIssue:
    """The event as an update would leave it, unsaved."""
    left = copy(issue)
    left.event = copy(issue.event)
    told = update.told(issue)
    for name, value in (told.changes(issue.event) if told is not None else {}).items():
        setattr(left.event, name, value)
    if told is not None and told.is_kept:
        left.configuration = dict(told.after)
    left.body = left.agreed_body = update.text.body
    return left
