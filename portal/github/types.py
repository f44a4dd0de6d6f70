"""What we read from GitHub, as our own frozen values. Times are aware, in UTC; repositories are `owner/name`."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

# Whose review weighs: people with a formal tie to the repository.
# https://docs.github.com/en/graphql/reference/enums#commentauthorassociation
REVIEWING_ASSOCIATIONS = frozenset({"OWNER", "MEMBER", "COLLABORATOR"})


@dataclass(frozen=True, slots=True)
class Account:
    """A GitHub account; `id` is its identity, `login` how it is called now. A deleted one shows as `ghost`."""

    id: int
    login: str
    is_bot: bool = False


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository as GitHub names it now, with the branch that pull requests land on."""

    id: int
    full_name: str
    default_branch: str
    can_push: bool = False
    is_private: bool = False


@dataclass(frozen=True, slots=True)
class Issue:
    """An issue with its body. `is_pull_request` because GitHub's issue API also lists pull requests."""

    id: int
    repository: str
    number: int
    title: str
    body: str
    author: Account
    state: str
    created_at: datetime
    updated_at: datetime
    is_pull_request: bool = False
    closed_by: Account | None = None


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment under an issue or pull request."""

    id: int
    repository: str
    issue_number: int
    body: str
    author: Account
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Reaction:
    """A reaction to a comment: `content` is GitHub's word for it (`+1`, `eyes` …)."""

    id: int
    content: str
    author: Account


class PullRequestState(StrEnum):
    """Open, closed without merge, or merged (final)."""

    OPEN = "open"
    CLOSED = "closed"
    MERGED = "merged"


@dataclass(frozen=True, slots=True)
class PullRequest:
    """A pull request as of `updated_at`. GitHub has no revert mark: a revert is known by title and body."""

    id: int
    repository: str
    number: int
    title: str
    body: str
    author: Account
    state: PullRequestState
    is_draft: bool
    base_branch: str
    created_at: datetime
    updated_at: datetime
    closed_at: datetime | None = None
    merged_at: datetime | None = None
    merged_by: Account | None = None
    merge_commit_sha: str = ""
    head_branch: str = ""
    labels: tuple[str, ...] = ()
    head_sha: str = ""
    reviewers_asked: tuple[int, ...] = ()  # the accounts whose review is asked for and not given since


class ReviewState(StrEnum):
    """What a review says; a dismissed one says nothing any more."""

    APPROVED = "approved"
    CHANGES_REQUESTED = "changes_requested"
    COMMENTED = "commented"
    DISMISSED = "dismissed"
    PENDING = "pending"


@dataclass(frozen=True, slots=True)
class Review:
    """A review of a pull request. `association` is the reviewer's tie to the repository (OWNER, MEMBER …)."""

    id: int
    repository: str
    pull_request_number: int
    reviewer: Account
    association: str
    state: ReviewState
    submitted_at: datetime
    commit_sha: str = ""  # the commit that the reviewer looked at


@dataclass(frozen=True, slots=True)
class BodyEdit:
    """One step in the edit history of an issue's body: the whole text after it, by whom and when."""

    body: str
    editor: Account | None
    edited_at: datetime


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit. `author` is the account that GitHub ties to it, if any; its e-mail address is for comparing, never kept."""

    sha: str
    message: str
    author: Account | None
    author_email: str
    committed_at: datetime
