"""Reading events and tasks: who may see them, and what their pages show. Writes nothing."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet, prefetch_related_objects
from django.utils.translation import gettext_lazy as _

from portal.common.errors import NotFound
from portal.models import Person
from tasks_board import rights
from tasks_board.documents.figures import Figures
from tasks_board.documents.model import State
from tasks_board.models import (
    Direction,
    Event,
    EventLink,
    EventRole,
    Phase,
    Task,
    TaskHelper,
    Team,
    TrackingIssue,
)
from tasks_board.rights import Rights

# How a task's state counts in a lane.
LANE_OF: Mapping[str, str] = {
    "done": "done",
    "pr_open": "review",
    "approved": "review",
    "partly_done": "review",
    "claimed": "claimed",
    "rfc_submitted": "claimed",
    "rfc_merged": "claimed",
    "open": "open",
    "deferred": "paused",
    "blocked": "paused",
}


_HAS_TEAM = Exists(Team.objects.filter(event=OuterRef("pk")))

# Texts are read every two minutes; what nobody could read for so long, organizers should know of.
SILENCE = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class EventHead:
    """What stands over every page of an event."""

    phase: Phase | None
    closes_at: datetime | None
    days_left: int | None
    texts: Sequence[TrackingIssue]  # bodies of issues, and comments with tables
    task_count: int
    rights: Rights
    has_teams: bool = False
    silent: Sequence[TrackingIssue] = ()  # the texts that GitHub has not let us read for long

    @property
    def issues(self) -> Sequence[TrackingIssue]:
        """The issues, without comments under them."""
        return [text for text in self.texts if text.comment_id is None]

    @property
    def alarms(self) -> int:
        """In how many texts something waits for an organizer’s look."""
        return sum(1 for text in self.texts if text.alarm)

    @property
    def without_column(self) -> Sequence[TrackingIssue]:
        """The issues in which some table has no column for claimants."""
        return [text for text in self.texts if text.lacks_column]


@dataclass(frozen=True, slots=True)
class DirectionRow:
    """A direction with its tasks counted; without one, tasks outside of any section, or all together."""

    direction: Direction | None
    figures: Figures

    @property
    def lane(self) -> Mapping[str, int]:
        """The tasks by lane."""
        return _lane_of_counts(self.figures.states.items())

    @property
    def total(self) -> int:
        """All tasks of the direction."""
        return self.figures.counts()["tasks"]

    @property
    def rates(self) -> Mapping[str, str]:
        """The share of tasks with a pull request or more, and of those done, in percent."""
        return self.figures.rates(decimals=1)


@dataclass(frozen=True, slots=True)
class Course:
    """An event's way from its first day to its last, in percent: where the phases end, and where today is."""

    opens_at: datetime
    closes_at: datetime
    buoys: tuple[int, ...]
    today: int


@dataclass(frozen=True, slots=True)
class EventCard:
    """A running event on the home page."""

    event: Event
    head: EventHead
    lane: Mapping[str, int]
    directions: int
    course: Course | None


@dataclass(frozen=True, slots=True)
class HelperRow:
    """A mentor or assistant named in the tables, with how many tasks, and whether it is a right already."""

    person: Person
    role: str
    tasks: int
    granted: int


def with_task_counts(events: QuerySet[Event]) -> QuerySet[Event]:
    """The events with `task_count`, the tasks on their boards; the latest first."""
    on_board = Count("tasks", filter=Q(tasks__is_removed=False))
    return events.annotate(task_count=on_board).order_by("-created_at", "-pk")


def list_visible_events(*, viewer: Person | None) -> QuerySet[Event]:
    """Events that this person may see: all but drafts; a draft only by who has a role in it."""
    return Event.objects.filter(rights.visible_to(viewer))


def get_event(slug: str, *, viewer: Person | None) -> Event:
    """The event, if this person may see it. Raises NotFound."""
    event = list_visible_events(viewer=viewer).filter(slug=slug).first()
    if event is None:
        raise NotFound("event_not_found", _("There is no such event."), slug=slug)
    return event


def get_event_to_organize(slug: str, *, viewer: Person | None) -> Event:
    """The event, if this person organizes it. Raises NotFound and NotAllowed."""
    event = get_event(slug, viewer=viewer)
    rights.check_may_organize(event, viewer)
    return event


def get_event_to_decide(slug: str, *, viewer: Person | None) -> Event:
    """The event, if some of its claims are this person's to decide on. Raises NotFound and NotAllowed."""
    event = get_event(slug, viewer=viewer)
    rights.check_may_mentor(event, viewer)
    return event


