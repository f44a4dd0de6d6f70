"""How the rows of tables call teams: by a name that was linked to them, or by a member alone."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models.functions import Lower

from claims.models import Claim
from portal.models import Person
from tasks_board.documents.model import ReadTask
from tasks_board.models import Task, Team, TeamMember


@dataclass(frozen=True, slots=True)
class Called:
    """What stands in a row for a team: the login of a member, or a team's name."""

    login: str | None
    name: str


Names = Mapping[tuple[int, int], Called]  # by task and team


def team_names(rows: Mapping[int, ReadTask], people: Mapping[str, Person]) -> Names:
    """How rows (by the key of their task) call the teams that they name otherwise than by their name.

    `people`: whom the logins in the rows mean, in lower case. Four queries at most.
    """
    events = set(Task.objects.filter(pk__in=rows).values_list("event_id", flat=True))
    found: dict[tuple[int, int], Called] = {}
    linked = _linked(rows, events)
    for pk, row in rows.items():
        written = {c.name.lower() for c in row.claimants if c.login is None}
        for claimant in row.claimants:
            team = linked.get(claimant.name.lower()) if claimant.login is None else None
            if team is not None and team.name.lower() not in written:
                found.setdefault((pk, team.pk), Called(None, claimant.name))
    seats = _seats(people.values(), events)
    if seats:
        alone = set(
            Claim.objects.live().filter(task__in=rows, person__in=seats).values_list("task_id", "person_id")
        )
        for pk, row in rows.items():
            written = {c.name.lower() for c in row.claimants if c.login is None}
            for claimant in row.claimants:
                person = people.get(claimant.login.lower()) if claimant.login else None
                for team in seats.get(person.pk, ()) if person else ():
                    if team.name.lower() not in written and person and (pk, person.pk) not in alone:
                        found.setdefault((pk, team.pk), Called(claimant.login, team.name))
    return found


def _linked(rows: Mapping[int, ReadTask], events: Iterable[int]) -> Mapping[str, Team]:
    """The teams that names in the rows were linked to, by the name in lower case."""
    names = {c.name.lower() for row in rows.values() for c in row.claimants if c.login is None}
    if not names:
        return {}
    aliases = Team.objects.filter(event__in=events, canonical__isnull=False).alias(lower=Lower("name"))
    found = aliases.filter(lower__in=names).select_related("canonical")
    return {alias.name.lower(): alias.canonical for alias in found if alias.canonical is not None}


def _seats(people: Iterable[Person], events: Iterable[int]) -> Mapping[int, list[Team]]:
    """The teams of these people, by the person who counts."""
    whole = {person.whole_id for person in people}
    seats = TeamMember.objects.seated().filter(person__in=whole, team__event__in=events)
    found: dict[int, list[Team]] = defaultdict(list)
    for seat in seats.select_related("team").order_by("pk"):
        found[seat.person_id].append(seat.team)
    return found
