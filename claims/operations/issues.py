"""A new text of a tracking issue enters: its rows become tasks, what it says of people becomes statements or decisions.

Only what differs from the text before counts, so nobody is made to say what stood there already (`hearing`).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from claims.operations import alarms, carrying, counting, folding, row_texts, standings, tables
from claims.operations.hearing import Finder, Listener
from claims.operations.table_links import request_links
from claims.operations.tables import digest
from portal import audit, locks, outbox
from portal.models import Person
from tasks_board.documents.identity import identity_of_row, pair_rows
from tasks_board.documents.model import Reading, ReadTask
from tasks_board.documents.widening import lacks_claimants
from tasks_board.models import IssueRevision, Task, TrackingIssue
from tasks_board.operations.edits import rows_of_tasks
from tasks_board.operations.following import list_siblings
from tasks_board.operations.tables import AppliedRow, apply_reading
from tasks_board.tracking import read_issue, sections_of


@dataclass(frozen=True, slots=True)
class Revision:
    """A text of an issue's body: GitHub's time of it, its editor where known, and the text before where GitHub said so."""

    body: str
    at: datetime
    editor: Person | None = None
    previous: str | None = None


@transaction.atomic
def apply_issue_revision(*, tracking_issue: TrackingIssue, revision: Revision, now: datetime) -> bool:
    """Take in what a person wrote into the body; False if it is known already or older than what is.

    Several texts may carry the same second: then the one that GitHub says came after ours is the news. Of an older text
    only its editor's word is heard. Raises LockBusy.
    """
    issue = _lock(tracking_issue)
    if not _is_news(issue, revision):
        _hear_late(issue, revision, now)
        return False
    previous = revision.previous
    if previous is not None and _is_gap(issue, previous):
        # Somebody edited in between: what they changed is not this editor's word. Theirs is heard when its event comes.
        _replace_body(issue, Revision(previous, revision.at), now)
    row, overruled = _replace_body(issue, revision, now)
    if issue.writing == TrackingIssue.Writing.ON:
        tables.request_write_of(tracking_issue=issue, now=now)
    audit.record(
        "claims.issue_revision_applied",
        actor=revision.editor,
        target=issue,
        now=now,
        event_id=issue.event_id,
        data={"revision": row.pk, **({"overruled": list(overruled)} if overruled else {})},
    )
    return True


@transaction.atomic
def read_again(
    *, tracking_issue: TrackingIssue, now: datetime, lines: Mapping[int, int] | None = None
) -> Sequence[AppliedRow]:
    """Make the tasks what the text says, after what stands beside the text changed. People's words stay. Raises LockBusy.

    `lines`: which task each line of the text is, where only its reading changed.
    """
    issue = _lock(tracking_issue)
    reading = read_issue(issue, issue.agreed_body)
    applied = _apply(issue, issue.agreed_body, reading, Finder([reading, None]), now, lines)
    _hear_moved(issue, applied.rows, None, now)
    touched = _let_follow(issue, applied.missing, now)
    touched |= {entry.task.pk for entry in applied.rows if entry.is_moved or entry.is_remarked}
    _recompute(issue, touched, now)
    return applied.rows


@transaction.atomic
def let_all_follow(*, tracking_issue: TrackingIssue, now: datetime) -> None:
    """A text is read no more: its tasks go where their rows stand in the event's other texts. Raises LockBusy."""
    issue = _lock(tracking_issue)
    followed = _let_follow(issue, list(issue.tasks.on_board().select_related("direction")), now)
    _recompute(issue, followed, now)


def _lock(tracking_issue: TrackingIssue) -> TrackingIssue:
    """The event's texts, then all its tasks by key: rows move between texts, and what follows touches many of them."""
    issue = tables.lock_texts(tracking_issue)
    locks.lock_rows(Task.objects.filter(event=issue.event_id).only("pk"))
    return issue


def _is_gap(issue: TrackingIssue, previous: str) -> bool:
    """Whether an edit's predecessor is another text than the one we know. (A first reading has nothing before it.)"""
    return issue.body_at is not None and previous != issue.body and not _is_in_flight(issue, previous)


