"""The bell: what people are told, written in the transaction of what it tells, once for each key.

Nobody is told of their own act; drafts, archives and what happened before the event came to us tell nobody. Nobody is
locked here, since tasks are: rows are only added, under keys that no other transaction adds at the same time, and one
that is there already stays.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max, Q

from claims.models import Claim, Decision, Notice, PullRequest, Review
from claims.operations import answering
from claims.standing import Basis, Standing
from portal.github.types import REVIEWING_ASSOCIATIONS
from portal.models import Person
from rewards.models import Completion, LedgerEntry, Transaction
from tasks_board import rights
from tasks_board.models import Event, Task, TeamMember

_OF_OTHERS = frozenset(
    {
        "declined",
        "waiting",
        "released",
        "rejected",
        "deferred",
        "blocked",
        "follows_facts",
        "extended",
        "undone",
        "expired",
        "reminded",
        "promoted",
    }
)
# What a member does for the team is told to the others in words of its own.
_OF_CLAIMANTS = frozenset({"claimed", "requested", "waiting", "renewed", "released"})
# A name in a table that is no claim by itself: whoever typed it had no answer from us.
_ENTERED = {"requested": "entered", "waiting": "in_line"}
_FACTS = {
    "proposal_merged": "proposal_merged",
    "closed": "closed",
    "reverted": "reverted",
    "merged_elsewhere": "merged_elsewhere",
    "named_only": "named_only",
}
_SILENT = (Event.Status.DRAFT, Event.Status.ARCHIVED)


@dataclass(frozen=True, slots=True)
class Before:
    """How a claim stood before it was derived anew."""

    standing: str
    due_at: datetime | None
    doubts: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, claim: Claim) -> "Before":
        """As the claim's row says now."""
        return cls(
            claim.standing,
            claim.due_at,
            frozenset((d.get("code", ""), d.get("about", "")) for d in claim.doubts),
        )


@dataclass(frozen=True, slots=True)
class _Matter:
    """What a notice is about."""

    event: Event
    task: Task | None = None
    claim: Claim | None = None


def tell_decision(decision: Decision, now: datetime) -> None:
    """Tell the claimants what somebody else, or the rules, decided. Accepted work is told with its completion."""
    claim = decision.claim
    is_typed = decision.source in (Decision.Source.TABLE, Decision.Source.COMMENT)
    at = decision.at if is_typed else now
    if decision.source == Decision.Source.IMPORT or not _is_news(claim.task.event, at):
        return
    kind = _kind_told(decision, claim)
    if kind is None:
        return
    by = None if kind in _ENTERED.values() else decision.decided_by  # that is the answer of the rules
    data: dict[str, Any] = {"by": by.pk if by else None, "note": decision.note}
    if decision.until is not None:
        data["until"] = decision.until.isoformat()
    _write(
        _claimants(claim, but=by),
        _Matter(claim.task.event, claim.task, claim),
        kind,
        at=at,
        key=f"decision:{decision.pk}",
        data=data,
    )


def _kind_told(decision: Decision, claim: Claim) -> str | None:
    kind = decision.kind
    if decision.source == Decision.Source.TABLE and kind in _ENTERED:
        return _ENTERED[kind]
    if claim.team_id is not None and kind in _OF_CLAIMANTS and _is_member(claim, decision.decided_by):
        return f"mate_{kind}"
    if kind == Decision.Kind.EXTENDED and decision.decided_by is None:
        return None  # the task goes on, which is told by itself
    if kind in _OF_OTHERS:
        return kind
    return "admitted" if kind == Decision.Kind.ADMITTED and _lets_in(decision, claim) else None


def _lets_in(decision: Decision, claim: Claim) -> bool:
    """Whether it changes anything: who is in already is admitted again with every mark in the table."""
    if claim.standing in ("requested", "waiting", *Claim.GONE):
        return True
    is_first = claim.created_at == decision.at
    return is_first and not claim.decisions.exclude(pk=decision.pk).exists()


def tell_pause(claim: Claim, kind: str, now: datetime) -> None:
    """Tell the claimants that their task is put aside (deferred, blocked, removed), or goes on (resumed)."""
    if _is_news(claim.task.event, now):
        _write(
            _claimants(claim),
            _Matter(claim.task.event, claim.task, claim),
            f"task_{kind}",
            at=now,
            key=f"task:{claim.pk}:{kind}:{now.isoformat()}",
            data={},
        )


