"""What people ask about rewards: an event's figures, what somebody earned and why."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from portal.models import Person
from rewards import rules
from rewards.models import Completion, EventReward, LedgerEntry, Pool, Transaction
from tasks_board.models import Event
from tasks_board.queries import list_visible_events

OF_A_BENEFICIARY = Q(account__person__isnull=False) | Q(account__team__isnull=False)


@dataclass(frozen=True, slots=True)
class PoolAmount:
    """An amount in a pool's unit."""

    pool: Pool
    amount: Decimal


@dataclass(frozen=True, slots=True)
class EventFigures:
    """How far an event has come. `people` counts two accounts of one person once; a team is not taken apart."""

    completions: int
    partly: int
    tasks: int
    people: int
    teams: int
    paid: tuple[PoolAmount, ...]


@dataclass(frozen=True, slots=True)
class EarnedLine:
    """One line of what somebody earned: how much, when, and for what; a taken back one is negative and says why."""

    at: datetime
    amount: Decimal
    kind: Transaction.Kind
    memo: str
    completion: Completion | None

    @property
    def is_reversal(self) -> bool:
        """Whether the line takes back an earlier one."""
        return self.kind == Transaction.Kind.REVERSAL


@dataclass(frozen=True, slots=True)
class PersonTotal:
    """What a person holds in a pool, and the lines that add up to it, the newest first."""

    pool: Pool
    amount: Decimal
    lines: tuple[EarnedLine, ...]


def event_figures(*, event: Event) -> EventFigures:
    """How much has been completed in an event, by how many, and what was paid for it, pool by pool."""
    counts = (
        Completion.objects.active()
        .filter(task__event=event)
        .aggregate(
            completions=Count("pk"),
            partly=Count("pk", filter=Q(degree=Completion.Degree.PARTLY)),
            tasks=Count("task", distinct=True),
            people=Count(Coalesce("person__canonical", "person"), distinct=True),
            teams=Count("team", distinct=True),
        )
    )
    lines = LedgerEntry.objects.filter(OF_A_BENEFICIARY, transaction__completion__task__event=event)
    return EventFigures(**counts, paid=_amounts_by_pool(lines))


def _seen_by(viewer: Person | None) -> Q:
    """The lines that this reader may see: those of other people's drafts are nobody else's business."""
    completion = "transaction__completion"
    return Q(**{completion: None}) | Q(
        **{f"{completion}__task__event__in": list_visible_events(viewer=viewer)}
    )


def person_totals(*, person: Person, viewer: Person | None) -> list[PersonTotal]:
    """What a person earned with all their accounts in events that the reader may see, pool by pool, with the lines."""
    entries = (
        LedgerEntry.objects.filter(_seen_by(viewer), account__person__in=_accounts_of(person))
        .select_related("pool", "transaction__completion__task__event")
        .order_by("pool__name", "pool_id", "-transaction__created_at", "-pk")
    )
    by_pool: dict[Pool, list[LedgerEntry]] = {}
    for entry in entries:
        by_pool.setdefault(entry.pool, []).append(entry)
    return [_total(pool, entries) for pool, entries in by_pool.items()]


def totals_by_person(
    people: Iterable[Person], *, viewer: Person | None
) -> Mapping[int, Sequence[PoolAmount]]:
    """What each of these people earned with all their accounts in events that the reader may see. Two queries."""
    whose = Coalesce("account__person__canonical", "account__person")
    lines = LedgerEntry.objects.filter(_seen_by(viewer), account__person__isnull=False).annotate(whose=whose)
    sums = (
        lines.filter(whose__in=[person.pk for person in people])
        .values("whose", "pool")
        .annotate(steps=Sum("amount_steps"))
        .order_by("pool__name", "pool")
    )
    pools = Pool.objects.in_bulk([row["pool"] for row in sums])
    found: dict[int, list[PoolAmount]] = {}
    for row in sums:
        amount = rules.from_steps(int(row["steps"]), scale=pools[row["pool"]].scale)
        found.setdefault(row["whose"], []).append(PoolAmount(pools[row["pool"]], amount))
    return found


def list_event_rewards(*, event: Event) -> QuerySet[EventReward]:
    """What the event pays now, with the pools, the leading one first."""
    return EventReward.objects.active().filter(event=event).select_related("pool").order_by("pool_id")


def find_leading_pool(*, event: Event) -> Pool | None:
    """The pool whose unit an event ranks by: the oldest that it pays from."""
    reward = list_event_rewards(event=event).first()
    return reward.pool if reward else None


def _accounts_of(person: Person) -> QuerySet[Person]:
    canonical = person.whole_id
    return Person.objects.filter(Q(pk=canonical) | Q(canonical=canonical))


def _amounts_by_pool(lines: QuerySet[LedgerEntry]) -> tuple[PoolAmount, ...]:
    sums = lines.values("pool").annotate(steps=Sum("amount_steps")).order_by("pool")
    steps = {row["pool"]: int(row["steps"]) for row in sums}
    pools = Pool.objects.in_bulk(list(steps))
    return tuple(
        PoolAmount(pool=pools[pk], amount=rules.from_steps(total, scale=pools[pk].scale))
        for pk, total in steps.items()
    )


def _total(pool: Pool, entries: list[LedgerEntry]) -> PersonTotal:
    return PersonTotal(
        pool=pool,
        amount=rules.from_steps(sum(entry.amount_steps for entry in entries), scale=pool.scale),
        lines=tuple(
            EarnedLine(
                at=entry.transaction.at,
                amount=rules.from_steps(entry.amount_steps, scale=pool.scale),
                kind=Transaction.Kind(entry.transaction.kind),
                memo=entry.transaction.memo,
                completion=entry.transaction.completion,
            )
            for entry in entries
        ),
    )
