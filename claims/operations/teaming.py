"""Changes to a team's members, with what they mean for its claims: each member's work counts, nobody's counts twice."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from claims.models import Claim, Decision
from claims.operations import standings, telling
from claims.operations.decisions import record_decision
from portal import locks
from portal.common.errors import DomainError
from portal.models import Person
from rewards import operations as rewards
from tasks_board.models import Task, Team, TeamMember
from tasks_board.operations import teams


@transaction.atomic
def accept_invitation(*, team: Team, person: Person, now: datetime) -> TeamMember:
    """Join a team. Raises DomainError (not_invited, in_a_team, team_is_full, claims_overlap), LockBusy."""
    seat = teams.accept(team=team, person=person, now=now)
    tasks = _lock_tasks(team)
    own = Claim.objects.filter(task__in=tasks, person=seat.person).exclude(standing__in=Claim.GONE)
    theirs = Claim.objects.filter(team=team).exclude(standing__in=Claim.GONE)
    if own.filter(task__in=theirs.values("task")).exists():
        raise DomainError(
            "claims_overlap", _("You and the team claim the same task. Release yours first, then join.")
        )
    _recompute(tasks, now)
    telling.tell_joined(seat, now)
    return seat


@transaction.atomic
def invite_to_team(*, team: Team, login: str, acting_user: Person, now: datetime) -> TeamMember:
    """Ask somebody into a team, and tell them. Raises NotAllowed, DomainError (no_such_person, team_is_full)."""
    seat = teams.invite(team=team, login=login, acting_user=acting_user, now=now)
    telling.tell_invited(seat, acting_user, now)
    return seat


@transaction.atomic
def leave_team(*, team: Team, person: Person, now: datetime) -> Team:
    """Leave a team. What the last one leaves unfinished is released. Raises DomainError (not_invited), LockBusy."""
    team = teams.leave(team=team, person=person, now=now)
    tasks = _lock_tasks(team)
    if not team.members.seated().exists():
        _release_all(team, person, now)
    _recompute(tasks, now)
    return team


@transaction.atomic
def link_team_name(*, team: Team, members: Sequence[Person], acting_user: Person, now: datetime) -> Team:
    """Say who the people behind a name in an old table are. Raises NotAllowed, DomainError, LockBusy."""
    team = teams.link_name(team=team, members=members, acting_user=acting_user, now=now)
    _recompute(_lock_tasks(team), now)
    return team


def _lock_tasks(team: Team) -> list[Task]:
    claimed = Claim.objects.filter(team=team).values("task")
    return locks.lock_rows(Task.objects.filter(pk__in=claimed).select_related("event"))


def _recompute(tasks: Sequence[Task], now: datetime) -> None:
    for task in tasks:
        standings.recompute_task(task=task, now=now)
    if tasks:  # a team is unpaid as long as all its members are
        rewards.award_outstanding(event=tasks[0].event, tasks=tasks, now=now)


def _release_all(team: Team, person: Person, now: datetime) -> None:
    live = Claim.objects.filter(team=team).exclude(standing__in=[*Claim.GONE, "done", "partly_done"])
    for claim in live.select_related("task").order_by("task_id"):
        record_decision(
            claim=claim,
            kind=Decision.Kind.RELEASED,
            at=now,
            decided_by=person.canonical or person,
            source=Decision.Source.WEB,
            key=f"team:{team.pk}:{claim.pk}:left:{now.isoformat()}",
            now=now,
        )
