"""What mentors and organizers decide. Nobody decides on their own or their team's claim."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext_lazy as _

from claims import undoable
from claims.belonging import is_own
from claims.models import (
    Claim,
    Decision,
    IssueComment,
    PullRequest,
    PullRequestLink,
    Statement,
    TableConflict,
)
from claims.operations import admitting, standings, twice
from claims.operations.decisions import get_or_create_claim, record_decision
from claims.policy import Verdict
from portal import audit, locks
from portal.common.errors import DomainError, NotAllowed
from portal.models import Person
from tasks_board import rights
from tasks_board.models import Event, IssueRevision, Task, TeamMember

_TICKED = ("done", "partly_done")

# What brings a claim back that was gone.
_BRINGS_BACK = (
    Decision.Kind.ADMITTED,
    Decision.Kind.ACCEPTED,
    Decision.Kind.PARTIAL,
    Decision.Kind.DEFERRED,
    Decision.Kind.BLOCKED,
)


def check_may_decide(claim: Claim, person: Person) -> None:
    """Raises NotAllowed unless the person decides on this claim's task, and the claim is not their own."""
    rights.check_may_decide_on(claim.task, person)
    if is_own(claim, person):
        raise NotAllowed("own_claim", _("Nobody decides on their own claim. Ask another mentor."))


@transaction.atomic
def decide(
    *,
    claim: Claim,
    kind: Decision.Kind,
    acting_user: Person,
    key: str,
    now: datetime,
    note: str = "",
    despite_rules: bool = False,
) -> Claim:
    """A mentor's word about a claim, from the web.

    Who is let in is let in by the rules, in line where all places are taken, unless `despite_rules`; a ban holds.
    Raises NotAllowed, DomainError (decided_already), ClaimRefused, LockBusy.
    """
    if kind not in Decision.BY_MENTORS:
        raise DomainError("not_a_decision", _("That is not something a mentor decides."), kind=kind.value)
    check_may_decide(claim, acting_user)
    admitting.lock_for_admission(claim)
    claim.refresh_from_db(fields=["standing", "doubts"])
    if Decision.objects.filter(key=key).exists():
        return claim
    _check_is_new(claim, kind)
    if kind in _BRINGS_BACK:
        twice.check_not_twice(claim)
    against: Sequence[Verdict] = ()
    if kind == Decision.Kind.ADMITTED:
        kind, against = admitting.weigh_admission(claim, now, despite_rules=despite_rules)
    record_decision(
        claim=claim,
        kind=kind,
        at=now,
        decided_by=acting_user,
        source=Decision.Source.WEB,
        key=key,
        note=note,
        now=now,
        against=against,
    )
    standings.recompute_task(task=claim.task, now=now)
    claim.refresh_from_db()
    return claim


# What changes nothing of what was decided last.
_BESIDE = (Decision.Kind.REMINDED, Decision.Kind.EXTENDED, Decision.Kind.RENEWED, Decision.Kind.UNDONE)


def _check_is_new(claim: Claim, kind: Decision.Kind) -> None:
    """Nothing is decided twice; a doubt that came since asks anew. Raises DomainError."""
    made = claim.decisions.filter(undone_by=None).exclude(kind__in=_BESIDE).select_related("decided_by")
    last = made.order_by("pk").last()
    if last is None or last.decided_by is None or last.kind != kind or claim.doubts:
        return
    raise DomainError(
        "decided_already",
        _("%(name)s has decided that already: %(decision)s. Nothing is changed.")
        % {"name": last.decided_by, "decision": last.get_kind_display()},
    )


