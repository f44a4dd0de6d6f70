"""The store: records by their keys, new ids, and the few questions everybody asks."""

import hashlib
import re
from dataclasses import dataclass, field

from tests.github_stand_in.state.records import Comment, Edit, Issue, Label, Pull, Repository, Review, User

# Ids as large as GitHub's are today, so that a 32-bit column fails in a test and not in production.
_FIRST_IDS = {
    "user": 90_000_001,
    "repository": 700_000_001,
    "issue": 3_100_000_001,
    "pull": 2_600_000_001,
    "comment": 3_500_000_001,
    "review": 3_300_000_001,
    "label": 8_000_000_001,
    "reaction": 300_000_001,
}
GHOST = User(10137, "ghost", "User", "2008-05-13T06:14:25Z", "2018-04-10T17:22:33Z", name="Deleted user")
WRITERS = ("admin", "maintain", "write")
COLLABORATORS = (*WRITERS, "triage")


@dataclass
class Data:
    """Everything that a state file keeps. Tokens are not in it."""

    users: dict[int, User] = field(default_factory=dict)
    repositories: dict[int, Repository] = field(default_factory=dict)
    issues: list[Issue] = field(default_factory=list)
    comments: dict[int, Comment] = field(default_factory=dict)
    last_ids: dict[str, int] = field(default_factory=dict)
    transfers: dict[str, str] = field(default_factory=dict)  # old to new place, each "repository id/number"


