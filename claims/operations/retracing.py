"""GitHub's edit history of a text, retraced step by step: each step is over the one before it.

A write of ours that did not know the steps right before it has covered them: they are merged back. Whatever came on top of
it is plain news.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from claims.operations import issues
from claims.operations.issues import Revision
from claims.operations.tables import digest
from portal.outbox import LEASE
from tasks_board.models import TrackingIssue


def retrace(
    *,
    tracking_issue: TrackingIssue,
    steps: Sequence[Revision],
    now: datetime,
    over: str | None = None,
    before_ours: bool = False,
) -> None:
    """Take in the steps that are not known yet, oldest first. Raises LockBusy.

    `over`: the write of ours that we are recording, where the steps are all since it was planned; `before_ours`: it came
    right after the last of them. An older text that somebody puts back is then a step like any other.
    """
    revisions = tracking_issue.revisions.order_by("pk")
    first = revisions.first()
    ours = revisions.filter(sha256=digest(over), ours=True).last() if over is not None else None
    since = revisions.filter(pk__gt=ours.pk) if ours is not None else revisions
    known = {(sha, at): merged for sha, at, merged in since.values_list("sha256", "at", "is_merged")}
    for place, step in enumerate(steps):
        if first is not None and step.at < first.at:
            continue  # history from before the issue was read
        is_merged = known.get((digest(step.body), step.at))
        if _is_ours(step):
            issues.note_own_step(tracking_issue=tracking_issue, revision=step, now=now)
        elif not is_merged:
            is_news = issues.apply_issue_revision(tracking_issue=tracking_issue, revision=step, now=now)
            later = steps[place + 1 :]
            if not is_news and _is_covered(later, known, before_ours=before_ours):
                issues.apply_hidden_edit(tracking_issue=tracking_issue, revision=step, now=now)


def has_loose_ends(tracking_issue: TrackingIssue) -> bool:
    """Whether a write of ours was never noted as done, or an edit was only heard: what it covered may be missing."""
    return tracking_issue.revisions.filter(is_merged=False).exists()


def tie_up(tracking_issue: TrackingIssue, now: datetime) -> None:
    """The history has been retraced: what is older than any write on its way is settled."""
    tracking_issue.revisions.filter(is_merged=False, at__lt=now - 2 * LEASE).update(is_merged=True)


def chained(steps: Sequence[Revision]) -> list[Revision]:
    """The steps with the text that each of them changed, where the history shows it."""
    befores = [None, *(step.body for step in steps)]
    return [
        replace(step, previous=before) if before is not None else step
        for step, before in zip(steps, befores, strict=False)
    ]


def _is_ours(step: Revision) -> bool:
    return step.editor is not None and step.editor.is_portal


def _is_covered(
    later: Sequence[Revision],
    known: dict[tuple[str, datetime], bool],
    *,
    before_ours: bool,
) -> bool:
    """Whether a write of ours follows, and nothing in between that holds the step already."""
    for step in later:
        if _is_ours(step):
            return True
        if known.get((digest(step.body), step.at)):
            return False
    return before_ours
