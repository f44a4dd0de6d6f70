"""Merged pull requests whose co-authors are proposed, and for whom no mentor has settled who is credited."""

from collections.abc import Sequence
from dataclasses import dataclass

from claims.desk.rows import DeskRows, TaskRow
from portal.models import Person


@dataclass(frozen=True, slots=True)
class Unsettled:
    """One of them, with its task."""

    task: TaskRow
    address: str


def list_unsettled(rows: DeskRows, viewer: Person) -> Sequence[Unsettled]:
    """Those whom the viewer may settle, the oldest first, each once for a task; nobody settles their own."""
    found = {
        (link.pull_request_id, task_id): Unsettled(rows.tasks[task_id], link.address)
        for task_id, links in rows.links.items()
        for link in links
        if link.has_unsettled_authors
        and link.is_in
        and not rows.tasks[task_id].is_removed
        and rows.may_decide_on(task_id)
        and link.author != viewer.whole_id
    }
    return [found[key] for key in sorted(found)]
