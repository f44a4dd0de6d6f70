"""Marks and rights of people in an event, by login; what follows for claims is settled in the same moment."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from claims.models import Claim
from claims.operations import standings
from portal import locks
from portal.accounts import people
from portal.common.errors import DomainError
from portal.locks import LockBusy
from portal.models import Person
from rewards import operations as rewards
from tasks_board import rights
from tasks_board.models import Event, EventMark, EventRole, Task, TaskHelper, TeamMember
from tasks_board.operations import marks, roles

MOST_LOGINS = 500


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whom it was done to, and why not to the others: a sentence for each of the logins that are left."""

    done: Sequence[Person]
    refused: Sequence[str]
    left: Sequence[str]


def split_logins(text: str) -> list[str]:
    """The logins in a pasted text, each once in any spelling: separated by blanks, line breaks, commas or the like.

    Raises DomainError (too_many_at_once): none is left out unsaid.
    """
    found = filter(None, map(people.plain_login, re.split(r"[\s,;、，；|]+", text)))
    logins = list({login.lower(): login for login in found}.values())
    if len(logins) > MOST_LOGINS:
        raise DomainError("too_many_at_once", _("Name at most %(n)d at once.") % {"n": MOST_LOGINS})
    return logins


@transaction.atomic
def mark_people(
    *,
    event: Event,
    logins: Sequence[str],
    kind: EventMark.Kind,
    note: str,
    acting_user: Person,
    now: datetime,
) -> Outcome:
    """Mark people by login; one that cannot be marked costs no other. Raises NotAllowed, LockBusy.

    Who takes part unpaid from now on keeps what they completed, and its awards are reversed.
    """

    rights.check_may_organize(event, acting_user)

    def mark(person: Person) -> None:
        marks.set_mark(event=event, person=person, kind=kind, acting_user=acting_user, now=now, note=note)

    outcome = _each(logins, mark)
    if outcome.done:
        _settle_awards(event, kind, now)
    return outcome


@transaction.atomic
def lift_mark(*, event: Event, mark: EventMark, acting_user: Person, now: datetime) -> None:
    """Take a mark off; who waited in line because of it may move up at once, who was unpaid is awarded what they completed.

    Raises NotAllowed, LockBusy.
    """
    marks.lift_mark(
        event=event,
        person=mark.person,
        kind=EventMark.Kind(mark.kind),
        acting_user=acting_user,
        now=now,
    )
    _settle_awards(event, mark.kind, now)
    _recompute(_waited_for(event, mark.person), now)


@transaction.atomic
def grant_role(
    *,
    event: Event,
    logins: Sequence[str],
    role: EventRole.Role,
    tasks: Sequence[Task],
    acting_user: Person,
    now: datetime,
) -> Outcome:
    """Grant a right in the whole event, or in these tasks alone. Raises NotAllowed, DomainError, LockBusy."""

    rights.check_may_organize(event, acting_user)

    def grant(person: Person) -> None:
        if tasks:
            kind = TaskHelper.Role(role.value)
            roles.grant_tasks(
                event=event, person=person, role=kind, tasks=tasks, acting_user=acting_user, now=now
            )
        else:
            roles.grant(event=event, person=person, role=role, acting_user=acting_user, now=now)

    outcome = _each(logins, grant)
    _recompute(_reviewed_by(event, outcome.done), now)
    return outcome


@transaction.atomic
def revoke_role(*, event: Event, granted: EventRole, acting_user: Person, now: datetime) -> None:
    """Take a right in the whole event back. Raises NotAllowed, DomainError (last_organizer), LockBusy."""
    roles.revoke(event=event, granted=granted, acting_user=acting_user, now=now)
    _recompute(_reviewed_by(event, [granted.person]), now)


@transaction.atomic
def revoke_tasks(
    *, event: Event, person: Person, role: TaskHelper.Role, acting_user: Person, now: datetime
) -> None:
    """Take a right in single tasks back. Raises NotAllowed, LockBusy."""
    roles.revoke_tasks(event=event, person=person, role=role, acting_user=acting_user, now=now)
    _recompute(_reviewed_by(event, [person]), now)


def _each(logins: Sequence[str], action: Callable[[Person], None]) -> Outcome:
    """The action for each login. Raises the only refusal there is, where nothing was done."""
    done: list[Person] = []
    refused: dict[str, DomainError] = {}
    for login in logins:
        try:
            person = people.need_account(login)
            action(person)
        except LockBusy:
            raise
        except DomainError as refusal:
            refused[login] = refusal
        else:
            done.append(person)
    if len(refused) == 1 and not done:
        raise next(iter(refused.values()))
    return Outcome(done, [str(refusal.message) for refusal in refused.values()], list(refused))


def _settle_awards(event: Event, kind: str, now: datetime) -> None:
    """Reverse or post what the event's completions earn, now that others take part unpaid."""
    if kind == EventMark.Kind.UNPAID:
        locks.lock_rows(Task.objects.filter(event=event).only("pk"))
        rewards.award_outstanding(event=event, now=now)


def _waited_for(event: Event, person: Person) -> list[Task]:
    """Tasks before which the person, or a team of theirs, waits in line."""
    whole = person.whole_id
    seats = TeamMember.objects.seated().filter(Q(person=whole) | Q(person__canonical=whole))
    own = Q(person=whole) | Q(person__canonical=whole) | Q(team__in=seats.values("team"))
    waiting = Claim.objects.filter(own, task__event=event, standing=Claim.Standing.WAITING)
    return list(Task.objects.filter(pk__in=waiting.values("task")))


def _reviewed_by(event: Event, reviewers: Sequence[Person]) -> list[Task]:
    """Tasks with pull requests that these people reviewed: whose word weighs has changed."""
    linked = Task.objects.filter(
        event=event, pull_request_links__pull_request__reviews__reviewer__in=reviewers
    )
    return list(linked.distinct())


def _recompute(tasks: Sequence[Task], now: datetime) -> None:
    if tasks:
        standings.recompute_tasks(tasks=tasks, now=now)
