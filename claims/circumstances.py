"""The circumstances that the rules look at, collected for whoever asks: for one task, or for all tasks of a board."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from django.db.models import Q

from claims.models import Claim, Decision
from claims.policy import ALREADY, Circumstances, Ruling, judge
from portal.models import Person
from tasks_board import schedule
from tasks_board.models import Event, EventMark, Task, Team, TeamMember


@dataclass(frozen=True, slots=True)
class OnTask:
    """What a task has on it when somebody asks for it. `own`: their claim, or one that stands for theirs."""

    taken: int = 0
    in_line: int = 0
    missing: tuple[str, ...] = ()
    own: Claim | None = None
    was_declined: bool = False

    @classmethod
    def of(cls, claims: Collection[Claim], *, missing: tuple[str, ...], own: Iterable[Claim]) -> "OnTask":
        """Counted from the claims of the task."""
        return cls(
            taken=sum(claim.standing in Claim.HOLDS_PLACE for claim in claims),
            in_line=sum(claim.standing == Claim.Standing.WAITING for claim in claims),
            missing=missing,
            own=max(own, key=lambda claim: claim.standing in ALREADY, default=None),
        )


class Asker:
    """Somebody, alone or for their team, at one moment in one event: what is the same for all tasks is looked up once."""

    def __init__(
        self, event: Event, person: Person | None, at: datetime, *, team: Team | None = None
    ) -> None:
        self.event, self.person, self.at = event, person, at
        self.rules = event.rule_set
        self.window = schedule.claiming_window(event, at)
        self.team = team
        self.people = self._people()
        self.marks = self._marks()
        self.in_hand = self._in_hand()

    def on(self, task: Task, here: OnTask) -> Circumstances:
        """The circumstances of a claim on a task."""
        window = schedule.task_window(task, self.at)
        return Circumstances(
            event_status=self.event.status,
            has_opened=self.window.has_opened,
            has_closed=self.window.has_closed,
            task_state=task.state_for_claiming,
            own_standing=here.own.standing if here.own else None,
            open_claims=len(self.in_hand - {task.pk}),
            was_declined=here.was_declined,
            is_bot=self.person is not None and self.person.is_bot,
            task_has_opened=window.has_opened,
            task_has_closed=window.has_closed,
            places=self.rules.places_per_task if task.places is None else task.places,
            taken=here.taken,
            in_line=here.in_line,
            missing=here.missing,
            marks=self.marks,
            team_size=len(self.people) if self.team else None,
        )

    def look_at(self, task: Task, *, but: Claim | None = None) -> OnTask:
        """What is on one task, `but` for a claim that is being judged."""
        known = Claim.objects.filter(task=task, shown=True).select_related("person")
        claims = [claim for claim in known if claim != but]
        own = [claim for claim in claims if self.stands_for(claim)]
        found = OnTask.of(claims, missing=list_missing(Q(pk=task.pk)).get(task.pk, ()), own=own)
        if found.own is None:
            return found
        return OnTask(found.taken, found.in_line, found.missing, found.own, _was_declined(found.own))

    def stands_for(self, claim: Claim) -> bool:
        """Whether a claim is the asker's own, or one that stands for theirs: of a member, or of a team of theirs."""
        return claim.team_id in self._teams or _whole(claim.person) in self.people

    def _people(self) -> frozenset[int]:
        """Those who claim: the person, or the members of the team."""
        if self.team is not None:
            seats = self.team.members.seated().select_related("person")
            return frozenset(seat.person.whole_id for seat in seats)
        return frozenset() if self.person is None else frozenset({self.person.whole_id})

    def _marks(self) -> frozenset[str]:
        """A ban of one is a ban of the team; an invitation of one is one of all."""
        if not self.people:
            return frozenset()
        marks = EventMark.objects.filter(event=self.event, person__in=self.people, lifted_at=None)
        return frozenset(marks.values_list("kind", flat=True))

    @cached_property
    def _teams(self) -> set[int]:
        """The teams whose claims stand for the asker's own."""
        if self.team is not None:
            return {self.team.pk}
        seats = TeamMember.objects.seated().filter(team__event=self.event)
        mine = Q(person__in=self.people) | Q(person__canonical__in=self.people)
        return set(seats.filter(mine).values_list("team_id", flat=True))

    def _in_hand(self) -> set[int]:
        """The tasks of the event that wait for whoever asks, in their own claims or their team's."""
        if self.person is None and self.team is None:
            return set()
        return tasks_in_hand(self.event, person=self.person, team=self.team)


def rule_on(claim: Claim, at: datetime) -> Ruling:
    """What the rules say, at a moment, of letting in whoever made this claim, by all other claims of the task."""
    person = claim.person and (claim.person.canonical or claim.person)
    asker = Asker(claim.task.event, person, at, team=claim.team)
    others = (
        Claim.objects.filter(task=claim.task_id, shown=True).exclude(pk=claim.pk).select_related("person")
    )
    own = [other for other in others if asker.stands_for(other)]
    missing = list_missing(Q(pk=claim.task_id)).get(claim.task_id, ())
    is_in_line = claim.standing == Claim.Standing.WAITING
    return rule_on_admission(asker, claim.task, others, own=own, missing=missing, is_in_line=is_in_line)


def rule_on_admission(
    asker: Asker,
    task: Task,
    others: Iterable[Claim],
    *,
    own: Iterable[Claim],
    missing: tuple[str, ...],
    is_in_line: bool,
) -> Ruling:
    """As if they asked now. Who is in line already needs a place that is free; the others in line take none from them."""
    counted = [other for other in others if not is_in_line or other.standing != Claim.Standing.WAITING]
    rules = replace(asker.rules, waiting_list=False) if is_in_line else asker.rules
    return judge(rules, asker.on(task, OnTask.of(counted, missing=missing, own=own)))


def tasks_in_hand(event: Event, *, person: Person | None, team: Team | None) -> set[int]:
    """The tasks of an event that are in the hands of a person (with any team of theirs), or of a team."""
    whose = Q(pk=None) if team is None else Q(team=team)
    if person is not None:
        whole = person.whole_id
        seats = TeamMember.objects.seated().filter(Q(person=whole) | Q(person__canonical=whole))
        whose |= Q(person=whole) | Q(person__canonical=whole) | Q(team__in=seats.values("team"))
    held = Claim.objects.in_hand().filter(whose, task__event=event)
    return set(held.values_list("task_id", flat=True))


def list_missing(which: Q) -> dict[int, tuple[str, ...]]:
    """By task, the numbers of the tasks that have to be done first and are not."""
    missing: dict[int, list[str]] = defaultdict(list)
    tasks = Task.objects.filter(which, requires__isnull=False).order_by("requires__sort_key", "requires")
    for pk, number, state in tasks.values_list("pk", "requires__number", "requires__state"):
        if state != Task.State.DONE:
            missing[pk].append(number)
    return {pk: tuple(numbers) for pk, numbers in missing.items()}


def _whole(person: Person | None) -> int | None:
    return None if person is None else person.whole_id


def _was_declined(claim: Claim) -> bool:
    """Giving up a claim and making it anew does not get around a mentor's no."""
    answers = claim.decisions.filter(
        kind__in=[Decision.Kind.DECLINED, Decision.Kind.ADMITTED], undone_by=None
    )
    last = answers.order_by("at", "pk").last()
    return last is not None and last.kind == Decision.Kind.DECLINED
