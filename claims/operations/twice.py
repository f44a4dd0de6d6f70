"""Nobody is on a task both alone and in a team: where the two would meet, one claim stands for both."""

from collections.abc import Collection, Iterable
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from claims.evidence import Evidence
from claims.models import Claim, Decision, Statement
from claims.operations.decisions import record_decision
from portal.common.errors import DomainError
from portal.models import Person
from rewards import operations as rewards
from tasks_board.models import Task, Team, TeamMember

# How a claim ended that facts alone may bring back.
_MAY_COME_BACK = (Claim.Standing.SUPERSEDED, Claim.Standing.CLOSED_UNMERGED)


def claim_of_team(task: Task, person: Person) -> Claim | None:
    """The claim that a team of the person's has on the task, unless it is gone."""
    seats = TeamMember.objects.seated().filter(_is(person, "person"), team__event=task.event_id)
    return Claim.objects.live().filter(task=task, team__in=seats.values("team")).first()


def claims_of_members(team: Team, tasks: Collection[Task]) -> QuerySet[Claim]:
    """The claims that the team's members have on these tasks by themselves, under any account."""
    seats = list(team.members.seated().values_list("person_id", "person__canonical_id"))
    whole = {canonical or person for person, canonical in seats}
    own = Q(person__in=whole) | Q(person__canonical__in=whole)
    return Claim.objects.filter(own, task__in=tasks).select_related("person", "task")


def claim_to_hear(task: Task, person: Person) -> Claim | None:
    """Whose claim it is that a text speaks of when it names somebody who is on the task in a team only."""
    if Claim.objects.live().filter(_is(person, "person"), task=task).exists():
        return None
    return claim_of_team(task, person)


def check_not_twice(claim: Claim) -> None:
    """Raises DomainError (in_team_too) if a decision would bring a claim back beside the one of the team, or of a member."""
    if claim.standing in Claim.GONE:
        check_alone(claim)


def check_alone(claim: Claim) -> None:
    """Raises DomainError (in_team_too) if the claimant, their team or a member of it is on the task by another claim."""
    if claim.person is not None:
        other = claim_of_team(claim.task, claim.person)
    else:
        assert claim.team is not None  # noqa: S101 (a constraint says so)
        members = claims_of_members(claim.team, [claim.task])
        other = members.exclude(standing__in=Claim.GONE).first()
    if other is not None:
        raise DomainError(
            "in_team_too",
            _("%(claimant)s is on this task already; nobody is on a task both alone and in a team.")
            % {"claimant": other.claimant},
        )


def release_others(claim: Claim, *, person: Person, at: datetime, now: datetime) -> None:
    """Whoever takes a task for the team has given up what was closed unmerged there of a member's own, and the other way round."""
    if claim.team is not None:
        others = claims_of_members(claim.team, [claim.task])
    else:
        assert claim.person is not None  # noqa: S101 (a constraint says so)
        seats = TeamMember.objects.seated().filter(
            _is(claim.person, "person"), team__event=claim.task.event_id
        )
        others = Claim.objects.filter(task=claim.task_id, team__in=seats.values("team")).select_related(
            "task"
        )
    give_up(others.filter(standing=Claim.Standing.CLOSED_UNMERGED), person=person, at=at, now=now)


def give_up(claims: Iterable[Claim], *, person: Person, at: datetime, now: datetime) -> None:
    """Release claims whose work was closed unmerged, so that it does not come back beside another claim."""
    for claim in claims:
        record_decision(
            claim=claim,
            kind=Decision.Kind.RELEASED,
            at=at,
            decided_by=person,
            source=Decision.Source.RULES,
            key=f"twice:{claim.pk}:{at.isoformat()}",
            now=now,
        )


def give_way(found: Collection[Evidence], now: datetime) -> bool:
    """What facts bring back beside another claim of the same people is given up, as of when it ended; whether anything was.

    Somebody whom a team had overtaken, or whose work was closed, may have joined it since: a revert, or a pull request
    that is opened again, would put them on the task twice.
    """
    back = [e for e in found if e.claim.standing in _MAY_COME_BACK and _is_live(e)]
    stay = [e for e in found if e not in back and _is_live(e)] if back else []
    is_given_up = False
    for entry in sorted(back, key=lambda e: (e.claim.team_id is None, e.claim.pk)):
        other = next((e for e in stay if _people(e.claim) & _people(entry.claim)), None)
        if other is None:
            stay.append(entry)
            continue
        person = entry.claim.person or other.claim.person
        assert person is not None  # noqa: S101 (nobody is in two teams)
        at = max([entry.claim.standing_at, *(decision.at for decision in entry.decisions)])
        give_up([entry.claim], person=person.canonical or person, at=at, now=now)
        is_given_up = True
    return is_given_up


def _is_live(entry: Evidence) -> bool:
    return entry.derive(superseded_at=entry.superseded_at).state not in Claim.GONE


def _people(claim: Claim) -> set[int]:
    """Who is behind a claim now, by the account that counts."""
    if claim.person is not None:
        return {claim.person.whole_id}
    assert claim.team is not None  # noqa: S101 (a constraint says so)
    seats = (seat for seat in claim.team.members.all() if seat.accepted_at and not seat.left_at)
    return {seat.person.whole_id for seat in seats}


def hand_over(
    claim: Claim, *, person: Person | None = None, team: Team | None = None, reason: str, now: datetime
) -> None:
    """A claim becomes this claimant's; where they have one on the task, that one takes in what is known. The task is locked.

    What it was credited is taken back, and credited anew with the standing that the caller derives.
    """
    rewards.revoke_completion(task=claim.task, person=claim.person, team=claim.team, reason=reason, now=now)
    own = Claim.objects.filter(task=claim.task_id, person=person, team=team).first()
    if own is None:
        claim.person, claim.team = person, team
        claim.save(update_fields=["person", "team"])
        return
    claim.decisions.update(claim=own)
    known = Statement.objects.filter(claim=own).values("revision")
    claim.statements.exclude(revision__in=known).update(claim=own)
    if claim.table_standing:
        own.table_standing, own.table_pull_requests = claim.table_standing, claim.table_pull_requests
    own.created_at = min(own.created_at, claim.created_at)
    own.save(update_fields=["table_standing", "table_pull_requests", "created_at"])
    claim.delete()


def _is(person: Person, field: str) -> Q:
    whole = person.whole_id
    return Q(**{field: whole}) | Q(**{f"{field}__canonical": whole})
