"""What goes back into the issue: the portal's standings as edits of single cells, and nothing else of the body.

Writing is at once, then at most every five seconds for an issue, doubling to sixty under load.
"""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from claims.models import Claim, PullRequestLink, TableConflict
from claims.operations import counting, folding, row_texts
from claims.operations.names import NamesInRows, names_in_rows
from portal import audit, locks, outbox
from tasks_board.documents import widening
from tasks_board.documents.editing import EditRefused, SetClaimant
from tasks_board.documents.model import PullRequestRef, ReadTask, State
from tasks_board.models import IssueRevision, Task, TrackingIssue
from tasks_board.operations.edits import WrittenRows, rows_of_tasks
from tasks_board.tracking import choices_of, edit_issue, read_issue

LONGEST_BODY = 65_536  # characters; GitHub refuses more


def digest(body: str) -> str:
    """The SHA-256 of a body."""
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the table shall say about one claim. `refused`: the code of why its row cannot say it."""

    claim_id: int
    standing: str
    pull_requests: tuple[str, ...]
    refused: str = ""


@dataclass(frozen=True, slots=True)
class TableText:
    """The text an issue shall have, and what it will say about the claims that differ."""

    body: str
    wanted: tuple[Wanted, ...]
    base: str  # the agreed text that it was made from
    written: WrittenRows  # cells and rows that somebody changed here


def lock_texts(tracking_issue: TrackingIssue) -> TrackingIssue:
    """Lock all texts of an event, in one order, since rows move between them; returns this one fresh. Raises LockBusy."""
    texts = TrackingIssue.objects.filter(event=tracking_issue.event_id).select_related("event")
    return next(text for text in locks.lock_rows(texts) if text.pk == tracking_issue.pk)


def request_write(*, task: Task, now: datetime) -> None:
    """Ask for the task's table to be brought up to date, if an organizer has switched writing on."""
    issue = task.tracking_issue
    if issue is not None and issue.writing == TrackingIssue.Writing.ON:
        request_write_of(tracking_issue=issue, now=now)


def request_write_of(*, tracking_issue: TrackingIssue, now: datetime) -> None:
    """Put the writing of an issue's table on the outbox: at once, or when its spacing allows."""
    earliest = None
    if tracking_issue.written_at is not None:
        spacing = max(settings.TABLE_WRITE_SPACING, tracking_issue.write_spacing)
        earliest = tracking_issue.written_at + timedelta(seconds=spacing)
    outbox.enqueue(
        "write_table",
        key=f"issue:{tracking_issue.pk}",
        payload={"tracking_issue": tracking_issue.pk},
        now=now,
        not_before=earliest,
    )


def text_to_write(tracking_issue: TrackingIssue) -> TableText:
    """The agreed text with every difference between the table and the portal's standings written in, figures too.

    A row that cannot say it (no column for claimants, a form the dialect lacks) costs nothing but itself; one that the
    event's configuration leaves to people stays as they wrote it. A text that would be too long is written in shorter
    forms; then its figures and people are left as they are.
    """
    issue = tracking_issue
    tasks = list(issue.tasks.on_board().select_related("direction").prefetch_related("also_in"))
    base = issue.agreed_body
    if issue.column_wanted:
        base = widening.add_column(base, repository=issue.repository, choices=choices_of(issue))
    reading = read_issue(issue, base)
    rows = rows_of_tasks(tasks, reading)
    names = names_in_rows(rows)
    ours = [task for task in tasks if not task.is_excluded]
    contested = _contested(ours)
    edits = [
        (
            difference,
            replace(
                _edit(claim, difference, rows[claim.task_id], names),
                is_done=None if claim.task_id in contested.values() else claim.task.state == State.DONE,
            ),
        )
        for claim, difference in _differences(issue, ours)
        if claim.task_id in rows and claim.pk not in contested
    ]
    text, wanted = _edited(issue, base, edits)
    text, written = row_texts.write(text, tracking_issue=issue, tasks=tasks, rows=rows, reading=reading)
    body = counting.refresh(text, tracking_issue=issue, tasks=tasks, reading=reading)
    if len(body) > LONGEST_BODY:
        brief = [(difference, replace(edit, is_brief=True)) for difference, edit in edits]
        text, wanted = _edited(issue, base, brief)
        text, written = row_texts.write(text, tracking_issue=issue, tasks=tasks, rows=rows, reading=reading)
        body = counting.refresh(text, tracking_issue=issue, tasks=tasks, reading=reading)
    if len(body) > LONGEST_BODY:
        body = text
    return TableText(body, tuple(wanted), issue.agreed_body, written)


