"""Races about teams, with real threads and real commits."""

from collections.abc import Callable

import pytest

from claims.operations import teaming
from portal.common.errors import DomainError
from portal.models import Person
from tasks_board.models import Event, EventRole, Team, TeamMember
from tasks_board.operations import roles, teams
from tests.concurrency.test_claims import NOON, at_once, event, person

pytestmark = pytest.mark.django_db(transaction=True)


def invited(of: Event, name: str, captain: Person, *others: Person) -> Team:
    team = teams.create_team(event=of, name=name, captain=captain, now=NOON)
    for other in others:
        teams.invite(team=team, login=other.login, acting_user=captain, now=NOON)
    return team


def join(team: Team, racer: Person) -> Callable[[], object]:
    return lambda: teaming.accept_invitation(team=team, person=racer, now=NOON)


def codes(results: list[object]) -> list[str]:
    return sorted(result.code for result in results if isinstance(result, DomainError))


def test_two_invitations_accepted_at_once_seat_a_person_once() -> None:
    of, racer = event(), person(1)
    all_teams = [invited(of, f"Team {n}", person(10 + n), racer) for n in range(4)]
    results = at_once(*(join(team, racer) for team in all_teams))
    assert codes(results) == ["in_a_team"] * 3
    assert TeamMember.objects.seated().filter(person=racer).count() == 1


def test_the_last_seat_of_a_team_is_taken_once() -> None:
    of = event(people_per_team=2)
    racers = [person(n) for n in range(1, 6)]
    team = invited(of, "Oars", person(10), *racers)
    results = at_once(*(join(team, racer) for racer in racers))
    assert codes(results) == ["team_is_full"] * 4
    assert team.members.seated().count() == 2


def test_a_name_is_taken_once() -> None:
    of = event()
    racers = [person(n) for n in range(1, 6)]

    def make(racer: Person) -> Callable[[], object]:
        return lambda: teams.create_team(event=of, name="Oars", captain=racer, now=NOON)

    assert codes(at_once(*map(make, racers))) == ["name_taken"] * 4


def test_two_organizers_who_take_the_role_from_each_other_leave_one() -> None:
    of = event()
    both = [person(1), person(2)]
    granted = [
        EventRole.objects.create(event=of, person=one, role="organizer", granted_at=NOON) for one in both
    ]

    def revoke(by: Person, what: EventRole) -> Callable[[], object]:
        return lambda: roles.revoke(event=of, granted=what, acting_user=by, now=NOON)

    results = at_once(revoke(both[0], granted[1]), revoke(both[1], granted[0]))
    assert codes(results) == ["organizers_only"]
    assert of.roles.filter(role="organizer").count() == 1
