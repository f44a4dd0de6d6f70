"""The one claim path: the button, the API and the comment take a task, and give it back, through here."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from claims import policy
from claims.circumstances import Asker
from claims.models import Claim, Decision, IssueComment
from claims.operations import standings, twice
from claims.operations.decisions import get_or_create_claim, record_decision
from claims.policy import Ruling
from portal import locks
from portal.common.errors import DomainError, NotAllowed
from portal.models import Person
from tasks_board.models import Task, Team
from tasks_board.operations.teams import team_of

# A claim whose pull request was closed keeps its place, so it can be given back.
_NOT_HELD = tuple(standing for standing in Claim.GONE if standing != Claim.Standing.CLOSED_UNMERGED)


class ClaimRefused(DomainError):
    """At least one rule says no. `ruling` has the verdict of every rule."""

    def __init__(self, ruling: Ruling) -> None:
        super().__init__("claim_refused", _("This task cannot be claimed now. See which rule says so."))
        self.ruling = ruling


class NothingToRelease(DomainError):
    """The person has no claim on this task that could be given back."""

    def __init__(self) -> None:
        super().__init__("nothing_to_release", _("You have no claim on this task."))


@dataclass(frozen=True, slots=True)
class Asked:
    """How a wish came in: on the web or in a comment, when it was made, and the key that makes it count once.

    `note`: why a mentor takes the comment to be it.
    """

    source: Decision.Source
    at: datetime
    key: str
    comment: IssueComment | None = None
    note: str = ""


@transaction.atomic
def claim_task(
    *,
    task: Task,
    claimant: Person,
    asked: Asked,
    now: datetime,
    team: Team | None = None,
    admitted_by: Person | None = None,
) -> Claim:
    """Take a task, alone or as a member for the team. Asking twice with one key is asking once.

    Where all places are taken the claim waits in line. `admitted_by`: the mentor who takes the wish to be this one, and
    with that says yes to it (`claims.operations.offering`). Raises ClaimRefused, NotAllowed (not_a_member), LockBusy.
    """
    claimant, team, task = _lock(claimant, team, task)
    known = Decision.objects.filter(key=asked.key).select_related("claim").first()
    if known is not None:
        return known.claim
    ruling = _judge(task, claimant, asked.at, team)
    if not ruling.allowed:
        raise ClaimRefused(ruling)
    person = None if team else claimant
    claim, _created = get_or_create_claim(task=task, person=person, team=team, at=asked.at)
    _decide(claim, _kind(ruling, admitted_by), admitted_by or claimant, asked, now)
    twice.release_others(claim, person=claimant, at=asked.at, now=now)
    standings.recompute_task(task=task, now=now)
    claim.refresh_from_db()
    return claim


def _kind(ruling: Ruling, admitted_by: Person | None) -> Decision.Kind:
    if admitted_by is not None:
        return Decision.Kind.WAITING if ruling.is_full else Decision.Kind.ADMITTED
    if ruling.needs_mentor:
        return Decision.Kind.REQUESTED
    return Decision.Kind.WAITING if ruling.must_wait else Decision.Kind.CLAIMED


@transaction.atomic
def release_task(*, task: Task, claimant: Person, asked: Asked, now: datetime) -> Claim:
    """Give a task back, one's own or one's team's. Finished work stays finished.

    A release by comment is noted even where no claim is known, since GitHub's events may come in any order; it then
    raises NothingToRelease only on the web. Raises LockBusy.
    """
    claimant, team, task = _lock(claimant, team_of(task.event, claimant), task)
    claim = _claim_to_release(task, claimant, team)
    if claim is None:
        if asked.comment is None:
            raise NothingToRelease
        claim, _created = get_or_create_claim(task=task, person=claimant, team=None, at=asked.at)
    elif asked.comment is None and claim.standing in _NOT_HELD:
        raise NothingToRelease
    _decide(claim, Decision.Kind.RELEASED, claimant, asked, now)
    standings.recompute_task(task=task, now=now)
    claim.refresh_from_db()
    return claim


def _claim_to_release(task: Task, person: Person, team: Team | None) -> Claim | None:
    """The person's own claim; where they have none that could be given back, their team's."""
    own = Claim.objects.filter(task=task, person=person).first()
    if team is None or (own is not None and own.standing not in _NOT_HELD):
        return own
    return Claim.objects.filter(task=task, team=team).exclude(standing__in=_NOT_HELD).first() or own


def _judge(task: Task, person: Person, at: datetime, team: Team | None) -> Ruling:
    asker = Asker(task.event, person, at, team=team)
    return policy.judge(asker.rules, asker.on(task, asker.look_at(task)))


def _decide(claim: Claim, kind: Decision.Kind, by_whom: Person, asked: Asked, now: datetime) -> None:
    record_decision(
        claim=claim,
        kind=kind,
        at=asked.at,
        decided_by=by_whom,
        source=asked.source,
        key=asked.key,
        comment=asked.comment,
        note=asked.note,
        now=now,
    )


def _lock(claimant: Person, team: Team | None, task: Task) -> tuple[Person, Team | None, Task]:
    """The person first, for the cap on open claims; then the team, then the task. Always in this order.

    The task is read once it is locked: a row that was waited for comes fresh, but not the event that is joined to it.
    """
    person = locks.lock_rows(Person.objects.filter(pk=claimant.whole_id))[0]
    if team is not None:
        team = locks.lock_rows(Team.objects.filter(pk=team.pk))[0]
        if team_of(task.event, person) != team:
            raise NotAllowed("not_a_member", _("Only members of a team claim and release for it."))
    locks.lock_rows(Task.objects.filter(pk=task.pk).only("pk"))
    return person, team, Task.objects.select_related("event").get(pk=task.pk)
