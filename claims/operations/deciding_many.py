"""One decision about several claims, and the taking back of several: each stands alone, and each refusal names its reason."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from claims.models import Claim, Decision
from claims.operations import deciding, undoing
from portal.common.errors import DomainError
from portal.models import Person


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one claim: decided, or why not. `decision` is what may be taken back."""

    claim: Claim
    refusal: DomainError | None = None
    decision: int | None = None


def decide_many(
    *,
    claims: Sequence[Claim],
    kind: Decision.Kind,
    acting_user: Person,
    key: str,
    now: datetime,
    note: str = "",
) -> list[Outcome]:
    """The same word about each of these claims, each in a transaction of its own, so that a refusal of one costs no other."""

    def decide(claim: Claim) -> int | None:
        own_key = f"{key}:{claim.pk}"
        deciding.decide(claim=claim, kind=kind, acting_user=acting_user, key=own_key, now=now, note=note)
        return Decision.objects.values_list("pk", flat=True).get(key=own_key)

    return [_attempt(claim, partial(decide, claim)) for claim in claims]


def undo_many(*, decisions: Sequence[Decision], acting_user: Person, now: datetime) -> list[Outcome]:
    """Take each of these decisions back. What cannot be taken back says why, and costs no other."""

    def undo(decision: Decision) -> None:
        undoing.undo_decision(decision=decision, acting_user=acting_user, now=now)

    return [_attempt(decision.claim, partial(undo, decision)) for decision in decisions]


def _attempt(claim: Claim, act: Callable[[], int | None]) -> Outcome:
    try:
        return Outcome(claim, decision=act())
    except DomainError as refusal:
        return Outcome(claim, refusal=refusal)
