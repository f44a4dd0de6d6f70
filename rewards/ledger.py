"""The double-entry ledger: transactions that balance, are posted once per key, and are only ever reversed.

A balance is the sum of an account's lines: nothing beside the lines is stored, so nothing can differ from them,
and posting locks no row that others need.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction

from portal.models import Person
from rewards.models import Account, Completion, LedgerEntry, Pool, Transaction
from tasks_board.models import Team


class UnbalancedTransaction(ValueError):
    """The lines do not make a transaction: fewer than two, an empty one, an account twice, or a sum that is not zero."""


class KeyAlreadyPosted(ValueError):
    """The key was posted before with other lines."""


class NotReversible(ValueError):
    """A reversal is not reversed: what was taken back is posted anew instead."""


@dataclass(frozen=True, slots=True)
class Line:
    """So many steps into an account, or out of it when negative."""

    account: Account
    amount_steps: int


def account_of(*, pool: Pool, person: Person | None = None, team: Team | None = None) -> Account:
    """The account of a person or team in a pool, opened on first use; of the pool itself when neither is named."""
    account, _ = Account.objects.get_or_create(pool=pool, person=person, team=team)
    return account


@transaction.atomic
def post(
    *,
    kind: Transaction.Kind,
    key: str,
    lines: Sequence[Line],
    at: datetime,
    now: datetime,
    completion: Completion | None = None,
    reverses: Transaction | None = None,
    memo: str = "",
) -> Transaction:
    """Post a balanced transaction. What was posted under this key with the same lines is returned as it stands.

    Raises UnbalancedTransaction, and KeyAlreadyPosted if the key stands for something else.
    """
    _check_balance(lines)
    posted = Transaction.objects.filter(key=key).first()
    if posted is None:
        header = Transaction(
            key=key, kind=kind, completion=completion, reverses=reverses, at=at, created_at=now, memo=memo
        )
        try:
            with transaction.atomic():
                return _write(header, lines)
        except IntegrityError:
            # Somebody posted it since we looked: their transaction is committed, or ours would still wait.
            posted = Transaction.objects.filter(key=key).first()
            if posted is None:
                raise
    if posted.kind != kind or not _has_lines(posted, lines):
        raise KeyAlreadyPosted(key)
    return posted


@transaction.atomic
def reverse(*, posted: Transaction, at: datetime, now: datetime, memo: str = "") -> Transaction:
    """Take a transaction back by its mirror image. Reversed before: the reversal that stands.

    Raises NotReversible for a reversal.
    """
    if posted.kind == Transaction.Kind.REVERSAL:
        raise NotReversible(posted.key)
    entries = posted.entries.select_related("account").order_by("account_id")
    return post(
        kind=Transaction.Kind.REVERSAL,
        key=f"reversal:{posted.pk}",
        lines=[Line(account=entry.account, amount_steps=-entry.amount_steps) for entry in entries],
        at=at,
        now=now,
        completion=posted.completion,
        reverses=posted,
        memo=memo,
    )


def _check_balance(lines: Sequence[Line]) -> None:
    accounts = {line.account.pk for line in lines}
    sums: Counter[int] = Counter()
    for line in lines:
        sums[line.account.pool_id] += line.amount_steps
    is_sound = len(lines) >= 2 and len(accounts) == len(lines) and all(line.amount_steps for line in lines)
    if not is_sound or any(sums.values()):
        raise UnbalancedTransaction([(line.account.pk, line.amount_steps) for line in lines])


def _write(header: Transaction, lines: Sequence[Line]) -> Transaction:
    header.save(force_insert=True)
    LedgerEntry.objects.bulk_create(
        LedgerEntry(
            transaction=header,
            account=line.account,
            pool_id=line.account.pool_id,
            amount_steps=line.amount_steps,
        )
        for line in sorted(lines, key=lambda line: line.account.pk)
    )
    return header


def _has_lines(posted: Transaction, lines: Sequence[Line]) -> bool:
    stored = dict(posted.entries.values_list("account_id", "amount_steps"))
    return stored == {line.account.pk: line.amount_steps for line in lines}
