"""The standing of a claim and the state of a task, derived from facts, statements and decisions.

Pure functions: they read neither the clock nor the database nor other claims. Whatever arrives twice, late or out of
order gives the same answer, because only what is known counts, not the order in which it came.

Precedence (docs/architecture.md, idea 1): a decision beats facts; facts beat older statements; a fact newer than a
decision that it contradicts raises a doubt and changes nothing by itself.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

# Lowest first, as in the tables (tasks_board.documents); what a task shows is the best of its live claims.
RANKS = {
    state: rank
    for rank, state in enumerate(
        (
            "requested",
            "waiting",
            "claimed",
            "rfc_submitted",
            "rfc_merged",
            "blocked",
            "pr_open",
            "approved",
            "deferred",
            "partly_done",
            "done",
        )
    )
}
GONE = frozenset({"withdrawn", "declined", "expired", "superseded", "closed_unmerged"})
FINISHED = frozenset({"done", "partly_done"})


class Basis(StrEnum):
    """What a standing rests on."""

    DECISION = "decision"
    FACT = "fact"
    STATEMENT = "statement"


@dataclass(frozen=True, slots=True, order=True)
class DecisionFact:
    """A decision about the claim. Sorted by time; `tie` makes the order of equal seconds the same on every machine.

    `until`: of an extension the day it reaches to, of a reminder the end it reminds of. `undoes`: the id of the decision
    that this one takes back.
    """

    at: datetime
    tie: tuple[int, str]
    kind: str = field(compare=False)
    until: datetime | None = field(default=None, compare=False)
    id: int = field(default=0, compare=False)
    undoes: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class PullRequestFact:
    """A pull request of the claimant for the task. `counts`: its base branch is one on which a merge counts.

    `is_only_named`: nothing but the claimant's own word ties it to the task, so that a merge counts only by a mentor's word.
    `is_with_author`: a draft, or changes are asked for; `touched_at`: the last that happened to it.
    """

    address: str
    state: str  # open, closed, merged
    opened_at: datetime
    updated_at: datetime
    closed_at: datetime | None = None
    merged_at: datetime | None = None
    reverted_at: datetime | None = None
    is_approved: bool = False
    approved_at: datetime | None = None
    is_partial: bool = False
    is_proposal: bool = False
    counts: bool = True
    is_only_named: bool = False
    is_with_author: bool = False
    touched_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class StatementFact:
    """What a text says about the claim, since when; of two in one second the one of the later text (`tie`) counts."""

    state: str
    at: datetime
    tie: int = 0


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that only a person can settle: a stable code, and what it is about."""

    code: str
    about: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a claim stands, since when, on what basis, for which reason (a stable code and what it is about)."""

    state: str
    at: datetime
    basis: Basis
    reason: str
    about: str = ""
    doubts: tuple[Doubt, ...] = ()

    @property
    def is_credited(self) -> bool:
        """Whether the standing makes a completion: finished by a decision or a fact, never by a statement."""
        return self.state in FINISHED and self.basis is not Basis.STATEMENT


_TAKES_PART = {"claimed", "admitted", "promoted"}
_ASKS = {"claimed", "requested", "waiting"}
_LIFE = {
    "claimed": "claimed",
    "admitted": "claimed",
    "promoted": "claimed",
    "requested": "requested",
    "waiting": "waiting",
    "declined": "declined",
    "released": "withdrawn",
    "expired": "expired",
}
_WORK = {
    "accepted": "done",
    "partial": "partly_done",
    "rejected": "claimed",
    "deferred": "deferred",
    "blocked": "blocked",
}


def derive_standing(
    *,
    decisions: Iterable[DecisionFact],
    pull_requests: Sequence[PullRequestFact],
    statements: Iterable[StatementFact],
    known_since: datetime,
    superseded_at: datetime | None = None,
) -> Standing:
    """The standing of one claim.

    `known_since` dates a claim about which nothing else is known; `superseded_at` is the rules' decision that
    another claim of the task was merged first.
    """
    ordered = sorted(decisions)
    life = last_word(ordered)
    work = next((d for d in reversed(ordered) if d.kind in _WORK or d.kind == "follows_facts"), None)
    statement = max(statements, key=lambda s: (s.at, s.tie, s.state), default=None)
    if life is not None and life.kind not in _TAKES_PART:
        if work is not None and work.kind in ("accepted", "partial") and work.at > life.at:
            return _settled(work, pull_requests)
        if life.kind == "waiting" and superseded_at is not None:
            return Standing("superseded", superseded_at, Basis.DECISION, "superseded")
        finished = _finished_before(life, work, pull_requests)
        return finished or _outside(life, pull_requests, statement)
    if work is not None and work.kind != "follows_facts":
        return _settled(work, pull_requests)
    standing = _from_facts(pull_requests, life, statement, known_since)
    if superseded_at is not None:
        return Standing("superseded", superseded_at, Basis.DECISION, "superseded", doubts=standing.doubts)
    return standing


def that_hold(decisions: Iterable[DecisionFact]) -> list[DecisionFact]:
    """The decisions without those that were taken back, and without the taking back: as if neither had been made."""
    known = list(decisions)
    undone = {decision.undoes for decision in known if decision.undoes is not None}
    return [decision for decision in known if decision.undoes is None and decision.id not in undone]


def was_ever_claimed(decisions: Iterable[DecisionFact], statements: Iterable[StatementFact]) -> bool:
    """Whether anything but a release is known: a release may arrive before the claim it releases."""
    return any(d.kind != "released" for d in decisions) or any(True for _ in statements)


def derive_task_state(standings: Iterable[Standing], *, stated_mark: str = "", removed: bool = False) -> str:
    """The state of a task: removed, put aside by its own mark, or the best of its live claims; nobody: open.

    A mark of done on a row where nobody is named counts, since somebody must have set it; it credits nobody.
    """
    if removed:
        return "removed"
    live = [s.state for s in standings if s.state not in GONE and s.state not in ("requested", "waiting")]
    best = max(live, key=lambda state: RANKS[state], default="open")
    if best != "done" and stated_mark in ("deferred", "blocked"):
        return stated_mark
    if best == "open" and stated_mark in ("done", "partly_done"):
        return stated_mark
    return best


def first_finished(standings: Iterable[tuple[int, Standing]]) -> int | None:
    """Of claims with their standings, the one that was done first by a fact or decision (ties: the smaller key)."""
    done = [(s.at, key) for key, s in standings if s.state == "done" and s.basis is not Basis.STATEMENT]
    return min(done)[1] if done else None


def last_word(ordered: Iterable[DecisionFact]) -> DecisionFact | None:
    """The last word on taking part. Whoever asks for what they have already changes nothing.

    A place is granted to somebody who waits: who had left the line before, as we learn later, is not taken in by it.
    """
    life: DecisionFact | None = None
    for decision in ordered:
        if decision.kind not in _LIFE:
            continue
        is_in = life is not None and (life.kind in _TAKES_PART or life.kind == decision.kind)
        is_granted_to_nobody = decision.kind == "promoted" and (life is None or life.kind != "waiting")
        if not is_granted_to_nobody and not (is_in and decision.kind in _ASKS):
            life = decision
    return life


def _finished_before(
    life: DecisionFact, work: DecisionFact | None, pull_requests: Sequence[PullRequestFact]
) -> Standing | None:
    """What was done before a release or an expiry stays done: nobody gives back finished work."""
    if life.kind not in ("released", "expired"):
        return None
    if work is not None and work.kind == "accepted" and work.at <= life.at:
        return _settled(work, pull_requests)
    earlier = [p for p in pull_requests if p.merged_at is not None and p.merged_at <= life.at]
    facts = best_of_facts(earlier)
    return (
        facts if facts is not None and facts.state == "done" and (work is None or work.at > life.at) else None
    )


def _outside(
    life: DecisionFact, pull_requests: Sequence[PullRequestFact], statement: StatementFact | None
) -> Standing:
    """Asked, waiting, declined, released or expired: facts that came later only raise a doubt."""
    doubts = [
        Doubt(f"merged_after_{life.kind}", p.address, p.merged_at)
        for p in pull_requests
        if p.merged_at is not None and p.counts and p.reverted_at is None and p.merged_at > life.at
    ]
    doubts += [
        Doubt(f"pull_request_after_{life.kind}", p.address, p.opened_at)
        for p in pull_requests
        if p.state == "open" and p.opened_at > life.at
    ]
    if statement is not None and statement.at > life.at and statement.state not in GONE:
        doubts.append(Doubt("table_names_again", statement.state, statement.at))
    return Standing(_LIFE[life.kind], life.at, Basis.DECISION, life.kind, doubts=tuple(doubts))


def _settled(work: DecisionFact, pull_requests: Sequence[PullRequestFact]) -> Standing:
    """A decision about the work holds, whatever GitHub says; a newer fact that contradicts it raises a doubt."""
    doubts = []
    for pull_request in pull_requests:
        merged, reverted = pull_request.merged_at, pull_request.reverted_at
        if work.kind == "accepted":
            if reverted is not None and reverted > work.at:
                doubts.append(Doubt("reverted_after_acceptance", pull_request.address, reverted))
        elif merged is not None and merged > work.at and reverted is None and pull_request.counts:
            doubts.append(Doubt("merged_after_decision", pull_request.address, merged))
    return Standing(_WORK[work.kind], work.at, Basis.DECISION, work.kind, doubts=tuple(doubts))


def _from_facts(
    pull_requests: Sequence[PullRequestFact],
    life: DecisionFact | None,
    statement: StatementFact | None,
    known_since: datetime,
) -> Standing:
    """What pull requests give, with a newer statement shown over it unless it would take a merge away."""
    if life is not None:
        base = Standing("claimed", life.at, Basis.DECISION, life.kind)
    else:
        base = Standing("claimed", known_since, Basis.STATEMENT, "named")
    facts = best_of_facts(pull_requests)
    known = facts or base
    if statement is None or statement.state == known.state or _is_older(statement, known):
        return _with_unsure_branches(known, pull_requests)
    if facts is not None and facts.state in FINISHED:
        doubt = Doubt("table_disagrees", statement.state, statement.at)
        return Standing(facts.state, facts.at, facts.basis, facts.reason, facts.about, (doubt,))
    asks = statement.state in FINISHED or statement.state in GONE
    doubts = (Doubt("table_says", statement.state, statement.at),) if asks else ()
    return Standing(statement.state, statement.at, Basis.STATEMENT, "table", doubts=doubts)


def _is_older(statement: StatementFact, known: Standing) -> bool:
    """Of one moment, a fact is the newer; a decision of that moment took the claimant in with what the text says."""
    if known.basis is Basis.FACT:
        return statement.at <= known.at
    return known.basis is Basis.DECISION and statement.at < known.at


def _with_unsure_branches(known: Standing, pull_requests: Sequence[PullRequestFact]) -> Standing:
    """Merged, but onto a branch that does not count, or tied to the task by nothing but a word: the mentor shall see it."""
    doubts = tuple(
        Doubt("named_only" if p.is_only_named else "merged_elsewhere", p.address, p.merged_at)
        for p in pull_requests
        if p.merged_at is not None and not p.counts and p.reverted_at is None
    )
    if not doubts:
        return known
    return Standing(known.state, known.at, known.basis, known.reason, known.about, known.doubts + doubts)


def best_of_facts(pull_requests: Iterable[PullRequestFact]) -> Standing | None:
    """The best that the claimant's pull requests give; None without any that says something.

    Of several pull requests with the same best state, the earliest one dates it: done is done since the first merge.
    """
    readings = [_reading(p) for p in pull_requests]
    said = [r for r in readings if r is not None]
    if not said:
        return None
    best = max(RANKS.get(r.state, -1) for r in said)
    candidates = [r for r in said if RANKS.get(r.state, -1) == best]
    pick = max if best < 0 else min  # closed ones: the last closing; others: the first to get there
    return pick(candidates, key=lambda r: (r.at, r.about))


def _reading(p: PullRequestFact) -> Standing | None:
    """What one pull request says about the claim."""
    if p.merged_at is not None and p.reverted_at is not None:
        return Standing("claimed", p.reverted_at, Basis.FACT, "reverted", p.address)
    if p.merged_at is not None:
        if p.is_proposal:
            return Standing("rfc_merged", p.merged_at, Basis.FACT, "proposal_merged", p.address)
        if not p.counts:
            reason = "named_only" if p.is_only_named else "merged_elsewhere"
            return Standing("approved", p.merged_at, Basis.FACT, reason, p.address)
        if p.is_partial:
            return Standing("partly_done", p.merged_at, Basis.FACT, "merged_in_part", p.address)
        return Standing("done", p.merged_at, Basis.FACT, "merged", p.address)
    if p.state == "closed":
        return Standing("closed_unmerged", p.closed_at or p.updated_at, Basis.FACT, "closed", p.address)
    if p.is_proposal:
        return Standing("rfc_submitted", p.opened_at, Basis.FACT, "proposal_open", p.address)
    if p.is_approved:
        return Standing("approved", p.approved_at or p.opened_at, Basis.FACT, "approved", p.address)
    return Standing("pr_open", p.opened_at, Basis.FACT, "open", p.address)
