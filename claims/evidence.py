"""All that is known about the claims of tasks, as the values that `claims.standing` derives from."""

import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from claims import deadlines, reverts, standing
from claims.models import Claim, Decision, PullRequest, PullRequestLink, Review
from portal.github.types import REVIEWING_ASSOCIATIONS
from tasks_board.models import Event, Task
from tasks_board.rules import EventRules

RULES = ("superseded", "restored")
# Reasons for a link that rest on the claimant's word alone: anybody may name any pull request.
_ONLY_NAMED = ("comment", "table")


@dataclass(slots=True)
class Evidence:
    """What is known about one claim. `superseded_at`: the rules' last word, if it is that another was merged first."""

    claim: Claim
    decisions: list[standing.DecisionFact] = field(default_factory=list)
    statements: list[standing.StatementFact] = field(default_factory=list)
    pull_requests: list[standing.PullRequestFact] = field(default_factory=list)
    superseded_at: datetime | None = None
    rule_decisions: int = 0

    def derive(self, *, superseded_at: datetime | None) -> standing.Standing:
        """The claim's standing, given whether another one won."""
        return standing.derive_standing(
            decisions=self.decisions,
            pull_requests=self.pull_requests,
            statements=self.statements,
            known_since=self.claim.created_at,
            superseded_at=superseded_at,
        )

    def clock(self, rules: EventRules, *, turn: str) -> deadlines.Clock:
        """The claim's clock, given whose turn it is."""
        return deadlines.clock_of(
            rules,
            turn=turn,
            decisions=self.decisions,
            pull_requests=self.pull_requests,
            known_since=self.claim.created_at,
        )


def gather(tasks: Sequence[Task], deciders: Mapping[int, set[int]]) -> dict[int, list[Evidence]]:
    """The evidence of every claim of these tasks, by task, in a fixed number of queries.

    `deciders`: by task, whose approval counts.
    """
    claims = Claim.objects.filter(task__in=tasks).select_related("person", "team")
    by_key = {task.pk: task for task in tasks}
    by_task: dict[int, list[Claim]] = defaultdict(list)
    for claim in claims.prefetch_related("decisions__comment", "statements", "team__members__person"):
        claim.task = by_key[claim.task_id]
        by_task[claim.task_id].append(claim)
    links = _links_of(tasks)
    found = {}
    for task in tasks:
        by_author = _pull_requests_by_author(task, links.get(task.pk, {}), deciders[task.pk])
        found[task.pk] = [_evidence(claim, by_author) for claim in by_task[task.pk]]
    return found


def _evidence(claim: Claim, by_author: Mapping[int, Sequence[standing.PullRequestFact]]) -> Evidence:
    evidence = Evidence(claim)
    for decision in sorted(claim.decisions.all(), key=lambda d: d.pk):
        if decision.kind in RULES:
            evidence.rule_decisions += 1
            evidence.superseded_at = decision.at if decision.kind == "superseded" else None
        else:
            evidence.decisions.append(decision_fact(decision))
    evidence.decisions = standing.that_hold(evidence.decisions)
    evidence.statements = [
        standing.StatementFact(s.state, s.at, s.revision_id) for s in claim.statements.all()
    ]
    for person_id, until in _spans(claim).items():
        facts = by_author.get(person_id, ())
        begun = [fact for fact in facts if until is None or fact.opened_at <= until]
        evidence.pull_requests += [_weighed(fact, claim) for fact in begun]
    return evidence


def _weighed(fact: standing.PullRequestFact, claim: Claim) -> standing.PullRequestFact:
    """A pull request that was merged before the claim, and that only the claimant ties to it, awaits a mentor's word."""
    if not fact.is_only_named or fact.merged_at is None:
        return fact
    is_later = fact.counts and fact.merged_at >= claim.created_at
    return replace(fact, is_only_named=False) if is_later else replace(fact, counts=False)


def decision_fact(decision: Decision) -> standing.DecisionFact:
    """Of one second, the one in the later comment, or in the later text of the issue, is the later."""
    place = decision.comment.github_id if decision.comment else decision.revision_id or 0
    if decision.kind == Decision.Kind.PROMOTED:
        place = sys.maxsize  # a place is granted after it was asked for
    return standing.DecisionFact(
        at=decision.at,
        tie=(place, decision.key),
        kind=decision.kind,
        until=decision.until,
        id=decision.pk,
        undoes=decision.undoes_id,
    )


def _spans(claim: Claim) -> dict[int, datetime | None]:
    """The people whose work counts for a claim, each with the time until which what they begin does (None: still).

    The person, under whichever account, or the team's members: what somebody had begun before they left stays the team's.
    """
    if claim.person is not None:
        return {claim.person.canonical_id or claim.person.pk: None}
    assert claim.team is not None  # noqa: S101 (a constraint says so)
    spans: dict[int, datetime | None] = {}
    for member in sorted(claim.team.members.all(), key=lambda m: (m.left_at is None, m.left_at, m.pk)):
        if member.accepted_at is not None:
            spans[member.person.canonical_id or member.person_id] = member.left_at
    return spans


