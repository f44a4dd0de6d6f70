"""Taking back what was decided on the web, while nobody has said anything since: the decision then counts as never made.

What the rules did because of it is settled anew in the same transaction: a completion is revoked with its award, who was
overtaken is on the task again, a place that becomes free goes to the next in line. Nobody loses a place by it: who moved up
into a place that a release had freed keeps it beside the one who comes back, and the line stands still until there is room.
"""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from claims import undoable
from claims.models import Claim, Decision, IssueComment
from claims.operations import answering, standings, twice
from claims.operations.deciding import check_may_decide
from claims.operations.decisions import record_decision
from portal import locks
from portal.common.errors import DomainError, NotAllowed, NotFound
from portal.models import Person
from tasks_board import rights
from tasks_board.models import Event, Task


def get_decisions(event: Event, pks: Collection[int]) -> list[Decision]:
    """Decisions about claims in the event, in the order in which they are named. Raises NotFound."""
    decisions = Decision.objects.filter(claim__task__event=event).select_related("claim__task__event")
    found = undoable.with_claimants(decisions).in_bulk(pks)
    if not all(pk in found for pk in pks):
        raise NotFound("decision_not_found", _("There is no such decision."))
    return [found[pk] for pk in dict.fromkeys(pks)]


@transaction.atomic
def undo_decision(*, decision: Decision, acting_user: Person, now: datetime) -> Claim:
    """Take a decision back, by whoever made it or an organizer. Asking twice is asking once.

    Raises NotAllowed (mentors_only, own_claim, not_yours_to_undo), DomainError (not_undoable, too_late_to_undo,
    not_the_last_word, in_team_too), LockBusy.
    """
    claim = decision.claim
    check_may_decide(claim, acting_user)
    _check_is_theirs(decision, acting_user)
    task = locks.lock_rows(Task.objects.filter(pk=claim.task_id).select_related("event"))[0]
    if not Decision.objects.filter(undoes=decision).exists():
        _check_may_be_undone(decision, now)
        record_decision(
            claim=claim,
            kind=Decision.Kind.UNDONE,
            at=now,
            decided_by=acting_user,
            source=Decision.Source.WEB,
            key=f"undo:{decision.pk}",
            undoes=decision,
            now=now,
        )
        # What a mentor took for a claim, and takes back, waits for a mentor again.
        if decision.comment_id is not None:
            IssueComment.objects.filter(pk=decision.comment_id).update(handled_at=None)
        was_gone = Claim.objects.filter(pk=claim.pk, standing__in=Claim.GONE).exists()
        standings.recompute_task(task=task, now=now)
        claim.refresh_from_db()
        if was_gone and claim.standing not in Claim.GONE:
            twice.check_alone(claim)
        if decision.comment is not None:
            answering.answer_anew(decision.comment, now)
    claim.refresh_from_db()
    return claim


def count_over_capacity(claim: Claim) -> int:
    """By how many the claimants of the task exceed its places, this one among them."""
    capacity = claim.task.capacity
    if capacity is None or claim.standing not in Claim.HOLDS_PLACE:
        return 0
    held = Claim.objects.filter(task=claim.task_id, shown=True, standing__in=Claim.HOLDS_PLACE)
    return max(0, held.count() - capacity)


def _check_is_theirs(decision: Decision, person: Person) -> None:
    if decision.decided_by_id == person.pk:
        return
    if not rights.rights_in(decision.claim.task.event, person).organizes:
        raise NotAllowed(
            "not_yours_to_undo", _("Only whoever made a decision, or an organizer, takes it back.")
        )


def _check_may_be_undone(decision: Decision, now: datetime) -> None:
    reason = undoable.reason_against(decision, now)
    if reason is not None:
        raise reason
    last = undoable.last_words(Decision.objects.filter(claim=decision.claim_id))
    if last.get(decision.claim_id) != decision:
        raise DomainError(
            "not_the_last_word",
            _("Something was decided about this claim since. Decide anew instead of taking this back."),
        )