def tell_change(
    before: Before,
    claim: Claim,
    result: Standing,
    completion: Completion | None,
    *,
    winner: int | None,
    now: datetime,
) -> None:
    """Tell of a standing that was derived anew: what facts made of it, what was earned, who was faster."""
    matter = _Matter(claim.task.event, claim.task, claim)
    if completion is not None:
        _tell_completion(matter, claim, result, completion, now)
    if before.standing != result.state:
        if "superseded" in (before.standing, result.state):
            _tell_overtaken(matter, claim, result, winner, now)
        elif completion is None and result.basis is Basis.FACT and result.reason in _FACTS:
            _tell_fact(matter, claim, result)
    if (before.standing, before.due_at) != (claim.standing, claim.due_at):
        answering.bring_news(claim, now)
    _tell_doubts(before, claim, result, now)


def _tell_completion(
    matter: _Matter, claim: Claim, result: Standing, completion: Completion, now: datetime
) -> None:
    is_revoked = completion.revoked_at is not None
    if not _is_news(matter.event, now if is_revoked else result.at):
        return
    kind = "revoked" if is_revoked else "completed" if completion.degree == "done" else "partly_completed"
    _write(
        _claimants(claim),
        matter,
        kind,
        at=now if is_revoked else result.at,
        key=f"{'revoked' if is_revoked else 'completion'}:{completion.pk}",
        data={"code": result.reason, "about": result.about, "amounts": _amounts(completion)},
    )


def _amounts(completion: Completion) -> list[list[int]]:
    """What it earns its claimants, in steps, by pool."""
    entries = LedgerEntry.objects.filter(
        Q(account__person__isnull=False) | Q(account__team__isnull=False),
        transaction__completion=completion,
        transaction__kind=Transaction.Kind.AWARD,
    )
    return [list(row) for row in entries.order_by("pool_id", "pk").values_list("pool_id", "amount_steps")]


def _tell_overtaken(
    matter: _Matter, claim: Claim, result: Standing, winner: int | None, now: datetime
) -> None:
    is_lost = result.state == "superseded"
    if not _is_news(matter.event, result.at if is_lost else now) or (
        not is_lost and result.state in Claim.GONE
    ):
        return
    kind = "superseded" if is_lost else "restored"
    turn = claim.decisions.filter(kind__in=("superseded", "restored")).aggregate(last=Max("pk"))["last"]
    _write(
        _claimants(claim),
        matter,
        kind,
        at=result.at if is_lost else now,
        key=f"{kind}:{claim.pk}:{turn or 0}",
        data={"by_claim": winner} if is_lost else {},
    )


def _tell_fact(matter: _Matter, claim: Claim, result: Standing) -> None:
    if not _is_news(matter.event, result.at):
        return
    by = _closed_by(result.about) if result.reason == "closed" else None
    _write(
        _claimants(claim, but=by),
        matter,
        _FACTS[result.reason],
        at=result.at,
        key=f"fact:{claim.pk}:{result.reason}:{result.at.isoformat()}:{result.about}",
        data={"about": result.about, "by": by.pk if by else None},
    )


def _closed_by(address: str) -> Person | None:
    repository, _, number = address.rpartition("#")
    found = PullRequest.objects.filter(repository__iexact=repository, number=int(number))
    pull_request = found.select_related("closed_by").first()
    return pull_request.closed_by if pull_request else None


def _tell_doubts(before: Before, claim: Claim, result: Standing, now: datetime) -> None:
    times = [d.at for d in result.doubts if (d.code, d.about) not in before.doubts]
    if result.state == "requested" and before.standing != "requested":
        times.append(result.at)
    news = [at for at in times if _is_news(claim.task.event, at)]
    if news:
        tell_deciders(
            claim.task.event,
            cause=f"claim:{claim.pk}:{max(news).isoformat()}",
            at=max(news),
            but=_people(claim),
            now=now,
            task=claim.task,
        )


def tell_removed(task: Task, claims: Iterable[Claim], now: datetime) -> None:
    """Tell those who have a task, or ask for it, that it is not in the list any more: once, whatever comes later."""
    if task.created_at >= now or not _is_news(task.event, now):
        return
    for claim in claims:
        if claim.standing not in Claim.ENDED:
            matter = _Matter(task.event, task, claim)
            _write(_claimants(claim), matter, "removed", at=now, key=f"removed:{claim.pk}", data={})


