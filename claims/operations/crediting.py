"""What a mentor settles about pull requests themselves: which task they are for, and for whom they count.

Nobody settles what is their own: neither authors and co-authors, nor claimants whose claims it moves.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from claims import trailers
from claims.belonging import is_own
from claims.circumstances import rule_on
from claims.models import Claim, CoAuthor, Decision, PullRequest, PullRequestLink
from claims.operations import landing, standings, twice
from claims.operations.claiming import ClaimRefused
from claims.operations.deciding import check_may_decide, let_in
from claims.operations.decisions import get_or_create_claim, record_decision
from claims.operations.pull_requests import is_proposal
from claims.undoable import WITH_CREDIT
from portal import audit, locks
from portal.common.errors import DomainError, NotAllowed
from portal.models import Person
from rewards.rules import WHOLE
from tasks_board import rights
from tasks_board.models import Task, TeamMember


@transaction.atomic
def link(*, task: Task, pull_request: PullRequest, acting_user: Person, now: datetime) -> PullRequestLink:
    """Tie a pull request to the task, by a mentor's word; what was taken off before is on again. Raises NotAllowed, LockBusy."""
    pull_request, task = _lock(task, pull_request)
    _check(task, pull_request, acting_user)
    pull_request.links.filter(task=task).update(unlinked_at=None, unlinked_by=None)
    found, _created = PullRequestLink.objects.get_or_create(
        pull_request=pull_request,
        task=task,
        reason=PullRequestLink.Reason.MENTOR,
        defaults={
            "is_proposal": is_proposal(task.event, pull_request.repository),
            "is_partial": pull_request.links.filter(task=task, is_partial=True).exists(),
        },
    )
    _note("claims.pull_request_linked", task, pull_request, acting_user, now)
    standings.recompute_task(task=task, now=now)
    landing.look_into(pull_request, now=now)
    return found


@transaction.atomic
def unlink(*, task: Task, pull_request: PullRequest, acting_user: Person, now: datetime) -> None:
    """Take a pull request off the task. The facts stay, and no title brings it back. Raises NotAllowed, DomainError, LockBusy."""
    pull_request, task = _lock(task, pull_request)
    _check(task, pull_request, acting_user)
    links = pull_request.links.holding().filter(task=task)
    if not links.update(unlinked_at=now, unlinked_by=acting_user):
        raise DomainError("not_linked", _("This pull request does not name the task."))
    _note("claims.pull_request_unlinked", task, pull_request, acting_user, now)
    standings.recompute_task(task=task, now=now)


@transaction.atomic
def keep_apart(*, task: Task, pull_request: PullRequest, acting_user: Person, now: datetime) -> None:
    """A pull request that is not tied to the task is not for it: no title ties it either. Raises NotAllowed, DomainError, LockBusy."""
    pull_request, task = _lock(task, pull_request)
    _check(task, pull_request, acting_user)
    if pull_request.links.holding().filter(task=task).exists():
        raise DomainError("linked", _("This pull request is tied to the task. Take it off there."))
    PullRequestLink.objects.update_or_create(
        pull_request=pull_request,
        task=task,
        reason=PullRequestLink.Reason.MENTOR,
        defaults={"unlinked_at": now, "unlinked_by": acting_user},
    )
    _note("claims.pull_request_unlinked", task, pull_request, acting_user, now)


@transaction.atomic
def mark_part(
    *, task: Task, pull_request: PullRequest, is_partial: bool, acting_user: Person, now: datetime
) -> None:
    """Say that a pull request brings one part of the task, or the whole after all, whatever its title says.

    Raises NotAllowed, DomainError, LockBusy.
    """
    pull_request, task = _lock(task, pull_request)
    _check(task, pull_request, acting_user)
    links = pull_request.links.holding().filter(task=task)
    if not links.exists():
        raise DomainError("not_linked", _("This pull request does not name the task."))
    found, _created = PullRequestLink.objects.get_or_create(
        pull_request=pull_request,
        task=task,
        reason=PullRequestLink.Reason.MENTOR,
        defaults={"is_proposal": all(link.is_proposal for link in links)},
    )
    found.is_partial = is_partial
    found.save(update_fields=["is_partial"])
    _note("claims.pull_request_is_part", task, pull_request, acting_user, now, partial=is_partial)
    standings.recompute_task(task=task, now=now)


