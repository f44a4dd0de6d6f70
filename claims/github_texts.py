"""The texts that carry an event's tables, at GitHub: read, written, and their histories, be it a body or a comment."""

from collections.abc import Sequence

from portal.github import types
from portal.github.gateway import Gateway
from tasks_board.models import TrackingIssue
from tasks_board.tracking import address_of

Text = types.Issue | types.Comment


def read_text(tracking_issue: TrackingIssue, gateway: Gateway) -> Text:
    """The text as it is now, under the address that it has now."""
    repository, number = address_of(tracking_issue)
    if tracking_issue.comment_id is not None:
        return gateway.get_comment(repository, tracking_issue.comment_id)
    return gateway.get_issue(repository, number)


def write_text(current: Text, body: str, gateway: Gateway) -> Text:
    """Replace the text. Somebody else’s comment, like somebody else’s issue, wants the right to push."""
    if isinstance(current, types.Comment):
        return gateway.edit_comment(current.repository, current.id, body)
    return gateway.write_issue_body(current.repository, current.number, body)


def list_edits(current: Text, gateway: Gateway) -> Sequence[types.BodyEdit]:
    """The history of the text, oldest first."""
    if isinstance(current, types.Comment):
        return gateway.list_comment_edits(current.repository, current.id)
    return gateway.list_body_edits(current.repository, current.number)


def may_write(current: Text, account: types.Account, repository: types.Repository) -> bool:
    """Whether GitHub lets this account replace the text."""
    return repository.can_push or current.author.id == account.id
