"""Merged pull requests whose co-authors are proposed, and for whom no mentor has settled who is credited."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q

from claims.models import CoAuthor, PullRequest, PullRequestLink
from portal.models import Person
from tasks_board import rights
from tasks_board.models import Event, Task


@dataclass(frozen=True, slots=True)
class Unsettled:
    """One of them, with its task."""

    task: Task
    address: str


def list_unsettled(event: Event, viewer: Person | None) -> Sequence[Unsettled]:
    """Those whom the viewer may settle, the oldest first; nobody settles their own. One query where there are none."""
    if viewer is None:
        return []
    proposed = CoAuthor.objects.filter(pull_request=OuterRef("pull_request"), is_credited=None)
    done = Q(pull_request__state=PullRequest.State.MERGED) | (
        Q(pull_request__state=PullRequest.State.CLOSED) & ~Q(pull_request__landed_sha="")
    )
    links = PullRequestLink.objects.holding().filter(
        Exists(proposed), done, task__event=event, task__is_removed=False
    )
    found = {
        (link.task_id, link.pull_request_id): link
        for link in links.select_related("task", "pull_request__author").order_by(
            "pull_request_id", "task_id"
        )
    }
    if not found:
        return []
    everywhere, in_tasks = rights.deciders(event)
    me = viewer.whole_id
    return [
        Unsettled(link.task, str(link.pull_request))
        for link in found.values()
        if (viewer.pk in everywhere or viewer.pk in in_tasks.get(link.task_id, ()))
        and link.pull_request.author.whole_id != me
    ]
