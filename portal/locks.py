"""Row locks: taken in one order, waited for briefly, and only inside a transaction."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.db import OperationalError, connection, models, transaction
from django.utils.translation import gettext_lazy as _

from portal.common import transactions
from portal.common.errors import DomainError

LONGEST_WAIT = "3s"
# https://www.postgresql.org/docs/current/errcodes-appendix.html: lock_not_available, deadlock_detected
BUSY_CODES = {"55P03", "40P01"}

ModelT = TypeVar("ModelT", bound=models.Model)


class LockBusy(DomainError):
    """Somebody else is changing the same thing, and did not finish in time."""

    def __init__(self) -> None:
        super().__init__(
            "lock_busy", _("Somebody else is changing this at the moment. Try again in a few seconds.")
        )


def lock_rows(rows: "models.QuerySet[ModelT]") -> list[ModelT]:
    """Lock these rows in the order of their keys, until the transaction ends, and return them fresh.

    SQLite needs no row locks: its transactions begin IMMEDIATE, one writer at a time. Raises LockBusy.
    """
    if not transactions.is_open():
        raise transaction.TransactionManagementError("lock_rows must stand inside a transaction.")
    with _patience():
        return list(rows.order_by("pk").select_for_update(of=("self",), no_key=True))


def try_lock_rows(rows: "models.QuerySet[ModelT]") -> list[ModelT]:
    """Lock those of these rows that nobody else holds, without waiting, so that any order is allowed; returns them fresh."""
    if not transactions.is_open():
        raise transaction.TransactionManagementError("try_lock_rows must stand inside a transaction.")
    skip = connection.features.has_select_for_update_skip_locked
    return list(rows.order_by("pk").select_for_update(skip_locked=skip, of=("self",), no_key=True))


@contextmanager
def _patience() -> Iterator[None]:
    """Wait for locks three seconds at most (PostgreSQL), only here and not for the rest of the transaction."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = %s", [LONGEST_WAIT])
    try:
        yield
    except OperationalError as error:
        if getattr(error.__cause__, "pgcode", None) in BUSY_CODES:
            raise LockBusy from error
        raise
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout TO DEFAULT")
