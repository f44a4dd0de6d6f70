"""Finding a comment of ours at GitHub that was written, and perhaps not recorded, by the mark that it carries."""

from datetime import datetime, timedelta

from portal.github import types
from portal.github.gateway import Gateway
from portal.github.signatures import read_mark


def find_marked(
    gateway: Gateway, *, repository: str, number: int, since: datetime, key: str
) -> types.Comment | None:
    """Our comment with this mark. A mark can be copied: only one that we wrote ourselves is ours."""
    written = gateway.list_issue_comments(repository, number, since=since - timedelta(seconds=1))
    marked = [comment for comment in written if read_mark(comment.body) == key]
    us = gateway.get_me().id if marked else 0
    return next((comment for comment in marked if comment.author.id == us), None)
