"""GitHub's JSON, from REST answers and webhooks, as our types. Only the fields we use are looked at.

What is missing or of the wrong kind raises PayloadInvalid with the field's name.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TypeVar

from django.utils.translation import gettext_lazy as _

from portal.common.errors import DomainError
from portal.github import types

JSON = dict[str, Any]
T = TypeVar("T")

# Whose account was deleted: https://github.com/ghost
GHOST = types.Account(id=10137, login="ghost")


class PayloadInvalid(DomainError):
    """Something from GitHub does not look as documented. `field` says where."""

    def __init__(self, field: str) -> None:
        super().__init__("payload_invalid", _("GitHub sent something unexpected."), field=field)
        self.field = field

    def __str__(self) -> str:
        return f"{self.message} ({self.field})"


def field(data: Any, name: str, kind: type[T] | tuple[type[T], ...]) -> T:
    """The value under a dotted name, which must be of this kind."""
    value = data
    for step in name.split("."):
        if not isinstance(value, dict) or step not in value:
            raise PayloadInvalid(name)
        value = value[step]
    # In JSON true is no number, in Python it is.
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
        raise PayloadInvalid(name)
    return value


def optional(data: JSON, name: str, read: Callable[[JSON, str], T]) -> T | None:
    """What `read` makes of a field, or None if it is absent or null."""
    return None if data.get(name) is None else read(data, name)


def moment(data: JSON, name: str) -> datetime:
    """A time, aware, in UTC."""
    text = field(data, name, str)
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise PayloadInvalid(name) from None
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)


def account(data: Any) -> types.Account:
    """An account; null is a deleted one."""
    if data is None:
        return GHOST
    is_bot = data.get("type") == "Bot" if isinstance(data, dict) else False
    return types.Account(id=field(data, "id", int), login=field(data, "login", str), is_bot=is_bot)


def repository(data: JSON) -> types.Repository:
    """A repository."""
    permissions = data.get("permissions") or {}
    return types.Repository(
        id=field(data, "id", int),
        full_name=field(data, "full_name", str),
        default_branch=data.get("default_branch") or "",
        can_push=bool(permissions.get("push")),
        is_private=bool(data.get("private")),
    )


def issue(data: JSON, repository_name: str) -> types.Issue:
    """An issue of this repository, or a pull request seen as one."""
    return types.Issue(
        id=field(data, "id", int),
        repository=repository_name,
        number=field(data, "number", int),
        title=field(data, "title", str),
        body=_text(data, "body"),
        author=_author(data),
        state=field(data, "state", str),
        created_at=moment(data, "created_at"),
        updated_at=moment(data, "updated_at"),
        is_pull_request="pull_request" in data,
        closed_by=account(data["closed_by"]) if data.get("closed_by") else None,
    )


def comment(data: JSON, repository_name: str, issue_number: int) -> types.Comment:
    """A comment under this issue."""
    return types.Comment(
        id=field(data, "id", int),
        repository=repository_name,
        issue_number=issue_number,
        body=_text(data, "body"),
        author=_author(data),
        created_at=moment(data, "created_at"),
        updated_at=moment(data, "updated_at"),
    )


def pull_request(data: JSON) -> types.PullRequest:
    """A pull request, from a list, a single answer or a webhook. Its repository is the one it wants to go into."""
    merged_at = optional(data, "merged_at", moment)
    return types.PullRequest(
        id=field(data, "id", int),
        repository=field(data, "base.repo.full_name", str),
        number=field(data, "number", int),
        title=field(data, "title", str),
        body=_text(data, "body"),
        author=_author(data),
        state=_pull_request_state(data, is_merged=merged_at is not None or data.get("merged") is True),
        is_draft=bool(data.get("draft")),
        base_branch=field(data, "base.ref", str),
        created_at=moment(data, "created_at"),
        updated_at=moment(data, "updated_at"),
        closed_at=optional(data, "closed_at", moment),
        merged_at=merged_at,
        merged_by=account(data["merged_by"]) if data.get("merged_by") else None,
        merge_commit_sha=_text(data, "merge_commit_sha"),
        head_branch=_text(data.get("head") or {}, "ref"),
        labels=_labels(data),
        head_sha=_text(data.get("head") or {}, "sha"),
        reviewers_asked=_reviewers_asked(data),
    )


def _reviewers_asked(data: JSON) -> tuple[int, ...]:
    found = optional(data, "requested_reviewers", lambda source, key: field(source, key, list)) or []
    return tuple(account(reviewer).id for reviewer in found)


def _labels(data: JSON) -> tuple[str, ...]:
    """The names of the labels; where an answer has none, none are known."""
    found = optional(data, "labels", lambda source, key: field(source, key, list)) or []
    return tuple(field(label, "name", str) for label in found)


def commit(data: JSON) -> types.Commit:
    """A commit of a list. GitHub ties it to an account, or to none: null, or an empty object."""
    return types.Commit(
        sha=field(data, "sha", str),
        message=field(data, "commit.message", str),
        author=account(data["author"]) if data.get("author") else None,
        author_email=_text(field(data, "commit", dict).get("author") or {}, "email"),
        committed_at=moment(field(data, "commit.committer", dict), "date"),
    )


def _pull_request_state(data: JSON, *, is_merged: bool) -> types.PullRequestState:
    if is_merged:
        return types.PullRequestState.MERGED
    return _choice(types.PullRequestState, data, "state")


def review(data: JSON, repository_name: str, pull_request_number: int) -> types.Review:
    """A review. REST writes its state in capitals, webhooks in small letters."""
    return types.Review(
        id=field(data, "id", int),
        repository=repository_name,
        pull_request_number=pull_request_number,
        reviewer=_author(data),
        association=field(data, "author_association", str).upper(),
        state=_choice(types.ReviewState, data, "state"),
        submitted_at=moment(data, "submitted_at"),
        commit_sha=_text(data, "commit_id"),
    )


def body_edit(data: JSON) -> types.BodyEdit:
    """A step of an edit history as GraphQL tells it: its `diff` is the whole text after the edit."""
    editor = data.get("editor")
    return types.BodyEdit(
        body=_text(data, "diff"),
        editor=_graphql_account(editor) if editor else None,
        edited_at=moment(data, "editedAt"),
    )


def reaction(data: JSON) -> types.Reaction:
    """A reaction to a comment."""
    return types.Reaction(
        id=field(data, "id", int), content=field(data, "content", str), author=_author(data)
    )


def issue_number(data: JSON) -> int:
    """The number of the issue that a comment stands under, from its address."""
    number = field(data, "issue_url", str).rpartition("/")[2]
    if not number.isdecimal():
        raise PayloadInvalid("issue_url")
    return int(number)


# What a webhook is about. https://docs.github.com/en/webhooks/webhook-events-and-payloads


def action_of(payload: JSON) -> str:
    """What happened: `opened`, `edited` …"""
    return field(payload, "action", str)


def sender_of(payload: JSON) -> types.Account:
    """Who did it."""
    return account(field(payload, "sender", dict))


def repository_of(payload: JSON) -> types.Repository:
    """Where it happened."""
    return repository(field(payload, "repository", dict))


def issue_of(payload: JSON) -> types.Issue:
    """The issue of an `issues` or `issue_comment` webhook."""
    return issue(field(payload, "issue", dict), field(payload, "repository.full_name", str))


def comment_of(payload: JSON) -> types.Comment:
    """The comment of an `issue_comment` webhook."""
    where = field(payload, "repository.full_name", str), field(payload, "issue.number", int)
    return comment(field(payload, "comment", dict), *where)


def pull_request_of(payload: JSON) -> types.PullRequest:
    """The pull request of a `pull_request` or `pull_request_review` webhook."""
    return pull_request(field(payload, "pull_request", dict))


def review_of(payload: JSON) -> types.Review:
    """The review of a `pull_request_review` webhook."""
    where = field(payload, "repository.full_name", str), field(payload, "pull_request.number", int)
    return review(field(payload, "review", dict), *where)


def body_before(payload: JSON) -> str | None:
    """The body before an `edited` webhook, or None if it was not the body that changed."""
    return _before(payload, "body")


def transferred_to(payload: JSON) -> tuple[str, int]:
    """Where an issue has gone: repository and number."""
    changes = field(payload, "changes", dict)
    return field(changes, "new_repository.full_name", str), field(changes, "new_issue.number", int)


def repository_before(payload: JSON) -> str:
    """The full name that a repository had before it was renamed, or given to another owner."""
    owner, _sep, name = field(payload, "repository.full_name", str).partition("/")
    changes = field(payload, "changes", dict)
    if "repository" in changes:
        return f"{owner}/{field(changes, 'repository.name.from', str)}"
    former = field(changes, "owner.from", dict)
    kind = "organization" if former.get("organization") else "user"
    return f"{field(former, f'{kind}.login', str)}/{name}"


def title_before(payload: JSON) -> str | None:
    """The title before an `edited` webhook, or None if it was not the title that changed."""
    return _before(payload, "title")


def label_of(payload: JSON) -> str:
    """The label that a `labeled` or `unlabeled` webhook tells of."""
    return field(payload, "label.name", str)


def _before(payload: JSON, name: str) -> str | None:
    changes = payload.get("changes")
    if not isinstance(changes, dict) or name not in changes:
        return None
    return _text(field(changes, name, dict), "from")


def _graphql_account(data: JSON) -> types.Account | None:
    if data.get("databaseId") is None:  # a kind of account that has none
        return None
    is_bot = data.get("__typename") == "Bot"
    return types.Account(id=field(data, "databaseId", int), login=field(data, "login", str), is_bot=is_bot)


def _author(data: JSON) -> types.Account:
    if "user" not in data:
        raise PayloadInvalid("user")
    return account(data["user"])


def _text(data: JSON, name: str) -> str:
    """A text; null is an empty one."""
    return optional(data, name, lambda source, key: field(source, key, str)) or ""


EnumT = TypeVar("EnumT", types.PullRequestState, types.ReviewState)


def _choice(kind: type[EnumT], data: JSON, name: str) -> EnumT:
    try:
        return kind(field(data, name, str).lower())
    except ValueError:
        raise PayloadInvalid(name) from None