@transaction.atomic
def admit_author(
    *,
    task: Task,
    pull_request: PullRequest,
    acting_user: Person,
    now: datetime,
    note: str = "",
    despite_rules: bool = False,
) -> Claim:
    """Take the author of a pull request that names the task in as a claimant, by the rules unless `despite_rules`.

    Raises NotAllowed, DomainError, ClaimRefused, LockBusy.
    """
    rights.check_may_decide_on(task, acting_user)
    if (
        not PullRequestLink.objects.holding()
        .filter(task=task, pull_request=pull_request, is_revert=False)
        .exists()
    ):
        raise DomainError("not_linked", _("This pull request does not name the task."))
    author = pull_request.author.canonical or pull_request.author
    locks.lock_rows(Person.objects.filter(pk=author.pk))
    locks.lock_rows(Task.objects.filter(pk=task.pk))
    in_team = twice.claim_of_team(task, author)
    if in_team is not None:
        raise DomainError(
            "in_team_too",
            _("The author is on this task already, in the team %(team)s.") % {"team": in_team.claimant},
        )
    claim, created = get_or_create_claim(task=task, person=author, team=None, at=pull_request.opened_at)
    check_may_decide(claim, acting_user)
    admitting.lock_for_admission(claim)
    kind, against = admitting.weigh_admission(claim, now, despite_rules=despite_rules)
    let_in(
        claim,
        at=pull_request.opened_at if created else now,
        key=f"admit:{task.pk}:{pull_request.pk}",
        acting_user=acting_user,
        now=now,
        note=note,
        kind=kind,
        against=against,
    )
    standings.recompute_task(task=task, now=now)
    claim.refresh_from_db()
    return claim


def let_in(
    claim: Claim,
    *,
    at: datetime,
    key: str,
    acting_user: Person,
    now: datetime,
    note: str = "",
    kind: Decision.Kind = Decision.Kind.ADMITTED,
    against: Sequence[Verdict] = (),
) -> None:
    """Admit a claim once by this key for each time that it came to an end: who is out again may be let in once more."""
    ended = (Decision.Kind.DECLINED, Decision.Kind.RELEASED, Decision.Kind.EXPIRED, Decision.Kind.UNDONE)
    record_decision(
        claim=claim,
        kind=kind,
        at=at,
        decided_by=acting_user,
        source=Decision.Source.WEB,
        key=f"{key}:{claim.decisions.filter(kind__in=ended).count()}",
        note=note,
        now=now,
        against=against,
    )


def ticked_at_first(event: Event) -> QuerySet[Claim]:
    """The claims that the first text of their issue ticks; what was typed since asks the mentor one by one."""
    first = IssueRevision.objects.filter(tracking_issue=OuterRef("revision__tracking_issue")).order_by("pk")
    ticked = Claim.objects.filter(task__event=event, shown=True, basis="statement", standing__in=_TICKED)
    since = Statement.objects.filter(claim=OuterRef("pk"), revision__gt=Subquery(first.values("pk")[:1]))
    old = ticked.filter(~Exists(since))
    return old.select_related("task", "person", "team").order_by("task_id", "pk")


@transaction.atomic
def confirm_history(*, event: Event, acting_user: Person, now: datetime) -> int:
    """Accept what the tables ticked before Regatta came: each becomes a decision, dated as the text, and is credited.

    Own claims are left for another organizer. Returns how many claims were confirmed. Raises NotAllowed.
    """
    rights.check_may_organize(event, acting_user)
    locks.lock_rows(Task.objects.filter(event=event))
    own = acting_user.whole_id
    seats = TeamMember.objects.filter(Q(person=own) | Q(person__canonical=own), accepted_at__isnull=False)
    own_teams = set(seats.values_list("team", flat=True))
    confirmed = [
        claim
        for claim in ticked_at_first(event)
        if claim.team_id not in own_teams and (claim.person is None or claim.person.whole_id != own)
    ]
    for claim in confirmed:
        kind = Decision.Kind.ACCEPTED if claim.standing == "done" else Decision.Kind.PARTIAL
        record_decision(
            claim=claim,
            kind=kind,
            at=claim.standing_at,
            decided_by=acting_user,
            source=Decision.Source.IMPORT,
            key=f"history:{claim.pk}:{claim.standing_at.isoformat()}",
            now=now,
        )
    standings.recompute_tasks(tasks={claim.task for claim in confirmed}, now=now)
    event.history_confirmed_at = now
    event.save(update_fields=["history_confirmed_at"])
    audit.record(
        "claims.history_confirmed",
        actor=acting_user,
        target=event,
        now=now,
        event_id=event.pk,
        data={"claims": [claim.pk for claim in confirmed]},
    )
    return len(confirmed)


