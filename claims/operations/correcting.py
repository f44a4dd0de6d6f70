"""An organizer corrects how an issue's text is read: tasks, directions and people follow, and nobody is made to say anything.

The text is the same before and after, so each line stays the task it was. What the corrected reading says of people is
nobody's word, dated as the text; decisions and facts stand.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from claims.models import Claim, Statement
from claims.operations import issues, pull_requests, standings
from claims.operations.hearing import Finder
from claims.operations.issues import Revision
from claims.operations.names import Spoken, said
from claims.operations.tables import digest
from portal import audit, locks
from portal.common.errors import DomainError
from portal.models import Person
from tasks_board import rights
from tasks_board.documents.choices import ReadingChoices
from tasks_board.documents.model import Reading, ReadTask
from tasks_board.models import Direction, Event, IssueRevision, Task, TrackingIssue
from tasks_board.operations.edits import rows_of_tasks
from tasks_board.operations.tables import AppliedRow
from tasks_board.tracking import choices_of, read_issue


@transaction.atomic
def correct_reading(
    *,
    tracking_issue: TrackingIssue,
    choices: ReadingChoices,
    acting_user: Person | None,
    now: datetime,
    seen: str | None = None,
) -> bool:
    """Read the issue's text with other corrections from now on; False if they are the ones that hold.

    `seen` is the SHA-256 of the text that was looked at. Raises NotAllowed, DomainError if the text is another now, or if
    the corrections leave no task, and LockBusy.
    """
    if acting_user is not None:
        rights.check_may_organize(tracking_issue.event, acting_user)
    pull_requests.lock_known(pull_requests.watched_by(tracking_issue.event))
    issue = _lock(tracking_issue)
    _check_seen(issue, seen)
    before = choices_of(issue)
    if before == choices:
        return False
    reading = read_issue(issue, issue.agreed_body)
    earlier = rows_of_tasks(list(issue.tasks.select_related("direction")), reading)
    issue.reading_choices = choices.to_json()
    if earlier and not read_issue(issue, issue.agreed_body).tasks:
        raise DomainError("no_tasks_left", _("Read like this, the text lists no task. Nothing was changed."))
    issue.save(update_fields=["reading_choices"])
    _follow(issue, reading, earlier, now)
    pull_requests.relink(event=issue.event, now=now)
    audit.record(
        "claims.reading_corrected",
        actor=acting_user,
        target=issue,
        now=now,
        event_id=issue.event_id,
        data={"before": before.to_json(), "after": issue.reading_choices},
    )
    tracking_issue.reading_choices = issue.reading_choices
    return True


def _lock(tracking_issue: TrackingIssue) -> TrackingIssue:
    issue = locks.lock_rows(TrackingIssue.objects.filter(pk=tracking_issue.pk).select_related("event"))[0]
    locks.lock_rows(Task.objects.filter(tracking_issue=issue).only("pk"))
    return issue


def _check_seen(issue: TrackingIssue, seen: str | None) -> None:
    if seen is not None and seen != digest(issue.agreed_body):
        raise DomainError(
            "text_changed",
            _("The text was edited in the meantime. Look at how it is read now, then correct it again."),
        )


def _follow(issue: TrackingIssue, before: Reading, earlier: Mapping[int, ReadTask], now: datetime) -> None:
    """Tasks first, then what the rows say of people, then the standings of every task that was touched."""
    sections = {row.section for row in earlier.values() if row.section}
    lines = {row.line: pk for pk, row in earlier.items()}
    applied = issues.read_again(tracking_issue=issue, now=now, lines=lines)
    restated = _Restated(issue, Finder([before, read_issue(issue, issue.agreed_body)]), now)
    touched = {entry.task.pk for entry in applied if restated.take(entry, earlier.get(entry.task.pk))}
    restated.audit()
    if touched:
        standings.recompute_tasks(tasks=list(Task.objects.filter(pk__in=touched)), now=now)
    _drop_directions(issue.event, sections - {entry.row.section for entry in applied if entry.row.section})


class _Restated:
    """Makes the statements of a text what its corrected reading says, without an editor."""

    def __init__(self, issue: TrackingIssue, find: Finder, now: datetime) -> None:
        self.issue, self.find, self.now = issue, find, now
        self.revision = _revision_of(issue, now)
        self.withdrawn: list[dict[str, Any]] = []

    def take(self, entry: AppliedRow, before: ReadTask | None) -> bool:
        """Whether the row says anything else of people, or has another mark, than under the earlier reading."""
        said_before, said_now = said(before.claimants) if before else {}, said(entry.row.claimants)
        changed = entry.is_new or entry.is_remarked
        for key, (name, spoken) in said_now.items():
            if key not in said_before or said_before[key][1] != spoken:
                self._restate(self.find.claim(entry.task, name, self.revision.at), spoken)
                changed = True
        for key, (name, _spoken) in said_before.items():
            if key not in said_now:
                self._unsay(self.find.claim(entry.task, name, self.revision.at))
                changed = True
        return changed

    def _restate(self, claim: Claim, spoken: Spoken) -> None:
        claim.table_standing, claim.table_pull_requests = spoken[0], list(spoken[1])
        claim.save(update_fields=["table_standing", "table_pull_requests"])
        statement = self._statements(claim).order_by("at", "revision_id").last()
        if statement is None:
            Statement.objects.create(
                claim=claim,
                revision=self.revision,
                state=spoken[0],
                pull_requests=list(spoken[1]),
                at=self.revision.at,
            )
        elif (statement.state, tuple(statement.pull_requests)) != spoken:
            self._note(statement)
            statement.state, statement.pull_requests, statement.editor = spoken[0], list(spoken[1]), None
            statement.save(update_fields=["state", "pull_requests", "editor"])

    def _unsay(self, claim: Claim) -> None:
        """The text never named them: what it was taken to say is put off, a claim of their own or a decision stays."""
        claim.table_standing, claim.table_pull_requests = "", []
        claim.save(update_fields=["table_standing", "table_pull_requests"])
        for statement in self._statements(claim):
            self._note(statement)
            statement.delete()

    def _statements(self, claim: Claim) -> Any:
        return claim.statements.filter(revision__tracking_issue=self.issue)

    def _note(self, statement: Statement) -> None:
        self.withdrawn.append(
            {
                "claim": statement.claim_id,
                "state": statement.state,
                "pull_requests": statement.pull_requests,
                "editor": statement.editor_id,
                "at": statement.at.isoformat(),
            }
        )

    def audit(self) -> None:
        """What statements said before they were corrected, so that nothing is lost."""
        if self.withdrawn:
            audit.record(
                "claims.statements_corrected",
                actor=None,
                target=self.issue,
                now=self.now,
                event_id=self.issue.event_id,
                data={"statements": self.withdrawn},
            )


def _revision_of(issue: TrackingIssue, now: datetime) -> IssueRevision:
    """The revision that is the agreed text."""
    found = issue.revisions.filter(sha256=digest(issue.agreed_body)).order_by("pk").last()
    return found or issues.remember_revision(
        issue, Revision(issue.agreed_body, issue.body_at or now), ours=False
    )


def _drop_directions(event: Event, gone: set[str]) -> None:
    """Directions of headings that are none any more go, unless anything else hangs on them."""
    of_headings = Direction.objects.filter(
        event=event, source=Direction.Source.SECTION, name__in=gone - {None}
    )
    of_headings.filter(tasks=None, tasks_tagged=None, children=None, note="").delete()
