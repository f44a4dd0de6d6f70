"""What has to hold in a random walk through the doors, once everything is at rest."""

import re
from collections.abc import Iterator

from django.urls import reverse

from claims.models import Claim, Decision, IssueComment, PullRequest, TableConflict
from portal.models import OutboxMessage
from rewards.models import LedgerEntry
from tasks_board.models import Task, TaskEdit, TeamMember, TrackingIssue
from tests.claims.flows.scene import ORGANIZER
from tests.claims.flows.web_buttons import EVERYBODY, ROWS, STAFF
from tests.claims.flows.web_walks import WebWalk
from tests.claims.invariants import faults

ALL_KEPT = (Claim, Decision, PullRequest, LedgerEntry, IssueComment)


class Watch:
    """Looks at a walk now and then; what was there once has to be there."""

    def __init__(self, walk: WebWalk) -> None:
        self.walk, self.scene = walk, walk.scene
        self.kept: dict[str, set[int]] = {}

    def faults(self) -> Iterator[str]:
        """What does not hold, once everything is at rest."""
        yield from faults(pool=self.walk.pool, now=self.scene.now())
        yield from self._lost()
        yield from (f"waits: {message} {message.last_error}" for message in OutboxMessage.objects.all())
        marks = [answer.rpartition("<!--")[2] for answer in self.scene.answers()]
        if len(set(marks)) != len(marks) or len(marks) > IssueComment.objects.count():
            yield "answered twice"
        yield from self._differences()

    def _lost(self) -> Iterator[str]:
        for model in ALL_KEPT:
            now = set(model.objects.values_list("pk", flat=True))
            if gone := self.kept.get(model.__name__, set()) - now:
                yield f"{model.__name__} lost: {gone}"
            self.kept[model.__name__] = now

    def _differences(self) -> Iterator[str]:
        """Where the board and the texts do not say the same, and nothing visible says why."""
        bodies = {}
        for issue in TrackingIssue.objects.filter(retired_at=None, number__isnull=False):
            bodies[issue.pk] = self.walk.body(issue.number or 0)
            if issue.alarm:
                yield f"alarm {issue.alarm}"
            if issue.agreed_body.replace("\r\n", "\n") != bodies[issue.pk]:
                yield f"{issue} is not as agreed"
        for edit in TaskEdit.objects.filter(settled_at=None, conflict_at=None):
            yield f"an edit never went out: {edit.task.number} {edit}"
        tasks = list(self.scene.event.tasks.on_board().order_by("pk"))
        if len(tasks) != ROWS:
            yield f"{len(tasks)} tasks"
        for task in tasks:
            lines = bodies.get(task.tracking_issue_id or 0, "").split("\n")
            rows = [line for line in lines if f"题{int(task.number):03}" in line]
            if len(rows) != 1:
                yield f"No.{task.number} stands {len(rows)} times"
            else:
                yield from self._differences_of(task, rows[0])

    def _differences_of(self, task: Task, row: str) -> Iterator[str]:
        is_edited = TaskEdit.objects.filter(settled_at=None, task=task).exists()
        if not is_edited and (task.title not in row or task.description not in row):
            yield f"{task.title} {task.description} differs from {row}"
        told = TableConflict.objects.filter(settled_at=None).values("claim")
        in_teams = TeamMember.objects.filter(team__claims__task=task).values(
            "person"
        )  # a team is written by its members
        alone = task.claims.filter(shown=True, person__isnull=False).exclude(person__in=in_teams)
        for claim in alone.exclude(pk__in=told):
            named = f"@{claim.claimant}" in re.sub("~~.*?~~", "", row)
            if named is (claim.standing in Claim.GONE):
                yield f"{claim.claimant} ({claim.standing}) and {row}"

    def faults_of_pages(self) -> Iterator[str]:
        """Pages that do not answer those whose they are."""
        task = self.walk.task()
        mine = ["me", "notices", "home"]
        shared = ["event", "board", "teams", "leaderboard"]
        organizing = [
            "organize", "people", "names", "organize_tasks", "writing", "issues", "event_settings", "readings", "registrations",
        ]  # fmt: skip
        for login in EVERYBODY:
            addresses = [reverse(name) for name in mine] + [reverse(name, args=["pir"]) for name in shared]
            addresses.append(reverse("task", args=["pir", task.pk]))
            if login in STAFF:
                addresses.append(reverse("desk", args=["pir"]))
                addresses.append(reverse("desk", args=["pir"]) + "?show=handled")
            if login == ORGANIZER:
                addresses += [reverse(name, args=["pir"]) for name in organizing]
                addresses.append(reverse("edit_task", args=["pir", task.pk]))
            for address in addresses:
                status = self.walk.clients[login].get(address, follow=True).status_code
                if status != 200:
                    yield f"{login} {address}: {status}"
