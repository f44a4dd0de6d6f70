"""A bare name in a table is found to be a GitHub account."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from claims.models import Claim
from claims.operations import standings
from portal import audit, locks
from portal.models import Person
from rewards import operations as rewards
from tasks_board.models import Task, TrackingIssue


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
def resolve_name(*, name: Person, person: Person, now: datetime) -> None:
    """A bare name is found to be this account: what the tables say of the one holds for the other. Raises LockBusy."""
    person = person.canonical or person
    claims = Claim.objects.filter(person=name)
    tasks = locks.lock_rows(Task.objects.filter(pk__in=claims.values("task")).select_related("event"))
    for claim in claims.select_related("task").order_by("task_id"):
        rewards.revoke_completion(task=claim.task, person=name, reason="name_resolved", now=now)
        _hand_over(claim, person)
    for helper in name.helps_with.all():
        if helper.task.helpers.filter(person=person, role=helper.role).exists():
            helper.delete()
        else:
            helper.person = person
            helper.save(update_fields=["person"])
    Person.objects.filter(pk=name.pk).update(canonical=person)
    audit.record("claims.name_resolved", actor=None, target=name, now=now, data={"person": person.pk})
    for task in tasks:
        standings.recompute_task(task=task, now=now)


def _hand_over(claim: Claim, person: Person) -> None:
    """The claim of a name becomes the person's; where they have one of their own, that one takes in what is known."""
    own = Claim.objects.filter(task=claim.task_id, person=person).first()
    if own is None:
        claim.person = person
        claim.save(update_fields=["person"])
        return
    claim.decisions.update(claim=own)
    claim.statements.update(claim=own)
    own.table_standing, own.table_pull_requests = claim.table_standing, claim.table_pull_requests
    own.created_at = min(own.created_at, claim.created_at)
    own.save(update_fields=["table_standing", "table_pull_requests", "created_at"])
    claim.delete()
