"""An event is born from a tracking issue, or brought up to date by it. A first import writes nothing back and credits nothing."""

from dataclasses import asdict, dataclass, field
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from claims.operations import correcting, issues, pull_requests
from claims.operations.issues import Revision
from portal import audit
from portal.common.errors import DomainError
from portal.models import Person
from rewards import operations as rewards
from rewards import pools
from rewards.models import EventReward, Pool
from tasks_board.documents.choices import ReadingChoices
from tasks_board.documents.model import Reading
from tasks_board.models import Event, EventLink, EventRole, Phase, TrackingIssue
from tasks_board.operations import events
from tasks_board.rules import Preset
from tasks_board.tracking import find_body


class NoTasksFound(DomainError):
    """The text has no table that lists tasks."""


@dataclass(frozen=True, slots=True)
class IssueText:
    """An issue's address and body as read from GitHub or a file."""

    repository: str
    number: int | None
    title: str
    body: str
    at: datetime
    is_closed: bool = False


@dataclass(frozen=True, slots=True)
class PlannedPhase:
    """A named stretch of the event's time; the end is inclusive."""

    name: str
    starts_at: datetime
    ends_at: datetime
    claims_open: bool = True


@dataclass(frozen=True, slots=True)
class EventPlan:
    """What the event shall be, beyond what its issue says. `amount`: what a completion earns from `pool`."""

    name: str
    slug: str
    preset: Preset
    title_prefix: str = ""
    repositories: tuple[str, ...] = ()
    proposal_repositories: tuple[str, ...] = ()
    summary: str = ""
    pool: str = ""
    unit: Pool.Unit = Pool.Unit.POINT
    per: EventReward.Per = EventReward.Per.TASK
    amount: Decimal | None = None
    phases: tuple[PlannedPhase, ...] = ()
    links: tuple[tuple[str, str, str, int], ...] = ()  # kind, title, repository, number
    organizers: tuple[Person, ...] = ()
    mentors: tuple[Person, ...] = ()
    fields: dict[str, object] = field(default_factory=dict)
    configuration: dict[str, object] = field(default_factory=dict)  # kept beside the issue
    choices: ReadingChoices | None = None  # how the text is to be read; None: as it is read already


def check_reading(reading: Reading, name: str) -> None:
    """Raises NoTasksFound, saying what a table of tasks needs, unless the text lists at least one task."""
    if reading.tasks:
        return
    raise NoTasksFound(
        "no_tasks_found",
        _(
            "No task was found in %(name)s. A table of tasks needs a column with a title "
            "(for example 任务标题 or 题目), or a number and a column for claimants."
        )
        % {"name": name},
    )


def check_is_read(tracking_issue: TrackingIssue) -> None:
    """Raises DomainError, saying what to do first, where nothing is read of the event or of this text of it."""
    if tracking_issue.event.status == Event.Status.ARCHIVED:
        raise DomainError(
            "event_archived",
            _("This event is archived: nothing of it is read. Take it out of the archive first."),
        )
    if tracking_issue.retired_at is not None:
        raise DomainError(
            "text_retired",
            _("This event does not read this issue any more. Take it up again on the event’s page “Issues”."),
        )


@transaction.atomic
def import_event(
    *, text: IssueText, plan: EventPlan, acting_user: Person | None, now: datetime
) -> TrackingIssue:
    """Create the event with its tasks, or bring the one that this issue carries up to date by identity.

    Nothing is half-imported: all of it happens, or nothing. Raises NoTasksFound, DomainError, LockBusy.
    """
    issue = find_imported(text, plan)
    pull_requests.lock_known(pull_requests.watched_by(issue.event) if issue else plan.repositories)
    choices = plan.choices if issue is not None else None
    issue = issue or _create(text, plan, acting_user, now)
    bring_up_to_date(tracking_issue=issue, text=text, choices=choices, acting_user=acting_user, now=now)
    for role, granted in ((EventRole.Role.ORGANIZER, plan.organizers), (EventRole.Role.MENTOR, plan.mentors)):
        for person in granted:
            events.grant_role(event=issue.event, person=person, role=role, acting_user=acting_user, now=now)
    return issue


@transaction.atomic
def bring_up_to_date(
    *,
    tracking_issue: TrackingIssue,
    text: IssueText,
    choices: ReadingChoices | None,
    acting_user: Person | None,
    now: datetime,
) -> None:
    """Take in a text of an event that stands, read with these corrections (None: as it is read already).

    Claims, decisions and history stay; nobody is made to say anything. Raises NotAllowed, DomainError, LockBusy.
    """
    issue = tracking_issue
    check_is_read(issue)
    pull_requests.lock_known(pull_requests.watched_by(issue.event))
    if choices is not None:
        correcting.correct_reading(tracking_issue=issue, choices=choices, acting_user=acting_user, now=now)
    issues.apply_issue_revision(tracking_issue=issue, revision=Revision(text.body, text.at), now=now)
    pull_requests.relink(event=issue.event, now=now)
    audit.record(
        "claims.event_imported", actor=acting_user, target=issue.event, now=now, event_id=issue.event_id
    )
    issue.refresh_from_db()


def find_imported(text: IssueText, plan: EventPlan) -> TrackingIssue | None:
    """The issue of this event, if it was imported before: identity is owner/repo#n and the event."""
    event = Event.objects.filter(slug=plan.slug).first()
    return find_body(event, repository=text.repository, number=text.number) if event else None


def _create(text: IssueText, plan: EventPlan, acting_user: Person | None, now: datetime) -> TrackingIssue:
    event = events.create_event(
        name=plan.name,
        slug=plan.slug,
        preset=plan.preset,
        acting_user=acting_user,
        now=now,
        summary=plan.summary,
        title_prefix=plan.title_prefix,
        repositories=list(plan.repositories),
        proposal_repositories=list(plan.proposal_repositories),
        **plan.fields,
    )
    for kind, title, repository, number in plan.links:
        EventLink.objects.create(
            event=event, kind=kind, title=title, repository=repository, issue_number=number
        )
    for position, phase in enumerate(plan.phases):
        Phase.objects.create(event=event, position=position, **asdict(phase))
    if plan.pool and plan.amount is not None:
        _set_reward(event, plan, plan.amount, acting_user, now)
    return TrackingIssue.objects.create(
        event=event,
        repository=text.repository,
        number=text.number,
        title=text.title[:300],
        configuration=plan.configuration,
        reading_choices=plan.choices.to_json() if plan.choices else {},
    )


def _set_reward(
    event: Event, plan: EventPlan, amount: Decimal, acting_user: Person | None, now: datetime
) -> None:
    pool = pools.get_or_create_pool(name=plan.pool, unit=plan.unit, acting_user=acting_user, now=now)
    rewards.set_event_reward(
        event=event, pool=pool, per=plan.per, amount=amount, acting_user=acting_user, now=now
    )
