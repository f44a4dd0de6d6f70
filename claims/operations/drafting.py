"""Setting an event up step by step: what was read and chosen so far is kept for whoever does it, and becomes one event.

A draft's row is locked before everything else, so that a second click finds the event that the first one made.
A configuration of several entries is a draft that is never used up: each entry that is taken has a draft of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from claims.models import ImportDraft
from claims.operations import configuring, importing, revising
from claims.operations.importing import EventPlan, IssueText
from claims.operations.revising import Update
from claims.operations.tables import LONGEST_BODY
from portal import audit, locks
from portal.common.errors import DomainError, NotAllowed, NotFound
from portal.common.texts import storable
from portal.models import Person, User
from rewards.models import Pool
from tasks_board import rights
from tasks_board.configurations.hackathonbot import read_entry
from tasks_board.documents.choices import ReadingChoices
from tasks_board.documents.reading import read_body
from tasks_board.models import Event, EventRole, TrackingIssue
from tasks_board.tracking import choices_of, find_body, list_bodies

# What a plan holds beside the fields of the form; a configuration of several says how many there are.
PASTED, REVISING, FILE, COUNT = "is_pasted", "revising", "file", "count"
KEPT_FOR = timedelta(days=7)
MOST_DRAFTS = 20  # of one account; the oldest goes


@dataclass(frozen=True, slots=True)
class Maker:
    """Who sets up: an account, and the person it belongs to, if it belongs to one."""

    user: User
    person: Person | None

    @classmethod
    def of(cls, user: object, person: Person | None) -> "Maker":
        """Raises NotAllowed for somebody who has not signed in."""
        if not isinstance(user, User):
            raise NotAllowed("sign_in_first", _("Sign in first."))
        return cls(user, person)

    def check(self) -> None:
        """Raises NotAllowed unless they may set up events."""
        rights.check_may_set_up_events(self.person, is_staff=self.user.is_staff)


@transaction.atomic
def begin_draft(
    *, maker: Maker, text: IssueText, now: datetime, entry: Any = None, is_pasted: bool = False
) -> ImportDraft:
    """Keep a text for its maker, with the entry of a configuration that is about it, if there is one.

    `is_pasted`: the text was given by hand, and does not stand at GitHub like this.
    Raises NotAllowed, DomainError for a text too long.
    """
    maker.check()
    draft = ImportDraft(owner=maker.user, created_at=now, plan={PASTED: True} if is_pasted else {})
    return _begin(draft, text, entry)


@transaction.atomic
def keep_file(*, maker: Maker, entries: Sequence[Any], name: str, now: datetime) -> ImportDraft:
    """Keep a configuration of several entries for its maker; each is taken from it on its own. Raises NotAllowed."""
    maker.check()
    _make_room(maker.user, now)
    return ImportDraft.objects.create(
        owner=maker.user,
        title=storable(name)[:300],
        entries=storable(list(entries)),
        plan={COUNT: len(entries)},
        created_at=now,
    )


@transaction.atomic
def take_entry(*, file: ImportDraft, maker: Maker, place: int, text: IssueText, now: datetime) -> ImportDraft:
    """The draft of one entry of a configuration (from 1), with its issue's text; the one that is begun, if there is one.

    Raises NotAllowed, NotFound, DomainError.
    """
    kept = _lock(file, maker, now)
    begun = find_begun(kept, place)
    if begun is not None:
        return begun
    draft = ImportDraft(owner=maker.user, created_at=now, plan={FILE: {"draft": kept.pk, "place": place}})
    return _begin(draft, text, kept.entries[place - 1])


def find_begun(file: ImportDraft, place: int) -> ImportDraft | None:
    """The draft in which that entry of a configuration is looked at, before anything came of it."""
    return list_begun(file).filter(plan__file__place=place).order_by("pk").first()


def list_begun(file: ImportDraft) -> QuerySet[ImportDraft]:
    """The drafts of a configuration's entries of which nothing came yet."""
    return list_taken(file).filter(event=None)


def list_taken(file: ImportDraft) -> QuerySet[ImportDraft]:
    """The drafts of a configuration's entries, also those that are used up, as long as they are kept."""
    return ImportDraft.objects.filter(owner=file.owner_id, plan__file__draft=file.pk)


def find_file(draft: ImportDraft, *, now: datetime) -> ImportDraft | None:
    """The configuration that a draft's entry stands in, as long as it is kept."""
    taken_from = draft.plan.get(FILE)
    if taken_from is None:
        return None
    kept = ImportDraft.objects.filter(owner=draft.owner_id, created_at__gte=now - KEPT_FOR)
    return kept.filter(pk=taken_from["draft"]).first()


@transaction.atomic
def keep_choices(
    *, draft: ImportDraft, maker: Maker, choices: ReadingChoices, plan: dict[str, str], now: datetime
) -> None:
    """Remember what was corrected and filled in so far. Raises NotAllowed, NotFound."""
    kept = _lock(draft, maker, now)
    beside = {key: kept.plan[key] for key in (PASTED, REVISING, FILE) if key in kept.plan}
    draft.reading_choices = kept.reading_choices = storable(choices.to_json())
    draft.plan = kept.plan = storable({**plan, **beside})
    kept.save(update_fields=["reading_choices", "plan"])


@transaction.atomic
def keep_corrections(
    *,
    draft: ImportDraft,
    maker: Maker,
    event: Event,
    choices: ReadingChoices,
    left: frozenset[str],
    now: datetime,
) -> None:
    """Remember how the text shall be read for an event that it brings up to date, and which settings shall stay.

    Raises NotAllowed, NotFound.
    """
    kept = _lock(draft, maker, now)
    chosen = {"choices": storable(choices.to_json()), "left": sorted(left)}
    draft.plan[REVISING] = kept.plan[REVISING] = {**kept.plan.get(REVISING, {}), str(event.pk): chosen}
    kept.save(update_fields=["plan"])


