"""What stops the writing of a table until an organizer has looked: another program at the same cells, a refusal of GitHub."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta

from portal import audit
from portal.github.errors import GitHubRefused
from portal.models import AuditEntry, Person
from tasks_board.documents.model import Reading
from tasks_board.models import TrackingIssue
from tasks_board.operations import events

_BOT = re.compile(r"\[bot\]\Z|[-_]bot\Z|\Abot[-_]", re.IGNORECASE)
PUT_BACK = "claims.write_put_back"
MOST_PUT_BACK = 3  # within the hour: a person takes our word back once or twice, a program every time
_CODES = {403: "not_allowed", 404: "not_found", 410: "gone", 422: "not_valid"}


def note_refusal(*, tracking_issue: TrackingIssue, error: GitHubRefused, now: datetime) -> None:
    """GitHub refused our write for good: writing is held, and its words are shown."""
    code = _CODES.get(error.status, "refused")
    about = f"{error.status} {error.answer}".strip()
    events.raise_alarm(tracking_issue=tracking_issue, code=code, about=about, now=now)


def note_refused_reply(*, tracking_issue: TrackingIssue, error: GitHubRefused, now: datetime) -> None:
    """GitHub refused an answer: it shows, and the table goes on."""
    if not tracking_issue.alarm:
        about = f"{error.status} {error.answer}".strip()
        events.raise_alarm(
            tracking_issue=tracking_issue, code="reply_refused", about=about, now=now, holds=False
        )


def watch_editor(
    issue: TrackingIssue,
    *,
    editor: Person | None,
    seen: str,
    text: str,
    readings: Sequence[Reading | None],
    now: datetime,
) -> None:
    """Look whether an edit is another program's, at the cells that we keep: then we stop, and say who it is.

    A program is an account of GitHub's type Bot or called one, or whoever puts back what we wrote again and again.
    """
    if editor is None or editor.is_portal or issue.writing != TrackingIssue.Writing.ON:
        return
    before, after = readings
    if before is None or after is None:
        return
    is_bot = editor.is_bot or _BOT.search(editor.login) is not None
    if (is_bot and _touches_ours(before, after)) or _puts_back_again(issue, editor, seen, text, now):
        events.raise_alarm(tracking_issue=issue, code="another_writer", about=editor.login, now=now)


def _touches_ours(before: Reading, after: Reading) -> bool:
    """Whether claimants, marks, figures or people differ: what the portal writes."""
    return _kept(before) != _kept(after)


def _kept(reading: Reading) -> object:
    rows = Counter(
        (
            row.number or row.title,
            row.own_mark,
            row.state,
            tuple(
                (c.name.lower(), c.state, frozenset(ref.key for ref in c.pull_requests))
                for c in row.claimants
            ),
        )
        for row in reading.tasks
    )
    board = [(row.label, dict(row.counts)) for row in reading.board or ()]
    return rows, board, reading.contributors_block


def _puts_back_again(issue: TrackingIssue, editor: Person, seen: str, text: str, now: datetime) -> bool:
    """Whether the edit takes back what our last write changed, line by line, as often as no person does."""
    ours = issue.revisions.order_by("pk").last()
    ours = issue.revisions.filter(ours=True).order_by("pk").last() if ours is not None else None
    if ours is None or ours.body != seen:
        return False
    before = issue.revisions.filter(pk__lt=ours.pk, is_merged=True).order_by("pk").last()
    if before is None or not _is_put_back(before.body, seen, text):
        return False
    since = now - timedelta(hours=1)
    entries = AuditEntry.objects.filter(
        action=PUT_BACK, actor=editor, target_type=issue._meta.label_lower, target_id=issue.pk, at__gte=since
    )
    times = entries.count() + 1
    audit.record(
        PUT_BACK, actor=editor, target=issue, now=now, event_id=issue.event_id, data={"times": times}
    )
    return times >= MOST_PUT_BACK


def _is_put_back(before: str, ours: str, text: str) -> bool:
    """Lines that our write changed stand as before again, and nothing new stands anywhere; a row moved or taken away is neither."""
    old, written, now = ({*body.split("\n")} for body in (before, ours, text))
    new = now - written
    return bool(new) and new <= old
