"""Who takes part in an event without a reward: completions are recorded and shown, and earn nothing while that holds."""

from collections import defaultdict
from dataclasses import dataclass

from rewards.models import Completion
from tasks_board.models import EventMark, TeamMember


@dataclass(frozen=True, slots=True)
class Unpaid:
    """People, all accounts of one as one, and teams in which everybody takes part unpaid."""

    people: frozenset[int] = frozenset()
    teams: frozenset[int] = frozenset()

    def holds_for(self, completion: Completion) -> bool:
        """Whether this completion earns nothing."""
        if completion.person is not None:
            return completion.person.whole_id in self.people
        return completion.team_id in self.teams


def unpaid_in(event_id: int) -> Unpaid:
    """As the event's marks say now. Two queries at most."""
    marks = EventMark.objects.filter(event=event_id, kind=EventMark.Kind.UNPAID, lifted_at=None)
    people = {
        canonical or person for person, canonical in marks.values_list("person_id", "person__canonical_id")
    }
    return Unpaid(frozenset(people), _teams_of(event_id, people) if people else frozenset())


def _teams_of(event_id: int, people: set[int]) -> frozenset[int]:
    members: dict[int, set[int]] = defaultdict(set)
    seats = TeamMember.objects.seated().filter(team__event=event_id)
    for team, person, canonical in seats.values_list("team_id", "person_id", "person__canonical_id"):
        members[team].add(canonical or person)
    return frozenset(team for team, found in members.items() if found <= people)