def _edited(
    issue: TrackingIssue, body: str, edits: Sequence[tuple[Wanted, SetClaimant]]
) -> tuple[str, list[Wanted]]:
    """All edits at once; where one is refused, by halves, until it stands alone."""
    if not edits:
        return body, []
    try:
        return edit_issue(issue, body, [edit for _, edit in edits]), [w for w, _ in edits]
    except EditRefused as refusal:
        if len(edits) == 1:
            return body, [replace(edits[0][0], refused=refusal.code)]
    middle = len(edits) // 2
    body, first = _edited(issue, body, edits[:middle])
    body, second = _edited(issue, body, edits[middle:])
    return body, first + second


@transaction.atomic
def note_found(*, tracking_issue: TrackingIssue, text: TableText, now: datetime) -> None:
    """GitHub holds what it shall. If that is a write of ours whose worker died, and was read since, it is noted now. Raises LockBusy."""
    if text.body == text.base:
        agree(tracking_issue=tracking_issue, text=text, now=now)
        return
    at = tracking_issue.body_at or now
    record_write(tracking_issue=tracking_issue, text=text, at=at, covered=(), now=now)


@transaction.atomic
def agree(*, tracking_issue: TrackingIssue, text: TableText, now: datetime) -> None:
    """Note what the table now says about claims and tasks; what a row refused it does not say, and may say one day. Raises LockBusy."""
    if text.written != WrittenRows():
        locks.lock_rows(TrackingIssue.objects.filter(pk=tracking_issue.pk))
    by_claim = {entry.claim_id: entry for entry in text.wanted if not entry.refused}
    for claim in Claim.objects.filter(pk__in=by_claim, task__tracking_issue=tracking_issue):
        claim.table_standing = by_claim[claim.pk].standing
        claim.table_pull_requests = list(by_claim[claim.pk].pull_requests)
        claim.save(update_fields=["table_standing", "table_pull_requests"])
    row_texts.note_written(tracking_issue=tracking_issue, written=text.written, now=now)


@transaction.atomic
def intend_write(*, tracking_issue: TrackingIssue, text: TableText, now: datetime) -> bool:
    """Note the text before it is sent, so that an edit on top of it is known for what it changes, however fast it is.

    False if this text was noted at this very moment before.
    """
    _row, is_new = IssueRevision.objects.get_or_create(
        tracking_issue=tracking_issue,
        sha256=digest(text.body),
        at=now,
        defaults={"body": text.body, "ours": True, "is_merged": False},
    )
    return is_new


@transaction.atomic
def record_write(
    *, tracking_issue: TrackingIssue, text: TableText, at: datetime, covered: Collection[str], now: datetime
) -> None:
    """Our write went through: GitHub holds our text, and both sides agree on it unless a person was quicker.

    `covered` are the texts that GitHub's history shows before ours. Into edits that arrived meanwhile ours is merged, and
    what of it did not get in is said anew; an edit on top of ours stays what GitHub holds. Raises LockBusy.
    """
    issue = lock_texts(tracking_issue)
    is_on_top = issue.body != tracking_issue.body and issue.body not in covered and issue.body != text.body
    is_busy = issue.written_at is not None and now - issue.written_at < timedelta(
        seconds=2 * max(settings.TABLE_WRITE_SPACING, issue.write_spacing)
    )
    grown = max(settings.TABLE_WRITE_SPACING, 2 * issue.write_spacing) if is_busy else 0
    issue.write_spacing = min(settings.TABLE_WRITE_SPACING_MAX, grown)
    if not is_on_top:
        issue.body, issue.body_at = text.body, at
    is_merged = issue.agreed_body != text.base
    folding.fold(issue, seen=text.base, text=text.body, prefer_step=False)
    if is_merged:
        folding.note_said(issue)
    else:
        agree(tracking_issue=issue, text=text, now=now)
    issue.revisions.filter(sha256=digest(text.body), ours=True, is_merged=False).update(is_merged=True)
    issue.written_at = now
    issue.save(update_fields=["body", "agreed_body", "body_at", "written_at", "write_spacing"])
    if issue.stated or tracking_issue.column_wanted:
        _note_own_reading(issue, is_widened=tracking_issue.column_wanted)
    audit.record(
        "claims.table_written",
        actor=None,
        target=issue,
        now=now,
        event_id=issue.event_id,
        data={"claims": [entry.claim_id for entry in text.wanted if not entry.refused]},
    )


