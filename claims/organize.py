"""What an organizer has to settle: writing into issues, mentors named in tables, history that tables tick, conflicts."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q

from claims import words
from claims.models import Claim, TableConflict
from claims.operations import deciding, tables
from portal.models import Person
from tasks_board.models import Event, TaskHelper, TrackingIssue


@dataclass(frozen=True, slots=True)
class NamedMentor:
    """A mentor whom the tables name and nobody has granted anything. A bare name can hold no right."""

    person: Person
    tasks: int


@dataclass(frozen=True, slots=True)
class Conflict:
    """What both sides changed: our value and theirs, in words."""

    conflict: TableConflict
    ours: str
    theirs: str


@dataclass(frozen=True, slots=True)
class ToSettle:
    """All that waits for an organizer."""

    issues: Sequence[TrackingIssue]
    mentors: Sequence[NamedMentor]
    history: Sequence[Claim]
    conflicts: Sequence[Conflict]


def gather(event: Event) -> ToSettle:
    """What waits for the event's organizers."""
    open_conflicts = TableConflict.objects.filter(claim__task__event=event, settled_at=None)
    conflicts = open_conflicts.select_related("claim__task", "claim__person", "claim__team").order_by(
        "raised_at", "pk"
    )
    return ToSettle(
        issues=list(event.tracking_issues.filter(retired_at=None).defer("body").order_by("pk")),
        mentors=_named_mentors(event),
        history=list(deciding.ticked_at_first(event).order_by("task__position", "pk")),
        conflicts=[Conflict(c, words.state_word(c.ours), words.state_word(c.theirs)) for c in conflicts],
    )


def _named_mentors(event: Event) -> list[NamedMentor]:
    waiting = TaskHelper.objects.filter(task__event=event, role="mentor", granted_at=None)
    counts = waiting.values("person").annotate(tasks=Count("task", filter=Q(task__is_removed=False)))
    rows = list(counts.order_by("-tasks", "person"))
    people = Person.objects.in_bulk([row["person"] for row in rows])
    return [NamedMentor(people[row["person"]], row["tasks"]) for row in rows]


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of the difference: kept, taken away or put in its place."""

    kind: str  # same, old, new, gap
    text: str


@dataclass(frozen=True, slots=True)
class WritingPreview:
    """What would be written into an issue now."""

    lines: Sequence[DiffLine]
    refused: Sequence[str]
    is_stale: bool


def preview_writing(tracking_issue: TrackingIssue, *, body_at_github: str) -> WritingPreview:
    """The difference between the table as GitHub has it and as we would write it. Writes nothing.

    `is_stale`: GitHub's text is not the one we last read, so it is read first.
    """
    text = tables.text_to_write(tracking_issue)
    return WritingPreview(
        lines=_diff(tracking_issue.agreed_body, text.body),
        refused=sorted({wanted.refused for wanted in text.wanted if wanted.refused}),
        is_stale=body_at_github != tracking_issue.body,
    )


_KINDS = {" ": "same", "-": "old", "+": "new", "@": "gap"}


def _diff(before: str, after: str) -> list[DiffLine]:
    lines = list(difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=1))[2:]
    return [DiffLine(_KINDS[line[0]], line[1:] if line[0] != "@" else "…") for line in lines]
