"""What a registration list leads to: its people are found by login, invited to the event, and into their teams.

May be done again whenever more of them have signed in: everything happens once.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from portal import audit, locks
from portal.accounts import people
from portal.models import Person
from tasks_board import rights
from tasks_board.models import Event, EventMark, Registration, Team, TeamMember
from tasks_board.operations import marks, teams


@dataclass(frozen=True, slots=True)
class Effects:
    """What an organizer wants of the list: invitations to the event, teams with their members invited."""

    invitations: bool = False
    teams: bool = False


@dataclass(frozen=True, slots=True)
class Settled:
    """What was done: lines whose account is known, invitations to the event, teams made, invitations into teams.

    `left_out`: teams whose name stands in the tables already; an organizer links such a name first.
    """

    matched: int
    invited: int
    teams_made: int
    invitations: tuple[TeamMember, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def seats(self) -> int:
        """How many people were invited into teams."""
        return len(self.invitations)


def accounts_of(logins: Iterable[str]) -> Mapping[str, Person]:
    """The people whose accounts carry these logins now, by login in lower case."""
    found = people.find_by_logins(filter(None, logins))
    whole = Person.objects.in_bulk({p.canonical_id for p in found.values() if p.canonical_id})
    everybody = {login: whole.get(p.canonical_id or 0, p) for login, p in found.items()}
    return {
        login: person
        for login, person in everybody.items()
        if person.is_resolved and not person.is_bot and not person.is_portal
    }


def teams_of(event: Event) -> dict[str, Team]:
    """The event's teams by name in lower case; a linked name leads to its team."""
    rows = Team.objects.filter(event=event).select_related("canonical")
    return {team.name.lower(): team.canonical or team for team in rows}


@transaction.atomic
def settle(*, event: Event, effects: Effects, acting_user: Person, now: datetime) -> Settled:
    """Find the people of the list, and do what is wanted. Raises NotAllowed, LockBusy."""
    rights.check_may_organize(event, acting_user)
    rows = list(event.registrations.filter(withdrawn_at=None).select_related("person").order_by("pk"))
    accounts = accounts_of(row.login for row in rows)
    for row in rows:
        person = accounts.get(row.login.lower())
        if person is not None and row.person_id != person.pk:
            row.person = person
            row.save(update_fields=["person"])
    invited = _invite_to_event(event, rows, acting_user, now) if effects.invitations else 0
    made, seats, left_out = _make_teams(event, rows, acting_user, now) if effects.teams else (0, (), ())
    matched = sum(row.person_id is not None for row in rows)
    audit.record(
        "tasks_board.registrations_settled",
        actor=acting_user,
        target=event,
        now=now,
        event_id=event.pk,
        data={"matched": matched, "invited": invited, "teams": made, "seats": len(seats)},
    )
    return Settled(matched, invited, made, seats, left_out)


def _invite_to_event(event: Event, rows: Iterable[Registration], acting_user: Person, now: datetime) -> int:
    """Everybody but the organizer themselves, and who is invited already."""
    have = set(
        EventMark.objects.filter(event=event, kind=EventMark.Kind.INVITED, lifted_at=None).values_list(
            "person", flat=True
        )
    )
    have.add(acting_user.whole_id)
    wanted = {row.person.pk: row.person for row in rows if row.person is not None}
    for pk, person in wanted.items():
        if pk not in have:
            marks.set_mark(
                event=event, person=person, kind=EventMark.Kind.INVITED, acting_user=acting_user, now=now
            )
    return len(wanted.keys() - have)


def _make_teams(
    event: Event, rows: Iterable[Registration], acting_user: Person, now: datetime
) -> tuple[int, tuple[TeamMember, ...], tuple[str, ...]]:
    by_team: dict[str, list[Registration]] = defaultdict(list)
    for row in rows:
        if row.team_name:
            by_team[row.team_name.lower()].append(row)
    known = teams_of(event)
    locks.lock_rows(Team.objects.filter(pk__in=[known[name].pk for name in by_team if name in known]))
    made, left_out = 0, []
    seats: list[TeamMember] = []
    for name, of_team in by_team.items():
        team = known.get(name)
        if team is None:
            team = teams.make_for_list(
                event=event, name=of_team[0].team_name, acting_user=acting_user, now=now
            )
            made += 1
        elif _is_a_name(team):
            left_out.append(team.name)
            continue
        seats += _invite_into(team, of_team, acting_user, now)
    return made, tuple(seats), tuple(left_out)


def _is_a_name(team: Team) -> bool:
    """Whether it came from a table: nobody was ever in it, and no list made it."""
    return not team.members.exists() and not team.registrations.exists()


def _invite_into(
    team: Team, rows: Iterable[Registration], acting_user: Person, now: datetime
) -> list[TeamMember]:
    """Everybody who never was in the team nor asked to be; whoever declined is not asked again."""
    asked = set(team.members.values_list("person", flat=True))
    seats = []
    for row in rows:
        if row.team_id != team.pk:
            row.team = team
            row.save(update_fields=["team"])
        if row.person is not None and row.person.pk not in asked:
            seats.append(teams.seat_invited(team=team, person=row.person, acting_user=acting_user, now=now))
            asked.add(row.person.pk)
    return seats
