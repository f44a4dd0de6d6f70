"""Pull requests whose titles look like work on a task and that are tied to none: why, and for which tasks they may be."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Q

from claims.grammar.ids import TaskIds
from claims.grammar.model import TitlePrefix
from claims.models import Claim, PullRequest, PullRequestLink
from claims.near_misses import Known, NearMiss, Why, find_near_miss
from claims.title_prefixes import meet, plain_prefix
from portal.models import Person
from tasks_board.models import Event, Task, TeamMember

MOST = 200


@dataclass(frozen=True, slots=True)
class TitleWatch:
    """One event, as one looks from it at titles. `tasks`: keys by number; `held`: numbers of open claims by person."""

    event: Event
    known: Known
    tasks: Mapping[str, Sequence[int]]
    held: Mapping[int, frozenset[str]]

    def near_miss(self, pull_request: PullRequest) -> NearMiss | None:
        """What the title of a pull request that is tied to nothing is to the event."""
        held = self.held.get(pull_request.author.whole_id, frozenset())
        known = replace(self.known, held=held)
        return find_near_miss(pull_request.title, repository=pull_request.repository, known=known)

    def candidates(self, pull_request: PullRequest, miss: NearMiss) -> list[int]:
        """The tasks that it may be for, by key."""
        held = self.held.get(pull_request.author.whole_id, frozenset())
        numbers = sorted(held) if miss.why is Why.UNKNOWN_NUMBER else [miss.number]
        return [task for number in numbers for task in self.tasks.get(number, ())]

    def holds(self, person: Person) -> bool:
        """Whether they have a claim here that is open."""
        return bool(self.held.get(person.whole_id))


def watch_titles(events: Iterable[Event], *, of: Person | None = None) -> list[TitleWatch]:
    """How titles are looked at from these events, in four queries. `of`: the only author who matters."""
    looking = [event for event in events if _is_named(event)]
    if not looking:
        return []
    named = _names()
    tasks: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    on_board = Task.objects.on_board().filter(event__in=looking).exclude(number="")
    for event_id, number, pk in on_board.order_by("sort_key", "pk").values_list("event_id", "number", "pk"):
        tasks[event_id][number].append(pk)
    held = _held(looking, of)
    return [_watch(event, tasks[event.pk], held[event.pk], named) for event in looking]


def _is_named(event: Event) -> bool:
    return bool(event.title_prefix or event.title_aliases)


def _names() -> dict[int, TitlePrefix]:
    """How titles name each event that people see, by its key."""
    everybody = Event.objects.exclude(status__in=[Event.Status.ARCHIVED, Event.Status.DRAFT])
    return {event.pk: plain_prefix(event) for event in everybody.exclude(title_prefix="", title_aliases=[])}


def _watch(
    event: Event,
    tasks: Mapping[str, Sequence[int]],
    held: Mapping[int, frozenset[str]],
    named: Mapping[int, TitlePrefix],
) -> TitleWatch:
    own = plain_prefix(event)
    others = [prefix for pk, prefix in named.items() if pk != event.pk]
    known = Known(
        event=replace(own, task_ids=TaskIds.of(tasks)),
        numbers={number: len(pks) for number, pks in tasks.items()},
        others=[other for other in others if not meet(own, other)],
        is_name_shared=any(meet(own, other) for other in others),
    )
    return TitleWatch(event, known, tasks, held)


def _held(events: Sequence[Event], of: Person | None) -> dict[int, dict[int, frozenset[str]]]:
    """By event and person (the account that counts), the numbers of the tasks that they, or their teams, have open."""
    claims = Claim.objects.filter(task__event__in=events, task__is_removed=False, shown=True).exclude(
        standing__in=Claim.ENDED
    )
    seats = TeamMember.objects.seated().filter(team__event__in=events)
    if of is not None:
        own = Q(person=of.whole_id) | Q(person__canonical=of.whole_id)
        seats = seats.filter(own)
        claims = claims.filter(own | Q(team__in=seats.values("team")))
    members: dict[int, set[int]] = defaultdict(set)
    for team, person, canonical in seats.values_list("team_id", "person_id", "person__canonical_id"):
        members[team].add(canonical or person)
    found: dict[int, dict[int, set[str]]] = {event.pk: defaultdict(set) for event in events}
    rows = claims.values_list(
        "task__event_id", "task__number", "person_id", "person__canonical_id", "team_id"
    )
    for event_id, number, person, canonical, team in rows:
        for somebody in members[team] if team else {canonical or person}:
            if number:
                found[event_id][somebody].add(number)
    return {pk: {who: frozenset(numbers) for who, numbers in by.items()} for pk, by in found.items()}


@dataclass(frozen=True, slots=True)
class UnreadTitle:
    """A pull request that a mentor should look at, with the tasks that it may be for."""

    pull_request: PullRequest
    miss: NearMiss
    tasks: Sequence[int]


def list_unread_titles(
    event: Event, *, tasks: Mapping[str, Sequence[int]], held: Mapping[int, frozenset[str]]
) -> list[UnreadTitle]:
    """Open or merged pull requests since the event came to us that surely mean a task of it, in three queries.

    `tasks` and `held` as a `TitleWatch` has them.
    """
    if not _is_named(event):
        return []
    watch = _watch(event, tasks, held, _names())
    loose = PullRequest.objects.filter(
        _authors(watch), _in_repositories(watch), updated_at__gte=event.came_at
    )
    loose = loose.exclude(state=PullRequest.State.CLOSED).exclude(
        pk__in=PullRequestLink.objects.holding().values("pull_request")
    )
    found = [
        UnreadTitle(pull_request, miss, watch.candidates(pull_request, miss))
        for pull_request in loose.select_related("author").order_by("-opened_at", "-pk")[:MOST]
        if _is_of_its_time(event, pull_request)
        and (miss := watch.near_miss(pull_request)) is not None
        and miss.is_sure
    ]
    off = _taken_off(unread.pull_request for unread in found)
    left = [
        replace(unread, tasks=[task for task in unread.tasks if (unread.pull_request.pk, task) not in off])
        for unread in found
    ]
    return [unread for unread in left if unread.tasks]


def _authors(watch: TitleWatch) -> Q:
    """Those with a claim; everybody, where a title may be for several tasks or events."""
    by_claimants = Q(author__in=watch.held) | Q(author__canonical__in=watch.held)
    is_shared = watch.known.is_name_shared or any(count > 1 for count in watch.known.numbers.values())
    return Q() if is_shared else by_claimants


def _in_repositories(watch: TitleWatch) -> Q:
    found = Q(pk=None)
    for name in watch.known.event.repositories:
        found |= Q(repository__iexact=name)
    return found


def _is_of_its_time(event: Event, pull_request: PullRequest) -> bool:
    return event.pull_requests_since is None or pull_request.opened_at >= event.pull_requests_since


def _taken_off(found: Iterable[PullRequest]) -> Collection[tuple[int, int]]:
    links = PullRequestLink.objects.filter(pull_request__in=[pull_request.pk for pull_request in found])
    return set(links.values_list("pull_request_id", "task_id"))
