"""Teams: made, joined by invitation, led, left. One team for each person and event.

Everything here locks the people first, then the team. Whoever changes the members of a team that has claims goes through
`claims.operations.teaming`, which derives the team's standings anew.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from portal import audit, locks
from portal.accounts import people
from portal.common.errors import DomainError, NotAllowed
from portal.models import Person
from tasks_board import rights
from tasks_board.models import Event, Team, TeamMember

LONGEST_NAME = 120


def team_of(event: Event, person: Person) -> Team | None:
    """The team that the person is a member of, under any account."""
    whole = person.whole_id
    seats = TeamMember.objects.seated().filter(team__event=event)
    seat = seats.filter(person__in=_accounts(whole)).select_related("team").first()
    return seat.team if seat else None


def need_team_of(event: Event, person: Person) -> Team:
    """The team that the person is a member of. Raises NotAllowed (not_a_member) if they are in none."""
    team = team_of(event, person)
    if team is None:
        raise NotAllowed("not_a_member", _("You are in no team of this event."))
    return team


@transaction.atomic
def create_team(*, event: Event, name: str, captain: Person, now: datetime) -> Team:
    """A new team, its maker the captain. A name that a table uses already is nobody's to take.

    Raises DomainError: no_name, name_taken, in_a_team.
    """
    captain = _lock_person(captain)
    name = " ".join(name.split())[:LONGEST_NAME]
    if not name:
        raise DomainError("no_name", _("Give the team a name."))
    if event.teams.filter(name__iexact=name).exists():
        raise _name_taken()
    _check_has_no_team(event, captain)
    team = _make(event, name, captain, now)
    TeamMember.objects.create(team=team, person=captain, invited_at=now, accepted_at=now)
    _note("tasks_board.team_created", team, captain, captain, now)
    return team


@transaction.atomic
def make_for_list(*, event: Event, name: str, acting_user: Person, now: datetime) -> Team:
    """A team of a registration list, still without members: the first who accepts leads it. Raises NotAllowed, DomainError: name_taken."""
    rights.check_may_organize(event, acting_user)
    team = _make(event, name, None, now)
    _note("tasks_board.team_created", team, acting_user, acting_user, now)
    return team


def _make(event: Event, name: str, captain: Person | None, now: datetime) -> Team:
    """The row; whoever takes the same name at the same moment is told so."""
    try:
        with transaction.atomic():
            return Team.objects.create(event=event, name=name, captain=captain, created_at=now)
    except IntegrityError as error:
        raise _name_taken() from error


def _name_taken() -> DomainError:
    return DomainError("name_taken", _("There is a team of this name already. Choose another one."))


@transaction.atomic
def invite(*, team: Team, login: str, acting_user: Person, now: datetime) -> TeamMember:
    """Ask somebody into the team; asking twice is asking once.

    Raises NotAllowed, DomainError: no_such_person, only_a_name, team_is_full.
    """
    team = _lock_team(team)
    _check_captain(team, acting_user)
    person = people.need_account(login)
    _check_has_room(team)
    return seat_invited(team=team, person=person, acting_user=acting_user, now=now)


def seat_invited(*, team: Team, person: Person, acting_user: Person, now: datetime) -> TeamMember:
    """Put an invitation down, once. Every invitation goes through here; the team is locked, the right was asked for."""
    seat, created = TeamMember.objects.get_or_create(
        team=team, person=person, left_at=None, defaults={"invited_at": now}
    )
    if created:
        _note("tasks_board.team_invited", team, person, acting_user, now)
    return seat


@transaction.atomic
def remove(*, team: Team, person: Person, acting_user: Person, now: datetime) -> Team:
    """The captain takes an invitation back, or a member off the team. Captains themselves leave, or hand over first.

    Raises NotAllowed, DomainError: not_a_member, captains_leave.
    """
    person = _lock_person(person)
    team = _lock_team(team)
    _check_captain(team, acting_user)
    if person.pk == team.captain_id:
        raise DomainError("captains_leave", _("A captain leaves the team, or hands it over first."))
    seat = team.members.filter(person__in=_accounts(person.pk), left_at=None).first()
    if seat is None:
        raise DomainError("not_a_member", _("This person is not in the team any more."))
    seat.left_at = now
    seat.save(update_fields=["left_at"])
    done = "tasks_board.team_removed" if seat.accepted_at else "tasks_board.team_uninvited"
    _note(done, team, person, acting_user, now)
    return team


@transaction.atomic
def accept(*, team: Team, person: Person, now: datetime) -> TeamMember:
    """Say yes to an invitation. Raises DomainError: not_invited, in_a_team, team_is_full."""
    person = _lock_person(person)
    team = _lock_team(team)
    seat = _seat(team, person)
    if seat.accepted_at is not None:
        return seat
    _check_has_no_team(team.event, person)
    _check_has_room(team)
    seat.accepted_at = now
    seat.save(update_fields=["accepted_at"])
    if team.captain_id is None:
        _set_captain(team, person)
    _note("tasks_board.team_joined", team, person, person, now)
    return seat


@transaction.atomic
def decline(*, team: Team, person: Person, now: datetime) -> None:
    """Say no to an invitation. Raises DomainError: not_invited."""
    person = _lock_person(person)
    team = _lock_team(team)
    seat = _seat(team, person)
    if seat.accepted_at is None:
        seat.left_at = now
        seat.save(update_fields=["left_at"])
        _note("tasks_board.team_declined", team, person, person, now)


@transaction.atomic
def leave(*, team: Team, person: Person, now: datetime) -> Team:
    """Go. A captain who goes hands over to the member who has been there longest; the last one leaves an empty team.

    Raises DomainError: not_invited.
    """
    person = _lock_person(person)
    team = _lock_team(team)
    seat = _seat(team, person)
    seat.left_at = now
    seat.save(update_fields=["left_at"])
    if team.captain_id == person.pk:
        rest = team.members.seated().order_by("accepted_at", "pk").select_related("person").first()
        _set_captain(team, rest.person if rest else None)
    _note("tasks_board.team_left", team, person, person, now)
    return team


@transaction.atomic
def hand_over(*, team: Team, to: Person, acting_user: Person, now: datetime) -> Team:
    """Make another member the captain. Raises NotAllowed, DomainError: not_a_member."""
    team = _lock_team(team)
    _check_captain(team, acting_user)
    to = to.canonical or to
    if not team.members.seated().filter(person=to).exists():
        raise DomainError("not_a_member", _("Only a member of the team can lead it."))
    _set_captain(team, to)
    _note("tasks_board.team_handed_over", team, to, acting_user, now)
    return team


@transaction.atomic
def link_name(*, team: Team, members: Sequence[Person], acting_user: Person, now: datetime) -> Team:
    """Say who the people behind a name in an old table are; the first one is the captain.

    Raises NotAllowed, DomainError: no_members, not_a_name, in_a_team.
    """
    rights.check_may_organize(team.event, acting_user)
    wanted = {member.whole_id for member in members}
    if acting_user.whole_id in wanted:
        raise NotAllowed("own_team", _("Nobody links a name to themselves. Ask another organizer."))
    if not wanted:
        raise DomainError("no_members", _("Name at least one person."))
    by_key = {person.pk: person for person in locks.lock_rows(Person.objects.filter(pk__in=wanted))}
    team = _lock_team(team)
    check_is_a_name(team)
    for person in by_key.values():
        _check_has_no_team(team.event, person)
        TeamMember.objects.create(team=team, person=person, invited_at=now, accepted_at=now)
        _note("tasks_board.team_linked", team, person, acting_user, now)
    _set_captain(team, by_key[members[0].whole_id])
    return team


def check_is_a_name(team: Team) -> None:
    """Raises DomainError (not_a_name, linked_already) unless it is a name of the tables that nobody has linked."""
    if team.canonical_id is not None:
        raise DomainError("linked_already", _("This name is linked to a team already."))
    if team.members.exists():
        raise DomainError("not_a_name", _("This team has members of its own; they invite others themselves."))


@transaction.atomic
def point_name(*, name: Team, team: Team, acting_user: Person, now: datetime) -> tuple[Team, Team]:
    """Say that a name in the tables means this team: from now on texts that use it speak of the team.

    Returns both, locked. Raises NotAllowed, DomainError: not_a_name, linked_already, other_event.
    """
    rights.check_may_organize(name.event, acting_user)
    locked = {row.pk: row for row in locks.lock_rows(Team.objects.filter(pk__in=[name.pk, team.pk]))}
    name, team = locked[name.pk], locked[team.pk]
    check_is_a_name(name)
    if team.pk == name.pk or team.event_id != name.event_id or team.canonical_id is not None:
        raise DomainError("other_event", _("Choose another team of the same event."))
    own = _accounts(acting_user.whole_id)
    if team.members.filter(person__in=own).exists():
        raise NotAllowed("own_team", _("Nobody links a name to themselves. Ask another organizer."))
    name.canonical = team
    name.save(update_fields=["canonical"])
    name.aliases.update(canonical=team)
    audit.record(
        "tasks_board.team_name_linked",
        actor=acting_user,
        target=name,
        now=now,
        event_id=name.event_id,
        data={"team": team.pk},
    )
    return name, team


def _accounts(whole: int) -> list[int]:
    return [whole, *Person.objects.filter(canonical=whole).values_list("pk", flat=True)]


def _lock_person(person: Person) -> Person:
    return locks.lock_rows(Person.objects.filter(pk=person.whole_id))[0]


def _lock_team(team: Team) -> Team:
    return locks.lock_rows(Team.objects.filter(pk=team.pk).select_related("event"))[0]


def _seat(team: Team, person: Person) -> TeamMember:
    seat = team.members.filter(person__in=_accounts(person.pk), left_at=None).first()
    if seat is None:
        raise DomainError("not_invited", _("This team has not invited you."))
    return seat


def _check_captain(team: Team, person: Person) -> None:
    if team.captain_id != person.whole_id:
        raise NotAllowed("captain_only", _("Only the captain of the team may do that."))


def _check_has_no_team(event: Event, person: Person) -> None:
    if team_of(event, person) is not None:
        raise DomainError(
            "in_a_team", _("Each person is in one team of an event. Leave the other one first.")
        )


def _check_has_room(team: Team) -> None:
    limit = team.event.rule_set.people_per_team
    if limit is not None and team.members.seated().count() >= limit:
        raise DomainError("team_is_full", _("The team is as large as the event allows."), limit=limit)


def _set_captain(team: Team, person: Person | None) -> None:
    team.captain = person
    team.save(update_fields=["captain"])


def _note(action: str, team: Team, person: Person, actor: Person, now: datetime) -> None:
    audit.record(
        action, actor=actor, target=team, now=now, event_id=team.event_id, data={"person": person.pk}
    )
