"""Which decisions may be taken back, by whom and how long. Reads only; `claims.operations.undoing` does it."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from claims.models import Claim, Decision, IssueComment
from portal.common.errors import DomainError
from portal.models import AuditEntry, Person

LONGEST = timedelta(hours=24)
KINDS = frozenset({*Decision.BY_MENTORS, Decision.Kind.EXTENDED, Decision.Kind.WAITING})
PUT_OFF = "claims.comment_handled"  # in the audit, of a comment that a mentor has seen to
WITH_CREDIT = "credit:"  # how the keys begin of what follows from a split of credit
_SOURCES = (Decision.Source.WEB, Decision.Source.COMMENT)


def with_claimants(decisions: QuerySet[Decision]) -> QuerySet[Decision]:
    """Each decision with who made it, whether it was taken back, and with everybody who is or was behind its claim."""
    related = decisions.select_related(
        "decided_by", "claim__person", "claim__team", "claim__task", "comment", "undone_by"
    )
    return related.prefetch_related("claim__team__members__person")


def list_undoable(
    decisions: Iterable[Decision], *, viewer: Person, organizes: bool, now: datetime
) -> set[int]:
    """Of all the decisions about some claims, those that the viewer may take back: at most one for each claim.

    Load them by `with_claimants`, so that nothing more is asked of the database.
    """
    return {
        decision.pk
        for decision in last_words(decisions).values()
        if (organizes or decision.decided_by_id == viewer.pk)
        and reason_against(decision, now) is None
        and not _is_claimant(viewer, decision.claim)
    }


def put_off_since(now: datetime) -> QuerySet[AuditEntry]:
    """Who put which comments off the list, as far as it may still be taken back."""
    entries = AuditEntry.objects.filter(action=PUT_OFF, target_type=IssueComment._meta.label_lower)
    return entries.filter(at__gte=now - LONGEST)


def reason_against(decision: Decision, now: datetime) -> DomainError | None:
    """Why a decision cannot be taken back by anybody, if so: it is the claimant's own, the rules', a table's, or old."""
    by_whom = decision.decided_by
    is_of_a_mentor = by_whom is not None and not _is_claimant(by_whom, decision.claim)
    if not is_of_a_mentor or decision.kind not in KINDS or decision.source not in _SOURCES:
        return DomainError(
            "not_undoable", _("Only what a mentor or an organizer decided on the web can be taken back.")
        )
    if decision.key.startswith(WITH_CREDIT):
        return DomainError(
            "not_undoable",
            _("This came with the sharing of a pull request’s credit. Share the credit anew instead."),
        )
    if now - (decision.recorded_at or decision.at) > LONGEST:
        return DomainError(
            "too_late_to_undo", _("A decision can be taken back for 24 hours. Decide anew instead.")
        )
    return None


def last_words(decisions: Iterable[Decision]) -> Mapping[int, Decision]:
    """By claim, what a person decided last, by the order in which it was noted down; what was taken back is no word."""
    known = list(decisions)
    undone = {decision.undoes_id for decision in known}
    said = [d for d in known if d.decided_by_id is not None and d.undoes_id is None and d.pk not in undone]
    return {decision.claim_id: decision for decision in sorted(said, key=lambda decision: decision.pk)}


def _is_claimant(person: Person, claim: Claim) -> bool:
    own = person.whole_id
    if claim.person is not None:
        return claim.person.whole_id == own
    assert claim.team is not None  # noqa: S101 (a constraint says so)
    members = [member.person for member in claim.team.members.all() if member.accepted_at is not None]
    return any(member.whole_id == own for member in members)