def tell_review(review: Review, tasks: Sequence[Task], now: datetime) -> None:
    """Tell the author of a pull request what somebody whose word counts said of it."""
    pull_request = review.pull_request
    task = next((task for task in tasks if _is_news(task.event, review.submitted_at)), None)
    if (
        task is None
        or review.state not in ("approved", "changes_requested")
        or pull_request.state == "merged"
    ):
        return
    counts = review.association in REVIEWING_ASSOCIATIONS or rights.may_decide_on(task, review.reviewer)
    if counts:
        _write(
            _ids([pull_request.author], but=[review.reviewer]),
            _Matter(task.event, task),
            review.state,
            at=review.submitted_at,
            key=f"review:{review.github_id}",
            data={"about": str(pull_request), "by": review.reviewer_id},
        )


def tell_author(
    pull_request: PullRequest, *, event: Event, kind: str, key: str, data: dict[str, Any]
) -> None:
    """Tell the author of a pull request what became of it in an event, as of now at GitHub."""
    if _is_news(event, pull_request.updated_at):
        people = _ids([pull_request.author])
        _write(people, _Matter(event), kind, at=pull_request.updated_at, key=key, data=data)


def tell_invited(seat: TeamMember, by: Person, now: datetime) -> None:
    """Tell somebody that a team would like to have them."""
    if seat.accepted_at is None:
        _write(
            _ids([seat.person], but=[by]),
            _Matter(seat.team.event),
            "invited",
            at=now,
            key=f"invited:{seat.pk}",
            data={"by": by.pk, "team": seat.team_id},
        )


def tell_joined(seat: TeamMember, now: datetime) -> None:
    """Tell the others of a team that somebody accepted."""
    others = TeamMember.objects.seated().filter(team=seat.team_id).select_related("person")
    _write(
        _ids([member.person for member in others], but=[seat.person]),
        _Matter(seat.team.event),
        "joined",
        at=now,
        key=f"joined:{seat.pk}",
        data={"by": seat.person_id, "team": seat.team_id},
    )


def tell_deciders(
    event: Event,
    *,
    cause: str,
    at: datetime,
    but: Iterable[Person],
    now: datetime,
    task: Task | None = None,
) -> None:
    """Tell those who decide that something waits at the desk: one notice for an event until they have seen it.

    `cause` is its key, so that nobody waits here for another transaction: two at the same moment may tell it twice.
    `task`: what it is about; without it every mentor of a task hears of it.
    """
    if not _is_news(event, at):
        return
    whole, by_task = rights.deciders(event)
    deciders = whole | (by_task.get(task.pk, set()) if task else set().union(*by_task.values()))
    people = _ids(Person.objects.filter(pk__in=deciders), but=but)
    unseen = Notice.objects.filter(person__in=people, event=event, kind="desk", seen_at=None)
    know = set(unseen.values_list("person_id", flat=True))
    _add(
        Notice(person_id=pk, event=event, kind="desk", at=now, key=f"desk:{cause}")
        for pk in people
        if pk not in know
    )


def _is_news(event: Event, at: datetime) -> bool:
    """What happened since the event came to us. GitHub's times are whole seconds."""
    return event.status not in _SILENT and at >= event.came_at


def _people(claim: Claim) -> list[Person]:
    if claim.person is not None:
        return [claim.person]
    seats = TeamMember.objects.seated().filter(team=claim.team_id)
    return [seat.person for seat in seats.select_related("person")]


def _is_member(claim: Claim, person: Person | None) -> bool:
    own = {p.whole_id for p in _people(claim)}
    return person is not None and person.whole_id in own


def _claimants(claim: Claim, but: Person | None = None) -> list[int]:
    return _ids(_people(claim), but=[but] if but else [])


def _ids(people: Iterable[Person], but: Iterable[Person] = ()) -> list[int]:
    """Whom to tell, each under the account that counts, in order; a bare name cannot be told anything."""
    left_out = {person.whole_id for person in but}
    told = {p.whole_id for p in people if p.is_resolved and not p.is_bot}
    return sorted(told - left_out)


def _write(
    people: Sequence[int], matter: _Matter, kind: str, *, at: datetime, key: str, data: dict[str, Any]
) -> None:
    said = {name: value for name, value in data.items() if value not in (None, "", [])}
    _add(
        Notice(
            person_id=pk,
            event=matter.event,
            task=matter.task,
            claim=matter.claim,
            kind=kind,
            data=said,
            at=at,
            key=key[:160],
        )
        for pk in people
    )


def _add(notices: Iterable[Notice]) -> None:
    rows = list(notices)
    if rows:
        Notice.objects.bulk_create(rows, ignore_conflicts=True)
