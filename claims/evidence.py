"""All that is known about the claims of tasks, as the values that `claims.standing` derives from."""

import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Prefetch

from claims import deadlines, reverts, standing
from claims.models import Claim, CoAuthor, Decision, PullRequest, PullRequestLink, Review
from portal.github.types import REVIEWING_ASSOCIATIONS
from rewards.rules import ALONE, WHOLE, Split
from tasks_board.chains import CODE, Chain, step_of
from tasks_board.models import Task
from tasks_board.rules import EventRules

RULES = ("superseded", "restored")
# Reasons for a link that rest on the claimant's word alone: anybody may name any pull request.
_ONLY_NAMED = ("retitled", "comment", "table")
Links = Mapping[int, tuple[PullRequest, list[PullRequestLink]]]  # by pull request


@dataclass(slots=True)
class Evidence:
    """What is known about one claim. `superseded_at`: the rules' last word, if it is that another was merged first."""

    claim: Claim
    decisions: list[standing.DecisionFact] = field(default_factory=list)
    statements: list[standing.StatementFact] = field(default_factory=list)
    pull_requests: list[standing.PullRequestFact] = field(default_factory=list)
    superseded_at: datetime | None = None
    rule_decisions: int = 0
    chain: Chain = (CODE,)
    splits: dict[str, Split] = field(default_factory=dict)

    @property
    def is_shown(self) -> bool:
        """Whether anything makes it a claim."""
        return standing.was_ever_claimed(self.decisions, self.statements)

    def derive(self, *, superseded_at: datetime | None) -> standing.Standing:
        """The claim's standing, given whether another one won."""
        return standing.derive_standing(
            decisions=self.decisions,
            pull_requests=self.pull_requests,
            statements=self.statements,
            known_since=self.claim.created_at,
            superseded_at=superseded_at,
            chain=[step.kind for step in self.chain],
        )

    def split(self) -> Split:
        """What part of the task's reward is the claimant's: as a mentor split the last merge of theirs that was split."""
        merges = [(p.merged_at, p.address) for p in self.pull_requests if p.merged_at and not p.reverted_at]
        settled = [merge for merge in merges if merge[1] in self.splits]
        return self.splits[max(settled)[1]] if settled else ALONE

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
        chain = task.steps
        work = _Work(task, chain, deciders[task.pk])
        work.take_in(links.get(task.pk, {}))
        found[task.pk] = [_evidence(claim, work) for claim in by_task[task.pk]]
        _leave_to_teams(found[task.pk])
    return found


def _leave_to_teams(found: Sequence[Evidence]) -> None:
    """What counts for a team that is on the task does not count for a member's own claim there as well.

    That is what a former member had begun before they left, and everything of a member who is out by themselves.
    """
    spans = [_spans(e.claim) for e in found if e.claim.team is not None and standing.takes_part(e.decisions)]
    for evidence in found if spans else ():
        person = evidence.claim.person
        whole = person and person.whole_id
        for until in [of_team[whole] for of_team in spans if whole in of_team]:
            if until is not None:
                evidence.pull_requests = [pr for pr in evidence.pull_requests if pr.opened_at > until]
            elif standing.takes_part(evidence.decisions) is False:
                evidence.pull_requests = []


def _evidence(claim: Claim, work: "_Work") -> Evidence:
    evidence = Evidence(claim, chain=work.chain)
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
        facts = work.by_author.get(person_id, ())
        evidence.splits |= work.splits.get(person_id, {})
        begun = [fact for fact in facts if until is None or fact.opened_at <= until]
        evidence.pull_requests += begun
    return evidence


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
        is_typed=decision.source == Decision.Source.TABLE,
    )


def _spans(claim: Claim) -> dict[int, datetime | None]:
    """The people whose work counts for a claim, each with the time until which what they begin does (None: still).

    The person, under whichever account, or the team's members: what somebody had begun before they left stays the team's.
    """
    if claim.person is not None:
        return {claim.person.whole_id: None}
    assert claim.team is not None  # noqa: S101 (a constraint says so)
    spans: dict[int, datetime | None] = {}
    for member in sorted(claim.team.members.all(), key=lambda m: (m.left_at is None, m.left_at, m.pk)):
        if member.accepted_at is not None:
            spans[member.person.whole_id] = member.left_at
    return spans