def _is_in_flight(issue: TrackingIssue, body: str) -> bool:
    """Whether a text is a write of ours that went out and is not noted as done yet."""
    return issue.revisions.filter(sha256=digest(body), ours=True, is_merged=False).exists()


def _replace_body(
    issue: TrackingIssue, revision: Revision, now: datetime
) -> tuple[IssueRevision, Collection[str]]:
    """GitHub holds this text now; what had to give way in the agreed one is told."""
    row = remember_revision(issue, revision, ours=False)
    seen = revision.previous if revision.previous is not None and issue.body_at is not None else issue.body
    is_in_flight = seen != issue.body
    overruled = folding.fold(issue, seen=seen, text=revision.body, prefer_step=True)
    issue.body, issue.body_at = revision.body, revision.at
    issue.save(update_fields=["body", "agreed_body", "body_at"])
    _take_in(issue, row, seen, revision, now)
    return row, () if is_in_flight else overruled


def _hear_late(issue: TrackingIssue, revision: Revision, now: datetime) -> None:
    """An edit arrives after a newer one: what its editor changed is their word, dated as they wrote it.

    What was edited before the issue was first read is history, and an organizer's to confirm.
    """
    first = issue.revisions.order_by("pk").first()
    is_history = first is None or revision.at <= first.at
    if revision.editor is None or revision.previous is None or is_history:
        return
    if issue.revisions.filter(sha256=digest(revision.body), at=revision.at).exists():
        return
    row = remember_revision(issue, revision, ours=False, is_merged=False)
    reading = read_issue(issue, revision.body)
    earlier = read_issue(issue, revision.previous)
    tasks = list(issue.tasks.select_related("direction", "event").order_by("pk"))
    before = dict(zip(map(id, reading.tasks), _rows_before(reading, earlier), strict=True))
    listener = Listener(
        issue,
        row,
        editor=revision.editor,
        at=revision.at,
        find=Finder([reading, earlier]),
        now=now,
        is_late=True,
    )
    rows = rows_of_tasks(tasks, reading)
    for task in tasks:
        read = rows.get(task.pk)
        if read is not None and listener.hear(task, read, before[id(read)]):
            standings.recompute_task(task=task, now=now)
    request_links(listener.named, key=f"revision:{row.pk}", now=now)


@transaction.atomic
def apply_hidden_edit(*, tracking_issue: TrackingIssue, revision: Revision, now: datetime) -> bool:
    """Merge back an edit of a person that our own write covered, below what is known since; it goes out with our next write.

    False if the agreed text holds it already. Raises LockBusy.
    """
    issue = _lock(tracking_issue)
    same = issue.revisions.filter(sha256=digest(revision.body), ours=False)
    if same.filter(at__gt=revision.at, is_merged=True).exists():
        _hear_late(issue, revision, now)
        return False
    is_heard = same.filter(at=revision.at, is_merged=False).exists()
    row = remember_revision(issue, revision, ours=False)
    seen = revision.previous if revision.previous is not None else issue.body
    row_texts.reopen_covered(tracking_issue=issue, body=revision.body, before=seen, at=revision.at, now=now)
    is_latest = seen == issue.body
    overruled = folding.fold(issue, seen=seen, text=revision.body, prefer_step=is_latest)
    issue.save(update_fields=["agreed_body"])
    audit.record(
        "claims.hidden_edit_merged",
        actor=revision.editor,
        target=issue,
        now=now,
        event_id=issue.event_id,
        data={"revision": row.pk, **({"overruled": list(overruled)} if overruled else {})},
    )
    _take_in(issue, row, revision.body if is_heard else seen, revision, now, is_late=not is_latest)
    if issue.writing == TrackingIssue.Writing.ON:
        tables.request_write_of(tracking_issue=issue, now=now)
    return True


