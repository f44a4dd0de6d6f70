"""What is done with rewards: completions recorded and revoked, with their awards in the same transaction.

`claims` calls the first two in the transaction in which a standing changes; nothing else writes completions.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, QuerySet

from portal import audit
from portal.models import Person
from rewards import ledger, pools
from rewards.models import Completion, EventReward, Pool, Transaction
from rewards.rules import ALONE, Split
from rewards.unpaid import Unpaid, unpaid_in
from tasks_board.models import Event, Task, Team

create_pool = pools.create_pool
get_or_create_pool = pools.get_or_create_pool


@transaction.atomic
def record_completion(
    *,
    task: Task,
    degree: Completion.Degree,
    completed_at: datetime,
    evidence: Mapping[str, Any],
    acting_user: Person | None,
    now: datetime,
    person: Person | None = None,
    team: Team | None = None,
    split: Split = ALONE,
) -> Completion:
    """Record that a person or team completed a task, and post what it earns from each of the event's pools.

    While a completion to the same degree and by the same `split` holds, it is returned as it stands; another one is
    revoked first. Who takes part unpaid earns nothing.
    Raises ValueError unless exactly one of person and team is named.
    """
    _check_claimant(person, team)
    locked = _lock(task)
    standing = Completion.objects.active().filter(task=locked, person=person, team=team).first()
    if standing is not None:
        if standing.degree == degree and standing.split == split:
            return standing
        reason = "degree_changed" if standing.degree != degree else "split_changed"
        _revoke(standing, reason=reason, now=now)
    earlier = Completion.objects.filter(task=locked, person=person, team=team)
    completion = Completion.objects.create(
        task=locked,
        person=person,
        team=team,
        degree=Completion.Degree(degree),
        completed_at=completed_at,
        share_points=split.share,
        evidence={**evidence, **_told(split)},
        sequence=(earlier.aggregate(last=Max("sequence"))["last"] or 0) + 1,
        recorded_by=acting_user,
        recorded_at=now,
    )
    audit.record(
        "rewards.completion_recorded",
        actor=acting_user,
        target=completion,
        event_id=locked.event_id,
        now=now,
        data={"task": locked.pk, "degree": completion.degree, **_claimant_ids(completion)},
    )
    _award(completion, _active_rewards(locked.event_id), unpaid_in(locked.event_id), now=now)
    return completion


def _told(split: Split) -> dict[str, Any]:
    return {} if split == ALONE else {"split": {"points": list(split.points), "place": split.place}}


@transaction.atomic
def revoke_completion(
    *,
    task: Task,
    reason: str,
    now: datetime,
    person: Person | None = None,
    team: Team | None = None,
) -> Completion | None:
    """Take back that a person or team completed a task, and reverse what it earned. None if nothing held.

    Raises ValueError unless exactly one of person and team is named.
    """
    _check_claimant(person, team)
    locked = _lock(task)
    standing = Completion.objects.active().filter(task=locked, person=person, team=team).first()
    if standing is None:
        return None
    return _revoke(standing, reason=reason, now=now)


@transaction.atomic
def set_event_reward(
    *,
    event: Event,
    pool: Pool,
    per: EventReward.Per,
    amount: Decimal,
    acting_user: Person | None,
    now: datetime,
    partly_percent: int = 0,
) -> EventReward:
    """Settle what a completion in the event earns from the pool: `amount` units per task, or per star of the task.

    A task done in part earns `partly_percent` of it. What was awarded before stays as it is; completions that hold
    and have no award from this pool yet get theirs by the new rule.
    Raises DomainError: amount_not_in_steps, reward_not_in_steps.
    """
    reward = pools.change_event_reward(
        event=event,
        pool=pool,
        per=per,
        amount=amount,
        partly_percent=partly_percent,
        acting_user=acting_user,
        now=now,
    )
    award_outstanding(event=event, now=now)
    return reward


@transaction.atomic
def award_outstanding(*, event: Event, now: datetime, tasks: Collection[Task] | None = None) -> int:
    """Post the awards that the event's completions lack, or those of these tasks, and say how many. Again: none.

    What those were awarded who take part unpaid now is reversed; whoever does no longer gets it anew.
    """
    rewards, unpaid = _active_rewards(event.pk), unpaid_in(event.pk)
    which = Task.objects.filter(event=event)
    if tasks is not None:
        which = which.filter(pk__in=[task.pk for task in tasks])
    # All of them, in one order: who is recording or revoking just now finishes first and is seen; who comes next reads
    # the rewards as they are then. So no completion slips through between a rule and its awards.
    list(which.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    completions = Completion.objects.active().filter(task__in=which)
    return sum(
        _award(completion, rewards, unpaid, now=now)
        for completion in completions.select_related("task", "person", "team").order_by("pk")
    )


def _check_claimant(person: Person | None, team: Team | None) -> None:
    if (person is None) == (team is None):
        raise ValueError("A completion is by a person or by a team.")


def _lock(task: Task) -> Task:
    """The task as it is now; everything that is recorded about it waits until this transaction ends."""
    return Task.objects.select_for_update(no_key=True).get(pk=task.pk)


def _active_rewards(event_id: int) -> list[EventReward]:
    return list(
        EventReward.objects.active().filter(event=event_id).select_related("pool").order_by("pool_id")
    )


def _award(completion: Completion, rewards: list[EventReward], unpaid: Unpaid, *, now: datetime) -> int:
    """Post what the completion earns and has not been awarded yet, or was before and then reversed."""
    awards = Transaction.objects.filter(completion=completion, kind=Transaction.Kind.AWARD)
    if unpaid.holds_for(completion):
        _reverse(awards, memo="unpaid", now=now)
        return 0
    earlier: Counter[int] = Counter()
    standing = set()
    for pool_id, is_reversed in awards.filter(entries__amount_steps__gt=0).values_list(
        "entries__pool", Exists(Transaction.objects.filter(reverses=OuterRef("pk")))
    ):
        earlier[pool_id] += 1
        if not is_reversed:
            standing.add(pool_id)
    posted = 0
    for reward in rewards:
        steps = pools.award_of(completion, reward)
        if steps == 0 or reward.pool_id in standing:
            continue
        again = f":{earlier[reward.pool_id]}" if earlier[reward.pool_id] else ""
        beneficiary = ledger.account_of(pool=reward.pool, person=completion.person, team=completion.team)
        ledger.post(
            kind=Transaction.Kind.AWARD,
            key=f"award:{completion.pk}:{reward.pool_id}{again}",
            lines=[
                ledger.Line(account=ledger.account_of(pool=reward.pool), amount_steps=-steps),
                ledger.Line(account=beneficiary, amount_steps=steps),
            ],
            at=completion.completed_at,
            now=now,
            completion=completion,
        )
        posted += 1
    return posted


def _revoke(completion: Completion, *, reason: str, now: datetime) -> Completion:
    completion.revoked_at, completion.revoked_reason = now, reason
    completion.save(update_fields=["revoked_at", "revoked_reason"])
    audit.record(
        "rewards.completion_revoked",
        actor=None,
        target=completion,
        event_id=completion.task.event_id,
        now=now,
        data={"task": completion.task_id, "reason": reason, **_claimant_ids(completion)},
    )
    awards = Transaction.objects.filter(completion=completion, kind=Transaction.Kind.AWARD)
    _reverse(awards, memo=reason, now=now)
    return completion


def _reverse(awards: "QuerySet[Transaction]", *, memo: str, now: datetime) -> None:
    for award in awards.filter(reversal=None).select_related("completion").order_by("pk"):
        ledger.reverse(posted=award, at=now, now=now, memo=memo)


def _claimant_ids(completion: Completion) -> dict[str, int | None]:
    return {"person": completion.person_id, "team": completion.team_id}
