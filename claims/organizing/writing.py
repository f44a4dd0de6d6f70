"""What is written into issues, as organizers look at it: what would be, what both sides changed, what the text states."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from claims import words
from claims.models import Claim, TableConflict
from claims.operations import counting, tables
from claims.operations.counting import StatedFigure
from portal import outbox
from portal.models import OutboxHold, Person
from tasks_board.models import Event, IssueRevision, TeamMember, TrackingIssue

_REFUSALS: Mapping[str, "str | Promise"] = {
    "row_not_found": _("its row is not in the text"),
    "row_ambiguous": _("several rows could be meant"),
    "no_claimants_column": _("its table has no column for claimants"),
    "name_not_writable": _("the name has signs that would break the table"),
    "state_not_writable": _("the table has no form for this state"),
}
_WRITES = ("", "write_table", "reply_to_comment", "react_to_comment", "show_the_way")


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of the difference: kept, taken away or put in its place."""

    kind: str  # same, old, new, gap
    text: str


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """What a row cannot say, and why."""

    claim: Claim
    reason: "str | Promise"


@dataclass(frozen=True, slots=True)
class WritingPreview:
    """What would be written into an issue now. `is_too_long`: not even the shortest form fits."""

    lines: Sequence[DiffLine]
    refused: Sequence[RefusedRow]
    is_stale: bool
    is_too_long: bool
    before: str
    after: str


def preview_writing(
    tracking_issue: TrackingIssue, *, body_at_github: str, with_column: bool = False
) -> WritingPreview:
    """The difference between the table as GitHub has it and as we would write it. Writes nothing.

    `is_stale`: GitHub's text is not the one we last read, so it is read first. `with_column`: with the column for claimants
    that its tables lack.
    """
    tracking_issue.column_wanted = tracking_issue.column_wanted or with_column
    text = tables.text_to_write(tracking_issue)
    return WritingPreview(
        lines=diff_lines(tracking_issue.agreed_body, text.body),
        refused=_refused(text.wanted),
        is_stale=body_at_github != tracking_issue.body,
        is_too_long=len(text.body) > tables.LONGEST_BODY,
        before=tracking_issue.agreed_body,
        after=text.body,
    )


def _refused(wanted: Sequence[tables.Wanted]) -> list[RefusedRow]:
    codes = {entry.claim_id: entry.refused for entry in wanted if entry.refused}
    claims = Claim.objects.filter(pk__in=codes).select_related("task", "person", "team")
    return [
        RefusedRow(claim, _REFUSALS.get(codes[claim.pk], codes[claim.pk]))
        for claim in claims.order_by("task__position", "pk")
    ]


_KINDS = {" ": "same", "-": "old", "+": "new", "@": "gap"}


def diff_lines(before: str, after: str) -> list[DiffLine]:
    """The difference of two texts, with a line around each change."""
    lines = list(difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=1))[2:]
    return [DiffLine(_KINDS[line[0]], line[1:] if line[0] != "@" else "…") for line in lines]


@dataclass(frozen=True, slots=True)
class Conflict:
    """What both sides changed: our value and what it rests on, theirs and who wrote it when. `is_own`: not the viewer's."""

    conflict: TableConflict
    ours: str
    theirs: str
    rests_on: str
    is_own: bool


def list_conflicts(event: Event, *, viewer: Person | None) -> list[Conflict]:
    """The open conflicts of an event, the oldest first. Two queries."""
    own, teams = _own(event, viewer)
    opened = TableConflict.objects.filter(claim__task__event=event, settled_at=None).select_related(
        "claim__task__tracking_issue", "claim__person", "claim__team", "revision__editor"
    )
    return [
        Conflict(
            conflict,
            words.state_word(conflict.ours),
            words.state_word(conflict.theirs),
            words.why(conflict.claim),
            conflict.claim.team_id in teams
            or (conflict.claim.person is not None and _canonical(conflict.claim.person) == own),
        )
        for conflict in opened.order_by("raised_at", "pk")
    ]


def _own(event: Event, viewer: Person | None) -> tuple[int, set[int | None]]:
    """The viewer under any account, and the teams that they are or were in."""
    if viewer is None:
        return 0, set()
    own = _canonical(viewer)
    mine = Q(person=own) | Q(person__canonical=own)
    members = TeamMember.objects.filter(mine, team__event=event, accepted_at__isnull=False)
    return own, set(members.values_list("team_id", flat=True))


def _canonical(person: Person) -> int:
    return person.whole_id


@dataclass(frozen=True, slots=True)
class IssueFigures:
    """An issue with every figure that its text states, beside ours."""

    issue: TrackingIssue
    figures: Sequence[StatedFigure]


def list_figures(event: Event) -> list[IssueFigures]:
    """The issues of the event whose text states figures."""
    issues = event.tracking_issues.defer("body", "agreed_body").exclude(stated={}).order_by("pk")
    return [IssueFigures(issue, counting.list_stated(issue)) for issue in issues]


def list_holds() -> list[OutboxHold]:
    """The operators' holds that concern issues and answers."""
    return [held for held in outbox.list_holds() if held.kind in _WRITES]


def revision_before(revision: IssueRevision) -> IssueRevision | None:
    """The text that was known before this one."""
    return revision.tracking_issue.revisions.filter(pk__lt=revision.pk).order_by("pk").last()
