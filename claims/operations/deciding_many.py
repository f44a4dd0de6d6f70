"""One action about several things of the desk, and the taking back of several: each stands alone, and each refusal names its reason."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.utils.translation import gettext_lazy as _

from claims.desk.several import Action, Chosen
from claims.models import Claim, Decision, IssueComment
from claims.operations import crediting, deadlines, deciding, offering, undoing
from portal.common.errors import DomainError
from portal.models import Person


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one thing: done, or why not.

    `claim`, if one was decided on; `decision`, or the `comment` that was put off the list, may be taken back.
    """

    whose: str
    number: str
    claim: Claim | None = None
    refusal: DomainError | None = None
    decision: int | None = None
    comment: int | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """The action that is asked for. `until`: to when each claim's time is extended."""

    action: Action
    acting_user: Person
    key: str
    now: datetime
    note: str = ""
    until: Callable[[Claim], datetime] | None = None


def settle_many(*, chosen: Sequence[Chosen], ask: Ask) -> list[Outcome]:
    """The same about each of these, each in a transaction of its own, so that a refusal of one costs no other."""
    tried = [(thing, *_attempt(partial(_settle, thing, ask))) for thing in chosen]
    made = _decisions(ask.acting_user, [claim.pk for _thing, claim, _refusal in tried if claim is not None])
    is_put_off = ask.action is Action.SEEN
    return [
        Outcome(
            thing.whose,
            thing.number,
            claim,
            refusal,
            made.get(claim.pk) if claim is not None else None,
            thing.comment.pk if is_put_off and thing.comment is not None and refusal is None else None,
        )
        for thing, claim, refusal in tried
    ]


def undo_many(*, decisions: Sequence[Decision], acting_user: Person, now: datetime) -> list[Outcome]:
    """Take each of these decisions back. What cannot be taken back says why, and costs no other."""
    tried = [
        _attempt(partial(undoing.undo_decision, decision=decision, acting_user=acting_user, now=now))
        for decision in decisions
    ]
    return [
        Outcome(str(decision.claim.claimant), decision.claim.task.number, claim, refusal)
        for decision, (claim, refusal) in zip(decisions, tried, strict=True)
    ]


def reopen_many(*, comments: Sequence[IssueComment], acting_user: Person, now: datetime) -> list[Outcome]:
    """Put each of these comments back on the list. What cannot be put back says why, and costs no other."""

    def reopen(comment: IssueComment) -> None:
        deciding.reopen(comment=comment, acting_user=acting_user, now=now)

    return [
        Outcome(comment.author.login, "", refusal=_attempt(partial(reopen, comment))[1])
        for comment in comments
    ]


def _attempt(act: Callable[[], Claim | None]) -> tuple[Claim | None, DomainError | None]:
    try:
        return act(), None
    except DomainError as refusal:
        return None, refusal


def _decisions(person: Person, claims: Iterable[int]) -> dict[int, int]:
    """By claim, what the person decided last. One query."""
    made = Decision.objects.filter(claim__in=list(claims), decided_by=person, undoes=None)
    return dict(made.order_by("pk").values_list("claim_id", "pk"))


def _settle(thing: Chosen, ask: Ask) -> Claim | None:
    """Do it; returns the claim that was decided on, if any."""
    who, now, key = ask.acting_user, ask.now, f"{ask.key}:{thing.key}"
    if thing.claim is not None:
        return _about_claim(thing.claim, thing, ask)
    if thing.comment is not None and ask.action is Action.SEEN:
        deciding.mark_handled(comment=thing.comment, acting_user=who, now=now)
        return None
    if ask.action is not Action.ADMITTED:
        raise _misfit()
    if thing.comment is None:
        assert thing.task is not None  # noqa: S101 (who was not chosen by a claim or a comment has both)
        assert thing.pull_request is not None  # noqa: S101
        return deciding.admit_author(
            task=thing.task, pull_request=thing.pull_request, acting_user=who, now=now, note=ask.note
        )
    if thing.task is None:
        raise DomainError(
            "may_mean_several", _("It may mean several tasks, or none. Open it and choose there.")
        )
    return offering.take_as_claim(
        comment=thing.comment, task=thing.task, acting_user=who, key=key, now=now, note=ask.note
    )


def _about_claim(claim: Claim, thing: Chosen, ask: Ask) -> Claim | None:
    who, now, key = ask.acting_user, ask.now, f"{ask.key}:{thing.key}"
    if ask.action is Action.LINKED and thing.pull_request is not None:
        crediting.link(task=claim.task, pull_request=thing.pull_request, acting_user=who, now=now)
        return None
    if ask.action is Action.EXTENDED and ask.until is not None:
        return deadlines.extend_claim(
            claim=claim, until=ask.until(claim), acting_user=who, key=key, now=now, note=ask.note
        )
    if ask.action in (Action.LINKED, Action.EXTENDED, Action.SEEN):
        raise _misfit()
    kind = Decision.Kind(ask.action.value)
    return deciding.decide(claim=claim, kind=kind, acting_user=who, key=key, now=now, note=ask.note)


def _misfit() -> DomainError:
    return DomainError("does_not_fit", _("This cannot be done about it. Choose something else, or open it."))