class _Work:
    """The pull requests that have to do with a task, by whom they count for (canonical ids); reverts are not work."""

    def __init__(self, task: Task, chain: Chain, deciders: set[int]) -> None:
        self.task, self.chain, self.deciders = task, chain, deciders
        self.rules = task.event.rule_set
        self.by_author: dict[int, list[standing.PullRequestFact]] = defaultdict(list)
        self.splits: dict[int, dict[str, Split]] = defaultdict(dict)

    def take_in(self, linked: Links) -> None:
        """Read these pull requests with their links to the task."""
        links = linked.values()
        merged = [
            _merged(pr, at, is_revert=any(link.is_revert for link in of_pr))
            for pr, of_pr in links
            if (at := merged_or_landed(pr)) is not None
        ]
        reverted = reverts.reverted_times(merged)
        written: dict[int, list[standing.PullRequestFact]] = defaultdict(list)
        shared: list[tuple[int, int, standing.PullRequestFact]] = []
        for pull_request, of_pr in links:
            if any(link.is_revert for link in of_pr):
                continue
            address = (pull_request.repository.lower(), pull_request.number)
            fact = self._fact(pull_request, of_pr, reverted.get(address))
            shares = shares_of(pull_request)
            points = tuple(points for _person, points in shares)
            author = shares[0][0]
            written[author].append(fact)
            shared += [(person, author, fact) for person, share in shares[1:] if share]
            for place, (person_id, share) in enumerate(shares):
                if share:
                    self.by_author[person_id].append(fact)
                    if len(shares) > 1:
                        self.splits[person_id][fact.address] = Split(points, place)
        self._lend_steps(written, shared)

    def _lend_steps(
        self,
        written: Mapping[int, Sequence[standing.PullRequestFact]],
        shared: Iterable[tuple[int, int, standing.PullRequestFact]],
    ) -> None:
        """Whoever shares in a merge need not bring the other steps anew: what its author has merged for them counts for both.

        `written`: by author; `shared`: a person who is credited beside the author, the author, and for what.
        """
        for person, author, fact in shared:
            if fact.merged_at is None or fact.reverted_at is not None:
                continue
            known = {other.address for other in self.by_author[person]}
            self.by_author[person] += [
                other
                for other in written[author]
                if other.step not in (None, fact.step)
                and other.merged_at is not None
                and other.reverted_at is None
                and other.address not in known
            ]

    def _fact(
        self, pull_request: PullRequest, links: Sequence[PullRequestLink], reverted_at: datetime | None
    ) -> standing.PullRequestFact:
        reviews = list(pull_request.reviews.all())
        approved_at = None if pull_request.is_draft else approved_since(reviews, self.deciders)
        is_only_named = all(link.reason in _ONLY_NAMED for link in links)
        is_proposal = all(link.is_proposal for link in links)
        on_branch = is_proposal or self.rules.counts_on(pull_request.base_branch)
        merged_at = merged_or_landed(pull_request)
        return standing.PullRequestFact(
            address=str(pull_request),
            state="merged" if merged_at else pull_request.state,
            opened_at=pull_request.opened_at,
            updated_at=pull_request.updated_at,
            closed_at=pull_request.closed_at,
            merged_at=merged_at,
            reverted_at=reverted_at,
            is_approved=approved_at is not None,
            approved_at=approved_at,
            is_partial=is_part(links),
            is_proposal=is_proposal,
            counts=on_branch and not is_only_named,
            is_only_named=is_only_named and on_branch,
            is_with_author=pull_request.is_draft or waits_for_author(pull_request, reviews, self.deciders),
            touched_at=max([pull_request.updated_at, *(review.submitted_at for review in reviews)]),
            step=step_of(
                self.chain,
                repository=pull_request.repository,
                title=pull_request.title,
                is_proposal=is_proposal,
            ),
            seems_landed=seems_landed(pull_request, self.rules),
        )