@transaction.atomic
def settle_conflict(*, conflict: TableConflict, keep_ours: bool, acting_user: Person, now: datetime) -> None:
    """One click on a conflict: the portal's value goes out, or the table's value is taken in as a decision.

    Either is a choice between two people's words about the claim, so nobody makes it for their own.
    Raises NotAllowed, DomainError, LockBusy.
    """
    claim = conflict.claim
    rights.check_may_organize(claim.task.event, acting_user)
    check_may_decide(claim, acting_user)
    locks.lock_rows(Task.objects.filter(pk=claim.task_id))
    conflict.refresh_from_db()
    if conflict.settled_at is not None:
        raise DomainError("settled_already", _("Somebody has settled this conflict already."))
    conflict.settled_at, conflict.settled_by = now, acting_user
    conflict.save(update_fields=["settled_at", "settled_by"])
    audit.record(
        "claims.conflict_settled",
        actor=acting_user,
        target=claim,
        now=now,
        event_id=claim.task.event_id,
        data={"kept": "ours" if keep_ours else "theirs"},
    )
    if not keep_ours:
        _take_theirs(conflict, acting_user, now)
    standings.recompute_task(task=claim.task, now=now)


_DECISION_OF_STATE = {
    "done": Decision.Kind.ACCEPTED,
    "partly_done": Decision.Kind.PARTIAL,
    "withdrawn": Decision.Kind.RELEASED,
    "deferred": Decision.Kind.DEFERRED,
    "blocked": Decision.Kind.BLOCKED,
}


def decision_for_mark(state: str) -> Decision.Kind:
    """What it means when somebody who may decide writes this state into the table."""
    return _DECISION_OF_STATE.get(state, Decision.Kind.ADMITTED)


def _take_theirs(conflict: TableConflict, acting_user: Person, now: datetime) -> None:
    kind = decision_for_mark(conflict.theirs)
    if kind in _BRINGS_BACK:
        twice.check_not_twice(conflict.claim)
    record_decision(
        claim=conflict.claim,
        kind=kind,
        at=now,
        decided_by=acting_user,
        source=Decision.Source.TABLE,
        revision=conflict.revision,
        key=f"conflict:{conflict.pk}",
        now=now,
    )


@transaction.atomic
def mark_handled(*, comment: IssueComment, acting_user: Person, now: datetime) -> None:
    """A mentor has seen to a comment that could not be read. Raises NotAllowed."""
    rights.check_may_mentor(comment.tracking_issue.event, acting_user)
    if IssueComment.objects.filter(pk=comment.pk, handled_at=None).update(handled_at=now):
        audit.record(
            undoable.PUT_OFF,
            actor=acting_user,
            target=comment,
            now=now,
            event_id=comment.tracking_issue.event_id,
        )


@transaction.atomic
def reopen(*, comment: IssueComment, acting_user: Person, now: datetime) -> None:
    """Put a comment back on the list, within a day, by whoever put it off or an organizer. Asking twice is asking once.

    Raises NotAllowed (mentors_only, not_yours_to_undo), DomainError (not_undoable), LockBusy.
    """
    event = comment.tracking_issue.event
    rights.check_may_mentor(event, acting_user)
    locks.lock_rows(IssueComment.objects.filter(pk=comment.pk).only("pk"))
    comment.refresh_from_db(fields=["handled_at"])
    if comment.handled_at is None:
        return
    put_off = undoable.put_off_since(now).filter(target_id=comment.pk, at=comment.handled_at).first()
    if put_off is None:
        raise DomainError(
            "not_undoable",
            _("Only what a mentor has put off the list within the last 24 hours can be put back."),
        )
    if put_off.actor != acting_user and not rights.rights_in(event, acting_user).organizes:
        raise NotAllowed(
            "not_yours_to_undo", _("Only whoever made a decision, or an organizer, takes it back.")
        )
    comment.handled_at = None
    comment.save(update_fields=["handled_at"])
    audit.record("claims.comment_reopened", actor=acting_user, target=comment, now=now, event_id=event.pk)
