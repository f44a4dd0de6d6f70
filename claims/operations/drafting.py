"""Setting an event up step by step: what was read and chosen so far is kept for whoever does it, and becomes one event.

A draft's row is locked before everything else, so that a second click finds the event that the first one made.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from claims.models import ImportDraft
from claims.operations import importing
from claims.operations.importing import EventPlan, IssueText
from claims.operations.tables import LONGEST_BODY
from portal import audit, locks
from portal.common.errors import DomainError, NotFound
from portal.common.texts import storable
from portal.models import Person, User
from rewards.models import Pool
from tasks_board import rights
from tasks_board.documents.choices import ReadingChoices
from tasks_board.documents.reading import read_body
from tasks_board.models import Event, EventRole

KEPT_FOR = timedelta(days=7)
MOST_DRAFTS = 20  # of one account; the oldest goes


@dataclass(frozen=True, slots=True)
class Maker:
    """Who sets up: an account, and the person it belongs to, if it belongs to one."""

    user: User
    person: Person | None

    def check(self) -> None:
        """Raises NotAllowed unless they may set up events."""
        rights.check_may_set_up_events(self.person, is_staff=self.user.is_staff)


@transaction.atomic
def begin_draft(
    *, maker: Maker, text: IssueText | None, entries: Sequence[Any], now: datetime
) -> ImportDraft:
    """Keep a text, or the entries of a configuration, for its maker. Raises NotAllowed, DomainError for a text too long."""
    maker.check()
    ImportDraft.objects.filter(created_at__lt=now - KEPT_FOR).delete()
    own = ImportDraft.objects.filter(owner=maker.user).order_by("-created_at", "-pk")
    ImportDraft.objects.filter(pk__in=list(own.values_list("pk", flat=True)[MOST_DRAFTS - 1 :])).delete()
    draft = ImportDraft(owner=maker.user, entries=storable(list(entries)), created_at=now)
    if text is not None:
        _take_text(draft, text)
    draft.save()
    return draft


@transaction.atomic
def take_entry(*, draft: ImportDraft, maker: Maker, entry: Any, text: IssueText, now: datetime) -> None:
    """Go on with one entry of the configuration, and the text of its issue. Raises NotAllowed, NotFound, DomainError."""
    kept = _lock(draft, maker, now)
    _take_text(kept, text)
    kept.entry, kept.plan, kept.reading_choices = storable(entry), {}, {}
    kept.save()


@transaction.atomic
def keep_choices(
    *, draft: ImportDraft, maker: Maker, choices: ReadingChoices, plan: dict[str, str], now: datetime
) -> None:
    """Remember what was corrected and filled in so far. Raises NotAllowed, NotFound."""
    kept = _lock(draft, maker, now)
    kept.reading_choices, kept.plan = storable(choices.to_json()), storable(plan)
    kept.save(update_fields=["reading_choices", "plan"])


@transaction.atomic
def discard(*, draft: ImportDraft, maker: Maker, now: datetime) -> None:
    """Forget a draft. Raises NotAllowed, NotFound."""
    _lock(draft, maker, now).delete()


@transaction.atomic
def create_event(*, draft: ImportDraft, maker: Maker, plan: EventPlan, now: datetime) -> Event:
    """Make the event, still a draft, with its maker as an organizer; the second time, the event that was made.

    Nothing is written to GitHub and nothing is credited. Raises NotAllowed, NotFound, NoTasksFound, DomainError, LockBusy.
    """
    kept = _lock(draft, maker, now)
    if kept.event is not None:
        return kept.event
    if Event.objects.filter(slug=plan.slug).exists():
        raise DomainError(
            "slug_taken",
            _("There is already an event with this address. Choose another slug."),
            slug=plan.slug,
        )
    _check_pool(plan, maker)
    own = (maker.person,) if maker.person is not None else ()
    organizers = tuple(dict.fromkeys([*own, *plan.organizers]))
    if not organizers:
        raise DomainError("organizer_missing", _("An event needs an organizer with a GitHub account."))
    choices = plan.choices or ReadingChoices()
    text = IssueText(kept.repository, kept.number, kept.title, kept.body, kept.body_at or now)
    reading = read_body(text.body, repository=text.repository, choices=choices)
    importing.check_reading(reading, kept.title)
    issue = importing.import_event(
        text=text,
        plan=replace(plan, organizers=organizers, choices=choices),
        acting_user=maker.person,
        now=now,
    )
    kept.event, kept.body, kept.entries = issue.event, "", []
    kept.save(update_fields=["event", "body", "entries"])
    audit.record(
        "claims.event_set_up", actor=maker.person, target=issue.event, now=now, event_id=issue.event_id
    )
    return issue.event


def get_draft(pk: int, *, maker: Maker, now: datetime) -> ImportDraft:
    """Their own draft, if it is not too old. Raises NotAllowed, NotFound."""
    maker.check()
    found = ImportDraft.objects.filter(pk=pk, owner=maker.user, created_at__gte=now - KEPT_FOR)
    draft = found.select_related("event").first()
    if draft is None:
        raise NotFound(
            "draft_gone", _("This draft is not there any more: they are kept for seven days. Begin again.")
        )
    return draft


def _lock(draft: ImportDraft, maker: Maker, now: datetime) -> ImportDraft:
    locks.lock_rows(ImportDraft.objects.filter(pk=draft.pk))
    return get_draft(draft.pk, maker=maker, now=now)


def _take_text(draft: ImportDraft, text: IssueText) -> None:
    if len(text.body) > LONGEST_BODY:
        raise DomainError(
            "text_too_long",
            _("The text has %(length)d characters; GitHub holds at most %(longest)d in one issue.")
            % {"length": len(text.body), "longest": LONGEST_BODY},
        )
    draft.repository, draft.number = text.repository[:140], text.number
    draft.title, draft.body, draft.body_at = storable(text.title)[:300], storable(text.body), text.at


def _check_pool(plan: EventPlan, maker: Maker) -> None:
    """A pool that stands belongs to those who organize an event it pays for, and to the staff."""
    pool = Pool.objects.filter(name__iexact=plan.pool.strip()).first() if plan.pool else None
    if pool is None or maker.user.is_staff:
        return
    organized = EventRole.objects.filter(person=maker.person, role=EventRole.Role.ORGANIZER)
    if not pool.event_rewards.filter(event__in=organized.values("event")).exists():
        raise DomainError(
            "pool_of_others",
            _("The pool “%(pool)s” pays for events of others. Choose another name, or ask its organizers.")
            % {"pool": pool.name},
        )
