"""An event is born from what HackathonBot was told about it, and brought up to date by a later entry.

Identity is the issue together with the event's name. A revision changes what its entry changed, and nothing that an
organizer set in the portal since.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import transaction

from claims.grammar.title_words import words_of
from claims.operations import importing, issues, pull_requests
from claims.operations.importing import EventPlan, IssueText
from portal import audit
from portal.models import Person
from tasks_board.configurations.autotable import AutoTable, read_markers
from tasks_board.configurations.model import Configuration
from tasks_board.models import Event, TrackingIssue
from tasks_board.operations.events import free_slug
from tasks_board.rules import Preset
from tasks_board.tracking import list_bodies

# These change together with another field.
_GO_WITH = {"title_aliases": "title_prefix", "proposal_repositories": "repositories"}
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
    known = find_told(configuration, text)
    slug = known.event.slug if known else free_slug(_slug_of(configuration))
    issue = import_told(
        text=text,
        plan=plan_of(configuration, slug),
        configuration=configuration,
        acting_user=acting_user,
        now=now,
    )
    return Imported(issue, is_new=known is None)


@transaction.atomic
def import_told(
    *,
    text: IssueText,
    plan: EventPlan,
    configuration: Configuration | None,
    acting_user: Person | None,
    now: datetime,
) -> TrackingIssue:
    """`import_event`, which takes over for an event that stands what a bot is told of it otherwise now.

    Raises NoTasksFound, DomainError, LockBusy.
    """
    known = importing.find_imported(text, plan)
    told = Told.of(known, text.body, configuration) if known is not None else None
    if known is not None and told is not None and told.differs(known):
        revise_settings(known, told, acting_user=acting_user, now=now)
    issue = importing.import_event(text=text, plan=plan, acting_user=acting_user, now=now)
    if configuration is not None:
        note_address(issue, configuration)
    return issue


def note_address(issue: TrackingIssue, configuration: Configuration) -> None:
    """What names the issue by an address that it has left leads to it from now on."""
    stands = f"{issue.repository}#{issue.number}".lower()
    known = {stands, *(former.lower() for former in issue.former_addresses)}
    if issue.number is not None and configuration.address not in known:
        told = f"{configuration.repository}#{configuration.number}"
        issue.former_addresses = [*issue.former_addresses, told]
        issue.save(update_fields=["former_addresses"])


def find_told(configuration: Configuration, text: IssueText) -> TrackingIssue | None:
    """The same event where GitHub has led on from the address that the configuration names."""
    if text.number is None:
        return find_configured(configuration)
    here = replace(configuration, repository=text.repository, number=text.number)
    return find_configured(configuration) or find_configured(here)


def find_configured(configuration: Configuration) -> TrackingIssue | None:
    """The issue of the event with this identity, also one that was imported without a configuration under that name."""
    texts = list_bodies(repository=configuration.repository, number=configuration.number)
    named = [text for text in texts if text.configuration.get("name") == configuration.name]
    untold = [text for text in texts if not text.configuration and text.event.name == configuration.name]
    return next(iter([*named, *untold]), None)


def says_the_same(issue: TrackingIssue, configuration: Configuration) -> bool:
    """Whether an entry tells nothing otherwise than what was taken in of it before."""
    told = Told.of(issue, "", configuration)
    return told is not None and not told.differs(issue)


def revise_settings(
    issue: TrackingIssue, told: "Told", *, acting_user: Person | None, now: datetime
) -> Mapping[str, object]:
    """Change the event's settings that a bot is told otherwise now, and keep what it was told; returns what changed.

    What the configuration says by number lies over the text anew. Raises LockBusy.
    """
    changed = told.changes(issue.event)
    watched = pull_requests.watched_by(issue.event)
    pull_requests.lock_known({*watched, *told.repositories})
    for name, value in changed.items():
        setattr(issue.event, name, value)
    if changed:
        issue.event.save(update_fields=list(changed))
    if told.is_kept and issue.configuration != told.after:
        issue.configuration = dict(told.after)
        issue.save(update_fields=["configuration"])
        issues.read_again(tracking_issue=issue, now=now)
    if "repositories" in changed:
        pull_requests.relink(event=issue.event, now=now, also_in=watched)
    audit.record(
        "claims.configuration_revised",
        actor=acting_user,
        target=issue,
        now=now,
        event_id=issue.event_id,
        data={"before": dict(told.before), "after": dict(told.after)},
    )
    return changed


@dataclass(frozen=True, slots=True)
class Told:
    """What a bot was told of an event before, and what it is told now, as plain JSON.

    `is_kept`: it is a configuration, which is kept beside the issue; what a text says for autoTable stands in the text.
    `left`: the fields that an organizer leaves as they are, whatever is told.
    """

    before: Mapping[str, Any]
    after: Mapping[str, Any]
    is_kept: bool
    left: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        issue: TrackingIssue,
        body: str,
        configuration: Configuration | None,
        left: frozenset[str] = frozenset(),
    ) -> "Told | None":
        """What this configuration, or else this text, tells of the issue's event; None if neither tells anything."""
        if configuration is not None:
            return cls(issue.configuration, configuration.to_json(), is_kept=True, left=left)
        markers = read_markers(body)
        if markers is None:
            return None
        before = _told_in(read_markers(issue.agreed_body) or AutoTable())
        return cls(
            before, before | {k: v for k, v in _told_in(markers).items() if v}, is_kept=False, left=left
        )

    def differs(self, issue: TrackingIssue) -> bool:
        """Whether anything has to be taken over."""
        return bool(self.changes(issue.event)) or (self.is_kept and dict(self.before) != dict(self.after))

    @property
    def repositories(self) -> tuple[str, ...]:
        return tuple(self.after.get("repositories") or ())

    @property
    def values(self) -> dict[str, object]:
        """The event's fields as they are told now, as far as anything is told."""
        since = self.after.get("since")
        told = {
            "title_prefix": str(self.after.get("prefix") or "")[:120],
            "repositories": list(self.repositories),
            "pull_requests_since": datetime.fromisoformat(since) if since else None,
        }
        return {name: value for name, value in told.items() if value}

    def changes(self, event: Event) -> dict[str, object]:
        """The event's fields that are told otherwise than before, and are otherwise. Titles written in the old way still count."""
        after, before = self.after, self.before
        changed: dict[str, object] = {}
        if before.get("name") and after["name"] != before["name"] == event.name:
            changed["name"] = str(after["name"])[:200]
        if after["prefix"] != before.get("prefix", ""):
            prefix = str(after["prefix"])[:120]
            changed["title_prefix"] = prefix
            if _words(event.title_prefix) not in ([], _words(prefix)):
                changed["title_aliases"] = list(dict.fromkeys([*event.title_aliases, event.title_prefix]))
        if after["repositories"] != before.get("repositories", []):
            changed["repositories"] = list(self.repositories)
            changed["proposal_repositories"] = _proposals(self.repositories)
        if after["since"] != before.get("since"):
            changed["pull_requests_since"] = self.values.get("pull_requests_since")
        left = {name for name in changed if name in self.left or _GO_WITH.get(name) in self.left}
        return {
            name: value
            for name, value in changed.items()
            if name not in left and getattr(event, name) != value
        }


def _told_in(markers: AutoTable) -> dict[str, Any]:
    return {
        "prefix": markers.prefix[:120],
        "repositories": list(markers.repositories),
        "since": markers.since.isoformat() if markers.since else None,
    }


def _words(prefix: str) -> list[str]:
    return [word.text for word in words_of(prefix)]


def _proposals(repositories: Iterable[str]) -> list[str]:
    return [name for name in repositories if name.lower() == PROPOSALS.lower()]


def _slug_of(configuration: Configuration) -> str:
    return f"{configuration.repository.rpartition('/')[2]}-{configuration.number}".lower().replace(".", "-")


def plan_of(configuration: Configuration, slug: str) -> EventPlan:
    """The event that an entry asks for."""
    proposals = _proposals(configuration.repositories)
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
