"""Events: set up, opened to the public, their people.

`acting_user` None is the console, where no right is asked for.
"""

from datetime import datetime
from itertools import count
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from portal import audit
from portal.common.errors import DomainError
from portal.models import Person
from tasks_board import rights
from tasks_board.models import Event, EventRole, TaskHelper, TrackingIssue
from tasks_board.rules import Preset

RESERVED = frozenset(["new"])  # what stands under /events/ beside events


def free_slug(wanted: str, *, first: int = 1) -> str:
    """The address, with a count where it is taken: paddle, paddle-2, paddle-3. `first`: the count to begin with. One query."""
    taken = {*Event.objects.filter(slug__startswith=wanted).values_list("slug", flat=True), *RESERVED}
    counted = (wanted if place == 1 else f"{wanted}-{place}" for place in count(first))
    return next(slug for slug in counted if slug not in taken)


@transaction.atomic
def create_event(
    *, name: str, preset: Preset, acting_user: Person | None, now: datetime, slug: str = "", **fields: Any
) -> Event:
    """A new event, still a draft. Raises DomainError if the slug is taken or a page of ours."""
    slug = slug or slugify(name)[:70] or f"event-{now:%Y%m%d%H%M%S}"
    if slug in RESERVED:
        raise DomainError(
            "slug_reserved",
            _("This address is taken by a page of ours. Choose another slug."),
            slug=slug,
            field="slug",
        )
    if Event.objects.filter(slug=slug).exists():
        raise _slug_taken(slug)
    try:
        with transaction.atomic():
            event = Event.objects.create(name=name, slug=slug, kind=preset.value, created_at=now, **fields)
    except IntegrityError as error:
        raise _slug_taken(slug) from error  # by somebody else, at this moment
    audit.record("tasks_board.event_created", actor=acting_user, target=event, now=now, event_id=event.pk)
    return event


def _slug_taken(slug: str) -> DomainError:
    return DomainError(
        "slug_taken",
        _("There is already an event with this address. Choose another slug."),
        slug=slug,
        field="slug",
    )


@transaction.atomic
def publish_event(*, event: Event, acting_user: Person | None, now: datetime) -> None:
    """Show a draft to everyone and take claims. Publishing a running event changes nothing. Raises NotAllowed."""
    _check(event, acting_user)
    if Event.objects.filter(pk=event.pk, status=Event.Status.DRAFT).update(status=Event.Status.RUNNING):
        audit.record(
            "tasks_board.event_published", actor=acting_user, target=event, now=now, event_id=event.pk
        )
    event.refresh_from_db(fields=["status"])


@transaction.atomic
def grant_role(
    *, event: Event, person: Person, role: EventRole.Role, acting_user: Person | None, now: datetime
) -> EventRole:
    """Give a right in the whole event; giving it again changes nothing.

    Whether `acting_user` may is for the caller to know: an event's first organizer comes from the console, as its maker.
    """
    granted, created = EventRole.objects.get_or_create(
        event=event, person=person, role=role, defaults={"granted_by": acting_user, "granted_at": now}
    )
    if created:
        audit.record(
            "tasks_board.role_granted",
            actor=acting_user,
            target=event,
            now=now,
            event_id=event.pk,
            data={"person": person.pk, "role": role.value},
        )
    return granted


@transaction.atomic
def grant_named_mentors(*, event: Event, acting_user: Person, now: datetime) -> int:
    """Make every mentor whom the tables name the mentor of those tasks; returns how many tasks and people that is.

    People without a GitHub account are left out: a bare name can hold no right. Raises NotAllowed.
    """
    rights.check_may_organize(event, acting_user)
    waiting = TaskHelper.objects.filter(
        task__event=event, role="mentor", granted_at=None, person__github_id__isnull=False
    )
    people = sorted(set(waiting.values_list("person_id", flat=True)))
    count = waiting.update(granted_by=acting_user, granted_at=now)
    if count:
        audit.record(
            "tasks_board.named_mentors_granted",
            actor=acting_user,
            target=event,
            now=now,
            event_id=event.pk,
            data={"people": people},
        )
    return count


