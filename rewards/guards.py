"""Whether the ledger holds what it promises. Read-only; `manage.py check_ledger` says what is found."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db import connection
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum

from rewards import pools
from rewards.models import Completion, EventReward, LedgerEntry, Transaction
from rewards.unpaid import Unpaid, unpaid_in
from tasks_board.models import EventMark

# As rewards.0002_append_only makes them; on SQLite a table that a migration rebuilds loses its triggers.
TRIGGERS = {
    "postgresql": frozenset(
        {
            "rewards_transaction_refuses_change",
            "rewards_transaction_refuses_truncate",
            "rewards_transaction_balances",
            "rewards_ledgerentry_refuses_change",
            "rewards_ledgerentry_refuses_truncate",
            "rewards_ledgerentry_balances",
            "rewards_ledgerentry_keeps_to_its_pool",
            "rewards_account_keeps_its_owner",
            "rewards_pool_keeps_its_unit",
        }
    ),
    "sqlite": frozenset(
        {
            "rewards_transaction_refuses_update",
            "rewards_transaction_refuses_delete",
            "rewards_ledgerentry_refuses_update",
            "rewards_ledgerentry_refuses_delete",
            "rewards_ledgerentry_keeps_to_its_pool",
            "rewards_account_keeps_its_owner",
            "rewards_pool_keeps_its_unit",
        }
    ),
}
_TRIGGERS_IN_PLACE = {
    "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled IN ('O', 'A')",
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that does not hold: a stable code and a sentence."""

    code: str
    sentence: str


def problems() -> Iterator[Problem]:
    """Everything about the ledger that does not hold; nothing if all is well."""
    yield from _missing_triggers()
    yield from _unbalanced()
    yield from _reversals_that_do_not_mirror()
    yield from _awards_beside_their_completion()
    yield from _completions_without_award()


def _missing_triggers() -> Iterator[Problem]:
    with connection.cursor() as cursor:
        cursor.execute(_TRIGGERS_IN_PLACE[connection.vendor])
        in_place = {row[0] for row in cursor.fetchall()}
    for name in sorted(TRIGGERS[connection.vendor] - in_place):
        yield Problem(
            "trigger_missing", f"The database does not guard the ledger: trigger {name} is missing."
        )


def _unbalanced() -> Iterator[Problem]:
    sums = LedgerEntry.objects.values("transaction", "pool").annotate(steps=Sum("amount_steps"))
    for row in sums.exclude(steps=0).order_by("transaction", "pool"):
        yield Problem(
            "unbalanced",
            f"Transaction {row['transaction']} is off balance by {row['steps']} steps in pool {row['pool']}.",
        )
    thin = Transaction.objects.annotate(lines=Count("entries")).filter(lines__lt=2)
    for posted in thin.order_by("pk"):
        yield Problem("too_few_lines", f"Transaction {posted.pk} ({posted.key}) has fewer than two lines.")
    strayed = LedgerEntry.objects.exclude(pool=F("account__pool"))
    for entry in strayed.order_by("pk"):
        yield Problem("wrong_pool", f"Line {entry.pk} lies in another pool than its account.")


def _reversals_that_do_not_mirror() -> Iterator[Problem]:
    pairs: dict[tuple[int, int], int] = {}
    reversals = Transaction.objects.filter(kind=Transaction.Kind.REVERSAL)
    originals = Transaction.objects.filter(reversal__isnull=False)
    for original, account, steps in _lines(reversals, "transaction__reverses"):
        pairs[original, account] = pairs.get((original, account), 0) + steps
    for original, account, steps in _lines(originals, "transaction"):
        pairs[original, account] = pairs.get((original, account), 0) + steps
    for original in sorted({original for (original, _), rest in pairs.items() if rest}):
        yield Problem(
            "reversal_differs", f"The reversal of transaction {original} does not mirror its lines."
        )


def _lines(transactions: QuerySet[Transaction], of: str) -> Iterator[tuple[int, int, int]]:
    entries = LedgerEntry.objects.filter(transaction__in=transactions)
    yield from entries.values_list(of, "account", "amount_steps").iterator()


def _awards_beside_their_completion() -> Iterator[Problem]:
    awards = Transaction.objects.filter(kind=Transaction.Kind.AWARD)
    for award in awards.filter(reversal=None, completion__revoked_at__isnull=False).order_by("pk"):
        yield Problem(
            "award_outlives_completion",
            f"Award {award.pk} ({award.key}) still stands though its completion was revoked.",
        )
    yield from _awards_beside_the_marks(awards)
    theirs = Q(account__person=F("transaction__completion__person")) | Q(
        account__team=F("transaction__completion__team")
    )
    pools_own = Q(account__person=None, account__team=None)
    others = LedgerEntry.objects.filter(transaction__kind=Transaction.Kind.AWARD).exclude(theirs | pools_own)
    for entry in others.order_by("pk"):
        yield Problem(
            "award_to_another", f"Line {entry.pk} awards somebody else than who completed the task."
        )


def _awards_beside_the_marks(awards: QuerySet[Transaction]) -> Iterator[Problem]:
    """Whoever takes part unpaid has no award; whoever does not, and had one, has one that stands."""
    in_force = awards.filter(completion__revoked_at=None)
    for award in _of_unpaid(in_force.filter(reversal=None), is_unpaid=True):
        yield Problem(
            "award_to_unpaid", f"Award {award.pk} ({award.key}) stands though its claimant takes part unpaid."
        )
    again = awards.filter(
        completion=OuterRef("completion"), reversal=None, entries__pool=OuterRef("entries__pool")
    )
    for award in _of_unpaid(in_force.filter(~Exists(again), reversal__isnull=False), is_unpaid=False):
        yield Problem(
            "award_reversed_too_soon",
            f"Award {award.pk} ({award.key}) was reversed though its completion holds.",
        )


def _of_unpaid(awards: QuerySet[Transaction], *, is_unpaid: bool) -> list[Transaction]:
    """Those of the awards whose claimants take part unpaid, or those of all others."""
    marked = EventMark.objects.filter(kind=EventMark.Kind.UNPAID, lifted_at=None).values_list(
        "event", flat=True
    )
    marks = {event: unpaid_in(event) for event in set(marked)}
    some = awards.filter(completion__task__event__in=marks) if is_unpaid else awards
    return [
        award
        for award in some.distinct().order_by("pk")
        if award.completion is not None
        and marks.get(award.completion.task.event_id, Unpaid()).holds_for(award.completion) == is_unpaid
    ]


def _completions_without_award() -> Iterator[Problem]:
    rewards = EventReward.objects.active().select_related("pool").order_by("pk")
    for reward in rewards:
        waived = unpaid_in(reward.event_id)
        awarded = Transaction.objects.filter(
            completion=OuterRef("pk"), kind=Transaction.Kind.AWARD, entries__pool=reward.pool
        )
        unpaid = Completion.objects.active().filter(~Exists(awarded), task__event=reward.event_id)
        for completion in unpaid.select_related("task", "person", "team").order_by("pk"):
            if not waived.holds_for(completion) and pools.award_of(completion, reward):
                yield Problem(
                    "award_missing",
                    f"Completion {completion.pk} (task {completion.task.number} by {completion.claimant}) "
                    f"has no award from {reward.pool}. Run `manage.py check_ledger --post-missing`.",
                )
