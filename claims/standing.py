"""The standing of a claim and the state of a task, derived from facts, statements and decisions.

Pure functions: they read neither the clock nor the database nor other claims. Whatever arrives twice, late or out of
order gives the same answer, because only what is known counts, not the order in which it came.

Precedence (docs/architecture.md, idea 1): a decision beats facts; facts beat older statements; a fact newer than a
decision that it contradicts raises a doubt and changes nothing by itself.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from claims.weighing import CODE_ALONE, Kinds, best_of_facts, with_unsure_merges
from claims.weighing import FINISHED as FINISHED
from claims.weighing import GONE as GONE
from claims.weighing import RANKS as RANKS
from claims.weighing import Basis as Basis
from claims.weighing import Doubt as Doubt
from claims.weighing import PullRequestFact as PullRequestFact
from claims.weighing import Standing as Standing


@dataclass(frozen=True, slots=True, order=True)
class DecisionFact:
    """A decision about the claim. Sorted by time; `tie` makes the order of equal seconds the same on every machine.

    `until`: of an extension the day it reaches to, of a reminder the end it reminds of. `undoes`: the id of the decision
    that this one takes back. `is_typed`: it was made by what stands in a table.
    """

    at: datetime
    tie: tuple[int, str]
    kind: str = field(compare=False)
    until: datetime | None = field(default=None, compare=False)
    id: int = field(default=0, compare=False)
    undoes: int | None = field(default=None, compare=False)
    is_typed: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class StatementFact:
    """What a text says about the claim, since when; of two in one second the one of the later text (`tie`) counts."""

    state: str
    at: datetime
    tie: int = 0


_TAKES_PART = {"claimed", "admitted", "promoted"}
_ASKS = {"claimed", "requested", "waiting"}
# What only follows on a claim, and is left behind when the claim was taken back.
_MAKES_NO_CLAIM = {"released", "promoted", "expired", "reminded"}
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
    chain: Kinds = CODE_ALONE,
) -> Standing:
    """The standing of one claim.

    `chain`: what has to be merged, in order (proposal, code, docs). `known_since` dates a claim about which nothing else is known; `superseded_at` is the rules' decision that
    another claim of the task was merged first.
    """
    ordered = sorted(decisions)
    life = last_word(ordered)
    work = next((d for d in reversed(ordered) if d.kind in _WORK or d.kind == "follows_facts"), None)
    statement = max(statements, key=lambda s: (s.at, s.tie, s.state), default=None)
    if statement is None and not was_ever_claimed(ordered, ()):
        return Standing("withdrawn", life.at if life else known_since, Basis.DECISION, "released")
    if life is not None and life.kind not in _TAKES_PART:
        if work is not None and work.kind in ("accepted", "partial") and work.at > life.at:
            return _settled(work, pull_requests)
        if life.kind in ("waiting", "requested") and superseded_at is not None:
            return _overtaken_outside(life, pull_requests, superseded_at)
        finished = _finished_before(life, work, pull_requests, chain)
        if finished is not None and superseded_at is not None:
            return Standing("superseded", superseded_at, Basis.DECISION, "superseded")
        return finished or _outside(life, pull_requests, statement)
    if work is not None and work.kind != "follows_facts":
        return _settled(work, pull_requests)
    standing = _from_facts(pull_requests, life, statement, known_since, chain)
    if superseded_at is not None:
        return Standing("superseded", superseded_at, Basis.DECISION, "superseded", doubts=standing.doubts)
    return standing


def that_hold(decisions: Iterable[DecisionFact]) -> list[DecisionFact]:
    """The decisions without those that were taken back, and without the taking back: as if neither had been made."""
    known = list(decisions)
    undone = {decision.undoes for decision in known if decision.undoes is not None}
    return [decision for decision in known if decision.undoes is None and decision.id not in undone]


def was_ever_claimed(decisions: Iterable[DecisionFact], statements: Iterable[StatementFact]) -> bool:
    """Whether anything is known that makes a claim: a release may arrive before the claim it releases.

    Without that nobody takes part: no merge counts, whatever its title says.
    """
    return any(d.kind not in _MAKES_NO_CLAIM for d in decisions) or any(True for _ in statements)


def takes_part(decisions: Iterable[DecisionFact]) -> bool | None:
    """Whether the last word takes the claimant in; None if nobody has said anything."""
    life = last_word(sorted(decisions))
    return None if life is None else life.kind in _TAKES_PART


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
    life: DecisionFact,
    work: DecisionFact | None,
    pull_requests: Sequence[PullRequestFact],
    chain: Kinds,
) -> Standing | None:
    """What was done before a release or an expiry stays done: nobody gives back finished work."""
    if life.kind not in ("released", "expired"):
        return None
    if work is not None and work.kind == "accepted" and work.at <= life.at:
        return _settled(work, pull_requests)
    earlier = [p for p in pull_requests if p.merged_at is not None and p.merged_at <= life.at]
    facts = best_of_facts(earlier, chain)
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
    reason = "entered" if life.kind == "requested" and life.is_typed else life.kind
    return Standing(_LIFE[life.kind], life.at, Basis.DECISION, reason, doubts=tuple(doubts))


def _overtaken_outside(
    life: DecisionFact, pull_requests: Sequence[PullRequestFact], superseded_at: datetime
) -> Standing:
    """Whoever asked or waited has lost the task too; what they had merged before that still asks the mentor."""
    earlier = [p for p in pull_requests if p.merged_at is not None and p.merged_at <= superseded_at]
    doubts = _outside(life, earlier, None).doubts
    return Standing("superseded", superseded_at, Basis.DECISION, "superseded", doubts=doubts)


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
    chain: Kinds,
) -> Standing:
    """What pull requests give, with a newer statement shown over it unless it would take a merge away."""
    if life is not None:
        base = Standing("claimed", life.at, Basis.DECISION, life.kind)
    else:
        base = Standing("claimed", known_since, Basis.STATEMENT, "named")
    facts = best_of_facts(pull_requests, chain)
    known = facts or base
    if statement is None or statement.state == known.state or _is_older(statement, known):
        return with_unsure_merges(known, pull_requests, chain)
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
