"""What an update would make of an event that stands: its settings, its rows, and what stays. Nothing is stored."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from claims.births.comparing import Change, compare
from claims.models import Claim
from claims.operations import revising
from claims.operations.configuring import Told
from claims.operations.importing import check_reading
from claims.operations.revising import Update
from portal.common.errors import DomainError
from portal.models import Person
from tasks_board.configurations.model import Assigned
from tasks_board.models import Event, TrackingIssue
from tasks_board.tracking import choices_of, read_issue

LEAVABLE = ("name", "title_prefix", "repositories", "pull_requests_since")
KINDS = ("new", "changed", "back", "gone", "moved", "came")


@dataclass(frozen=True, slots=True)
class Setting:
    """Something about the event, in words: as it is, and as it would be.

    `field`: the one by which an organizer may leave it as it is; `is_left`: they do.
    """

    what: str
    before: str
    after: str
    field: str = ""
    is_left: bool = False


@dataclass(frozen=True, slots=True)
class Differences:
    """What would be otherwise, setting by setting and row by row."""

    settings: Sequence[Setting]
    stays: Sequence[Setting]  # told otherwise than it is here, and not told anew: it was changed here
    changes: Sequence[Change]
    same: int  # rows that stay as they are
    corrects: bool  # the text is read in another way from now on

    @property
    def counts(self) -> Mapping[str, int]:
        """How many rows are new, changed, back, gone, or go to or come from another text of the event."""
        return {kind: sum(change.kind == kind for change in self.changes) for kind in KINDS}

    @property
    def is_empty(self) -> bool:
        """Whether nothing would change."""
        return not (self.settings or self.changes or self.corrects)


@dataclass(frozen=True, slots=True)
class Revision(Differences):
    """All that would change, and what would not. `obstacle` says why it cannot be done now; `seen` stands for all of it."""

    claims: int  # of the event's tasks in this text; all of them stay
    obstacle: str
    is_older: bool
    seen: str


def foresee(issue: TrackingIssue, update: Update, *, viewer: Person | None, now: datetime) -> Revision:
    """What this update would do."""
    found = tell_apart(issue, update, now=now)
    return Revision(
        settings=found.settings,
        stays=found.stays,
        changes=found.changes,
        same=found.same,
        corrects=found.corrects,
        claims=Claim.objects.filter(task__tracking_issue=issue, shown=True).count(),
        obstacle=_obstacle(issue, update, viewer),
        is_older=revising.is_older(issue, update),
        seen=revising.fingerprint(issue, update),
    )


def tell_apart(issue: TrackingIssue, update: Update, *, now: datetime) -> Differences:
    """What this update says otherwise than the event, which may be one that is only planned (`rehearsing`)."""
    before, after = read_issue(issue, issue.agreed_body), update.reading
    told = update.told(issue)
    assigned = Assigned.from_json(told.after) if told is not None and told.is_kept else None
    is_same = update.text.body == issue.agreed_body
    changes = compare(issue, before, after, is_same_text=is_same, now=now, assigned=assigned)
    return Differences(
        settings=list(_settings(issue, told)),
        stays=list(_stays(issue.event, told)),
        changes=changes,
        same=len(after.tasks) - sum(change.stands for change in changes),
        corrects=choices_of(issue) != update.choices,
    )


def _obstacle(issue: TrackingIssue, update: Update, viewer: Person | None) -> str:
    try:
        revising.check_possible(issue, update, viewer)
        check_reading(update.reading, str(issue))
    except DomainError as error:
        return str(error.message)
    return ""


# ------------------------------------------------------------------------------------------- the settings


def _settings(issue: TrackingIssue, told: Told | None) -> Iterator[Setting]:
    if told is None:
        return
    event = issue.event
    changes = told.changes(event)
    for name, value in replace(told, left=frozenset()).changes(event).items():
        now, then = _shown(getattr(event, name), event), _shown(value, event)
        field = name if name in LEAVABLE else ""
        yield Setting(_label(name), now, then, field, is_left=name not in changes)
    if told.is_kept:
        yield from _assigned(told)


def _stays(event: Event, told: Told | None) -> Iterator[Setting]:
    if told is None:
        return
    changed = replace(told, left=frozenset()).changes(event)
    for name, value in told.values.items():
        if name not in changed and getattr(event, name) != value:
            yield Setting(_label(name), _shown(getattr(event, name), event), _shown(value, event))


def _assigned(told: Told) -> Iterator[Setting]:
    """What the configuration says of tasks by their numbers."""
    one, other = (Assigned.from_json(stored).to_json() for stored in (told.before, told.after))
    before, after = dict(one["directions"]), dict(other["directions"])
    for name in {**before, **after}:
        if before.get(name) != after.get(name):
            label = _("numbers of “%(direction)s”") % {"direction": name}
            yield Setting(label, _numbers(before.get(name, ())), _numbers(after.get(name, ())))
    for key, label in (("excluded", _("left to people")), ("removed", _("off the board"))):
        if one[key] != other[key]:
            yield Setting(label, _numbers(one[key]), _numbers(other[key]))


def _numbers(ranges: Sequence[Any]) -> str:
    return ", ".join(map(str, ranges))


def _label(name: str) -> str:
    labels = {
        "name": _("name"),
        "title_prefix": _("how titles begin"),
        "title_aliases": _("other ways to begin"),
        "repositories": _("watched repositories"),
        "proposal_repositories": _("repositories of proposals"),
        "pull_requests_since": _("pull requests count from"),
    }
    return labels[name]


def _shown(value: object, event: Event) -> str:
    if isinstance(value, datetime):
        return f"{value.astimezone(ZoneInfo(event.time_zone)):%Y-%m-%d %H:%M}"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value or "")
