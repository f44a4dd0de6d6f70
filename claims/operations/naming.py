"""A bare name in a table is found to be a GitHub account: GitHub knows it, or an organizer says so."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from claims.models import Claim
from claims.operations import standings, twice
from portal import audit, locks
from portal.common.errors import DomainError, NotAllowed
from portal.models import Person
from tasks_board import rights
from tasks_board.models import Event, EventRole, Task, TrackingIssue


def bare_names(tracking_issue: TrackingIssue) -> QuerySet[Person]:
    """The names in an issue's tables that GitHub has not been asked about."""
    tasks = tracking_issue.tasks.values("pk")
    return Person.objects.filter(
        Q(claims__task__in=tasks) | Q(helps_with__task__in=tasks),
        github_id=None,
        canonical=None,
        login_seen_at=None,
    ).distinct()


@transaction.atomic
def note_unknown(*, name: Person, now: datetime) -> None:
    """GitHub knows no account of this name: it stays a name, and is not looked up again."""
    Person.objects.filter(pk=name.pk, github_id=None).update(login_seen_at=now)


@transaction.atomic
def resolve_name(*, name: Person, person: Person, now: datetime, acting_user: Person | None = None) -> None:
    """A bare name is found to be this account: what the tables say of the one holds for the other. Raises LockBusy.

    Of somebody who is on the task in a team it holds for the team. `acting_user` None: GitHub knows the account.
    """
    person = person.canonical or person
    claims = Claim.objects.filter(person=name)
    tasks = locks.lock_rows(Task.objects.filter(pk__in=claims.values("task")).select_related("event"))
    for claim in claims.select_related("task").order_by("task_id"):
        in_team = twice.claim_to_hear(claim.task, person)
        twice.hand_over(
            claim,
            person=None if in_team else person,
            team=in_team.team if in_team else None,
            reason="name_resolved",
            now=now,
        )
    for helper in name.helps_with.all():
        if helper.task.helpers.filter(person=person, role=helper.role).exists():
            helper.delete()
        else:
            helper.person = person
            helper.save(update_fields=["person"])
    Person.objects.filter(Q(pk=name.pk) | Q(canonical=name)).update(canonical=person)
    audit.record("claims.name_resolved", actor=acting_user, target=name, now=now, data={"person": person.pk})
    standings.recompute_tasks(tasks=tasks, now=now)


@transaction.atomic
def link_name(*, event: Event, name: Person, person: Person, acting_user: Person, now: datetime) -> None:
    """An organizer says whose name it is that a table holds; nobody says so for themselves.

    A name is the same in all events, so that only who organizes every event in which it stands may link it.
    Raises NotAllowed, DomainError (linked_already, only_a_name), LockBusy.
    """
    rights.check_may_organize(event, acting_user)
    person = person.canonical or person
    if person.pk == acting_user.whole_id:
        raise NotAllowed("own_name", _("Nobody links a name to themselves. Ask another organizer."))
    if not person.is_resolved:
        raise DomainError("only_a_name", _("Link the name to somebody with a GitHub account."))
    locked = {row.pk: row for row in locks.lock_rows(Person.objects.filter(pk__in=[name.pk, person.pk]))}
    name = locked[name.pk]
    if name.is_resolved or name.canonical_id is not None:
        raise DomainError("linked_already", _("This name is linked to somebody already."))
    _check_organizes_all(name, acting_user)
    resolve_name(name=name, person=locked[person.pk], now=now, acting_user=acting_user)


def _check_organizes_all(name: Person, acting_user: Person) -> None:
    tasks = Task.objects.filter(Q(claims__person=name) | Q(helpers__person=name))
    events = set(tasks.values_list("event_id", flat=True))
    roles = EventRole.objects.filter(person=acting_user, role=EventRole.Role.ORGANIZER, event__in=events)
    if len(events) > roles.count():
        raise NotAllowed(
            "other_events",
            _("This name stands in other events too. Somebody who organizes all of them has to link it."),
        )