@transaction.atomic
def notice_own_write(
    *, tracking_issue: TrackingIssue, at: datetime, previous: str | None, now: datetime
) -> None:
    """GitHub tells of a write of ours, and which text it replaced: one that we never saw is a person's hidden edit."""
    if previous is None or tracking_issue.revisions.filter(sha256=digest(previous)).exists():
        return
    apply_hidden_edit(tracking_issue=tracking_issue, revision=Revision(previous, at), now=now)


@transaction.atomic
def note_own_step(*, tracking_issue: TrackingIssue, revision: Revision, now: datetime) -> None:
    """GitHub's history shows a write of ours over the text we know: it holds ours now, recorded or not. Raises LockBusy."""
    issue = _lock(tracking_issue)
    if revision.previous == issue.body and revision.body != issue.body:
        issue.body, issue.body_at = revision.body, revision.at
        issue.save(update_fields=["body", "body_at"])


def remember_revision(
    issue: TrackingIssue, revision: Revision, *, ours: bool, is_merged: bool = True
) -> IssueRevision:
    """Keep a text with its editor and time; the same text at the same time is one revision."""
    row, created = IssueRevision.objects.get_or_create(
        tracking_issue=issue,
        sha256=digest(revision.body),
        at=revision.at,
        defaults={"body": revision.body, "editor": revision.editor, "ours": ours, "is_merged": is_merged},
    )
    if not created and is_merged and not row.is_merged:
        row.is_merged = True
        row.save(update_fields=["is_merged"])
    return row


def _is_news(issue: TrackingIssue, revision: Revision) -> bool:
    if revision.body == issue.body or issue.body_at is None:
        return revision.body != issue.body
    if revision.at != issue.body_at:
        return revision.at > issue.body_at
    previous = revision.previous
    return previous is None or previous == issue.body or _is_in_flight(issue, previous)


def _take_in(
    issue: TrackingIssue,
    row: IssueRevision,
    seen: str,
    revision: Revision,
    now: datetime,
    *,
    is_late: bool = False,
) -> None:
    """Tasks first, as the agreed text has them; then people, as the editor changed what they saw; then the standings."""
    reading = read_issue(issue, revision.body)
    earlier = read_issue(issue, seen) if seen else None
    is_merged = issue.agreed_body != revision.body
    agreed = read_issue(issue, issue.agreed_body) if is_merged else reading
    find = Finder([reading, earlier, agreed])
    applied = _apply(issue, issue.agreed_body, agreed, find, now)
    touched = {entry.task.pk for entry in applied.rows if entry.is_remarked}
    rows = {entry.task.pk: entry.row for entry in applied.rows}
    if is_merged:
        rows = rows_of_tasks(list(issue.tasks.select_related("direction")), reading)
    listener = Listener(
        issue, row, editor=revision.editor, at=revision.at, find=find, now=now, is_late=is_late
    )
    before = dict(zip(map(id, reading.tasks), _rows_before(reading, earlier), strict=True))
    arrived: list[AppliedRow] = []
    waited: list[AppliedRow] = []
    for entry in applied.rows:
        read = rows.get(entry.task.pk)
        old = before[id(read)] if read is not None else None
        if entry.is_moved:
            (waited if read is None or old is not None else arrived).append(entry)
        elif read is not None and listener.hear(entry.task, read, old, is_new=entry.is_new):
            touched.add(entry.task.pk)
    touched |= _hear_moved(issue, arrived, listener, now) | _hear_moved(issue, waited, None, now)
    request_links(listener.named, key=f"revision:{row.pk}", now=now)
    touched |= _let_follow(issue, applied.missing, now)
    if is_merged:
        folding.note_said(issue)
    alarms.watch_editor(
        issue, editor=revision.editor, seen=seen, text=revision.body, readings=(earlier, reading), now=now
    )
    _recompute(issue, touched, now)