@transaction.atomic
def accept_without_pull_request(
    *, claim: Claim, note: str, acting_user: Person, key: str, now: datetime
) -> Claim:
    """Accept work that no pull request shows; the note says on what ground. Raises NotAllowed, DomainError, LockBusy."""
    check_may_decide(claim, acting_user)
    if not note.strip():
        raise DomainError(
            "note_missing", _("Say on what ground the work is accepted, for those who ask later.")
        )
    locks.lock_rows(Task.objects.filter(pk=claim.task_id))
    twice.check_not_twice(claim)
    record_decision(
        claim=claim,
        kind=Decision.Kind.ACCEPTED,
        at=now,
        decided_by=acting_user,
        source=Decision.Source.WEB,
        key=key,
        note=note.strip(),
        now=now,
    )
    standings.recompute_task(task=claim.task, now=now)
    claim.refresh_from_db()
    return claim


@transaction.atomic
def accept_work_of(
    *, task: Task, person: Person, note: str, acting_user: Person, key: str, now: datetime
) -> Claim:
    """The same of somebody who may have no claim on the task; who is on it in a team has done it for the team.

    Raises NotAllowed, DomainError, ClaimRefused (of a ban, or a bot), LockBusy.
    """
    rights.check_may_decide_on(task, acting_user)
    person = person.canonical or person
    locks.lock_rows(Person.objects.filter(pk=person.pk))
    locks.lock_rows(Task.objects.filter(pk=task.pk))
    claim = twice.claim_of_team(task, person)
    if claim is None:
        claim, _created = get_or_create_claim(task=task, person=person, team=None, at=now)
    ruling = rule_on(claim, now)
    if ruling.is_final:
        raise ClaimRefused(ruling)
    return accept_without_pull_request(claim=claim, note=note, acting_user=acting_user, key=key, now=now)


@transaction.atomic
def split_credit(
    *,
    task: Task,
    pull_request: PullRequest,
    points: Mapping[int, int],
    acting_user: Person,
    now: datetime,
) -> Sequence[CoAuthor]:
    """Settle for whom a pull request counts: by person, their points of 10,000; the author has what is left.

    Proposed co-authors without points are declined. Whoever has points becomes a claimant of each task that it is for,
    and the merge counts for each of them; an author without any is no longer credited for it. It is settled by
    somebody who decides on all of these tasks. Raises NotAllowed, DomainError, LockBusy.
    """
    pull_request, task = _lock(task, pull_request)
    held = pull_request.links.holding().filter(is_revert=False).values("task")
    tasks = list(Task.objects.filter(pk__in=held).select_related("event").order_by("pk"))
    for each in tasks:
        _check(each, pull_request, acting_user)
    if task not in tasks:
        rights.check_may_decide_on(task, acting_user)
        raise DomainError("not_linked", _("This pull request does not name the task."))
    people = {
        p.pk: p.canonical or p for p in Person.objects.select_related("canonical").filter(pk__in=points)
    }
    shares = {people[pk].pk: share for pk, share in points.items() if share and pk in people}
    _check_split(task, pull_request, shares, points, list(people.values()), acting_user)
    for person in people.values():
        CoAuthor.objects.get_or_create(
            pull_request=pull_request, person=person, defaults={"proposed_at": now}
        )
    settled = list(pull_request.co_authors.select_related("person__canonical").order_by("pk"))
    for co_author in settled:
        share = shares.get(co_author.person.whole_id)
        co_author.is_credited, co_author.share_points = share is not None, share
        co_author.decided_by, co_author.decided_at = acting_user, now
        co_author.save(update_fields=["is_credited", "share_points", "decided_by", "decided_at"])
        for each in tasks if share is not None else ():
            _admit(each, pull_request, co_author.person, acting_user, now)
    _note("claims.credit_split", task, pull_request, acting_user, now, points=_as_text(shares))
    standings.recompute_tasks(tasks=tasks, now=now)
    return settled


