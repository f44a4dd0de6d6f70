"""Events that titles call by the same name in the same repository: whose a pull request is then.

A draft takes nothing from an event that people see. Of several, the one where the author has a claim on what the title
names; else the one that has more of the numbers; if that leaves several, it is nobody's until a mentor says so.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from django.db.models import Q

from claims.grammar.model import TitlePrefix, TitleReading
from claims.grammar.titles import read_title
from claims.models import Claim
from claims.title_prefixes import meet, plain_prefix
from portal import outbox
from portal.models import Person
from tasks_board.models import Event, Task, TeamMember


def rivals_of(event: Event) -> list[Event]:
    """The other events, archived ones aside, that titles in a common repository call as they call this one."""
    own = plain_prefix(event)
    if not (own.prefix or own.aliases):
        return []
    others = Event.objects.exclude(status=Event.Status.ARCHIVED).exclude(pk=event.pk)
    named = others.exclude(title_prefix="", title_aliases=[]).order_by("pk")
    return [other for other in named if meet(own, plain_prefix(other))]


def request_choice(*, task: Task, now: datetime) -> None:
    """Somebody has a claim on a task now: titles that may mean a task of a rival too are read anew, after this transaction."""
    if task.number and rivals_of(task.event):
        outbox.enqueue(
            "relink_titles",
            key=f"claim:{task.event_id}:{task.number}",
            payload={"event": task.event_id, "numbers": [task.number]},
            now=now,
        )


def read_among(
    title: str,
    *,
    repository: str,
    author: Person,
    events: Mapping[str, Event],
    prefixes: Sequence[TitlePrefix],
) -> tuple[TitleReading, Collection[str]]:
    """What a title says among these events; where it cannot be told which of several it means, those (by key) too."""
    seen = [p for p in prefixes if events[p.key].status != Event.Status.DRAFT]
    reading, rivals = _read(title, repository, author, seen)
    if reading.event is None and not rivals and len(seen) < len(prefixes):
        reading, rivals = _read(title, repository, author, prefixes)
    return reading, rivals


def _read(
    title: str, repository: str, author: Person, prefixes: Sequence[TitlePrefix]
) -> tuple[TitleReading, Collection[str]]:
    named: dict[str, TitleReading] = {}
    for own in prefixes:
        others = [other for other in prefixes if other is own or not meet(own, other)]
        reading = read_title(title, repository=repository, events=others)
        if reading.event == own.key:
            named[own.key] = reading
    if len(named) < 2:
        return next(iter(named.values()), TitleReading()), ()
    meant = _with_claims(named, author) or _with_most_numbers(named)
    return (named[meant[0]], ()) if len(meant) == 1 else (TitleReading(), meant)


def _with_claims(named: Mapping[str, TitleReading], author: Person) -> list[str]:
    """Those where the author, or their team, has a claim on a task that the title names; if several, where it is live."""
    whole = author.whole_id
    own = Q(person=whole) | Q(person__canonical=whole)
    seats = TeamMember.objects.seated().filter(own)
    claims = Claim.objects.filter(own | Q(team__in=seats.values("team")), shown=True)
    wanted = Q(pk=None)
    for key, reading in named.items():
        wanted |= Q(task__event=int(key), task__number__in=reading.tasks)
    found = claims.filter(wanted).values_list("task__event_id", "standing")
    live = {str(event) for event, standing in found if standing not in Claim.GONE}
    everywhere = {str(event) for event, _standing in found}
    return [key for key in named if key in (live or everywhere)]


def _with_most_numbers(named: Mapping[str, TitleReading]) -> list[str]:
    most = max(len(reading.tasks) for reading in named.values())
    return [key for key, reading in named.items() if len(reading.tasks) == most]
