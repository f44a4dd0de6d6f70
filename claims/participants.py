"""Who takes part, and with what: people in the events that a reader may see."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Coalesce, Lower
from django.utils.translation import gettext_lazy as _

from claims.models import Claim
from portal.common.errors import NotFound
from portal.models import Person
from rewards.models import Completion
from rewards.queries import PoolAmount, totals_by_person
from tasks_board.models import Event, EventRole, TaskHelper, TeamMember
from tasks_board.queries import list_visible_events

_WHO = Coalesce("person__canonical", "person")  # two accounts of one person are one


@dataclass(frozen=True, slots=True)
class Participant:
    """A person with how many claims and completions they have, and what these earned, pool by pool."""

    person: Person
    claims: int
    completions: int
    totals: Sequence[PoolAmount]


def list_people(*, viewer: Person | None) -> QuerySet[Person]:
    """People who claim, complete or help with tasks, or have a role, in events that the reader may see; by login."""
    events = list_visible_events(viewer=viewer)
    takes_part = Q()
    for rows in _traces(events):
        takes_part |= Q(pk__in=rows.filter(person__isnull=False).values(who=_WHO))
    return Person.objects.filter(takes_part, canonical=None).order_by(Lower("login"), "pk")


def _traces(events: QuerySet[Event]) -> list[QuerySet[Any]]:
    return [
        Claim.objects.filter(task__event__in=events, shown=True),
        Completion.objects.active().filter(task__event__in=events),
        TaskHelper.objects.filter(task__event__in=events),
        EventRole.objects.filter(event__in=events),
        TeamMember.objects.seated().filter(team__event__in=events),
    ]


def get_participant(person: Person, *, viewer: Person | None) -> Participant:
    """The person as somebody who takes part; readers always find themselves. Raises NotFound."""
    if person != viewer and not list_people(viewer=viewer).filter(pk=person.pk).exists():
        raise NotFound("person_not_found", _("Nobody of this name is known here."), login=person.login)
    [participant] = describe([person], viewer=viewer)
    return participant


def describe(people: Sequence[Person], *, viewer: Person | None) -> list[Participant]:
    """These people with what they have. The number of queries does not grow with them."""
    events = list_visible_events(viewer=viewer)
    ids = [person.pk for person in people]
    claims = Claim.objects.filter(shown=True, task__event__in=events)
    in_teams = claims.filter(team__members__left_at=None)
    done = Completion.objects.active().filter(task__event__in=events)
    counted = _count(claims, _WHO, ids) + _count(in_teams, F("team__members__person"), ids)
    completed = _count(done, _WHO, ids)
    totals = totals_by_person(people, viewer=viewer)
    return [
        Participant(person, counted[person.pk], completed[person.pk], totals.get(person.pk, ()))
        for person in people
    ]


def _count(rows: QuerySet[Any], who: Coalesce | F, ids: Sequence[int]) -> Counter[int]:
    of_these = rows.annotate(who=who).filter(who__in=ids)
    return Counter(dict(of_these.values_list("who").annotate(n=Count("pk", distinct=True)).order_by()))
