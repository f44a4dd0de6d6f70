"""Time limits: renewed by claimants, extended by mentors, reminded of and enforced by the rules, each as a dated decision."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from claims import deadlines, evidence
from claims.models import Claim, Decision
from claims.operations import answering, standings
from claims.operations.deciding import check_may_decide
from claims.operations.decisions import record_decision
from portal import locks
from portal.common.errors import DomainError, NotAllowed
from portal.models import Person
from tasks_board.models import Event, Task
from tasks_board.operations.teams import team_of
from tasks_board.rules import EventRules


@transaction.atomic
def renew_claim(*, claim: Claim, acting_user: Person, key: str, now: datetime) -> Claim:
    """Begin the claim's time anew, by the claimant or a member of the team, as often as the event allows.

    Raises NotAllowed (not_yours), DomainError (no_deadline, no_renewal_left), LockBusy.
    """
    _check_is_theirs(claim, acting_user)
    task = _lock(claim)
    if not Decision.objects.filter(key=key).exists():
        _check_may_renew(claim, task)
    record_decision(
        claim=claim,
        kind=Decision.Kind.RENEWED,
        at=now,
        decided_by=acting_user,
        source=Decision.Source.WEB,
        key=key,
        now=now,
    )
    return _settled(claim, task, now)


@transaction.atomic
def renew_own_claim(*, task: Task, acting_user: Person, key: str, now: datetime) -> Claim:
    """Begin the time of the person's claim on a task anew, or of their team's.

    Raises DomainError (nothing_to_renew, no_deadline, no_renewal_left), LockBusy.
    """
    whole = acting_user.whole_id
    own = Q(person=whole) | Q(person__canonical=whole)
    team = team_of(task.event, acting_user)
    if team is not None:
        own |= Q(team=team)
    claims = Claim.objects.filter(own, task=task, shown=True).select_related("task__event", "person", "team")
    claim = claims.order_by(F("due_at").asc(nulls_last=True), "pk").first()
    if claim is None:
        raise DomainError("nothing_to_renew", _("You have no claim on this task."))
    return renew_claim(claim=claim, acting_user=acting_user, key=key, now=now)


@transaction.atomic
def extend_claim(
    *, claim: Claim, until: datetime, acting_user: Person, key: str, now: datetime, note: str = ""
) -> Claim:
    """Give a claimant time until that moment, by a mentor.

    Raises NotAllowed, DomainError (in_the_past, nothing_under_way), LockBusy.
    """
    check_may_decide(claim, acting_user)
    if until <= now:
        raise DomainError("in_the_past", _("Choose a time that lies ahead."))
    task = _lock(claim)
    claim.refresh_from_db(fields=["standing"])
    if claim.standing not in deadlines.ON_ITS_WAY and not Decision.objects.filter(key=key).exists():
        raise DomainError("nothing_under_way", _("Nothing is under way here that could get more time."))
    record_decision(
        claim=claim,
        kind=Decision.Kind.EXTENDED,
        at=now,
        decided_by=acting_user,
        source=Decision.Source.WEB,
        key=key,
        note=note,
        until=until,
        now=now,
    )
    return _settled(claim, task, now)


def list_due(now: datetime) -> list[Claim]:
    """The claims of running events that have to be reminded now, or have run out."""
    claims = _with_end().filter(task__event__status=Event.Status.RUNNING)
    return [claim for claim in claims if next_step(claim, now) is not None]


@transaction.atomic
def settle_deadline(*, claim: Claim, now: datetime) -> Decision.Kind | None:
    """Remind the claimant, or end the claim, if that is due by all that is known now. Raises LockBusy."""
    task = _lock(claim)
    standings.recompute_task(task=task, now=now)
    fresh = _with_end().filter(pk=claim.pk).first()
    kind = next_step(fresh, now) if fresh is not None else None
    if fresh is None or fresh.due_at is None or kind is None:
        return None
    record_decision(
        claim=fresh,
        kind=kind,
        at=now,
        decided_by=None,
        source=Decision.Source.RULES,
        key=f"rules:{fresh.pk}:{kind.value}:{fresh.due_at.isoformat()}",
        until=fresh.due_at,
        now=now,
    )
    standings.recompute_task(task=task, now=now)
    if kind is Decision.Kind.REMINDED:  # which changes no standing
        answering.bring_news(Claim.objects.get(pk=fresh.pk), now)
    return kind


def next_step(claim: Claim, now: datetime) -> Decision.Kind | None:
    """What the rules have to decide about the claim's time: nothing, a reminder, the end. Nobody's ends unreminded."""
    rules = claim.task.event.rule_set
    if claim.due_at is None or now < deadlines.reminds_from(rules, claim.due_at):
        return None
    reminded = _reminded_at(claim.decisions.all(), claim.due_at)
    if reminded is None:
        return Decision.Kind.REMINDED
    is_over = now >= deadlines.expires_at(rules, claim.due_at, reminded)
    return Decision.Kind.EXPIRED if is_over else None


def _reminded_at(decisions: Iterable[Decision], due_at: datetime) -> datetime | None:
    times = [d.at for d in decisions if d.kind == Decision.Kind.REMINDED and d.until == due_at]
    return min(times, default=None)


def _with_end() -> QuerySet[Claim]:
    claims = Claim.objects.filter(due_at__isnull=False, shown=True)
    return (
        claims.select_related("task__event")
        .prefetch_related("decisions")
        .order_by("task__event_id", "task_id", "pk")
    )


def _check_is_theirs(claim: Claim, person: Person) -> None:
    if claim.person is not None:
        is_theirs = claim.person.whole_id == person.whole_id
    else:
        is_theirs = team_of(claim.task.event, person) == claim.team
    if not is_theirs:
        raise NotAllowed("not_yours", _("Only the claimant may do that."))


def _check_may_renew(claim: Claim, task: Task) -> None:
    claim.refresh_from_db(fields=["due_at", "turn"])
    rules: EventRules = task.event.rule_set
    if claim.due_at is None:
        raise DomainError("no_deadline", _("No time is running for this claim."))
    [entry] = [
        entry for entry in evidence.gather([task], {task.pk: set()})[task.pk] if entry.claim.pk == claim.pk
    ]
    if entry.clock(rules, turn=claim.turn).renewed >= rules.renewals:
        raise DomainError("no_renewal_left", _("The time was begun anew already. Ask a mentor for more."))


def _lock(claim: Claim) -> Task:
    return locks.lock_rows(Task.objects.filter(pk=claim.task_id).select_related("event"))[0]


def _settled(claim: Claim, task: Task, now: datetime) -> Claim:
    standings.recompute_task(task=task, now=now)
    claim.refresh_from_db()
    return claim
