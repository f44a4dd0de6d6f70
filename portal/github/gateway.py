"""The one door to GitHub: the few verbs Regatta uses, returning our own types.

`connect()` gives the gateway that the settings ask for. No verb may be called inside a database transaction.
Every verb raises `GitHubUnavailable` (try later), `GitHubRefused` (for good) or `TokenMissing`.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Protocol

from portal.github import types


class Gateway(Protocol):
    """What Regatta asks of GitHub."""

    def get_me(self) -> types.Account:
        """The account that the token belongs to: the one we write as."""

    def find_account(self, login: str) -> types.Account | None:
        """The account with this login (whole, any case), or None."""

    def get_repository(self, repository: str) -> types.Repository:
        """A repository, with whether our account may write there."""

    def get_issue(self, repository: str, number: int) -> types.Issue:
        """An issue with its body as it is now."""

    def list_body_edits(self, repository: str, number: int) -> Sequence[types.BodyEdit]:
        """The edit history of an issue's body, oldest first; empty if it was never edited."""

    def get_comment(self, repository: str, comment_id: int) -> types.Comment:
        """A comment under an issue as it is now."""

    def list_comment_edits(self, repository: str, comment_id: int) -> Sequence[types.BodyEdit]:
        """The edit history of a comment, oldest first; empty if it was never edited."""

    def list_issue_comments(
        self, repository: str, number: int, *, since: datetime | None = None
    ) -> Iterator[types.Comment]:
        """Comments under an issue, oldest first; `since` by time of update."""

    def list_pull_requests(self, repository: str, *, since: datetime) -> Iterator[types.PullRequest]:
        """Pull requests updated since then, most recently updated first."""

    def get_pull_request(self, repository: str, number: int) -> types.PullRequest:
        """A pull request as it is now."""

    def list_reviews(self, repository: str, number: int) -> Sequence[types.Review]:
        """The reviews of a pull request, oldest first."""

    def list_pull_request_commits(self, repository: str, number: int) -> Sequence[types.Commit]:
        """The commits of a pull request, oldest first; GitHub lists 250 at most."""

    def list_commits(
        self, repository: str, *, start: str, author: str = "", since: datetime | None = None
    ) -> Iterator[types.Commit]:
        """The commits that a branch or commit leads back to, newest first; of one author alone, since then."""

    def write_issue_body(self, repository: str, number: int, body: str) -> types.Issue:
        """Replace an issue's body. GitHub has no conditional write: read just before, and compare after."""

    def create_comment(self, repository: str, number: int, body: str) -> types.Comment:
        """Write a comment under an issue."""

    def edit_comment(self, repository: str, comment_id: int, body: str) -> types.Comment:
        """Replace the text of a comment: of ours, or of anybody where we may push."""

    def react(self, repository: str, comment_id: int, reaction: str) -> None:
        """Put a reaction (`eyes`, `+1` …) on a comment."""

    def list_reactions(self, repository: str, comment_id: int) -> Sequence[types.Reaction]:
        """Everybody's reactions to a comment, oldest first."""

    def remove_reaction(self, repository: str, comment_id: int, reaction_id: int) -> None:
        """Take a reaction of ours back."""
