"""Writing a decision down: once for each key, with its audit entry."""

from collections.abc import Sequence
from datetime import datetime

from claims.models import Claim, Decision, IssueComment
from claims.operations import rivals, telling
from claims.policy import Verdict
from portal import audit
from portal.models import Person
from tasks_board.models import IssueRevision, Task, Team

_TAKES_A_TASK = (
    Decision.Kind.CLAIMED,
    Decision.Kind.REQUESTED,
    Decision.Kind.WAITING,
    Decision.Kind.ADMITTED,
)


def record_decision(
    *,
    claim: Claim,
    kind: Decision.Kind,
    at: datetime,
    decided_by: Person | None,
    source: Decision.Source,
    key: str,
    now: datetime,
    comment: IssueComment | None = None,
    revision: IssueRevision | None = None,
    note: str = "",
    until: datetime | None = None,
    undoes: Decision | None = None,
    against: Sequence[Verdict] = (),
) -> bool:
    """Note a decision about a claim; False if it was known already. The standing is for the caller to recompute."""
    decision, created = Decision.objects.get_or_create(
        key=key,
        defaults={
            "claim": claim,
            "kind": kind,
            "at": at,
            "decided_by": decided_by,
            "source": source,
            "comment": comment,
            "revision": revision,
            "note": note,
            "until": until,
            "undoes": undoes,
            "against": [{"rule": verdict.rule, "values": verdict.values} for verdict in against],
            "recorded_at": now,
        },
    )
    if created:
        audit.record(
            f"claims.{kind.value}",
            actor=decided_by,
            target=claim,
            now=now,
            event_id=claim.task.event_id,
            data={"task": claim.task_id, "source": source.value},
        )
        telling.tell_decision(decision, now)
        if kind in _TAKES_A_TASK:
            rivals.request_choice(task=claim.task, now=now)
    return created


def get_or_create_claim(
    *, task: Task, person: Person | None, team: Team | None, at: datetime
) -> tuple[Claim, bool]:
    """The one claim of this task and claimant; `at` dates it, the earliest time known."""
    claim, created = Claim.objects.get_or_create(
        task=task, person=person, team=team, defaults={"standing_at": at, "created_at": at}
    )
    if not created and at < claim.created_at:
        claim.created_at = at
        claim.save(update_fields=["created_at"])
    return claim, created
