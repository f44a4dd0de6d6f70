"""The types of https://docs.github.com/graphql that we speak, as far as the portal asks for them."""

from collections.abc import Callable
from functools import partial
from typing import Any

from tests.github_stand_in.graphql.connections import connection
from tests.github_stand_in.graphql.execution import FieldProblem, Fields, Node
from tests.github_stand_in.rest.context import Context
from tests.github_stand_in.shapes.view import View, node_id, read_node_id
from tests.github_stand_in.state.records import Comment, Commit, Edit, Issue, Label, Repository, Review, User
from tests.github_stand_in.state.store import closing_numbers, pull_of
from tests.github_stand_in.verbs.issues import note_read

_ORDER_FIELDS = {"UPDATED_AT": "updated_at", "CREATED_AT": "created_at"}


class Schema:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.view: View = context.view
        self.store = context.world.store

    def query(self) -> Node:
        fields: dict[str, Any] = {
            "id": node_id("Query", 1),
            "repository": self._repository_named,
            "node": lambda id: self._by_id(id),
            "nodes": lambda ids: [partial(self._by_id, node) for node in ids],
            "viewer": lambda: self.actor(self.context.require_actor()),
            "user": self._user_named,
            "rateLimit": self._rate_limit,
        }
        return Node("Query", lambda: fields)

    def _rate_limit(self) -> Node:
        fields = {"cost": 1, "limit": 5000, "nodeCount": 0, "remaining": 4999, "used": 1}
        return Node("RateLimit", lambda: {**fields, "resetAt": self.context.world.clock.stamp()})

    def _repository_named(self, owner: str, name: str, followRenames: bool = True) -> Node:  # noqa: N803
        full_name = f"{owner}/{name}"
        found = self.store.find_repository(full_name)
        if found is None and followRenames:
            found = self.store.find_moved_repository(full_name)
        if found is None or self.store.permission(found, self.context.actor) == "none":
            raise FieldProblem(f"Could not resolve to a Repository with the name '{full_name}'.", "NOT_FOUND")
        return self.repository(found)

    def _user_named(self, login: str) -> Node:
        found = self.store.find_user(login)
        if found is None:
            raise FieldProblem(f"Could not resolve to a User with the login of '{login}'.", "NOT_FOUND")
        return self.actor(found)

    def _by_id(self, node: str) -> Node:
        kind, record_id = read_node_id(node) or ("", 0)
        makers: dict[str, Callable[[int], Node | None]] = {
            "User": self._user_by_id,
            "Bot": self._user_by_id,
            "Organization": self._user_by_id,
            "Repository": self._repository_by_id,
            "Issue": lambda wanted: self._issue_by(lambda i: i.pull is None and i.id == wanted),
            "PullRequest": lambda wanted: self._issue_by(
                lambda i: i.pull is not None and i.pull.id == wanted
            ),
            "IssueComment": self._comment_by_id,
        }
        found = makers[kind](record_id) if kind in makers else None
        if found is None:
            raise FieldProblem(f"Could not resolve to a node with the global id of '{node}'.", "NOT_FOUND")
        return found

    def _user_by_id(self, user_id: int) -> Node | None:
        user = self.store.data.users.get(user_id)
        return self.actor(user) if user and not user.deleted else None

    def _repository_by_id(self, repository_id: int) -> Node | None:
        found = self.store.data.repositories.get(repository_id)
        return self.repository(found) if found else None

    def _issue_by(self, wanted: Callable[[Issue], bool]) -> Node | None:
        found = next((issue for issue in self.store.data.issues if wanted(issue)), None)
        return self.issue(found) if found else None

    def _comment_by_id(self, comment_id: int) -> Node | None:
        found = self.store.data.comments.get(comment_id)
        return self.comment(found) if found else None

    # types

    def actor(self, user: User) -> Node:
        fields: dict[str, Any] = {
            "id": node_id(user.type, user.id),
            "databaseId": user.id,
            "login": user.login,
            "name": user.name,
            "avatarUrl": lambda size=None: f"{self.view.web}/avatars/u/{user.id}?v=4",
            "url": f"{self.view.web}/{user.login}",
            "resourcePath": f"/{user.login}",
        }
        if user.type == "Bot":  # of all things, GitHub gives bots no name
            del fields["name"]
        return Node(user.type, lambda: fields)

    def _author(self, user_id: int | None) -> Node | None:
        """GraphQL says null where REST shows the ghost."""
        user = self.store.data.users.get(user_id or 0)
        return self.actor(user) if user and not user.deleted else None

    def repository(self, repository: Repository) -> Node:
        return Node("Repository", lambda: self._repository_fields(repository))

    def _repository_fields(self, repository: Repository) -> Fields:
        issues = self.store.list_issues(repository)
        return {
            "id": node_id("Repository", repository.id),
            "databaseId": repository.id,
            "name": repository.name,
            "nameWithOwner": self.store.full_name(repository),
            "owner": self.actor(self.store.user(repository.owner_id)),
            "url": self.view.repository_web(repository),
            "isPrivate": repository.private,
            "viewerPermission": self.store.permission(repository, self.context.actor).upper(),
            "issue": lambda number: self._numbered(repository, number, "Issue"),
            "pullRequest": lambda number: self._numbered(repository, number, "PullRequest"),
            "issueOrPullRequest": lambda number: self._numbered(repository, number, ""),
            "issues": self._issues("Issue", "issues", [i for i in issues if i.pull is None]),
            "pullRequests": self._issues("PullRequest", "pullRequests", [i for i in issues if i.pull]),
        }

    def _numbered(self, repository: Repository, number: int, kind: str) -> Node:
        found = self.store.find_issue(repository, number)
        node = self.issue(found) if found else None
        if node is None or kind not in ("", node.type):
            what = kind or "issue or pull request"
            raise FieldProblem(
                f"Could not resolve to a{'n' * (what[0] in 'Ii')} {what} with the number of {number}.",
                "NOT_FOUND",
            )
        return node

    def _issues(self, kind: str, name: str, items: list[Issue]) -> Callable[..., Node]:
        def resolve(
            orderBy: dict[str, str] | None = None,  # noqa: N803
            states: list[str] | str | None = None,
            baseRefName: str | None = None,  # noqa: N803
            filterBy: dict[str, Any] | None = None,  # noqa: N803
            **page: Any,
        ) -> Node:
            wanted = [states] if isinstance(states, str) else states
            since = (filterBy or {}).get("since") or ""
            chosen = [
                issue
                for issue in items
                if (not wanted or _state(issue) in wanted)
                and issue.updated_at >= since
                and (baseRefName is None or pull_of(issue).base == baseRefName)
            ]
            order = orderBy or {"field": "CREATED_AT", "direction": "ASC"}
            field = _ORDER_FIELDS.get(order["field"], "created_at")
            chosen.sort(key=lambda i: (getattr(i, field), i.number), reverse=order["direction"] == "DESC")
            return connection(f"{kind}Connection", name, chosen, self.issue)(**page)

        return resolve

    def issue(self, issue: Issue) -> Node:
        if issue.pull is not None:
            return Node("PullRequest", lambda: {**self._common(issue), **self._pull_fields(issue)})
        return Node("Issue", lambda: {**self._common(issue), **self._issue_fields(issue)})

    def _issue_fields(self, issue: Issue) -> Fields:
        return {
            "id": node_id("Issue", issue.id),
            "fullDatabaseId": str(issue.id),
            "stateReason": issue.state_reason.upper() if issue.state_reason else None,
        }

    def _common(self, issue: Issue) -> dict[str, Any]:
        repository = self.store.repository_of(issue)
        labels = [self.store.label(repository, name) for name in issue.labels]
        return {
            **self._text_fields(issue),
            "body": lambda: self._read_body(issue),
            "number": issue.number,
            "title": issue.title,
            "url": self.view.issue_web(issue),
            "state": _state(issue),
            "closed": issue.state == "closed",
            "closedAt": issue.closed_at,
            "locked": issue.locked,
            "repository": self.repository(repository),
            "labels": connection("LabelConnection", "labels", labels, self.label),
            "assignees": connection("UserConnection", "assignees", issue.assignees, self._author),
            "comments": self._comments(issue),
        }

    def _read_body(self, issue: Issue) -> str:
        note_read(self.context.world, issue)
        return issue.body

    def _comments(self, issue: Issue) -> Callable[..., Node]:
        comments = self.store.list_comments(issue)

        def resolve(orderBy: dict[str, str] | None = None, **page: Any) -> Node:  # noqa: N803
            order = orderBy or {"direction": "ASC"}
            found = sorted(comments, key=lambda c: (c.updated_at, c.id), reverse=order["direction"] == "DESC")
            items = found if orderBy else comments
            return connection("IssueCommentConnection", "comments", items, self.comment)(**page)

        return resolve

    def _text_fields(self, item: Issue | Comment) -> dict[str, Any]:
        """What an issue and a comment share: author, times, the history of their edits."""
        return {
            "author": self._author(item.author_id),
            "authorAssociation": self.store.association(self.store.repository_of(item), item.author_id),
            "body": item.body,
            "bodyText": item.body,
            "createdAt": item.created_at,
            "updatedAt": item.updated_at,
            **self._history_fields(item.edits),
        }

    def _history_fields(self, versions: list[Edit]) -> dict[str, Any]:
        edited = len(versions) > 1
        edits = list(reversed(versions)) if edited else []
        return {
            "lastEditedAt": versions[-1].at if edited else None,
            "editor": self._author(versions[-1].editor_id) if edited else None,
            "includesCreatedEdit": edited,
            "userContentEdits": connection("UserContentEditConnection", "userContentEdits", edits, self.edit),
        }

    def edit(self, edit: Edit) -> Node:
        """`diff` holds the whole text after the edit; the oldest one is the text as first written."""
        fields = {
            "id": node_id("UserContentEdit", f"{edit.at}{edit.editor_id}"),
            "createdAt": edit.at,
            "updatedAt": edit.at,
            "editedAt": edit.at,
            "deletedAt": None,
            "diff": edit.body,
            "editor": self._author(edit.editor_id),
        }
        return Node("UserContentEdit", lambda: fields)

    def comment(self, comment: Comment) -> Node:
        issue = self.store.issue_of(comment)
        fields = {
            **self._text_fields(comment),
            "id": node_id("IssueComment", comment.id),
            "fullDatabaseId": str(comment.id),
            "url": f"{self.view.issue_web(issue)}#issuecomment-{comment.id}",
            "isMinimized": False,
            "issue": self.issue(issue),
        }
        return Node("IssueComment", lambda: fields)

    def label(self, label: Label) -> Node:
        fields = {"id": node_id("Label", label.id), "name": label.name, "color": label.color}
        return Node("Label", lambda: {**fields, "description": label.description})

    def _pull_fields(self, issue: Issue) -> Fields:
        pull = pull_of(issue)
        merged = pull.merged_at is not None
        return {
            "id": node_id("PullRequest", pull.id),
            "fullDatabaseId": str(pull.id),
            "isDraft": pull.draft,
            "merged": merged,
            "mergedAt": pull.merged_at,
            "mergedBy": self._author(pull.merged_by_id) if merged else None,
            "mergeCommit": self._commit_of(pull.merge_commit_sha or "", issue) if merged else None,
            "baseRefName": pull.base,
            "headRefName": pull.head_ref,
            "headRefOid": pull.head_sha,
            "reviewDecision": None,
            "additions": 10 * len(pull.commits),
            "deletions": len(pull.commits),
            "changedFiles": len(pull.commits),
            "reviews": self._reviews(issue),
            "latestReviews": self._reviews(issue),
            "commits": connection("PullRequestCommitConnection", "commits", pull.commits, self._pull_commit),
            "closingIssuesReferences": self._closing(issue),
        }

    def _closing(self, issue: Issue) -> Callable[..., Node]:
        repository, name = self.store.repository_of(issue), "closingIssuesReferences"
        found = [self.store.find_issue(repository, number) for number in closing_numbers(issue.body)]
        fixed = [target for target in found if target is not None and target.pull is None]
        return connection("IssueConnection", name, fixed, self.issue)

    def _reviews(self, issue: Issue) -> Callable[..., Node]:
        def resolve(states: list[str] | str | None = None, **page: Any) -> Node:
            wanted = [states] if isinstance(states, str) else states
            chosen = [r for r in pull_of(issue).reviews if not wanted or r.state in wanted]
            make = connection(
                "PullRequestReviewConnection", "reviews", chosen, lambda r: self.review(issue, r)
            )
            return make(**page)

        return resolve

    def review(self, issue: Issue, review: Review) -> Node:
        association = self.store.association(self.store.repository_of(issue), review.author_id)
        fields = {
            "id": node_id("PullRequestReview", review.id),
            "fullDatabaseId": str(review.id),
            "state": review.state,
            "body": review.body,
            "bodyText": review.body,
            **self._history_fields(review.edits),
            "author": self._author(review.author_id),
            "authorAssociation": review.association or association,
            "submittedAt": review.submitted_at,
            "createdAt": review.submitted_at,
            "updatedAt": review.updated_at,
            "url": f"{self.view.issue_web(issue)}#pullrequestreview-{review.id}",
            "commit": self._commit_of(review.commit_id, issue),
        }
        return Node("PullRequestReview", lambda: fields)

    def _commit_of(self, sha: str, issue: Issue) -> Node | None:
        """A commit of the pull request or of its repository; null when a merge left it on another branch."""
        known = [*pull_of(issue).commits, *self.store.repository_of(issue).commits]
        found = next((commit for commit in known if commit.sha == sha), None)
        return self.commit(found) if found else None

    def _pull_commit(self, commit: Commit) -> Node:
        fields = {"id": node_id("PullRequestCommit", commit.sha), "commit": self.commit(commit)}
        return Node("PullRequestCommit", lambda: fields)

    def commit(self, commit: Commit) -> Node:
        fields = {
            "id": node_id("Commit", commit.sha),
            "oid": commit.sha,
            "message": commit.message,
            "messageHeadline": commit.message.partition("\n")[0],
            "committedDate": commit.at,
            "authoredDate": commit.at,
        }
        return Node("Commit", lambda: fields)


def _state(issue: Issue) -> str:
    return "MERGED" if issue.pull and issue.pull.merged_at else issue.state.upper()