@transaction.atomic
def take_text(*, draft: ImportDraft, maker: Maker, text: IssueText, now: datetime) -> None:
    """Go on with the text that the issue has now; what was chosen stays. Raises NotAllowed, NotFound, DomainError."""
    kept = _lock(draft, maker, now)
    if kept.event is None:
        _take_text(kept, text)
        kept.plan.pop(PASTED, None)
        kept.save()


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
    plan = _with_identity(kept, plan, maker)
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
    told = read_entry(kept.entry).configuration if kept.entry else None
    if told is not None:
        configuring.note_address(issue, told)
    _use_up(kept, issue.event)
    audit.record(
        "claims.event_set_up", actor=maker.person, target=issue.event, now=now, event_id=issue.event_id
    )
    return issue.event


@transaction.atomic
def revise_event(
    *, draft: ImportDraft, maker: Maker, slug: str, choices: ReadingChoices, seen: str, now: datetime
) -> Event:
    """Bring the event with this address up to date with the draft; the second time, the event that the draft went to.

    Raises NotAllowed, NotFound, NoTasksFound, DomainError (changed_meanwhile), LockBusy.
    """
    kept = _lock(draft, maker, now)
    if kept.event is not None:
        return kept.event
    issue = find_text(kept, slug=slug, viewer=maker.person)
    update = update_of(kept, choices, now, about=issue)
    revising.revise_event(tracking_issue=issue, update=update, acting_user=maker.person, now=now, seen=seen)
    _use_up(kept, issue.event)
    return issue.event


def find_text(draft: ImportDraft, *, slug: str, viewer: Person | None) -> TrackingIssue:
    """The text of that event at the draft's address. Raises NotFound, also for an event that is hidden from the viewer."""
    event = Event.objects.filter(rights.visible_to(viewer), slug=slug).first()
    found = find_body(event, repository=draft.repository, number=draft.number) if event else None
    if found is None:
        raise NotFound("no_such_target", _("This text is not about that event. Choose what it is about."))
    return found


def update_of(
    draft: ImportDraft, choices: ReadingChoices, now: datetime, *, about: TrackingIssue | None = None
) -> Update:
    """What a draft brings an event up to date with."""
    is_pasted = draft.number is None or bool(draft.plan.get(PASTED))
    at = now if is_pasted else draft.body_at or now
    text = IssueText(draft.repository, draft.number, draft.title, draft.body, at)
    entry = read_entry(draft.entry) if draft.entry else None
    return Update(
        text,
        choices,
        entry.configuration if entry else None,
        is_pasted=is_pasted,
        left=frozenset(_chosen_for(draft, about).get("left", ())),
    )


def choices_for(draft: ImportDraft, issue: TrackingIssue) -> ReadingChoices:
    """How the draft's text is read for that event: as was chosen for it, else as the event reads the issue."""
    kept = _chosen_for(draft, issue).get("choices")
    return choices_of(issue) if kept is None else ReadingChoices.from_json(kept)


def _chosen_for(draft: ImportDraft, issue: TrackingIssue | None) -> dict[str, Any]:
    """What was chosen for the issue's event."""
    kept: dict[str, dict[str, Any]] = draft.plan.get(REVISING, {})
    return kept.get(str(issue.event_id), {}) if issue is not None else {}


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


def _begin(draft: ImportDraft, text: IssueText, entry: Any) -> ImportDraft:
    _make_room(draft.owner, draft.created_at, besides=draft.plan.get(FILE, {}).get("draft", 0))
    _take_text(draft, text)
    draft.entry = storable(entry) if entry is not None else {}
    draft.save()
    return draft


def _make_room(owner: User, now: datetime, *, besides: int = 0) -> None:
    """What is too old goes, and of too many drafts those that are used up, then the oldest."""
    ImportDraft.objects.filter(created_at__lt=now - KEPT_FOR).delete()
    own = ImportDraft.objects.filter(~Q(pk=besides), owner=owner).alias(is_used=Q(event__isnull=False))
    kept = own.order_by("is_used", "-created_at", "-pk").values_list("pk", flat=True)
    ImportDraft.objects.filter(pk__in=list(kept[MOST_DRAFTS - 1 :])).delete()


def _use_up(draft: ImportDraft, event: Event) -> None:
    """A draft serves once; what it held stands in the event."""
    draft.event, draft.body = event, ""
    draft.save(update_fields=["event", "body"])


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


def _with_identity(draft: ImportDraft, plan: EventPlan, maker: Maker) -> EventPlan:
    """An issue and a name are one event: an entry whose name is taken goes under the new event's.

    An event that is hidden from the maker is not told of. Raises DomainError where that name is taken too.
    """
    if draft.number is None:
        return plan
    texts = list_bodies(repository=draft.repository, number=draft.number)
    visible = Event.objects.filter(rights.visible_to(maker.person), pk__in=[text.event_id for text in texts])
    known = set(visible.values_list("pk", flat=True))
    taken = {text.configuration.get("name") or text.event.name for text in texts if text.event_id in known}
    if (plan.configuration.get("name") or plan.name) not in taken:
        return plan
    if plan.name in taken:
        raise DomainError(
            "event_exists",
            _(
                "This issue carries an event called %(name)s already. Bring that one up to date, or call the new one otherwise."
            )
            % {"name": plan.name},
        )
    return replace(plan, configuration={**plan.configuration, "name": plan.name})


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
