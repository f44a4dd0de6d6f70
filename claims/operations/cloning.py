"""An event goes on in a next one: a new draft with the unfinished tasks, without their claims."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.utils.text import slugify

from portal import audit
from portal.models import Person
from rewards import operations as rewards
from rewards.models import EventReward
from tasks_board import rights
from tasks_board.models import Direction, Event, EventLink, EventRole, Task, TaskHelper
from tasks_board.operations import events
from tasks_board.rules import Preset


@dataclass(frozen=True, slots=True)
class Next:
    """What the next event is called, and what else it takes over."""

    name: str
    slug: str = ""
    title_prefix: str = ""
    with_roles: bool = False
    with_rewards: bool = False


_FIELDS = (
    "summary",
    "language",
    "accent",
    "time_zone",
    "repositories",
    "proposal_repositories",
    "rules",
)
_OF_TASKS = (
    "number",
    "number_is_ours",
    "sort_key",
    "title",
    "url",
    "description",
    "difficulty",
    "star_steps",
    "proposal_required",
    "places",
    "chain",
    "position",
    "is_excluded",
)


@transaction.atomic
def clone_event(*, event: Event, into: Next, acting_user: Person, now: datetime) -> Event:
    """A draft that follows on from an event: its rules, its directions, and its unfinished tasks, open and under their numbers.

    The tasks stand in no table until an issue is added; its rows are then paired with them. Titles of pull requests name it
    by a prefix of its own, so that none counts twice. Raises NotAllowed, DomainError (slug_taken).
    """
    rights.check_may_organize(event, acting_user)
    made = events.create_event(
        name=into.name,
        slug=into.slug or slugify(into.name)[:70] or _next_slug(event.slug),
        preset=Preset(event.kind),
        acting_user=acting_user,
        now=now,
        title_prefix=into.title_prefix,
        pull_requests_since=now,
        **{name: getattr(event, name) for name in _FIELDS},
    )
    EventLink.objects.create(event=made, kind=EventLink.Kind.PREDECESSOR, other=event, title=event.name)
    directions = _clone_directions(event, made)
    _clone_tasks(event, made, directions, now)
    _grant_roles(event, made, into, acting_user, now)
    if into.with_rewards:
        _clone_rewards(event, made, acting_user, now)
    audit.record(
        "claims.event_cloned",
        actor=acting_user,
        target=made,
        now=now,
        event_id=made.pk,
        data={"predecessor": event.pk},
    )
    return made


def _next_slug(slug: str) -> str:
    """The address that counts on, where a name has no letters for one: ccf-6, then ccf-7; paddle, then paddle-2."""
    base, dash, last = slug.rpartition("-")
    counts = bool(dash) and last.isascii() and last.isdigit() and len(last) < 6
    base, first = (base, int(last) + 1) if counts else (slug, 2)
    return events.free_slug(base[:60], first=first)


def _clone_directions(event: Event, made: Event) -> dict[int, Direction]:
    found: dict[int, Direction] = {}
    waiting = list(event.directions.order_by("position", "pk"))
    while waiting:
        ready = [d for d in waiting if d.parent_id is None or d.parent_id in found]
        for direction in ready:
            found[direction.pk] = Direction.objects.create(
                event=made,
                parent=found[direction.parent_id] if direction.parent_id else None,
                name=direction.name,
                source=direction.source,
                position=direction.position,
                note=direction.note,
            )
        waiting = [d for d in waiting if d.pk not in found]
    return found


def _clone_tasks(event: Event, made: Event, directions: dict[int, Direction], now: datetime) -> None:
    unfinished = event.tasks.on_board().exclude(state=Task.State.DONE)
    old = list(
        unfinished.prefetch_related("also_in", "helpers", "requires").order_by("position", "sort_key", "pk")
    )
    new = {
        task.pk: Task(
            event=made,
            direction=directions[task.direction_id] if task.direction_id else None,
            created_at=now,
            **{name: getattr(task, name) for name in _OF_TASKS},
        )
        for task in old
    }
    Task.objects.bulk_create(new.values())
    tags, needs = Task.also_in.through, Task.requires.through
    tags.objects.bulk_create(
        tags(task=new[task.pk], direction=directions[tag.pk]) for task in old for tag in task.also_in.all()
    )
    needs.objects.bulk_create(
        needs(from_task=new[task.pk], to_task=new[first.pk])
        for task in old
        for first in task.requires.all()
        if first.pk in new
    )
    TaskHelper.objects.bulk_create(
        TaskHelper(task=new[task.pk], person_id=helper.person_id, role=helper.role, position=helper.position)
        for task in old
        for helper in task.helpers.all()
    )


def _grant_roles(event: Event, made: Event, into: Next, acting_user: Person, now: datetime) -> None:
    """Whoever clones it organizes it; the other roles go along if asked for."""
    events.grant_role(
        event=made, person=acting_user, role=EventRole.Role.ORGANIZER, acting_user=acting_user, now=now
    )
    for granted in event.roles.select_related("person").order_by("pk") if into.with_roles else ():
        events.grant_role(
            event=made,
            person=granted.person,
            role=EventRole.Role(granted.role),
            acting_user=acting_user,
            now=now,
        )


def _clone_rewards(event: Event, made: Event, acting_user: Person, now: datetime) -> None:
    for reward in EventReward.objects.active().filter(event=event).select_related("pool").order_by("pk"):
        rewards.set_event_reward(
            event=made,
            pool=reward.pool,
            per=EventReward.Per(reward.per),
            amount=Decimal(reward.amount_steps) / reward.pool.scale,
            partly_percent=reward.partly_percent,
            acting_user=acting_user,
            now=now,
        )