Links = Mapping[int, tuple[PullRequest, list[PullRequestLink]]]  # by pull request


def _pull_requests_by_author(
    task: Task, linked: Links, deciders: set[int]
) -> dict[int, list[standing.PullRequestFact]]:
    """The pull requests that have to do with a task, by their author's (canonical) id; reverts are not work."""
    links = linked.values()
    merged = [
        _merged(pr, is_revert=any(link.is_revert for link in of_pr)) for pr, of_pr in links if pr.merged_at
    ]
    reverted = reverts.reverted_times(merged)
    facts: dict[int, list[standing.PullRequestFact]] = defaultdict(list)
    for pull_request, of_pr in links:
        if any(link.is_revert for link in of_pr):
            continue
        address = (pull_request.repository.lower(), pull_request.number)
        author = pull_request.author
        facts[author.canonical_id or author.pk].append(
            _pull_request_fact(pull_request, of_pr, reverted.get(address), task.event, deciders)
        )
    return facts


def _links_of(tasks: Sequence[Task]) -> Mapping[int, Links]:
    """The links of these tasks, by task."""
    links = (
        PullRequestLink.objects.filter(task__in=tasks)
        .select_related("pull_request__author")
        .prefetch_related("pull_request__reviews")
        .order_by("pull_request_id", "pk")
    )
    grouped: dict[int, dict[int, tuple[PullRequest, list[PullRequestLink]]]] = defaultdict(dict)
    for link in links:
        of_task = grouped[link.task_id]
        of_task.setdefault(link.pull_request_id, (link.pull_request, []))[1].append(link)
    return grouped


def _merged(pull_request: PullRequest, *, is_revert: bool) -> reverts.Merged:
    assert pull_request.merged_at is not None  # noqa: S101 (the caller asked for merged ones)
    return reverts.Merged(
        pull_request.repository,
        pull_request.number,
        pull_request.title,
        pull_request.body,
        pull_request.merged_at,
        is_revert,
    )


def _pull_request_fact(
    pull_request: PullRequest,
    links: Sequence[PullRequestLink],
    reverted_at: datetime | None,
    event: Event,
    deciders: set[int],
) -> standing.PullRequestFact:
    branches = event.rule_set.branches
    reviews = list(pull_request.reviews.all())
    approved_at = None if pull_request.is_draft else approved_since(reviews, deciders)
    is_only_named = all(link.reason in _ONLY_NAMED for link in links)
    on_branch = not branches or pull_request.base_branch in branches
    return standing.PullRequestFact(
        address=str(pull_request),
        state=pull_request.state,
        opened_at=pull_request.opened_at,
        updated_at=pull_request.updated_at,
        closed_at=pull_request.closed_at,
        merged_at=pull_request.merged_at,
        reverted_at=reverted_at,
        is_approved=approved_at is not None,
        approved_at=approved_at,
        is_partial=any(link.is_partial for link in links),
        is_proposal=all(link.is_proposal for link in links),
        counts=on_branch and (not is_only_named or _is_watched(event, pull_request)),
        is_only_named=is_only_named and on_branch,
        is_with_author=pull_request.is_draft or asks_for_changes(reviews, deciders),
        touched_at=max([pull_request.updated_at, *(review.submitted_at for review in reviews)]),
    )


def _is_watched(event: Event, pull_request: PullRequest) -> bool:
    watched = (*event.repositories, *event.proposal_repositories)
    return pull_request.repository.lower() in {name.lower() for name in watched}


def approved_since(reviews: Iterable[Review], deciders: set[int]) -> datetime | None:
    """Since when people who may say so approve, each one's last word counting, and none of them asks for changes.

    Comments leave a reviewer's earlier word as it was. People who may: OWNER, MEMBER, COLLABORATOR, granted mentors.
    """
    last: dict[int, str] = {}
    since: datetime | None = None
    for review in _that_weigh(reviews, deciders):
        last[review.reviewer_id] = review.state
        holds = "approved" in last.values() and "changes_requested" not in last.values()
        since = (since or review.submitted_at) if holds else None
    return since


def asks_for_changes(reviews: Iterable[Review], deciders: set[int]) -> bool:
    """Whether the last word of somebody who may say so asks the author for changes."""
    last = {review.reviewer_id: review.state for review in _that_weigh(reviews, deciders)}
    return "changes_requested" in last.values()


def _that_weigh(reviews: Iterable[Review], deciders: set[int]) -> list[Review]:
    """The reviews that say yes or no, by people who may, in the order in which they were given."""
    return [
        review
        for review in sorted(reviews, key=lambda r: (r.submitted_at, r.github_id))
        if (review.association in REVIEWING_ASSOCIATIONS or review.reviewer_id in deciders)
        and review.state in ("approved", "changes_requested", "dismissed")
    ]
