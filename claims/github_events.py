"""GitHub's events in our words. Each handler turns a payload into one call of an operation; none calls GitHub."""

from datetime import datetime
from typing import Any

from claims.operations import comment_texts, comments, issues, pull_requests, texts, wayfinding
from claims.operations.issues import Revision
from claims.operations.pull_requests import Seen
from claims.operations.speaking import Written
from portal.accounts import people
from portal.github import payloads, types
from tasks_board.tracking import list_comment_texts, list_tracking_issues

JSON = dict[str, Any]


def on_issues(payload: JSON, *, received_at: datetime, now: datetime) -> None:
    """A tracking issue's body changed, or it moved to another repository."""
    if payloads.action_of(payload) == "transferred":
        old, new = payloads.issue_of(payload), payloads.transferred_to(payload)
        texts.follow_issue(old=(old.repository, old.number), new=new, now=now)
        return
    if payloads.action_of(payload) not in ("opened", "edited", "reopened"):
        return
    fact = payloads.issue_of(payload)
    previous = payloads.body_before(payload)
    editor = people.remember(payloads.account(payload.get("sender")), seen_at=fact.updated_at)
    for tracking_issue in list_tracking_issues(repository=fact.repository, number=fact.number):
        if editor.is_portal:
            issues.notice_own_write(
                tracking_issue=tracking_issue, at=fact.updated_at, previous=previous, now=now
            )
            continue
        revision = Revision(body=fact.body, at=fact.updated_at, editor=editor, previous=previous)
        issues.apply_issue_revision(tracking_issue=tracking_issue, revision=revision, now=now)


def on_issue_comment(payload: JSON, *, received_at: datetime, now: datetime) -> None:
    """A comment was written, edited or deleted.

    Under a tracking issue it may be a text with tables itself; under a pull request it is its author's activity; a claim that
    is written anywhere but under a tracking issue is shown the way.
    """
    action = payloads.action_of(payload)
    fact = payloads.comment_of(payload)
    if payloads.issue_of(payload).is_pull_request and action != "deleted":
        pull_requests.note_answer(comment=fact, now=now)
    written = _written(fact, payload, action)
    heard_by = list_tracking_issues(repository=fact.repository, number=fact.issue_number)
    if not heard_by and action == "created":
        wayfinding.show_the_way(fact=fact, now=now)
    for tracking_issue in heard_by:
        if action == "deleted":
            comments.note_deletion(tracking_issue=tracking_issue, github_id=fact.id, now=now)
        else:
            comments.record_comment(tracking_issue=tracking_issue, written=written, now=now)
    for text in list_comment_texts(comment_id=fact.id):
        if action == "deleted":
            comment_texts.note_deletion(tracking_issue=text, now=now)
        elif action == "edited":
            editor = people.remember(written.editor, seen_at=fact.updated_at) if written.editor else None
            revision = Revision(fact.body, fact.updated_at, editor, written.edited_from)
            comment_texts.apply_edit(tracking_issue=text, revision=revision, now=now)


def on_repository(payload: JSON, *, received_at: datetime, now: datetime) -> None:
    """A repository has another name or owner."""
    if payloads.action_of(payload) in ("renamed", "transferred"):
        new = payloads.repository_of(payload).full_name
        texts.follow_repository(old=payloads.repository_before(payload), new=new, now=now)


def _written(fact: types.Comment, payload: JSON, action: str) -> Written:
    is_issue_author = payloads.issue_of(payload).author.id == fact.author.id
    if action != "edited":
        return Written(fact, is_first=action == "created", is_by_issue_author=is_issue_author)
    editor = payloads.account(payload["sender"]) if payload.get("sender") else None
    previous = payloads.body_before(payload)
    return Written(fact, edited_from=previous, editor=editor, is_by_issue_author=is_issue_author)


def on_pull_request(payload: JSON, *, received_at: datetime, now: datetime) -> None:
    """Anything about a pull request: its facts as of this event."""
    fact = payloads.pull_request_of(payload)
    action = payloads.action_of(payload)
    seen = Seen(
        previous_title=payloads.title_before(payload),
        retitled_by=payloads.sender_of(payload) if action == "edited" else None,
        label_added=payloads.label_of(payload) if action == "labeled" else "",
        label_removed=payloads.label_of(payload) if action == "unlabeled" else "",
        closed_by=payloads.sender_of(payload) if action == "closed" else None,
    )
    pull_requests.record_pull_request(fact=fact, seen=seen, now=now)


def on_pull_request_review(payload: JSON, *, received_at: datetime, now: datetime) -> None:
    """A review was given or dismissed. The payload holds the pull request too, which may not be known yet."""
    review, on = payloads.review_of(payload), payloads.pull_request_of(payload)
    pull_requests.record_review(fact=review, on=on, now=now)