def _note_own_reading(issue: TrackingIssue, *, is_widened: bool) -> None:
    """What our own write changed beside the rows: the figures it states, and the column that was wanted."""
    reading = read_issue(issue, issue.agreed_body)
    counting.note_stated(issue, reading)
    if is_widened:
        issue.column_wanted = False
        issue.lacks_column = bool(widening.lacks_claimants(reading))
        issue.save(update_fields=["column_wanted", "lacks_column"])


def _differences(issue: TrackingIssue, tasks: Sequence[Task]) -> list[tuple[Claim, Wanted]]:
    """The shown claims about which the table and the portal differ."""
    claims = (
        Claim.objects.filter(task__in=tasks, shown=True)
        .select_related("person", "team", "task")
        .order_by("created_at", "pk")
    )
    addresses = _addresses(tasks)
    found = []
    for claim in claims:
        wanted = Wanted(claim.pk, claim.standing, _references(claim, addresses))
        if _differs(claim, wanted):
            found.append((claim, wanted))
    return found


def _contested(tasks: Sequence[Task]) -> Mapping[int, int]:
    """The claims in an open conflict, with their tasks: what people wrote there stays until it is settled."""
    found = TableConflict.objects.filter(claim__task__in=tasks, settled_at=None)
    return dict(found.values_list("claim_id", "claim__task_id"))


def _differs(claim: Claim, wanted: Wanted) -> bool:
    if not claim.table_standing:
        return claim.standing not in Claim.GONE
    have = {address.lower() for address in claim.table_pull_requests}
    return claim.table_standing != wanted.standing or any(a.lower() not in have for a in wanted.pull_requests)


def _addresses(tasks: Sequence[Task]) -> Mapping[tuple[int, int], list[str]]:
    """The pull requests to show, oldest first, by task and author: those not closed, and no reverts."""
    links = (
        PullRequestLink.objects.holding()
        .filter(task__in=tasks, is_revert=False)
        .exclude(pull_request__state="closed")
        .select_related("pull_request__author")
        .order_by("pull_request__opened_at", "pull_request_id")
    )
    found: dict[tuple[int, int], list[str]] = defaultdict(list)
    for link in links:
        author = link.pull_request.author
        entry = found[link.task_id, author.whole_id]
        if str(link.pull_request) not in entry:
            entry.append(str(link.pull_request))
    return found


def _references(claim: Claim, addresses: Mapping[tuple[int, int], list[str]]) -> tuple[str, ...]:
    """The table's references stay, ours are added."""
    if claim.person is None:
        return tuple(claim.table_pull_requests)
    ours = addresses.get((claim.task_id, claim.person.whole_id), [])
    have = {address.lower() for address in claim.table_pull_requests}
    return (*claim.table_pull_requests, *(address for address in ours if address.lower() not in have))


def _edit(claim: Claim, wanted: Wanted, row: ReadTask, names: NamesInRows) -> SetClaimant:
    references = []
    for address in wanted.pull_requests:
        repository, _sign, number = address.rpartition("#")
        references.append(PullRequestRef(repository, int(number)))
    login, team = names.of(claim)
    return SetClaimant(
        line=row.line,
        login=login,
        team=team,
        state=State(wanted.standing),
        pull_requests=tuple(references),
    )
