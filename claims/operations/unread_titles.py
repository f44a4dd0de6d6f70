"""A title looks like work on a task and is tied to none: its author hears why and what works, the mentors that it waits."""

import hashlib
from collections.abc import Sequence
from datetime import datetime

from claims.models import PullRequest
from claims.near_misses import Why
from claims.operations import telling
from claims.unread_titles import watch_titles
from tasks_board.models import Event
from tasks_board.title_starts import title_start

# What the author is told.
KINDS = {Why.SHARED_NUMBER: "title_shared", Why.SHARED_NAME: "title_of_several"}


def tell_of_unread_title(pull_request: PullRequest, *, events: Sequence[Event], now: datetime) -> None:
    """Tell of a pull request that is tied to nothing: its author once for each title, the mentors of each event that it may mean."""
    author = pull_request.author
    if pull_request.state == PullRequest.State.CLOSED or author.is_bot or pull_request.links.exists():
        return
    watches = sorted(watch_titles(events, of=author), key=lambda watch: not watch.holds(author))
    for watch in watches:
        event = watch.event
        since = event.pull_requests_since
        miss = watch.near_miss(pull_request)
        if miss is None or not miss.is_sure or (since is not None and pull_request.opened_at < since):
            continue
        title = hashlib.sha256(pull_request.title.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        key = f"title:{pull_request.pk}:{title}"
        data = {"about": str(pull_request), "number": miss.said, "title": _title(event, miss.number)}
        kind = KINDS.get(miss.why, "title_unread")
        telling.tell_author(pull_request, event=event, kind=kind, key=key, data=data)
        telling.tell_deciders(
            event, cause=f"{key}:{event.pk}", at=pull_request.updated_at, but=[author], now=now
        )


def _title(event: Event, number: str) -> str:
    return title_start(event.title_prefix or str(event.title_aliases[0]), number or "…")
