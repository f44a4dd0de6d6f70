"""Reading claims: a task with everybody on it, a person's claims, tasks that are free."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from claims import board, log, policy, undoable, words
from claims.board import BoardRow
from claims.models import Claim, Decision
from claims.settling import Settling, describe_settling
from claims.time_left import TimeLeft, time_left_of
from claims.wishes import Wish, wishes_about
from portal.common.errors import NotAllowed
from portal.models import Person
from tasks_board import rights
from tasks_board.models import Task, TaskHelper, Team, TeamMember
from tasks_board.operations.teams import team_of
from tasks_board.queries import list_visible_events

_AT_WORK = policy.ALREADY - {"requested", "waiting", "done"}


@dataclass(frozen=True, slots=True)
class RuleLine:
    """What one rule says about a claim, in words."""

    rule: str
    passed: bool
    asks: str
    answer: str


@dataclass(frozen=True, slots=True)
class TaskClaim:
    """A claim on the task's page: where it stands and why."""

    claim: Claim
    why: str
    doubts: Sequence[str]


@dataclass(frozen=True, slots=True)
class TaskDetail:
    """All that the page of a task shows."""

    row: BoardRow
    claims: Sequence[tuple[TaskClaim, board.BoardClaim]]
    others: Sequence[board.BoardClaim]  # pull requests of people without a claim
    helpers: Sequence[TaskHelper]
    rules: Sequence[RuleLine]
    own: Claim | None
    log: Sequence[log.LogEntry]
    may_decide: bool
    may_organize: bool = False
    settling: Settling | None = None
    time: TimeLeft | None = None  # of the reader's own claim
    team: Team | None = None  # the reader's
    against_team: Sequence[RuleLine] = ()  # the rules that say no to it
    wishes: Sequence[Wish] = ()  # for those who decide

    @property
    def others_are_on_it(self) -> bool:
        """Whether somebody else is at work on what is not done yet."""
        theirs = (told.claim.standing for told, line in self.claims if not line.is_mine)
        return self.row.state != Task.State.DONE and not _AT_WORK.isdisjoint(theirs)


def need_person(viewer: Person | None) -> Person:
    """The person, or NotAllowed for an account that belongs to nobody."""
    if viewer is None:
        raise NotAllowed("no_person", _("This account belongs to no GitHub person, so it cannot take part."))
    return viewer


def describe_task(task: Task, *, viewer: Person | None, now: datetime) -> TaskDetail:
    """The task with everybody who is on it, the verdict of every rule for the reader, and its log."""
    row = board.get_row(task, viewer=viewer, now=now)
    may_decide = rights.may_decide_on(task, viewer)
    claims = list(_claims_of(task))
    for claim in claims:
        claim.task = task
    by_pk = {line.claim_pk: line for line in row.claims if line.claim_pk is not None}
    told = [
        (TaskClaim(claim, words.why(claim), [words.doubt(d) for d in claim.doubts]), by_pk[claim.pk])
        for claim in claims
        if claim.pk in by_pk
    ]
    own = next((told_claim.claim for told_claim, line in told if line.is_mine), None)
    for_team = row.team_ruling
    people = {claim.person.whole_id for claim in claims if claim.person is not None}
    return TaskDetail(
        row=row,
        claims=sorted(told, key=lambda pair: row.claims.index(pair[1])),
        others=[line for line in row.claims if line.claim_pk is None],
        helpers=list(task.helpers.select_related("person").order_by("-role", "position", "pk")),
        rules=describe_rules(row.ruling),
        own=own,
        log=log.list_entries(task, _undoable(task, viewer, now)),
        may_decide=may_decide,
        may_organize=may_decide and rights.rights_in(task.event, viewer).organizes,
        settling=describe_settling(task) if may_decide else None,
        time=time_left_of(own, now),
        team=team_of(task.event, viewer) if for_team is not None and viewer is not None else None,
        against_team=[line for line in describe_rules(for_team) if not line.passed] if for_team else (),
        wishes=wishes_about(task, people) if may_decide else (),
    )


def _undoable(task: Task, viewer: Person | None, now: datetime) -> set[int]:
    """What of the task's log the reader may take back. No query for readers who decide nothing here."""
    if viewer is None or not rights.may_decide_on(task, viewer):
        return set()
    decisions = undoable.with_claimants(Decision.objects.filter(claim__task=task))
    organizes = rights.rights_in(task.event, viewer).organizes
    return undoable.list_undoable(decisions, viewer=viewer, organizes=organizes, now=now)


def _claims_of(task: Task) -> QuerySet[Claim]:
    return (
        Claim.objects.filter(task=task, shown=True)
        .select_related("person", "team")
        .order_by("created_at", "pk")
    )


def describe_rules(ruling: policy.Ruling) -> list[RuleLine]:
    """Every rule's verdict in words, those that failed first."""
    lines = []
    for verdict in sorted(ruling.verdicts, key=lambda v: v.passed):
        asks, answer = words.rule(verdict)
        lines.append(RuleLine(verdict.rule, verdict.passed, asks, answer))
    return lines


def list_claims_of(person: Person, *, viewer: Person | None) -> list[TaskClaim]:
    """All claims of the person in events that the reader may see, the latest first."""
    found = find_claims_of(person, viewer=viewer)
    return [TaskClaim(claim, words.why(claim), []) for claim in found[:200]]


def find_claims_of(person: Person, *, viewer: Person | None) -> QuerySet[Claim]:
    """The claims of the person, by themselves or by a team of theirs, in events that the reader may see."""
    return _visible(Claim.objects.filter(_by(person)), viewer).order_by("-standing_at", "-pk")


def _by(person: Person) -> Q:
    team = Q(team__members__in=TeamMember.objects.seated().filter(person=person))
    return Q(person=person) | Q(person__canonical=person) | team


def _visible(claims: QuerySet[Claim], viewer: Person | None) -> QuerySet[Claim]:
    events = list_visible_events(viewer=viewer)
    shown = claims.filter(shown=True, task__event__in=events).distinct()
    return shown.select_related("task__event", "person", "team")


def tasks_about(text: str) -> Q:
    """Tasks with every word of the text in their number, title or people."""
    which = Q()
    for word in text.split():
        which &= (
            Q(title__icontains=word)
            | Q(number__iexact=word.removeprefix("No."))
            | Q(claims__person__login__iexact=word)
            | Q(claims__team__name__icontains=word)
            | Q(helpers__person__login__iexact=word)
        )
    return Q(pk__in=Task.objects.filter(which).values("pk"))