def describe_head(event: Event, *, viewer: Person | None, now: datetime) -> EventHead:
    """The head of the event's pages."""
    texts = list(event.tracking_issues.filter(retired_at=None).defer("body", "agreed_body").order_by("pk"))
    counted = with_task_counts(Event.objects.filter(pk=event.pk)).annotate(has_team=_HAS_TEAM)
    task_count, has_team = counted.values_list("task_count", "has_team").get()
    return EventHead(
        phase=_phase_at(_phases_of(event), now),
        closes_at=event.closes_at,
        days_left=_days_left(event, now),
        texts=texts,
        task_count=task_count,
        rights=rights.rights_in(event, viewer),
        has_teams=event.rule_set.people_per_team is not None or has_team,
        silent=[text for text in texts if _is_silent(event, text, now)],
    )


def _is_silent(event: Event, text: TrackingIssue, now: datetime) -> bool:
    is_polled = event.status in (Event.Status.RUNNING, Event.Status.CLOSED) and text.number is not None
    return is_polled and text.read_at is not None and now - text.read_at > SILENCE


def has_teams(event: Event) -> bool:
    """Whether teams make sense in the event: its rules speak of them, or there are some."""
    return event.rule_set.people_per_team is not None or event.teams.exists()


def _phases_of(event: Event) -> list[Phase]:
    """In their order; whoever asks the same event for its phases again has them already."""
    prefetch_related_objects([event], "phases")
    return sorted(event.phases.all(), key=lambda phase: (phase.position, phase.pk))


def _phase_at(phases: Iterable[Phase], now: datetime) -> Phase | None:
    for phase in phases:
        begun = phase.starts_at is None or phase.starts_at <= now
        if begun and (phase.ends_at is None or now <= phase.ends_at):
            return phase
    return None


def _days_left(event: Event, now: datetime) -> int | None:
    if event.closes_at is None or event.closes_at < now:
        return None
    zone = ZoneInfo(event.time_zone)
    last_day = (
        (event.closes_at - timedelta(seconds=1)).astimezone(zone).date()
    )  # midnight ends the day before
    return (last_day - now.astimezone(zone).date()).days


def lane_of(states: Iterable[str]) -> dict[str, int]:
    """Task states counted by lane."""
    return dict(Counter(LANE_OF[state] for state in states if state in LANE_OF))


