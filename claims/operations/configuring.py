"""An event is born from what HackathonBot was told about it, and brought up to date by a later entry.

Identity is the issue together with the event's name. A revision changes what its entry changed, and nothing that an
organizer set in the portal since.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from claims.grammar.title_words import words_of
from claims.operations import importing, issues, pull_requests
from claims.operations.importing import EventPlan, IssueText
from portal import audit
from portal.models import Person
from tasks_board.configurations.model import Configuration
from tasks_board.models import Event, TrackingIssue
from tasks_board.rules import Preset

PROPOSALS = "PaddlePaddle/community"  # a pull request there is a design document


@dataclass(frozen=True, slots=True)
class Imported:
    """The issue of the event that an entry is about; `is_new` if the entry made it."""

    issue: TrackingIssue
    is_new: bool


@transaction.atomic
def import_configuration(
    *, text: IssueText, configuration: Configuration, acting_user: Person | None, now: datetime
) -> Imported:
    """Create the event that an entry describes, or revise the one with its identity; claims and history stay.

    All of it happens, or nothing. Raises NoTasksFound, DomainError, LockBusy.
    """
    known = find_configured(configuration)
    if known is not None and known.configuration != configuration.to_json():
        _revise(known, configuration, acting_user, now)
    slug = known.event.slug if known else _free_slug(configuration)
    issue = importing.import_event(
        text=text, plan=_plan(configuration, slug), acting_user=acting_user, now=now
    )
    return Imported(issue, is_new=known is None)


def find_configured(configuration: Configuration) -> TrackingIssue | None:
    """The issue of the event with this identity, also one that was imported without a configuration under that name."""
    at_address = TrackingIssue.objects.filter(
        repository__iexact=configuration.repository, number=configuration.number, comment_id=None
    ).select_related("event")
    named = at_address.filter(configuration__name=configuration.name).first()
    return named or at_address.filter(configuration={}, event__name=configuration.name).first()


def _revise(issue: TrackingIssue, new: Configuration, acting_user: Person | None, now: datetime) -> None:
    before = issue.configuration
    pull_requests.lock_known({*pull_requests.watched_by(issue.event), *new.repositories})
    changed = _changes(issue.event, before, new)
    for name, value in changed.items():
        setattr(issue.event, name, value)
    if changed:
        issue.event.save(update_fields=list(changed))
    issue.configuration = new.to_json()
    issue.save(update_fields=["configuration"])
    issues.read_again(tracking_issue=issue, now=now)
    audit.record(
        "claims.configuration_revised",
        actor=acting_user,
        target=issue,
        now=now,
        event_id=issue.event_id,
        data={"before": before, "after": issue.configuration},
    )


def _changes(event: Event, before: Mapping[str, object], new: Configuration) -> dict[str, object]:
    """The event's fields that the entry changed. Titles written in the old way still count."""
    after = new.to_json()
    changed: dict[str, object] = {}
    if after["prefix"] != before.get("prefix", ""):
        changed["title_prefix"] = new.prefix
        if _words(event.title_prefix) not in ([], _words(new.prefix)):
            changed["title_aliases"] = list(dict.fromkeys([*event.title_aliases, event.title_prefix]))
    if after["repositories"] != before.get("repositories", []):
        changed["repositories"] = list(new.repositories)
        changed["proposal_repositories"] = _proposals(new)
    if after["since"] != before.get("since"):
        changed["pull_requests_since"] = new.since
    return {name: value for name, value in changed.items() if getattr(event, name) != value}


def _words(prefix: str) -> list[str]:
    return [word.text for word in words_of(prefix)]


def _proposals(configuration: Configuration) -> list[str]:
    return [name for name in configuration.repositories if name.lower() == PROPOSALS.lower()]


def _free_slug(configuration: Configuration) -> str:
    """The event's address: the issue's, with a count where the issue carries another event already."""
    slug = f"{configuration.repository.rpartition('/')[2]}-{configuration.number}".lower().replace(".", "-")
    place, free = 1, slug
    while Event.objects.filter(slug=free).exists():
        place += 1
        free = f"{slug}-{place}"
    return free


def _plan(configuration: Configuration, slug: str) -> EventPlan:
    proposals = _proposals(configuration)
    return EventPlan(
        name=configuration.name,
        slug=slug,
        preset=Preset.HACKATHON if proposals else Preset.HAPPY_OPEN_SOURCE,
        title_prefix=configuration.prefix,
        repositories=configuration.repositories,
        proposal_repositories=tuple(proposals),
        fields={"pull_requests_since": configuration.since, "opens_at": configuration.since},
        configuration=configuration.to_json(),
    )
