"""Letting a claimant in by a mentor's word: the rules are asked as of whoever claims, and a mentor may overrule most of them."""

from collections.abc import Sequence
from datetime import datetime

from claims.circumstances import rule_on
from claims.models import Claim, Decision
from claims.operations.claiming import ClaimRefused
from claims.policy import Verdict
from portal import locks
from portal.models import Person
from tasks_board.models import Task, Team


def lock_for_admission(claim: Claim) -> None:
    """The person, the team, then the task: who is let in twice at once meets the cap once. Raises LockBusy."""
    if claim.person is not None:
        locks.lock_rows(Person.objects.filter(pk=claim.person.whole_id))
    if claim.team_id is not None:
        locks.lock_rows(Team.objects.filter(pk=claim.team_id))
    locks.lock_rows(Task.objects.filter(pk=claim.task_id).only("pk"))
    claim.task = Task.objects.select_related("event").get(pk=claim.task_id)


def weigh_admission(
    claim: Claim, now: datetime, *, despite_rules: bool
) -> tuple[Decision.Kind, Sequence[Verdict]]:
    """What a mentor's yes comes to, a place on the task or one in line, and which rules it overrules.

    Whoever is on the task already is let in anew by no rule. Raises ClaimRefused.
    """
    is_known = claim.decisions.exists() or claim.statements.exists()  # not made for this very admission
    if is_known and claim.standing in Claim.HOLDS_PLACE:
        return Decision.Kind.ADMITTED, ()
    ruling = rule_on(claim, now)
    if not ruling.allowed and (not despite_rules or ruling.is_final):
        raise ClaimRefused(ruling)
    waits = ruling.is_full and all(verdict.rule != "place_is_free" for verdict in ruling.failed)
    return Decision.Kind.WAITING if waits else Decision.Kind.ADMITTED, ruling.failed
