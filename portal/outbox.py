"""What goes to GitHub: rows written in the transaction that wants them, sent after it commits.

`enqueue` is for operations; `drain_one` and `sweep` for jobs. The effect of each kind is found through the routes
module named in settings. The network call stands between two short transactions, never inside one.
Sending is at least once: a worker may die between the call and its record. An effect must therefore be able to see in
`plan` or `perform` that its work is done already (our comments carry a mark, a table is written only if it differs).
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Protocol, TypeVar, runtime_checkable

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Value

from portal import audit
from portal.common import backoff, wake
from portal.github import connect, routing
from portal.github.errors import GitHubRefused, GitHubUnavailable, TokenMissing
from portal.github.gateway import Gateway
from portal.models import OutboxHold, OutboxMessage, Person

logger = logging.getLogger(__name__)

DRAIN_JOB = "portal.jobs.drain_outbox_message"
LEASE = timedelta(
    seconds=330
)  # longer than a job may run (CELERY_TASK_TIME_LIMIT), so two never send the same key
FIRST_RETRY = timedelta(seconds=5)
LONGEST_COUNTDOWN = timedelta(minutes=1)  # what is due later is left to the sweep

BAD_TOKEN = 401

PlanT = TypeVar("PlanT")
OutcomeT = TypeVar("OutcomeT")
GatewayFactory = Callable[[], Gateway]


class Postpone(Exception):
    """Not now: the message is due again at `due_at`. Raised by `plan` or `perform`, or returned by `plan`."""

    def __init__(self, due_at: datetime) -> None:
        super().__init__(due_at)
        self.due_at = due_at


class Effect(Protocol[PlanT, OutcomeT]):
    """How messages of one kind are carried out, in three steps."""

    def plan(self, payload: dict[str, Any], now: datetime) -> PlanT | Postpone | None:
        """Read from the database what is to be done, in a short transaction. None: nothing is left to do."""

    def perform(self, plan: PlanT, gateway: Gateway) -> OutcomeT:
        """Talk to GitHub, outside any transaction."""

    def record(self, plan: PlanT, outcome: OutcomeT, now: datetime) -> None:
        """Write down what happened, in the transaction that deletes the message."""


@runtime_checkable
class NoticesRefusal(Protocol):
    """An effect that has something to say to people where GitHub refuses it for good."""

    def note_refusal(self, payload: dict[str, Any], error: GitHubRefused, now: datetime) -> None:
        """In the transaction that marks the message as refused."""


class Drained(StrEnum):
    """What became of a message."""

    SENT = "sent"
    NOTHING_TO_DO = "nothing_to_do"
    NOT_DUE = "not_due"  # gone, taken by another worker, refused, or not yet due
    POSTPONED = "postponed"
    WILL_RETRY = "will_retry"
    REFUSED = "refused"


@transaction.atomic
def enqueue(
    kind: str,
    *,
    key: str,
    now: datetime,
    payload: dict[str, Any] | None = None,
    not_before: datetime | None = None,
) -> OutboxMessage:
    """Ask for something to be done at GitHub after this transaction commits.

    One row per kind and key: the newest payload wins. A waiting row keeps the earlier of the two times, a row that
    failed keeps its pause, and one that was refused gets a new chance.
    """
    wanted = max(not_before, now) if not_before else now
    new = {"payload": payload or {}, "created_at": now, "due_at": wanted}
    message, created = OutboxMessage.objects.select_for_update().get_or_create(
        kind=kind, key=key, defaults=new
    )
    if not created:
        _renew(message, payload or {}, wanted, now)
    _wake(message, now)
    return message


def _renew(message: OutboxMessage, payload: dict[str, Any], wanted: datetime, now: datetime) -> None:
    """Give a waiting row its new payload, and the time that is right for its situation."""
    is_taken = message.taken_until is not None and message.taken_until > now
    if message.refused_at is not None:
        message.refused_at, message.attempts, message.last_error = None, 0, ""
        message.due_at = wanted
    elif is_taken:  # what is on its way is the old version: the new one is due in its own right
        message.due_at = wanted
    elif not message.attempts:
        message.due_at = min(message.due_at, wanted)
    message.payload, message.version = payload, message.version + 1
    message.save(update_fields=["payload", "version", "due_at", "refused_at", "attempts", "last_error"])


def _wake(message: OutboxMessage, now: datetime) -> None:
    countdown = max(message.due_at - now, timedelta(0))
    if countdown <= LONGEST_COUNTDOWN:
        wake.on_commit(DRAIN_JOB, countdown=countdown.total_seconds(), message_pk=message.pk)


def drain_one(message_pk: int, gateway_factory: GatewayFactory, now: datetime) -> Drained:
    """Carry out one message if it is due and nobody else holds it: take it, plan, call GitHub, record.

    What GitHub cannot do now waits, longer each time or as long as GitHub said; what GitHub refuses stays, marked, for
    the admin; any other error is logged, noted and tried again.
    """
    message = _take(message_pk, now)
    if message is None:
        return Drained.NOT_DUE
    try:
        return _carry_out(message, gateway_factory, now)
    except Postpone as postponed:
        return _postpone(message, postponed.due_at, now)
    except GitHubRefused as error:
        logger.warning("GitHub refused %s: %s", message, error)
        if error.status == BAD_TOKEN:  # not this message's fault: it waits until the token is right
            return _note_failure(message, error, now)
        return _note_refusal(message, error, now)
    except (GitHubUnavailable, TokenMissing) as error:
        logger.info("%s waits: %s", message, error)
        return _note_failure(message, error, now)
    except Exception as error:
        logger.exception("%s could not be carried out.", message)
        return _note_failure(message, error, now)


@transaction.atomic(durable=True)
def _take(message_pk: int, now: datetime) -> OutboxMessage | None:
    """Lease the message: one worker per key at a time."""
    if not _due(now).filter(pk=message_pk).update(taken_until=now + LEASE):
        return None
    return OutboxMessage.objects.get(pk=message_pk)


def _carry_out(message: OutboxMessage, gateway_factory: GatewayFactory, now: datetime) -> Drained:
    effect: Effect[Any, Any] = routing.get_effect(message.kind)
    with transaction.atomic(durable=True):
        plan = effect.plan(message.payload, now)
        if plan is None:
            _settle(message, now)
            return Drained.NOTHING_TO_DO
    if isinstance(plan, Postpone):
        raise plan
    outcome = effect.perform(plan, gateway_factory())
    with transaction.atomic(durable=True):
        effect.record(plan, outcome, now)
        _settle(message, now)
    return Drained.SENT


def _settle(message: OutboxMessage, now: datetime) -> None:
    """Delete the message if what was sent is still what is wanted; otherwise let it go again."""
    if not _same_version(message).delete()[0]:
        _release(message, attempts=0, last_error="")
        _wake_newer(message, now)


@transaction.atomic(durable=True)
def _postpone(message: OutboxMessage, due_at: datetime, now: datetime) -> Drained:
    _same_version(message).update(due_at=due_at)
    _release(message)
    _wake_newer(message, now)
    return Drained.POSTPONED


@transaction.atomic(durable=True)
def _note_refusal(message: OutboxMessage, error: GitHubRefused, now: datetime) -> Drained:
    """Keep what GitHub refused for the admin, unless something newer is wanted meanwhile."""
    attempts = message.attempts + 1
    _same_version(message).update(refused_at=now)
    effect = routing.get_effect(message.kind)
    if isinstance(effect, NoticesRefusal):
        effect.note_refusal(message.payload, error, now)
    _release(message, attempts=attempts, last_error=_sentence(error))
    _wake_newer(message, now)
    return Drained.REFUSED


@transaction.atomic(durable=True)
def _note_failure(message: OutboxMessage, error: Exception, now: datetime) -> Drained:
    attempts = message.attempts + 1
    pause = backoff.delay(attempts, first=FIRST_RETRY)
    retry_after = getattr(error, "retry_after", None)
    if retry_after is not None:
        pause = min(timedelta(seconds=retry_after), backoff.LONGEST)
    _release(message, attempts=attempts, last_error=_sentence(error), due_at=now + pause)
    return Drained.WILL_RETRY


def _release(message: OutboxMessage, **changes: Any) -> None:
    """Give up the lease (if it is still ours) and note the changes."""
    OutboxMessage.objects.filter(pk=message.pk, taken_until=message.taken_until).update(
        taken_until=None, **changes
    )


def _wake_newer(message: OutboxMessage, now: datetime) -> None:
    for waiting in OutboxMessage.objects.filter(pk=message.pk, refused_at=None):
        _wake(waiting, now)


def _same_version(message: OutboxMessage) -> "QuerySet[OutboxMessage]":
    return OutboxMessage.objects.filter(pk=message.pk, version=message.version)


def _due(now: datetime) -> "QuerySet[OutboxMessage]":
    """What may be taken now. A lease that ran out belongs to a worker that died; what is held keeps its place."""
    free = Q(taken_until=None) | Q(taken_until__lte=now)
    of_kind, of_all = (OutboxHold.objects.filter(kind=kind) for kind in (OuterRef("kind"), Value("")))
    only_reads = Q(kind__in=routing.list_reading())
    return OutboxMessage.objects.filter(
        free, ~Exists(of_kind), only_reads | ~Exists(of_all), refused_at=None, due_at__lte=now
    )


@transaction.atomic
def hold(kind: str = "", *, reason: str = "", held_by: Person | None = None, now: datetime) -> OutboxHold:
    """Send nothing of this kind (empty: nothing that writes) until it is lifted. Raises LookupError for an unknown kind."""
    if kind:
        routing.get_effect(kind)
    new = {"reason": reason[:300], "held_by": held_by, "held_at": now}
    held, created = OutboxHold.objects.get_or_create(kind=kind, defaults=new)
    if created:
        audit.record("portal.writes_held", actor=held_by, target=held, now=now, data={"kind": kind})
    return held


@transaction.atomic
def lift(kind: str = "", *, lifted_by: Person | None = None, now: datetime) -> int:
    """Lift a hold; what waits is due as before. How many messages may go now."""
    held = OutboxHold.objects.filter(kind=kind).first()
    if held is None:
        return 0
    audit.record("portal.writes_released", actor=lifted_by, target=held, now=now, data={"kind": kind})
    held.delete()
    waiting = list(_due(now).order_by("due_at", "pk").values_list("pk", flat=True)[:100])
    for pk in waiting:
        wake.on_commit(DRAIN_JOB, message_pk=pk)
    return len(waiting)


def list_holds() -> list[OutboxHold]:
    """The holds that stand."""
    return list(OutboxHold.objects.select_related("held_by").order_by("kind"))


def _sentence(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:2000]


def sweep(now: datetime, *, limit: int = 100) -> list[int]:
    """Primary keys of the messages that are due, the longest waiting first; those of expired leases included."""
    return list(_due(now).order_by("due_at", "pk").values_list("pk", flat=True)[:limit])


def drain_due(now: datetime, gateway_factory: GatewayFactory = connect.connect) -> int:
    """Carry out what is due, and what that makes due; how many messages were sent or found done."""
    done = 0
    finished = {Drained.SENT, Drained.NOTHING_TO_DO}
    while progress := sum(drain_one(pk, gateway_factory, now) in finished for pk in sweep(now)):
        done += progress
    return done


@transaction.atomic
def requeue(message_pk: int, *, now: datetime) -> None:
    """Try a refused or waiting message again at once."""
    again = {"refused_at": None, "attempts": 0, "due_at": now}
    if OutboxMessage.objects.filter(pk=message_pk).update(**again):
        wake.on_commit(DRAIN_JOB, message_pk=message_pk)
