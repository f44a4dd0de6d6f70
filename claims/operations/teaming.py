"""Changes to a team's members, with what they mean for its claims: each member's work counts, nobody's counts twice."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from claims.models import Claim, Decision
from claims.operations import standings, telling, twice
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
    if seat.accepted_at != now:  # they had joined before
        return seat
    tasks = _lock_tasks(team)
    theirs = Claim.objects.live().filter(team=team)
    own = twice.claims_of_members(team, tasks).filter(task__in=theirs.values("task"))
    if own.exclude(standing__in=Claim.GONE).exists():
        raise DomainError(
            "claims_overlap", _("You and the team claim the same task. Release yours first, then join.")
        )
    twice.give_up(own.filter(standing=Claim.Standing.CLOSED_UNMERGED), person=seat.person, at=now, now=now)
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
    """Say who the people behind a name in an old table are. What they have on its tasks by themselves becomes the team's.

    Raises NotAllowed, DomainError, LockBusy.
    """
    team = teams.link_name(team=team, members=members, acting_user=acting_user, now=now)
    tasks = _lock_tasks(team)
    _fold(team, tasks, now)
    _recompute(tasks, now)
    return team


@transaction.atomic
def point_team_name(*, name: Team, team: Team, acting_user: Person, now: datetime) -> Team:
    """Say that a name in an old table means this team: its claims and completions become the team's, each once.

    Raises NotAllowed, DomainError, LockBusy.
    """
    name, team = teams.point_name(name=name, team=team, acting_user=acting_user, now=now)
    tasks = _lock_tasks(name)
    for claim in Claim.objects.filter(team=name).select_related("task").order_by("task_id"):
        twice.hand_over(claim, team=team, reason="name_linked", now=now)
    _fold(team, tasks, now)
    _recompute(tasks, now)
    return team


@transaction.atomic
def remove_member(*, team: Team, person: Person, acting_user: Person, now: datetime) -> Team:
    """The captain takes somebody off the team. What they had begun stays the team's. Raises NotAllowed, DomainError, LockBusy."""
    team = teams.remove(team=team, person=person, acting_user=acting_user, now=now)
    _recompute(_lock_tasks(team), now)
    return team


def _fold(team: Team, tasks: Sequence[Task], now: datetime) -> None:
    """What members have by themselves on the team's tasks becomes part of the team's claim."""
    for claim in twice.claims_of_members(team, tasks).order_by("task_id", "pk"):
        twice.hand_over(claim, team=team, reason="name_linked", now=now)


def _lock_tasks(team: Team) -> list[Task]:
    claimed = Claim.objects.filter(team=team).values("task")
    return locks.lock_rows(Task.objects.filter(pk__in=claimed).select_related("event"))


def _recompute(tasks: Sequence[Task], now: datetime) -> None:
    standings.recompute_tasks(tasks=tasks, now=now)
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