def _lane_of_counts(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    lane: Counter[str] = Counter()
    for state, count in counts:
        if state in LANE_OF:
            lane[LANE_OF[state]] += count
    return dict(lane)


def list_directions(event: Event) -> list[DirectionRow]:
    """The event's sections in their order, each counted; tasks outside of any section come last. Two queries."""
    states: dict[int | None, dict[State, int]] = defaultdict(dict)
    on_board = Task.objects.filter(event=event, is_removed=False)
    rows = on_board.values_list("direction_id", "state").annotate(n=Count("pk")).order_by()
    for direction_id, state, count in rows:
        states[direction_id][State(state)] = count
    sections = event.directions.filter(source=Direction.Source.SECTION).order_by("position", "pk")
    found = [DirectionRow(section, Figures(section.name, states[section.pk])) for section in sections]
    outside = DirectionRow(None, Figures(None, states[None]))
    return [*found, outside] if outside.total else found


def add_up(directions: Iterable[DirectionRow]) -> DirectionRow:
    """All tasks of an event, from its directions."""
    return DirectionRow(None, Figures.add_up(row.figures for row in directions))


def count_by_state(event: Event) -> dict[str, int]:
    """The tasks on the event's board counted by state, those of no task with 0. One query."""
    on_board = Task.objects.filter(event=event, is_removed=False)
    counts = dict(on_board.values_list("state").annotate(n=Count("pk")).order_by())
    return {state: counts.get(state, 0) for state in Task.State.values if state != Task.State.REMOVED}


def list_tasks(event: Event) -> QuerySet[Task]:
    """The tasks on the event's board in their order, with their directions."""
    found = event.tasks.filter(is_removed=False)  # each knows its event without asking
    return (
        found.select_related("direction", "tracking_issue")
        .prefetch_related("also_in")
        .order_by("position", "sort_key", "pk")
    )


def list_areas(event: Event) -> QuerySet[Direction]:
    """The values of the tables' direction column, with `task_count`."""
    return (
        event.directions.filter(source=Direction.Source.COLUMN)
        .annotate(task_count=Count("tasks_tagged", filter=Q(tasks_tagged__is_removed=False)))
        .filter(task_count__gt=0)
        .order_by("-task_count", "position", "pk")
    )


def list_helpers(event: Event) -> list[HelperRow]:
    """Who is named as mentor or assistant, by role and number of tasks. One query."""
    rows = (
        TaskHelper.objects.filter(task__event=event, task__is_removed=False)
        .values("person_id", "role")
        .annotate(
            tasks=Count("task", distinct=True), granted=Count("task", filter=Q(granted_at__isnull=False))
        )
        .order_by("-role", "-tasks", "person_id")
    )
    found = list(rows)
    people = Person.objects.in_bulk([row["person_id"] for row in found])
    return [HelperRow(people[row["person_id"]], row["role"], row["tasks"], row["granted"]) for row in found]


def list_roles(event: Event) -> QuerySet[EventRole]:
    """Rights granted in the whole event."""
    return event.roles.select_related("person").order_by("role", "granted_at", "pk")


def list_links(event: Event, *, viewer: Person | None) -> QuerySet[EventLink]:
    """The campaigns that hang together with the event; one that this person may not see is a title only."""
    seen = Prefetch("other", queryset=list_visible_events(viewer=viewer))
    return event.links.prefetch_related(seen).order_by("kind", "pk")


def list_event_cards(*, viewer: Person | None, now: datetime) -> list[EventCard]:
    """Running events (and the viewer's drafts) for the home page, the latest first."""
    events = list_visible_events(viewer=viewer).filter(status__in=[Event.Status.RUNNING, Event.Status.DRAFT])
    return [_card(event, viewer=viewer, now=now) for event in events.order_by("-created_at", "-pk")]


def _card(event: Event, *, viewer: Person | None, now: datetime) -> EventCard:
    rows = list_directions(event)
    head = describe_head(event, viewer=viewer, now=now)
    return EventCard(event, head, add_up(rows).lane, len(rows), _course(event, now))


def _course(event: Event, now: datetime) -> Course | None:
    opens_at, closes_at = event.opens_at, event.closes_at
    if opens_at is None or closes_at is None:
        return None
    whole = closes_at - opens_at

    def place(at: datetime) -> int:
        return round(100 * min(max((at - opens_at) / whole, 0), 1))

    ends = event.phases.filter(ends_at__isnull=False).values_list("ends_at", flat=True)
    between = {place(end) for end in ends if end is not None}
    return Course(opens_at, closes_at, tuple(sorted(between | {0, 100})), place(now))


def list_past_events(*, viewer: Person | None) -> list[tuple[Event, Mapping[str, int]]]:
    """Events that are over, the latest first, with their tasks counted by lane. Two queries."""
    events = list_visible_events(viewer=viewer).filter(
        status__in=[Event.Status.CLOSED, Event.Status.ARCHIVED]
    )
    found = list(events.order_by("-closes_at", "-pk")[:8])
    counts: dict[int, list[tuple[str, int]]] = {}
    rows = (
        Task.objects.filter(event__in=found, is_removed=False)
        .values_list("event_id", "state")
        .annotate(n=Count("pk"))
        .order_by()
    )
    for event_id, state, count in rows:
        counts.setdefault(event_id, []).append((state, count))
    return [(event, _lane_of_counts(counts.get(event.pk, []))) for event in found]


def get_task(event: Event, pk: int) -> Task:
    """The task of that event, also one that left the table. Raises NotFound."""
    task = (
        Task.objects.select_related("event", "direction", "tracking_issue").filter(event=event, pk=pk).first()
    )
    if task is None:
        raise NotFound("task_not_found", _("There is no such task in this event."), pk=pk)
    return task


@dataclass(frozen=True, slots=True)
class PhaseRow:
    """A phase and whether it is over, running or to come."""

    phase: Phase
    is_past: bool
    is_now: bool


def list_phases(event: Event, *, now: datetime) -> list[PhaseRow]:
    """The event's phases in their order."""
    return [
        PhaseRow(
            phase,
            is_past=phase.ends_at is not None and phase.ends_at < now,
            is_now=(phase.starts_at is None or phase.starts_at <= now)
            and (phase.ends_at is None or now <= phase.ends_at),
        )
        for phase in event.phases.order_by("position", "pk")
    ]


def find_example_task(event: Event) -> Task | None:
    """A task to show in examples: an open one, else any."""
    tasks = event.tasks.filter(is_removed=False).order_by("position", "pk")
    return tasks.filter(state=Task.State.OPEN).first() or tasks.first()