def is_part(links: Sequence[PullRequestLink]) -> bool:
    """Whether it brings one part of the task: a mentor's word on that beats what the title says."""
    by_mentor = [link for link in links if link.reason == PullRequestLink.Reason.MENTOR]
    return any(link.is_partial for link in by_mentor or links)


def merged_or_landed(pull_request: PullRequest) -> datetime | None:
    """When it was merged; or when a bot, having closed it, put its commit onto the branch."""
    if pull_request.state == PullRequest.State.CLOSED and pull_request.landed_sha:
        return pull_request.landed_at
    return pull_request.merged_at


def seems_landed(pull_request: PullRequest, rules: EventRules) -> bool:
    """Whether it was closed with a label by which bots say that they landed it."""
    if pull_request.state != PullRequest.State.CLOSED or pull_request.landed_sha:
        return False
    said = {name.lower() for name in rules.landed_labels}
    return any(str(name).lower() in said for name in pull_request.labels)


def shares_of(pull_request: PullRequest) -> list[tuple[int, int]]:
    """Whom it counts for (canonical ids), each with their share points, the author first. Undecided ones have none."""
    author = pull_request.author.whole_id
    shares: dict[int, int] = {}
    for co_author in sorted(pull_request.co_authors.all(), key=lambda c: c.pk):
        person = co_author.person.whole_id
        if co_author.is_credited and co_author.share_points and person != author:
            shares.setdefault(person, co_author.share_points)
    return [(author, max(WHOLE - sum(shares.values()), 0)), *shares.items()]


def _links_of(tasks: Sequence[Task]) -> Mapping[int, Links]:
    """The links of these tasks, by task."""
    credited = CoAuthor.objects.filter(is_credited=True).select_related("person")
    reviews = Review.objects.select_related("reviewer")
    links = (
        PullRequestLink.objects.holding()
        .filter(task__in=tasks)
        .select_related("pull_request__author")
        .prefetch_related(
            Prefetch("pull_request__reviews", reviews), Prefetch("pull_request__co_authors", credited)
        )
        .order_by("pull_request_id", "pk")
    )
    grouped: dict[int, dict[int, tuple[PullRequest, list[PullRequestLink]]]] = defaultdict(dict)
    for link in links:
        of_task = grouped[link.task_id]
        of_task.setdefault(link.pull_request_id, (link.pull_request, []))[1].append(link)
    return grouped


def _merged(pull_request: PullRequest, at: datetime, *, is_revert: bool) -> reverts.Merged:
    return reverts.Merged(
        pull_request.repository,
        pull_request.number,
        pull_request.title,
        pull_request.body,
        at,
        is_revert,
    )


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


def waits_for_author(pull_request: PullRequest, reviews: Sequence[Review], deciders: set[int]) -> bool:
    """Whether the last word of somebody who may say so asks for changes, and the author has not answered it."""
    last = {review.reviewer_id: review for review in _that_weigh(reviews, deciders)}
    asking = [review for review in last.values() if review.state == "changes_requested"]
    author = pull_request.author.whole_id
    wrote = [review.submitted_at for review in reviews if review.reviewer.whole_id == author]
    wrote += [pull_request.author_wrote_at] if pull_request.author_wrote_at else []
    wrote_at = max(wrote, default=None)
    return any(not _is_answered(review, pull_request, wrote_at) for review in asking)


def _is_answered(review: Review, pull_request: PullRequest, wrote_at: datetime | None) -> bool:
    """By commits that the reviewer has not seen, by asking that reviewer anew, or by a word of the author's since."""
    shas = {pull_request.head_sha, review.commit_sha}
    is_pushed = len(shas - {""}) == 2
    is_asked_again = review.reviewer.github_id in pull_request.reviewers_asked
    return is_pushed or is_asked_again or (wrote_at is not None and wrote_at > review.submitted_at)


def _that_weigh(reviews: Iterable[Review], deciders: set[int]) -> list[Review]:
    """The reviews that say yes or no, by people who may, in the order in which they were given."""
    return [
        review
        for review in sorted(reviews, key=lambda r: (r.submitted_at, r.github_id))
        if (review.association in REVIEWING_ASSOCIATIONS or review.reviewer_id in deciders)
        and review.state in ("approved", "changes_requested", "dismissed")
    ]
