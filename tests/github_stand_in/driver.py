"""The client that tests and the demo use to move things on the stand-in.

    driver = Driver("http://127.0.0.1:4000")
    driver.create_user("mei")
    driver.create_repository("harbor/lantern", owners=["mei"])
    driver.create_issue("harbor/lantern", "Tasks", TABLE, "mei")

Every verb answers GitHub's own JSON for what it made or changed. `at="2026-03-01T08:00:00Z"` lets it happen then.
"""

from collections.abc import Sequence

from tests.github_stand_in.driver_calls import JSON, DriverError
from tests.github_stand_in.driver_controls import Controls

__all__ = ["JSON", "Driver", "DriverError"]


class Driver(Controls):
    # accounts and repositories

    def create_user(
        self,
        login: str,
        *,
        id: int | None = None,
        type: str = "User",
        name: str | None = None,
        at: str | None = None,
    ) -> JSON:
        return self._json("create_user", login=login, id=id, type=type, name=name, at=at)

    def rename_user(self, login: str, new_login: str) -> JSON:
        return self._json("rename_user", login=login, new_login=new_login)

    def delete_user(self, login: str) -> None:
        self.call("delete_user", login=login)

    def create_repository(
        self,
        full_name: str,
        owners: Sequence[str] = (),
        *,
        default_branch: str = "develop",
        description: str | None = None,
        private: bool = False,
        at: str | None = None,
    ) -> JSON:
        """The owner in the name becomes an organization unless it is a user; `owners` are its admins."""
        return self._json(
            "create_repository",
            full_name=full_name,
            owners=list(owners),
            default_branch=default_branch,
            description=description,
            private=private,
            at=at,
        )

    def rename_repository(self, full_name: str, new_name: str, by: str, *, at: str | None = None) -> JSON:
        """`new_name` is the part after the slash; the old address moves on."""
        return self._json("rename_repository", full_name=full_name, new_name=new_name, by=by, at=at)

    def set_token(self, token: str, login: str) -> None:
        self.call("set_token", token=token, login=login)

    def set_permission(self, repository: str, login: str, permission: str) -> None:
        """admin, maintain, write, triage, read or none."""
        self.call("set_permission", repository=repository, login=login, permission=permission)

    def set_association(self, repository: str, login: str, association: str | None) -> None:
        """What `author_association` says, whatever the permission is; None goes back to the rule."""
        self.call("set_association", repository=repository, login=login, association=association)

    # issues

    def create_issue(
        self,
        repository: str,
        title: str,
        body: str,
        author: str,
        number: int | None = None,
        *,
        labels: Sequence[str] = (),
        at: str | None = None,
    ) -> JSON:
        return self._json(
            "create_issue",
            repository=repository,
            title=title,
            body=body,
            author=author,
            number=number,
            labels=list(labels),
            at=at,
        )

    def get_issue(self, repository: str, number: int) -> JSON:
        """The issue now, without counting as a reading for `inject_edit_between`."""
        return self._json("get_issue", repository=repository, number=number)

    def issue_history(self, repository: str, number: int) -> list[JSON]:
        """Versions of the body, oldest first: at, editor, body."""
        return self._list("issue_history", repository=repository, number=number)

    def edit_issue(
        self,
        repository: str,
        number: int,
        editor: str,
        body: str | None = None,
        *,
        title: str | None = None,
        at: str | None = None,
    ) -> JSON:
        return self._json(
            "edit_issue", repository=repository, number=number, editor=editor, body=body, title=title, at=at
        )

    def inject_edit_between(
        self,
        repository: str,
        number: int,
        editor: str,
        body: str | None = None,
        *,
        replace: tuple[str, str] | None = None,
    ) -> None:
        """An edit that lands after the issue was next read by GET and just before it is written by PATCH."""
        pair = list(replace) if replace else None
        self.call(
            "inject_edit_between",
            repository=repository,
            number=number,
            editor=editor,
            body=body,
            replace=pair,
        )

    def pending_edits(self) -> int:
        return int(self.call("pending_edits"))

    def close(
        self, repository: str, number: int, by: str, *, reason: str | None = None, at: str | None = None
    ) -> JSON:
        """`reason` for issues: completed, not_planned or duplicate."""
        return self._json("close", repository=repository, number=number, by=by, reason=reason, at=at)

    def reopen(self, repository: str, number: int, by: str, *, at: str | None = None) -> JSON:
        return self._json("reopen", repository=repository, number=number, by=by, at=at)

    def retitle(self, repository: str, number: int, by: str, title: str, *, at: str | None = None) -> JSON:
        return self._json("retitle", repository=repository, number=number, by=by, title=title, at=at)

    def set_labels(
        self, repository: str, number: int, by: str, labels: Sequence[str], *, at: str | None = None
    ) -> JSON:
        return self._json(
            "set_labels", repository=repository, number=number, by=by, labels=list(labels), at=at
        )

    def set_assignees(self, repository: str, number: int, by: str, logins: Sequence[str]) -> JSON:
        return self._json("set_assignees", repository=repository, number=number, by=by, logins=list(logins))

    def set_locked(self, repository: str, number: int, by: str, *, locked: bool = True) -> JSON:
        return self._json("set_locked", repository=repository, number=number, by=by, locked=locked)

    def transfer_issue(
        self, repository: str, number: int, to: str, by: str, *, at: str | None = None
    ) -> JSON:
        """The issue as it stands in the other repository, with a new number and its comments."""
        return self._json("transfer_issue", repository=repository, number=number, to=to, by=by, at=at)

    # comments

    def comment(self, repository: str, number: int, author: str, body: str, *, at: str | None = None) -> JSON:
        return self._json("comment", repository=repository, number=number, author=author, body=body, at=at)

    def edit_comment(self, comment_id: int, editor: str, body: str, *, at: str | None = None) -> JSON:
        return self._json("edit_comment", comment_id=comment_id, editor=editor, body=body, at=at)

    def delete_comment(self, comment_id: int, by: str, *, at: str | None = None) -> None:
        self.call("delete_comment", comment_id=comment_id, by=by, at=at)

    def list_comments(self, repository: str, number: int) -> list[JSON]:
        return self._list("list_comments", repository=repository, number=number)

    # pull requests

    def open_pull_request(
        self,
        repository: str,
        title: str,
        author: str,
        body: str = "",
        draft: bool = False,
        base: str = "develop",
        number: int | None = None,
        *,
        head: str | None = None,
        at: str | None = None,
    ) -> JSON:
        return self._json(
            "open_pull_request",
            repository=repository,
            title=title,
            author=author,
            body=body,
            draft=draft,
            base=base,
            head=head,
            number=number,
            at=at,
        )

    def get_pull_request(self, repository: str, number: int) -> JSON:
        return self._json("get_pull_request", repository=repository, number=number)

    def push(
        self, repository: str, number: int, author: str, message: str = "Update", *, at: str | None = None
    ) -> JSON:
        """One more commit; `Co-authored-by:` lines belong into the message."""
        return self._json("push", repository=repository, number=number, author=author, message=message, at=at)

    def land_commit(self, repository: str, author: str, message: str, *, at: str | None = None) -> JSON:
        """A commit on the default branch without a merge, as merge bots make it."""
        return self._json("land_commit", repository=repository, author=author, message=message, at=at)

    def set_draft(self, repository: str, number: int, by: str, draft: bool, *, at: str | None = None) -> JSON:
        return self._json("set_draft", repository=repository, number=number, by=by, draft=draft, at=at)

    def request_review(self, repository: str, number: int, reviewer: str) -> JSON:
        return self._json("request_review", repository=repository, number=number, reviewer=reviewer)

    def review(
        self,
        repository: str,
        number: int,
        author: str,
        state: str,
        association: str | None = None,
        *,
        body: str = "",
        at: str | None = None,
    ) -> JSON:
        """`state`: approve, request_changes or comment."""
        return self._json(
            "review",
            repository=repository,
            number=number,
            author=author,
            state=state,
            association=association,
            body=body,
            at=at,
        )

    def edit_review(self, repository: str, number: int, review_id: int, editor: str, body: str) -> JSON:
        return self._json(
            "edit_review", repository=repository, number=number, review_id=review_id, editor=editor, body=body
        )

    def dismiss_review(self, repository: str, number: int, review_id: int, by: str) -> JSON:
        return self._json("dismiss_review", repository=repository, number=number, review_id=review_id, by=by)

    def merge(self, repository: str, number: int, by: str, *, at: str | None = None) -> JSON:
        return self._json("merge", repository=repository, number=number, by=by, at=at)

    def revert(self, repository: str, number: int, by: str, *, at: str | None = None) -> JSON:
        """Open the pull request that reverts a merged one; merge it to make the revert real."""
        return self._json("revert", repository=repository, number=number, by=by, at=at)
