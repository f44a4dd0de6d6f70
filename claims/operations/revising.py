"""An event that stands is brought up to date with what somebody gives: exactly what they looked at, or nothing.

Its tasks are known by identity; claims, decisions, history and what people corrected here stay.
"""

import json
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from claims.models import Claim
from claims.operations import configuring, importing, pull_requests, tables
from claims.operations.configuring import Told
from claims.operations.importing import IssueText
from claims.operations.tables import digest
from portal import locks
from portal.common.errors import DomainError
from portal.models import Person
from tasks_board import rights
from tasks_board.configurations.model import Configuration
from tasks_board.documents.choices import ReadingChoices
from tasks_board.documents.model import Reading
from tasks_board.documents.once import once
from tasks_board.documents.reading import read_body
from tasks_board.models import Event, Task, TrackingIssue
from tasks_board.operations.edits import rows_of_tasks
from tasks_board.operations.following import list_siblings
from tasks_board.tracking import read_issue


@dataclass(frozen=True)
class Update:
    """What shall bring an event up to date: a text, how it is to be read, and what a bot is told about the event.

    `is_pasted`: somebody gave the text by hand, so it is as new as their click, whatever stands at GitHub.
    `left`: settings that stay as they are, whatever is told.
    """

    text: IssueText
    choices: ReadingChoices
    configuration: Configuration | None = None
    is_pasted: bool = False
    left: frozenset[str] = frozenset()

    @once
    def reading(self) -> Reading:
        """The text as it would be read."""
        return read_body(self.text.body, repository=self.text.repository, choices=self.choices)

    def told(self, issue: TrackingIssue) -> Told | None:
        """What it says of the event's settings."""
        return Told.of(issue, self.text.body, self.configuration, self.left)


def check_possible(issue: TrackingIssue, update: Update, viewer: Person | None) -> None:
    """Raises DomainError, saying what to do first, where a text cannot be brought up to date just now."""
    importing.check_is_read(issue)
    if update.is_pasted and issue.writing != TrackingIssue.Writing.MIRROR:
        raise DomainError(
            "written_at_github",
            _("Regatta writes into this issue. Edit the text there; it is read again by itself."),
        )
    if is_older(issue, update):
        raise DomainError(
            "text_older", _("The event has read a newer text of this issue. Read it from GitHub again.")
        )
    other = _event_of_the_entry(issue, update.configuration, viewer)
    if other is not None:
        raise DomainError(
            "entry_of_another",
            _("This entry is about another event of the same issue, %(name)s. Bring that one up to date.")
            % {"name": other.name},
        )


def is_older(issue: TrackingIssue, update: Update) -> bool:
    """Whether the event has read a newer text of the issue by now."""
    if update.is_pasted or issue.body_at is None or update.text.body == issue.body:
        return False
    return update.text.at < issue.body_at


def as_taken_in(issue: TrackingIssue, update: Update) -> Update:
    """What of an update an import takes in: a text that is older than the one read stays aside, what is told does not."""
    if not is_older(issue, update):
        return update
    return replace(update, text=replace(update.text, body=issue.agreed_body))


def _event_of_the_entry(
    issue: TrackingIssue, configuration: Configuration | None, viewer: Person | None
) -> Event | None:
    """The event that has the entry's identity, if it is another one that the viewer may see."""
    found = configuring.find_configured(configuration) if configuration is not None else None
    if found is None or found.event_id == issue.event_id:
        return None
    return Event.objects.filter(rights.visible_to(viewer), pk=found.event_id).first()


def fingerprint(issue: TrackingIssue, update: Update) -> str:
    """Stands for all that somebody was shown of an update. Five queries."""
    event = issue.event
    before = read_issue(issue, issue.agreed_body)
    tasks = list(issue.tasks.select_related("direction"))
    left = set(rows_of_tasks(tasks, before)) - set(rows_of_tasks(tasks, update.reading))
    seen = [
        issue.pk,
        digest(issue.agreed_body),
        issue.reading_choices,
        issue.configuration,
        event.status,
        event.name,
        [event.title_prefix, event.title_aliases, event.repositories, event.proposal_repositories],
        str(event.pull_requests_since),
        [[task.pk, task.number, task.title, task.is_removed] for task in tasks],
        _claims_on(left),
        [[text.pk, digest(text.agreed_body)] for text in list_siblings(issue)],
        digest(update.text.body),
        update.choices.to_json(),
        update.configuration.to_json() if update.configuration else None,
    ]
    return digest(json.dumps(seen, sort_keys=True))


def _claims_on(tasks: Collection[int]) -> list[list[object]]:
    claims = Claim.objects.filter(task__in=tasks).order_by("pk")
    return [list(row) for row in claims.values_list("pk", "standing")]


@transaction.atomic
def revise_event(
    *,
    tracking_issue: TrackingIssue,
    update: Update,
    acting_user: Person | None,
    now: datetime,
    seen: str,
) -> None:
    """Bring the event up to date. `seen` is the fingerprint of what was looked at.

    Raises NotAllowed, NoTasksFound, DomainError (changed_meanwhile if anything shown is otherwise by now), LockBusy.
    """
    rights.check_may_organize(tracking_issue.event, acting_user)
    told = update.told(tracking_issue)
    watched = pull_requests.watched_by(tracking_issue.event)
    pull_requests.lock_known({*watched, *(told.repositories if told else ())})
    locks.lock_rows(Event.objects.filter(pk=tracking_issue.event_id).only("pk"))
    issue = tables.lock_texts(tracking_issue)
    issue.event.refresh_from_db()
    locks.lock_rows(Task.objects.filter(event=issue.event_id).only("pk"))
    if seen != fingerprint(issue, update):
        raise DomainError(
            "changed_meanwhile",
            _("The event changed since you looked. Nothing was done: look at the differences again."),
        )
    check_possible(issue, update, acting_user)
    importing.check_reading(update.reading, issue.title or update.text.title)
    told = update.told(issue)
    if told is not None and told.differs(issue):
        configuring.revise_settings(issue, told, acting_user=acting_user, now=now)
    if not update.is_pasted and issue.title != update.text.title[:300]:
        issue.title = update.text.title[:300]
        issue.save(update_fields=["title"])
    importing.bring_up_to_date(
        tracking_issue=issue,
        text=update.text,
        choices=update.choices,
        acting_user=acting_user,
        now=now,
    )
