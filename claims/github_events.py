"""GitHub's events in our words. Each handler turns a payload into one call of an operation; none calls GitHub."""

from datetime import datetime
from typing import Any

from claims.operations import comments, issues, pull_requests
from claims.operations.issues import Revision
from claims.operations.pull_requests import Seen
from claims.operations.speaking import Written
from portal.accounts import people
from portal.github import payloads, types
from tasks_board.tracking import list_tracking_issues

JSON = dict[str, Any]


def on_issues(payload: JSON, *, received_at: datetime, now: datetime) -> None:
    """A tracking issue's body changed."""
    if payloads.field(payload, "action", str) not in ("opened", "edited", "reopened"):
        return
    repository = payloads.field(payload, "repository.full_name", str)
    fact = payloads.issue(payloads.field(payload, "issue", dict), repository)
    previous = _previous(payload, "body")
    editor = people.remember(payloads.account(payload.get("sender")), seen_at=fact.updated_at)
    for tracking_issue in list_tracking_issues(repository=repository, number=fact.number):
        if editor.is_portal:
            issues.notice_own_write(
                tracking_issue=tracking_issue, at=fact.updated_at, previous=previous, now=now
            )
            continue
        revision = Revision(body=fact.body, at=fact.updated_at, editor=editor, previous=previous)
        issues.apply_issue_revision(tracking_issue=tracking_issue, revision=revision, now=now)


def on_issue_comment(payload: JSON, *, received_at: datetime, now: datetime) -> None:
    """A comment under a tracking issue was written, edited or deleted."""
    action = payloads.field(payload, "action", str)
    repository = payloads.field(payload, "repository.full_name", str)
    number = payloads.field(payload, "issue.number", int)
    fact = payloads.comment(payloads.field(payload, "comment", dict), repository, number)
    written = _written(fact, payload, action)
    for tracking_issue in list_tracking_issues(repository=repository, number=number):
        if action == "deleted":
            comments.note_deletion(tracking_issue=tracking_issue, github_id=fact.id, now=now)
        else:
            comments.record_comment(tracking_issue=tracking_issue, written=written, now=now)


def _written(fact: types.Comment, payload: JSON, action: str) -> Written:
    if action != "edited":
        return Written(fact, is_first=action == "created")
    editor = payloads.account(payload["sender"]) if payload.get("sender") else None
    return Written(fact, edited_from=_previous(payload, "body"), editor=editor)


def on_pull_request(payload: JSON, *, received_at: datetime, now: datetime) -> None:
    """Anything about a pull request: its facts as of this event."""
    fact = payloads.pull_request(payloads.field(payload, "pull_request", dict))
    seen = Seen(previous_title=_previous(payload, "title"))
    pull_requests.record_pull_request(fact=fact, seen=seen, now=now)


def on_pull_request_review(payload: JSON, *, received_at: datetime, now: datetime) -> None:
    """A review was given or dismissed. The payload holds the pull request too, which may not be known yet."""
    fact = payloads.pull_request(payloads.field(payload, "pull_request", dict))
    review = payloads.review(payloads.field(payload, "review", dict), fact.repository, fact.number)
    pull_requests.record_review(fact=review, on=fact, now=now)


def _previous(payload: JSON, name: str) -> str | None:
    """The text before an edit, where GitHub says so."""
    before = payload.get("changes", {}).get(name, {}).get("from")
    return before if isinstance(before, str) else None