@transaction.atomic
def set_writing(
    *, tracking_issue: TrackingIssue, on: bool, acting_user: Person | None, now: datetime
) -> None:
    """Switch the keeping of an issue's table on or off. Raises NotAllowed.

    The permission probe and the diff come before, in the caller.
    """
    _check(tracking_issue.event, acting_user)
    tracking_issue.writing = TrackingIssue.Writing.ON if on else TrackingIssue.Writing.MIRROR
    tracking_issue.writing_changed_by = acting_user
    tracking_issue.writing_changed_at = now
    tracking_issue.alarm, tracking_issue.alarm_about, tracking_issue.alarm_at = "", "", None
    tracking_issue.save(
        update_fields=[
            "writing",
            "writing_changed_by",
            "writing_changed_at",
            "alarm",
            "alarm_about",
            "alarm_at",
        ]
    )
    audit.record(
        "tasks_board.writing_on" if on else "tasks_board.writing_off",
        actor=acting_user,
        target=tracking_issue,
        now=now,
        event_id=tracking_issue.event_id,
    )


def _check(event: Event, acting_user: Person | None) -> None:
    if acting_user is not None:
        rights.check_may_organize(event, acting_user)


@transaction.atomic
def raise_alarm(
    *, tracking_issue: TrackingIssue, code: str, now: datetime, about: str = "", holds: bool = True
) -> None:
    """Hold writing back until an organizer has looked: nothing is cut, nothing is refused in silence.

    `about`: who or what it is about. Without `holds` the alarm shows and the writing goes on.
    """
    held = TrackingIssue.Writing.HELD
    if (tracking_issue.alarm, tracking_issue.alarm_about) == (code, about[:300]) and (
        not holds or tracking_issue.writing == held
    ):
        return
    tracking_issue.alarm, tracking_issue.alarm_about, tracking_issue.alarm_at = code, about[:300], now
    if holds and tracking_issue.writing == TrackingIssue.Writing.ON:
        tracking_issue.writing = held
    tracking_issue.save(update_fields=["alarm", "alarm_about", "alarm_at", "writing"])
    audit.record(
        "tasks_board.writing_held" if holds else "tasks_board.alarm_raised",
        actor=None,
        target=tracking_issue,
        now=now,
        event_id=tracking_issue.event_id,
        data={"code": code, "about": about[:300]},
    )


@transaction.atomic
def dismiss_alarm(*, tracking_issue: TrackingIssue, acting_user: Person | None, now: datetime) -> None:
    """An organizer has looked. Writing that the alarm held stays off until they switch it on again. Raises NotAllowed."""
    _check(tracking_issue.event, acting_user)
    if not tracking_issue.alarm:
        return
    code, tracking_issue.alarm = tracking_issue.alarm, ""
    tracking_issue.alarm_about, tracking_issue.alarm_at = "", None
    if tracking_issue.writing == TrackingIssue.Writing.HELD:
        tracking_issue.writing = TrackingIssue.Writing.MIRROR
    tracking_issue.save(update_fields=["alarm", "alarm_about", "alarm_at", "writing"])
    audit.record(
        "tasks_board.alarm_dismissed",
        actor=acting_user,
        target=tracking_issue,
        now=now,
        event_id=tracking_issue.event_id,
        data={"code": code},
    )


@transaction.atomic
def hold_writing(*, event: Event, held: bool, acting_user: Person | None, now: datetime) -> bool:
    """Hold back, or release, all that we write into an event's issues; whether that changed anything. Raises NotAllowed."""
    _check(event, acting_user)
    if held == (event.writing_held_at is not None):
        return False
    event.writing_held_at = now if held else None
    event.writing_held_by = acting_user if held else None
    event.save(update_fields=["writing_held_at", "writing_held_by"])
    audit.record(
        "tasks_board.all_writing_held" if held else "tasks_board.all_writing_released",
        actor=acting_user,
        target=event,
        now=now,
        event_id=event.pk,
    )
    return True
