"""Pools are made, and events are given what they pay from them."""

from datetime import datetime
from decimal import Decimal

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from portal import audit
from portal.common.errors import DomainError
from portal.models import Person
from rewards import ledger, rules
from rewards.models import Completion, EventReward, Pool
from tasks_board.models import Event

DEFAULT_SCALES = {Pool.Unit.STAR: 1_000, Pool.Unit.POINT: 1_000, Pool.Unit.CURRENCY: 100}


def create_pool(
    *,
    name: str,
    unit: Pool.Unit,
    acting_user: Person | None,
    now: datetime,
    currency: str = "",
    scale: int | None = None,
    budget: Decimal | None = None,
) -> Pool:
    """Make a pool. Stars and points are divided into thousandths and money into hundredths unless `scale` says else.

    Raises DomainError: pool_name_taken, pool_without_name, pool_scale_unknown, currency_missing, currency_unneeded,
    amount_not_in_steps.
    """
    pool = _new_pool(name=name, unit=Pool.Unit(unit), currency=currency, scale=scale, budget=budget, now=now)
    try:
        with transaction.atomic():
            pool.save(force_insert=True)
            ledger.account_of(pool=pool)
            audit.record(
                "rewards.pool_created",
                actor=acting_user,
                target=pool,
                now=now,
                data={"name": pool.name, "unit": pool.unit, "currency": pool.currency, "scale": pool.scale},
            )
    except IntegrityError as error:
        if not Pool.objects.filter(name__iexact=pool.name).exists():
            raise
        raise DomainError(
            "pool_name_taken", _("There is a pool of this name already. Choose another name."), name=pool.name
        ) from error
    return pool


def get_or_create_pool(
    *,
    name: str,
    unit: Pool.Unit,
    acting_user: Person | None,
    now: datetime,
    currency: str = "",
    scale: int | None = None,
) -> Pool:
    """The pool of this name that events share, made on first use.

    Raises DomainError: pool_differs if it stands with another unit, and what `create_pool` raises.
    """
    pool = Pool.objects.filter(name__iexact=name.strip()).first()
    if pool is None:
        try:
            return create_pool(
                name=name, unit=unit, currency=currency, scale=scale, acting_user=acting_user, now=now
            )
        except DomainError as error:
            pool = Pool.objects.filter(name__iexact=name.strip()).first()
            if error.code != "pool_name_taken" or pool is None:
                raise
    if (pool.unit, pool.currency) != (unit, currency) or scale not in (None, pool.scale):
        raise DomainError(
            "pool_differs",
            _("The pool of this name counts in another unit. Choose another name, or that unit."),
            name=pool.name,
            unit=pool.unit,
        )
    return pool


@transaction.atomic
def change_event_reward(
    *,
    event: Event,
    pool: Pool,
    per: EventReward.Per,
    amount: Decimal,
    partly_percent: int,
    acting_user: Person | None,
    now: datetime,
) -> EventReward:
    """End what the event paid from the pool and begin the new rule; the same rule again changes nothing.

    Raises DomainError: amount_not_in_steps, reward_not_in_steps.
    """
    rule = _checked_rule(pool, EventReward.Per(per), amount, partly_percent)
    Event.objects.select_for_update(no_key=True).get(pk=event.pk)
    standing = EventReward.objects.filter(event=event, pool=pool, ended_at=None).first()
    if standing is not None:
        if rule_of(standing) == rule:
            return standing
        standing.ended_at = now
        standing.save(update_fields=["ended_at"])
    reward = EventReward.objects.create(
        event=event,
        pool=pool,
        per=rule.per.value,
        amount_steps=rule.amount_steps,
        partly_percent=rule.partly_percent,
        set_by=acting_user,
        started_at=now,
    )
    audit.record(
        "rewards.event_reward_set",
        actor=acting_user,
        target=reward,
        event_id=event.pk,
        now=now,
        data={
            "pool": pool.pk,
            "per": reward.per,
            "amount": str(rules.from_steps(reward.amount_steps, scale=pool.scale)),
            "partly_percent": reward.partly_percent,
        },
    )
    return reward


def rule_of(reward: EventReward) -> rules.RewardRule:
    """The pure rule that an event's reward stands for."""
    return rules.RewardRule(
        per=rules.Per(reward.per), amount_steps=reward.amount_steps, partly_percent=reward.partly_percent
    )


def _new_pool(
    *, name: str, unit: Pool.Unit, currency: str, scale: int | None, budget: Decimal | None, now: datetime
) -> Pool:
    scale = DEFAULT_SCALES[unit] if scale is None else scale
    if not name.strip():
        raise DomainError("pool_without_name", _("A pool needs a name."))
    if scale not in rules.SCALES:
        raise DomainError(
            "pool_scale_unknown", _("A unit is divided into 1, 10, 100 … 1,000,000 steps."), scale=scale
        )
    if unit == Pool.Unit.CURRENCY and not currency:
        raise DomainError("currency_missing", _("A pool of money names its currency, such as CNY."))
    if unit != Pool.Unit.CURRENCY and currency:
        raise DomainError("currency_unneeded", _("Only a pool of money has a currency."))
    return Pool(
        name=name.strip(),
        unit=unit,
        currency=currency,
        scale=scale,
        budget_steps=None if budget is None else _steps(budget, scale),
        created_at=now,
    )


def _steps(amount: Decimal, scale: int) -> int:
    try:
        steps = rules.to_steps(amount, scale=scale)
    except rules.NotWholeSteps as error:
        raise _not_in_steps(amount, scale) from error
    if steps < 0:
        raise _not_in_steps(amount, scale)
    return steps


def _not_in_steps(amount: Decimal, scale: int) -> DomainError:
    return DomainError(
        "amount_not_in_steps",
        _("This amount cannot be paid exactly from the pool: it is negative, too large or too fine."),
        amount=str(amount),
        scale=scale,
    )


def _checked_rule(pool: Pool, per: EventReward.Per, amount: Decimal, partly_percent: int) -> rules.RewardRule:
    steps = _steps(amount, pool.scale)
    try:
        return rules.RewardRule(per=rules.Per(per), amount_steps=steps, partly_percent=partly_percent)
    except rules.NotWholeSteps as error:
        raise DomainError(
            "reward_not_in_steps",
            _(
                "By this rule some task would earn less than the pool's smallest step. "
                "Choose a rounder amount or percentage, or a pool with finer steps."
            ),
            amount=str(amount),
            scale=pool.scale,
            partly_percent=partly_percent,
        ) from error


def award_of(completion: Completion, reward: EventReward) -> int:
    """The steps that a completion earns by a reward of its event, after its split."""
    return rules.award_steps(
        rule_of(reward),
        star_steps=completion.task.star_steps,
        degree=rules.Degree(completion.degree),
        split=completion.split,
    )
