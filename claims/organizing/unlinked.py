"""Names in the tables that nobody has linked to an account or a team, with what speaks for whom."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from claims.models import Claim, IssueComment
from portal.models import Person
from tasks_board.models import Event, TaskHelper, Team


@dataclass(frozen=True, slots=True)
class UnlinkedTeam:
    """A team's name, what it is on, and who named it in a form of four fields."""

    team: Team
    claims: Sequence[Claim]
    named_by: Sequence[Person]


@dataclass(frozen=True, slots=True)
class UnlinkedPerson:
    """A person's name, and what it is on. `is_elsewhere`: it stands in other events too."""

    person: Person
    claims: Sequence[Claim]
    helps_with: int


@dataclass(frozen=True, slots=True)
class Unlinked:
    """The names of an event, and the teams that one may link to."""

    teams: Sequence[UnlinkedTeam]
    people: Sequence[UnlinkedPerson]
    known: Sequence[Team]

    @property
    def count(self) -> int:
        """How many names wait."""
        return len(self.teams) + len(self.people)


def list_names(event: Event) -> Unlinked:
    """The names nobody has linked. The number of queries does not grow with them."""
    bare = list(bare_teams(event))
    people = list(bare_people(event))
    claims = Claim.objects.filter(Q(team__in=bare) | Q(person__in=people), task__event=event, shown=True)
    by_team: dict[int, list[Claim]] = defaultdict(list)
    by_person: dict[int, list[Claim]] = defaultdict(list)
    for claim in claims.select_related("task").order_by("task__position", "task__sort_key", "pk"):
        if claim.team_id is not None:
            by_team[claim.team_id].append(claim)
        elif claim.person_id is not None:
            by_person[claim.person_id].append(claim)
    named = _named_by(event)
    helps: dict[int, int] = defaultdict(int)
    for person_id in TaskHelper.objects.filter(task__event=event, person__in=people).values_list(
        "person", flat=True
    ):
        helps[person_id] += 1
    known = Team.objects.filter(event=event, canonical=None).exclude(pk__in=[team.pk for team in bare])
    return Unlinked(
        teams=[UnlinkedTeam(t, by_team[t.pk], named.get(t.name.lower(), ())) for t in bare],
        people=[UnlinkedPerson(p, by_person[p.pk], helps[p.pk]) for p in people],
        known=list(known.order_by("name", "pk")),
    )


def bare_teams(event: Event) -> "QuerySet[Team]":
    """Teams of the event that are names: nobody ever was in them or was asked to be, and no list made them."""
    bare = Team.objects.filter(event=event, canonical=None, members=None, registrations=None)
    return bare.order_by("name", "pk")


def bare_people(event: Event) -> "QuerySet[Person]":
    """Names of people in the event's tables for which no account is known."""
    named = Person.objects.filter(pk__in=named_in(event), github_id=None, canonical=None)
    return named.order_by("login", "pk")


def named_in(event: Event) -> "QuerySet[Person]":
    """Everybody whom the event's tables name, by an account or not."""
    claims = Claim.objects.filter(task__event=event, shown=True, person__isnull=False)
    helpers = TaskHelper.objects.filter(task__event=event)
    named = Q(pk__in=claims.values("person")) | Q(pk__in=helpers.values("person"))
    return Person.objects.filter(named)


def _named_by(event: Event) -> Mapping[str, Sequence[Person]]:
    """Who named a team in a form of four fields, by the name in lower case."""
    found: dict[str, dict[int, Person]] = defaultdict(dict)
    forms = IssueComment.objects.filter(tracking_issue__event=event, reading__team__isnull=False)
    for comment in forms.select_related("author").only("reading", "author").order_by("pk"):
        found[str(comment.reading["team"]).lower()][comment.author_id] = comment.author
    return {name: list(people.values()) for name, people in found.items()}