class Store:
    def __init__(self, data: Data | None = None) -> None:
        self.data = data or Data()
        self.tokens: dict[str, int] = {}
        self._issues: dict[int, dict[int, Issue]] = {}
        self._comments: dict[tuple[int, int], dict[int, Comment]] = {}
        for issue in self.data.issues:
            self._issues.setdefault(issue.repository_id, {})[issue.number] = issue
        for comment in self.data.comments.values():
            self._comments.setdefault((comment.repository_id, comment.number), {})[comment.id] = comment
        self._logins = {u.login.lower(): u.id for u in self.data.users.values() if not u.deleted}
        self._names = {self.full_name(r).lower(): r.id for r in self.data.repositories.values()}

    def next_id(self, kind: str) -> int:
        value = self.data.last_ids.get(kind, _FIRST_IDS[kind] - 1) + 1
        self.data.last_ids[kind] = value
        return value

    def next_sha(self) -> str:
        count = self.data.last_ids["sha"] = self.data.last_ids.get("sha", 0) + 1
        return hashlib.sha1(f"stand-in {count}".encode(), usedforsecurity=False).hexdigest()

    # people

    def user(self, user_id: int | None) -> User:
        """The user, or GitHub's ghost in place of a deleted account."""
        user = self.data.users.get(user_id or 0)
        return GHOST if user is None or user.deleted else user

    def find_user(self, login: str) -> User | None:
        return self.data.users.get(self._logins.get(login.lower(), 0))

    def add_user(self, user: User) -> None:
        self.data.users[user.id] = user
        self._logins[user.login.lower()] = user.id

    def rename_user(self, user: User, login: str) -> None:
        owned = [r for r in self.data.repositories.values() if r.owner_id == user.id]
        for repository in owned:
            repository.former_names.append(self.full_name(repository).lower())
            self._names.pop(self.full_name(repository).lower(), None)
        self._logins.pop(user.login.lower(), None)
        user.login = login
        self._logins[login.lower()] = user.id
        for repository in owned:
            self._names[self.full_name(repository).lower()] = repository.id

    def rename_repository(self, repository: Repository, name: str) -> None:
        former = self.full_name(repository).lower()
        self._names.pop(former, None)
        repository.former_names.append(former)
        repository.name = name
        self._names[self.full_name(repository).lower()] = repository.id

    def forget_login(self, user: User) -> None:
        self._logins.pop(user.login.lower(), None)

    # repositories

    def full_name(self, repository: Repository) -> str:
        return f"{self.data.users[repository.owner_id].login}/{repository.name}"

    def find_repository(self, full_name: str) -> Repository | None:
        return self.data.repositories.get(self._names.get(full_name.lower(), 0))

    def find_moved_repository(self, full_name: str) -> Repository | None:
        wanted = full_name.lower()
        return next((r for r in self.data.repositories.values() if wanted in r.former_names), None)

    def add_repository(self, repository: Repository) -> None:
        self.data.repositories[repository.id] = repository
        self._names[self.full_name(repository).lower()] = repository.id

    def permission(self, repository: Repository, user: User | None) -> str:
        """admin, maintain, write, triage, read or none."""
        if user is not None and user.id == repository.owner_id:
            return "admin"
        granted = repository.permissions.get(user.id) if user else None
        return granted or ("none" if repository.private else "read")

    def association(self, repository: Repository, user_id: int) -> str:
        stated = repository.associations.get(user_id)
        if stated:
            return stated
        if user_id == repository.owner_id:
            return "OWNER"
        if repository.permissions.get(user_id) in COLLABORATORS:
            organization = self.data.users[repository.owner_id].type == "Organization"
            return "MEMBER" if organization else "COLLABORATOR"
        return "CONTRIBUTOR" if self._has_merged(repository, user_id) else "NONE"

    def _has_merged(self, repository: Repository, user_id: int) -> bool:
        return any(commit.author_id == user_id for commit in repository.commits)

    # issues, pull requests, comments

    def add_issue(self, issue: Issue) -> None:
        self.data.issues.append(issue)
        self._issues.setdefault(issue.repository_id, {})[issue.number] = issue

    def find_issue(self, repository: Repository, number: int) -> Issue | None:
        return self._issues.get(repository.id, {}).get(number)

    def find_transferred_issue(self, repository: Repository, number: int) -> Issue | None:
        """The issue that had this number here before it moved to another repository, however often."""
        place = self.data.transfers.get(f"{repository.id}/{number}")
        if place is None:
            return None
        while place in self.data.transfers:
            place = self.data.transfers[place]
        repository_id, _, now = place.partition("/")
        return self._issues.get(int(repository_id), {}).get(int(now))

    def move_issue(self, issue: Issue, moved: Issue) -> None:
        """Put the moved issue in place of the other one, and its comments under it."""
        comments = self._comments.pop((issue.repository_id, issue.number), {})
        for comment in comments.values():
            comment.repository_id, comment.number = moved.repository_id, moved.number
        self._comments[moved.repository_id, moved.number] = comments
        del self._issues[issue.repository_id][issue.number]
        self.data.issues.remove(issue)
        self.add_issue(moved)
        self.data.transfers[f"{issue.repository_id}/{issue.number}"] = f"{moved.repository_id}/{moved.number}"

    def list_issues(self, repository: Repository) -> list[Issue]:
        return list(self._issues.get(repository.id, {}).values())

    def repository_of(self, item: Issue | Comment) -> Repository:
        return self.data.repositories[item.repository_id]

    def issue_of(self, comment: Comment) -> Issue:
        return self._issues[comment.repository_id][comment.number]

    def list_comments(self, issue: Issue) -> list[Comment]:
        return list(self._comments.get((issue.repository_id, issue.number), {}).values())

    def count_comments(self, issue: Issue) -> int:
        return len(self._comments.get((issue.repository_id, issue.number), {}))

    def add_comment(self, comment: Comment) -> None:
        self.data.comments[comment.id] = comment
        self._comments.setdefault((comment.repository_id, comment.number), {})[comment.id] = comment

    def remove_comment(self, comment: Comment) -> None:
        del self.data.comments[comment.id]
        del self._comments[comment.repository_id, comment.number][comment.id]

    def find_review(self, issue: Issue, review_id: int) -> Review | None:
        reviews = issue.pull.reviews if issue.pull else []
        return next((review for review in reviews if review.id == review_id), None)

    def label(self, repository: Repository, name: str) -> Label:
        """The label of that name, made when it is new: GitHub does the same for people who can write."""
        for label in repository.labels:
            if label.name.lower() == name.lower():
                return label
        label = Label(self.next_id("label"), name)
        repository.labels.append(label)
        return label


def record_edit(item: Issue | Comment, *, editor: User, body: str, at: str) -> None:
    item.edits.append(Edit(at, editor.id, body))


def closing_numbers(body: str) -> list[int]:
    """The issues that merging this text closes: "Fixes #12"."""
    found = re.findall(r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+#(\d{1,9})\b", body, re.IGNORECASE)
    return [int(number) for number in found]


def pull_of(issue: Issue) -> Pull:
    if issue.pull is None:
        raise LookupError(f"#{issue.number} is no pull request")
    return issue.pull