def _as_text(shares: Mapping[int, int]) -> dict[str, int]:
    return {str(pk): share for pk, share in shares.items()}


def _check_split(
    task: Task,
    pull_request: PullRequest,
    shares: Mapping[int, int],
    points: Mapping[int, int],
    found: Sequence[Person],
    acting_user: Person,
) -> None:
    author = pull_request.author.whole_id
    whole = {person.pk for person in found}
    if len(found) != len(points) or author in whole:
        raise DomainError("bad_split", _("The author has what the others leave; name the others alone."))
    if len(whole) < len(found):
        raise DomainError("bad_split", _("Two of these accounts are the same person; name one of them."))
    if any(share < 0 for share in points.values()) or sum(points.values()) > WHOLE:
        raise DomainError(
            "bad_split", _("The shares of all add up to 100 percent at most, and none is below zero.")
        )
    if any(trailers.is_tool(person.login, is_bot=person.is_bot) for person in found):
        raise DomainError("tools_earn_nothing", _("Bots and tools are never credited."))
    own = acting_user.whole_id
    if own in shares:
        raise NotAllowed("own_claim", _("Nobody decides on their own claim. Ask another mentor."))
    teams = TeamMember.objects.seated().filter(team__claims__task=task)
    by_team: dict[int, set[int]] = {}
    for team, person, canonical in teams.values_list("team", "person", "person__canonical"):
        by_team.setdefault(team, set()).update({author, *shares} & {canonical or person})
    if any(len(people_of) > 1 for people_of in by_team.values()):
        raise DomainError("one_team", _("Members of one team share its claim already."))


def _admit(task: Task, pull_request: PullRequest, person: Person, acting_user: Person, now: datetime) -> None:
    """Whoever has points is a claimant: their own claim, or the one by which their team is on the task, is let in if it is out."""
    person = person.canonical or person
    in_team = twice.claim_of_team(task, person)
    if in_team is not None:
        claim, created = in_team, False
    else:
        claim, created = get_or_create_claim(task=task, person=person, team=None, at=pull_request.opened_at)
    if not created and claim.standing not in ("withdrawn", "declined", "expired", "requested", "waiting"):
        return
    let_in(
        claim,
        at=pull_request.opened_at if created else now,
        key=f"{WITH_CREDIT}{claim.pk}:{pull_request.pk}",
        acting_user=acting_user,
        now=now,
    )


def _lock(task: Task, pull_request: PullRequest) -> tuple[PullRequest, Task]:
    """The pull request, then the tasks that it has to do with, as they are now."""
    [locked] = locks.lock_rows(PullRequest.objects.filter(pk=pull_request.pk).select_related("author"))
    ids = {task.pk, *locked.links.values_list("task_id", flat=True)}
    tasks = locks.lock_rows(Task.objects.filter(pk__in=ids).select_related("event"))
    return locked, next(found for found in tasks if found.pk == task.pk)


def _check(task: Task, pull_request: PullRequest, person: Person) -> None:
    """Raises NotAllowed for whoever does not decide on the task, and for those whose work or claim it is."""
    rights.check_may_decide_on(task, person)
    own = person.whole_id
    authors = {pull_request.author.whole_id}
    for co_author in pull_request.co_authors.select_related("person"):
        authors.add(co_author.person.whole_id)
    claims = Claim.objects.filter(task=task, shown=True).select_related("person", "team")
    if own in authors or any(is_own(claim, person) for claim in claims):
        raise NotAllowed("own_claim", _("Nobody decides on their own claim. Ask another mentor."))


def _note(
    action: str, task: Task, pull_request: PullRequest, acting_user: Person, now: datetime, **more: object
) -> None:
    audit.record(
        action,
        actor=acting_user,
        target=pull_request,
        now=now,
        event_id=task.event_id,
        data={"task": task.pk, **more},
    )
