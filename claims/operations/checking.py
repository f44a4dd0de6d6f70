"""Do the stored standings say what follows from all that is known? Told, and put right where somebody asks for it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from claims.models import Claim, Decision
from claims.operations import standings
from portal import locks
from rewards.models import Completion
from tasks_board.models import Event, Task

_OF_CLAIM = ("standing", "standing_at", "basis", "reason", "doubts", "shown", "turn", "due_at")


@dataclass(frozen=True, slots=True)
class Difference:
    """What deriving a task's standings anew changes. `what` is a field of a claim, or what the task has gained or lost."""

    task: Task
    about: str
    what: str
    stored: object
    derived: object

    def __str__(self) -> str:
        return f"{self.task.event.slug} No.{self.task.number} {self.about}: {self.what} {self.stored} -> {self.derived}"


def check_standings(*, now: datetime, fix: bool, event: Event | None = None) -> Iterator[Difference]:
    """Derive every task anew, each in a transaction of its own, kept only with `fix`. Raises LockBusy."""
    tasks = Task.objects.all() if event is None else Task.objects.filter(event=event)
    for pk in tasks.order_by("pk").values_list("pk", flat=True):
        yield from _check_task(pk, now=now, fix=fix)


def _check_task(pk: int, *, now: datetime, fix: bool) -> list[Difference]:
    with transaction.atomic():
        task = locks.lock_rows(Task.objects.filter(pk=pk).select_related("event"))[0]
        before = _seen(task)
        standings.recompute_task(task=task, now=now)
        after = _seen(task)
        if not fix:
            transaction.set_rollback(True)
    return [
        Difference(task, about, what, before.get((about, what)), after.get((about, what)))
        for about, what in sorted(before.keys() | after.keys())
        if before.get((about, what)) != after.get((about, what))
    ]


def _seen(task: Task) -> dict[tuple[str, str], Any]:
    """All that deriving may change, by what it is about."""
    seen: dict[tuple[str, str], Any] = {}
    for claim in Claim.objects.filter(task=task).select_related("person", "team"):
        seen |= {(f"@{claim.claimant}", name): getattr(claim, name) for name in _OF_CLAIM}
    decisions = Decision.objects.filter(claim__task=task, source=Decision.Source.RULES)
    completions = Completion.objects.active().filter(task=task).order_by("pk")
    seen["task", "state"] = Task.objects.values_list("state", flat=True).get(pk=task.pk)
    seen["task", "decisions of the rules"] = decisions.count()
    seen["task", "completions"] = [f"{c.person or c.team} {c.degree}" for c in completions]
    return seen
