"""The rows of a mentor's desk out of the database, in a fixed number of queries."""

from collections import defaultdict
from datetime import datetime

from django.db.models import Exists, OuterRef, Subquery

from claims.desk.rows import ClaimRow, DeskRows, LinkRow, TaskRow, offer
from claims.models import Claim, CoAuthor, Decision, IssueComment, PullRequest, PullRequestLink, Review
from claims.settling import OVER, list_offers_of
from claims.unread_titles import list_unread_titles
from portal.models import Person
from tasks_board.models import Event, Task, TaskHelper, TeamMember
from tasks_board.rights import Rights


def load_rows(event: Event, *, viewer: Person, rights: Rights) -> DeskRows:
    """All rows, in a fixed number of queries."""
    tasks = [
        TaskRow(*row)
        for row in Task.objects.filter(event=event).values_list(
            "pk",
            "number",
            "title",
            "state",
            "direction",
            "places",
            "is_removed",
            "is_excluded",
            "claims_open_at",
            "claims_close_at",
            "direction__name",
            "direction__source",
            "direction__position",
            Exists(Task.requires.through._default_manager.filter(from_task=OuterRef("pk"))),
        )
    ]
    claims = _load_claims(event)
    members = _load_members(event) if any(claim.team_id for claim in claims) else {}
    rows = DeskRows(
        tasks={task.pk: task for task in tasks},
        claims=claims,
        links=_load_links(event),
        members=members,
        reviews=_load_reviews(event),
        comments=_load_comments(event),
        own=None if rights.organizes or rights.mentors_event else list_own_tasks(event, viewer),
    )
    rows.claimed = _claimed(rows)
    rows.offers = _load_offers(rows, event)
    rows.titles = list_unread_titles(event, tasks=rows.by_number(), held=_held(rows))
    return rows


def list_own_tasks(event: Event, person: Person) -> frozenset[int]:
    """The tasks whose granted mentor the person is."""
    helps = TaskHelper.objects.filter(
        task__event=event, person=person, role=TaskHelper.Role.MENTOR, granted_at__isnull=False
    )
    return frozenset(helps.values_list("task_id", flat=True))


def _load_claims(event: Event) -> list[ClaimRow]:
    claims = Claim.objects.filter(task__event=event, shown=True).order_by("pk")
    given = Decision.objects.filter(
        claim=OuterRef("pk"), kind=Decision.Kind.EXTENDED, until__isnull=False, undone_by=None
    )
    return [
        ClaimRow(*row)
        for row in claims.values_list(
            "pk",
            "task_id",
            "person_id",
            "person__canonical_id",
            "person__login",
            "team_id",
            "team__name",
            "standing",
            "standing_at",
            "created_at",
            "basis",
            "reason",
            "doubts",
            "turn",
            "due_at",
            Subquery(given.order_by("-until").values("until")[:1]),
        )
    ]


def _load_members(event: Event) -> dict[int, frozenset[int]]:
    members: dict[int, set[int]] = defaultdict(set)
    seats = TeamMember.objects.filter(team__event=event, accepted_at__isnull=False)
    for team, person, canonical in seats.values_list("team_id", "person_id", "person__canonical_id"):
        members[team].add(canonical or person)
    return {team: frozenset(people) for team, people in members.items()}


def _load_links(event: Event) -> dict[int, list[LinkRow]]:
    proposed = CoAuthor.objects.filter(pull_request=OuterRef("pull_request"), is_credited=None)
    links = PullRequestLink.objects.holding().filter(task__event=event, is_revert=False)
    found: dict[int, list[LinkRow]] = defaultdict(list)
    rows = links.order_by("pull_request__opened_at", "pk").values_list(
        "task_id",
        "pull_request_id",
        "reason",
        "is_partial",
        "is_proposal",
        "pull_request__author_id",
        "pull_request__author__canonical_id",
        "pull_request__author__login",
        "pull_request__repository",
        "pull_request__number",
        "pull_request__title",
        "pull_request__state",
        "pull_request__is_draft",
        "pull_request__opened_at",
        "pull_request__updated_at",
        "pull_request__merged_at",
        "pull_request__closed_at",
        "pull_request__landed_at",
        Exists(proposed),
    )
    for row in rows:
        found[row[0]].append(LinkRow(*row))
    return found


def _load_reviews(event: Event) -> dict[int, list[tuple[str, datetime]]]:
    """The last word of each reviewer on open pull requests; which of them count is for the standing to say."""
    linked = PullRequestLink.objects.filter(task__event=event).values("pull_request_id")
    reviews = Review.objects.filter(pull_request__in=linked, pull_request__state=PullRequest.State.OPEN)
    last: dict[tuple[int, int], tuple[str, datetime]] = {}
    rows = reviews.order_by("submitted_at", "pk").values_list(
        "pull_request_id", "reviewer_id", "state", "submitted_at"
    )
    for pull_request, reviewer, state, at in rows:
        earlier = last.get((pull_request, reviewer))
        said = earlier[0] if earlier and state == "commented" else state
        last[pull_request, reviewer] = (said, at)
    found: dict[int, list[tuple[str, datetime]]] = defaultdict(list)
    for (pull_request, _reviewer), word in last.items():
        found[pull_request].append(word)
    return found


def _load_comments(event: Event) -> list[IssueComment]:
    unread = IssueComment.objects.filter(
        tracking_issue__event=event, needs_help=True, handled_at=None, deleted_at=None
    ).defer("tracking_issue__body", "tracking_issue__agreed_body", "tracking_issue__configuration")
    return list(unread.select_related("author", "tracking_issue").order_by("written_at", "pk"))


def _load_offers(rows: DeskRows, event: Event) -> dict[int, list[LinkRow]]:
    open_tasks = [
        task.as_task(event)
        for task in rows.tasks.values()
        if task.state != Task.State.DONE and not task.is_removed and rows.may_decide_on(task.pk)
    ]
    proposals = {name.lower() for name in event.proposal_repositories}
    claimants: dict[int, set[int]] = defaultdict(set)
    for claim in rows.claims:
        if claim.person_id is not None and claim.standing not in OVER:
            claimants[claim.task_id].add(claim.whose[1])
    found = list_offers_of(open_tasks, claimants)
    return {
        task: [offer(task, pr, is_proposal=pr.repository.lower() in proposals) for pr in offered]
        for task, offered in found.items()
    }


def _held(rows: DeskRows) -> dict[int, frozenset[str]]:
    """By person, the numbers of the tasks that they, or their teams, have open."""
    found: dict[int, set[str]] = defaultdict(set)
    for claim in rows.claims:
        task = rows.tasks[claim.task_id]
        if claim.standing not in Claim.ENDED and task.number and not task.is_removed:
            for person in rows.people_of(claim):
                found[person].add(task.number)
    return {person: frozenset(numbers) for person, numbers in found.items()}


def _claimed(rows: DeskRows) -> dict[int, set[int]]:
    claimed: dict[int, set[int]] = defaultdict(set)
    for claim in rows.claims:
        claimed[claim.task_id] |= rows.people_of(claim)
    return claimed
