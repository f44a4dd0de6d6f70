"""The teams of an event as their page reads them: who is in each, what each is on. The number of queries does not grow."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from claims.models import Claim
from claims.organizing import unlinked
from portal.models import Person
from tasks_board.models import Event, Team, TeamMember


@dataclass(frozen=True, slots=True)
class TeamLine:
    """A team. Without members, and with claims, it is a name of the tables that nobody has linked."""

    team: Team
    captain: Person | None
    members: Sequence[Person]
    invited: Sequence[Person]
    claims: Sequence[Claim]
    is_mine: bool = False
    is_led_by_me: bool = False
    is_a_name: bool = False


@dataclass(slots=True)
class TeamList:
    """What the page shows to a reader: their own team, invitations to them, and everybody's teams."""

    teams: list[TeamLine] = field(default_factory=list)
    names: list[TeamLine] = field(default_factory=list)
    mine: TeamLine | None = None
    invitations: list[TeamLine] = field(default_factory=list)
    limit: int | None = None

    @property
    def is_full(self) -> bool:
        """Whether the reader's team has as many members as the event allows."""
        return self.limit is not None and self.mine is not None and len(self.mine.members) >= self.limit


def list_teams(event: Event, *, viewer: Person | None) -> TeamList:
    """All teams of the event by name. Invitations are shown to the team and to whom they ask alone. Five queries."""
    rows = Team.objects.filter(event=event, canonical=None).select_related("captain").order_by("name", "pk")
    bare = {team.pk for team in unlinked.bare_teams(event)}
    seats: dict[int, list[TeamMember]] = defaultdict(list)
    for seat in (
        TeamMember.objects.filter(team__event=event, left_at=None)
        .select_related("person__canonical")
        .order_by("accepted_at", "pk")
    ):
        seats[seat.team_id].append(seat)
    claims: dict[int, list[Claim]] = defaultdict(list)
    held = Claim.objects.live().filter(team__event=event, shown=True).select_related("task")
    for claim in held.order_by("task__position", "task__sort_key", "pk"):
        claims[claim.team_id or 0].append(claim)
    found = TeamList(limit=event.rule_set.people_per_team)
    me = None if viewer is None else viewer.whole_id
    for team in rows:
        line = _line(team, seats[team.pk], claims[team.pk], me, is_a_name=team.pk in bare)
        if line.is_mine:
            found.mine = line
        if me is not None and any(person.pk == me for person in line.invited):
            found.invitations.append(line)
        (found.names if line.is_a_name else found.teams).append(line)
    return found


def _line(
    team: Team, seats: Sequence[TeamMember], claims: Sequence[Claim], me: int | None, *, is_a_name: bool
) -> TeamLine:
    members = [_whole(seat) for seat in seats if seat.accepted_at is not None]
    return TeamLine(
        team=team,
        captain=team.captain,
        members=members,
        invited=[_whole(seat) for seat in seats if seat.accepted_at is None],
        claims=claims,
        is_mine=any(person.pk == me for person in members),
        is_led_by_me=me is not None and team.captain_id == me,
        is_a_name=is_a_name,
    )


def _whole(seat: TeamMember) -> Person:
    return seat.person.canonical or seat.person


def get_team(event: Event, pk: int) -> Team | None:
    """The team of the event with this key, not one that is a name for another."""
    return Team.objects.filter(pk=pk, event=event, canonical=None).first()
