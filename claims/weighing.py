"""What the pull requests of one claimant say about a task: the steps of its chain that are merged, what is under way, what is in doubt.

Pure, as `claims.standing`, which lays decisions and statements over it. The order of the facts makes no difference.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
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


@dataclass(frozen=True, slots=True)
class PullRequestFact:
    """A pull request of the claimant for the task. `counts`: its base branch is one on which a merge counts.

    `is_only_named`: nothing but the claimant's own word ties it to the task, so that a merge counts only by a mentor's word.
    `is_with_author`: a draft, or changes are asked for and the author has not answered; `touched_at`: the last that happened to it.
    `step`: its place in the task's chain; None if no step asks for it. A bot may have landed it: then `merged_at` is
    when, or `seems_landed` where only a label says so.
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
    step: int | None = 0
    seems_landed: bool = False


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


Kinds = Sequence[str]  # of the steps of a chain: proposal, code, docs
CODE_ALONE: Kinds = ("code",)


def best_of_facts(pull_requests: Iterable[PullRequestFact], chain: Kinds = CODE_ALONE) -> Standing | None:
    """The best that the claimant's pull requests give; None without any that says something.

    Done is every step merged, since the last of them was first merged; some of them is a part. Else, of several pull
    requests with the same best state, the earliest one dates it.
    """
    known = list(pull_requests)
    finished = _from_steps(known, chain)
    if finished is not None:
        return finished
    said = [_reading(p, chain) for p in known]
    if not said:
        return None
    best = max(RANKS.get(r.state, -1) for r in said)
    candidates = [r for r in said if RANKS.get(r.state, -1) == best]
    pick = max if best < 0 else min  # closed ones: the last closing; others: the first to get there
    return pick(candidates, key=lambda r: (r.at, r.about))


def with_unsure_merges(known: Standing, pull_requests: Iterable[PullRequestFact], chain: Kinds) -> Standing:
    """Merged, or landed as it seems, and yet not enough by itself: the mentor shall see it."""
    everything = list(pull_requests)
    is_proposed = _is_proposed(_whole_steps(everything, chain), chain)
    doubts = []
    for p in everything:
        if p.merged_at is not None and p.reverted_at is None:
            if reason := _short_of(p, chain, is_proposed=is_proposed):
                doubts.append(Doubt(reason, p.address, p.merged_at))
        elif p.state == "closed" and p.seems_landed:
            doubts.append(Doubt("seems_landed", p.address, p.closed_at or p.updated_at))
    return replace(known, doubts=known.doubts + tuple(doubts)) if doubts else known


Merge = tuple[datetime, str]  # when, and which one


def _fits(p: PullRequestFact, chain: Kinds) -> bool:
    """Whether a step of the chain asks for it; a proposal is no code, and code no proposal."""
    return p.step is not None and p.step < len(chain) and (chain[p.step] == "proposal") == p.is_proposal


def _merges(pull_requests: Iterable[PullRequestFact], chain: Kinds) -> list[PullRequestFact]:
    """Those of the chain's steps that are merged where it counts and were not taken back."""
    return [p for p in pull_requests if p.merged_at and not p.reverted_at and p.counts and _fits(p, chain)]


def _whole_steps(pull_requests: Iterable[PullRequestFact], chain: Kinds) -> dict[int, Merge]:
    """The steps that are merged as a whole, each with its first merge."""
    whole: dict[int, Merge] = {}
    for p in _merges(pull_requests, chain):
        if p.merged_at is not None and p.step is not None and (p.is_proposal or not p.is_partial):
            merge = (p.merged_at, p.address)
            whole[p.step] = min(whole.get(p.step, merge), merge)
    return whole


def _is_proposed(whole: Mapping[int, Merge], chain: Kinds) -> bool:
    """Whether every proposal that the chain asks for is merged."""
    return all(place in whole for place, kind in enumerate(chain) if kind == "proposal")


def _from_steps(pull_requests: Sequence[PullRequestFact], chain: Kinds) -> Standing | None:
    """Done, or a part of it; None while no code or docs count yet."""
    whole = _whole_steps(pull_requests, chain)
    if len(whole) == len(chain):
        at, about = max(whole.values())
        return Standing("done", at, Basis.FACT, "merged", about)
    if not _is_proposed(whole, chain):
        return None
    merges = _merges(pull_requests, chain)
    begun = [(p.merged_at, p.address, p.is_partial) for p in merges if p.merged_at and not p.is_proposal]
    if not begun:
        return None
    at, about, is_partial = min(begun)
    proposed = [whole[place][0] for place, kind in enumerate(chain) if kind == "proposal"]
    reason = "merged_in_part" if is_partial else "steps_to_come"
    return Standing("partly_done", max([at, *proposed]), Basis.FACT, reason, about)


def _short_of(p: PullRequestFact, chain: Kinds, *, is_proposed: bool) -> str:
    """Why a merge does not count by itself; empty if it does. A proposal that is merged is merged."""
    if p.is_proposal:
        return ""
    if not p.counts:
        return "named_only" if p.is_only_named else "merged_elsewhere"
    if not _fits(p, chain):
        return "no_step_for_it"
    return "" if is_proposed else "merged_without_proposal"


def _reading(p: PullRequestFact, chain: Kinds) -> Standing:
    """What one pull request says about the claim, as long as nothing is finished."""
    if p.merged_at is not None and p.reverted_at is not None:
        return Standing("claimed", p.reverted_at, Basis.FACT, "reverted", p.address)
    if p.merged_at is not None:
        if p.is_proposal:
            return Standing("rfc_merged", p.merged_at, Basis.FACT, "proposal_merged", p.address)
        return Standing(
            "approved", p.merged_at, Basis.FACT, _short_of(p, chain, is_proposed=False), p.address
        )
    if p.state == "closed":
        at = p.closed_at or p.updated_at
        if p.seems_landed:
            return Standing("approved", at, Basis.FACT, "seems_landed", p.address)
        return Standing("closed_unmerged", at, Basis.FACT, "closed", p.address)
    if p.is_proposal:
        return Standing("rfc_submitted", p.opened_at, Basis.FACT, "proposal_open", p.address)
    if p.is_approved:
        return Standing("approved", p.approved_at or p.opened_at, Basis.FACT, "approved", p.address)
    return Standing("pr_open", p.opened_at, Basis.FACT, "open", p.address)
