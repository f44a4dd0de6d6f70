"""What hangs on a task goes with it from text to text: claims, decisions, links, and what the tables say of people."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta

from django.db.models import Q

from claims.models import Claim, Notice, PullRequestLink
from claims.operations.names import names_in_rows, said
from portal import audit
from rewards.models import Completion
from tasks_board.documents.model import ReadTask
from tasks_board.models import Task, TrackingIssue
from tasks_board.operations.following import find_doubles

# A row that leaves one text and stood in another for longer than this was never moved: it is another task.
LONGEST_MOVE = timedelta(days=7)


def note_what_is_said(tasks: Collection[Task], rows: Mapping[int, ReadTask]) -> None:
    """Make what both sides agree that the table says of each claim what these rows (by the key of their task) say."""
    names = names_in_rows(rows)
    for claim in Claim.objects.filter(task__in=tasks).select_related("person", "team"):
        row = rows.get(claim.task_id)
        login, team = names.of(claim)
        key = f"@{login.lower()}" if login is not None else f"team {str(team).lower()}"
        state, pull_requests = (said(row.claimants) if row else {}).get(key, (None, ("", ())))[1]
        claim.table_standing, claim.table_pull_requests = state, list(pull_requests)
        claim.save(update_fields=["table_standing", "table_pull_requests"])


def take_in_doubles(sibling: TrackingIssue, gone: Collection[Task], now: datetime) -> None:
    """A row that was renumbered on its way, and arrived before it had left, became a second task: the first one takes over.

    What people did with the second one meanwhile goes along. One that has earned something stays by itself.
    """
    for first, second in list_doubles(sibling, gone, now):
        for claim in second.claims.order_by("pk"):
            _carry_claim(claim, first)
        _carry_links(second, first)
        first.requires.add(*second.requires.all())
        Task.objects.filter(pk=second.pk).update(tracking_issue=None, is_removed=True)
        audit.record(
            "claims.task_followed",
            actor=None,
            target=first,
            now=now,
            event_id=first.event_id,
            data={"double": second.pk, "text": sibling.pk},
        )


def list_doubles(sibling: TrackingIssue, gone: Collection[Task], now: datetime) -> list[tuple[Task, Task]]:
    """Tasks whose rows left their text, each with the one that its row became in that other text, and that it takes over."""
    fresh = sibling.tasks.filter(created_at__gte=now - LONGEST_MOVE).exclude(
        pk__in=Completion.objects.values("task_id")
    )
    return find_doubles(gone=gone, tasks=list(fresh.select_related("direction").order_by("pk")))


def _carry_claim(claim: Claim, task: Task) -> None:
    """The claim goes to the task; where the same claimant has one there, all that is known about the two becomes one."""
    same = Q(person=claim.person_id) if claim.person_id else Q(team=claim.team_id)
    twin = task.claims.filter(same).first()
    if twin is None:
        claim.task = task
        claim.save(update_fields=["task"])
        return
    claim.decisions.update(claim=twin)
    claim.statements.exclude(revision__in=twin.statements.values("revision")).update(claim=twin)
    if not twin.conflicts.filter(settled_at=None).exists():
        claim.conflicts.filter(settled_at=None).update(claim=twin)
    claim.conflicts.filter(settled_at__isnull=False).update(claim=twin)
    Notice.objects.filter(claim=claim).update(claim=twin)
    Claim.objects.filter(pk=twin.pk, created_at__gt=claim.created_at).update(created_at=claim.created_at)
    claim.delete()


def _carry_links(second: Task, first: Task) -> None:
    known = set(first.pull_request_links.values_list("pull_request_id", "reason"))
    links: Sequence[PullRequestLink] = list(second.pull_request_links.all())
    for link in links:
        if (link.pull_request_id, link.reason) not in known:
            link.task = first
            link.save(update_fields=["task"])