def _hear_moved(
    issue: TrackingIssue, moved: Sequence[AppliedRow], listener: Listener | None, now: datetime
) -> set[int]:
    """Rows that came from elsewhere: what their tables had said of people already is not said anew.

    Without a listener nobody knows who wrote what the rows say beyond that: it is nobody's word. Returns the tasks.
    """
    moved = [entry for entry in moved if entry.is_moved]
    row = issue.revisions.filter(ours=False).order_by("pk").last() if moved and listener is None else None
    if row is not None:
        reading = read_issue(issue, issue.agreed_body)
        listener = Listener(issue, row, editor=None, at=row.at, find=Finder([reading]), now=now)
    for entry in moved:
        if listener is not None:
            listener.hear(entry.task, entry.row, None)
    carrying.note_what_is_said([entry.task for entry in moved], {entry.task.pk: entry.row for entry in moved})
    return {entry.task.pk for entry in moved}


def _let_follow(issue: TrackingIssue, missing: Collection[Task], now: datetime) -> set[int]:
    """Tasks whose row has left this text go where it stands meanwhile. Returns those that did."""
    if not missing:
        return set()
    followed: set[int] = set()
    for sibling in list_siblings(issue):
        carrying.take_in_doubles(sibling, missing, now)
        reading = read_issue(sibling, sibling.agreed_body)
        applied = _apply(sibling, sibling.agreed_body, reading, Finder([reading]), now)
        followed |= _hear_moved(sibling, applied.rows, None, now)
    return followed


@dataclass(frozen=True, slots=True)
class _Applied:
    """The rows of a text with their tasks, and the tasks that stood on the board and have no row here any more."""

    rows: Sequence[AppliedRow]
    missing: Sequence[Task]


def _apply(
    issue: TrackingIssue,
    body: str,
    reading: Reading,
    find: Finder,
    now: datetime,
    lines: Mapping[int, int] | None = None,
) -> _Applied:
    """Rows become tasks; titles that name a number with another meaning now are read anew."""
    sections = sections_of(issue, body, reading)
    lacks_column = bool(lacks_claimants(reading))
    if issue.lacks_column != lacks_column:
        issue.lacks_column = lacks_column
        issue.save(update_fields=["lacks_column"])
    counting.note_stated(issue, reading)
    before = list(issue.tasks.select_related("direction"))
    numbers = {task.pk: task.number for task in before}
    applied = apply_reading(
        tracking_issue=issue,
        reading=reading,
        sections=sections,
        find_person=find.person,
        now=now,
        lines=lines,
    )
    _request_relinking(issue, numbers, applied, now)
    found = {entry.task.pk for entry in applied}
    return _Applied(applied, [task for task in before if task.pk not in found and not task.is_removed])


def _recompute(issue: TrackingIssue, touched: Collection[int], now: datetime) -> None:
    """The touched tasks, wherever they stand now."""
    of_event = Task.objects.filter(event=issue.event_id).order_by("pk")
    tasks = [task for task in of_event if task.pk in touched or _is_stale(task)]
    if tasks:
        standings.recompute_tasks(tasks=tasks, now=now)


def _is_stale(task: Task) -> bool:
    """A row's removal or its return bears on the task's state, whoever is named."""
    return task.is_removed != (task.state == "removed")


def _request_relinking(
    issue: TrackingIssue, numbers: Mapping[int, str], applied: Sequence[AppliedRow], now: datetime
) -> None:
    """Numbers that mean another task than before: titles that name them are read anew, after this transaction.

    A first reading is followed by the import's own.
    """
    if not numbers:
        return
    changed = {
        number
        for entry in applied
        if numbers.get(entry.task.pk) != entry.task.number
        for number in (entry.task.number, numbers.get(entry.task.pk))
        if number
    }
    if changed:
        outbox.enqueue(
            "relink_titles",
            key=f"issue:{issue.pk}:{digest(' '.join(sorted(changed)))[:16]}",
            payload={"event": issue.event_id, "numbers": sorted(changed)},
            now=now,
        )


def _rows_before(reading: Reading, earlier: Reading | None) -> list[ReadTask | None]:
    """For each row, the same row of the text before."""
    if earlier is None:
        return [None] * len(reading.tasks)
    pairs = pair_rows(
        [identity_of_row(row) for row in earlier.tasks], [identity_of_row(row) for row in reading.tasks]
    )
    return [earlier.tasks[pairs[place]] if place in pairs else None for place in range(len(reading.tasks))]
