"""A name comes into a table by the hand of somebody who may not decide: what it is then, by the rules of a comment."""

from dataclasses import replace
from datetime import datetime

from claims import policy, standing
from claims.circumstances import Asker
from claims.evidence import RULES, decision_fact
from claims.models import Claim, Decision
from claims.operations import rivals, standings
from claims.operations.decisions import record_decision
from claims.policy import Circumstances, Ruling
from portal.models import Person
from tasks_board.models import Event, IssueRevision, Task


def is_entry(claim: Claim) -> bool:
    """Whether nothing is known yet that makes the claim, so that a text which names its claimant would be the first."""
    made = claim.decisions.exclude(kind__in=RULES).select_related("comment")
    holding = standing.that_hold(decision_fact(decision) for decision in made)
    return not claim.statements.exists() and not standing.was_ever_claimed(holding, ())


def settle_entry(
    *, claim: Claim, task: Task, asker: Person | None, revision: IssueRevision, at: datetime, now: datetime
) -> None:
    """Put the claim where one by comment would stand; a refused one asks the mentor. The event's tasks are locked.

    `asker`: the claimant, where the name is by their own hand. Where the rules take them in at once there is nothing to
    decide: the statement stands for the claim.
    """
    if task.state == Task.State.REMOVED and not task.is_removed:  # its row has come back with the name
        standings.recompute_task(task=task, now=now)
        task.refresh_from_db(fields=["state"])
    kind = _kind(_judge(claim, task, at))
    if kind is not None:
        record_decision(
            claim=claim,
            kind=kind,
            at=at,
            decided_by=asker,
            source=Decision.Source.TABLE,
            revision=revision,
            key=f"entry:{revision.pk}:{claim.pk}",
            now=now,
        )
    rivals.request_choice(task=task, now=now)
    standings.recompute_task(task=task, now=now)  # places and caps, for the name that is heard next


def _kind(ruling: Ruling) -> Decision.Kind | None:
    if not ruling.allowed or ruling.needs_mentor:
        return Decision.Kind.REQUESTED
    return Decision.Kind.WAITING if ruling.must_wait else None


def _judge(claim: Claim, task: Task, at: datetime) -> Ruling:
    asker = Asker(task.event, claim.person, at, team=claim.team)
    return policy.judge(asker.rules, _in_a_table(asker.on(task, asker.look_at(task, but=claim)), task))


def _in_a_table(circumstances: Circumstances, task: Task) -> Circumstances:
    """Tables are in use before their event is published, and carry what people alone look after."""
    if task.event.status == Event.Status.DRAFT:
        circumstances = replace(circumstances, event_status=Event.Status.RUNNING)
    return replace(circumstances, task_state=task.state)
