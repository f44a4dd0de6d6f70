"""How far each step of a task's chain has come: a proposal, the code, the docs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from claims.pull_requests import SeenPullRequest
from tasks_board.chains import CODE, PROPOSAL, Chain, step_of

_IN_REVIEW = frozenset({"open", "draft"})
_CODE_IS_THERE = frozenset({"partly_done", "pr_open", "approved"})


@dataclass(frozen=True, slots=True)
class Leg:
    """One of the two. `mark`: pass, now, no (closed without merging), todo, skip (not asked for)."""

    name: str  # proposal, code
    mark: str
    pull_requests: tuple[SeenPullRequest, ...]

    @property
    def latest(self) -> SeenPullRequest | None:
        """The one that the mark speaks of: merged, else open, else the last."""
        for states in ({"merged"}, _IN_REVIEW):
            found = [pr for pr in self.pull_requests if pr.state in states]
            if found:
                return found[-1]
        return self.pull_requests[-1] if self.pull_requests else None


def legs_of(pull_requests: Iterable[SeenPullRequest], standing: str, *, chain: Chain) -> tuple[Leg, ...]:
    """The legs of a claim, or of a task if these are the pull requests of all who are on it.

    There are at least two: a proposal, perhaps not needed, and the code.
    """
    shown = chain if any(step.kind == "proposal" for step in chain) else (PROPOSAL, *chain)
    if not any(step.kind != "proposal" for step in shown):
        shown = (*shown, CODE)
    by_place: dict[int, list[SeenPullRequest]] = {place: [] for place in range(len(shown))}
    last = len(shown) - 1
    for pr in pull_requests:
        place = step_of(shown, repository=pr.repository, title=pr.title, is_proposal=pr.is_proposal)
        by_place[(0 if pr.is_proposal else last) if place is None else place].append(pr)
    works = sum(step.kind != "proposal" for step in shown)
    return tuple(
        Leg(
            step.kind, _mark(step.kind, tuple(prs), standing, is_asked=step in chain, works=works), tuple(prs)
        )
        for step, prs in zip(shown, by_place.values(), strict=True)
    )


def _mark(kind: str, prs: Sequence[SeenPullRequest], standing: str, *, is_asked: bool, works: int) -> str:
    if kind == "proposal":
        return _proposal(prs, standing, is_asked)
    if not is_asked and not prs:
        return "skip"
    if works == 1 or standing == "done":
        return _code(prs, standing)
    return _one_of_several(prs)


def _one_of_several(prs: Sequence[SeenPullRequest]) -> str:
    """Where the standing speaks of all steps together, the step's own pull requests tell."""
    states = [pr.state for pr in prs if not pr.is_revert]
    whole = [pr for pr in prs if pr.state == "merged" and not pr.is_partial and not pr.is_revert]
    reverts = [pr for pr in prs if pr.state == "merged" and pr.is_revert]
    if len(whole) > len(reverts):
        return "pass"
    if "merged" in states and not reverts:
        return "now"
    return "now" if _IN_REVIEW.intersection(states) else _under_way(set(states) - {"merged"})


def _proposal(proposals: Sequence[SeenPullRequest], standing: str, needs_proposal: bool) -> str:
    states = {pr.state for pr in proposals}
    if "merged" in states:
        return "pass"
    if not needs_proposal or standing == "done":
        return "skip"
    return _under_way(states)


def _code(code: Sequence[SeenPullRequest], standing: str) -> str:
    states = {pr.state for pr in code if not pr.is_revert}
    if standing == "done":
        return "pass"
    if "merged" in states:  # and yet not done: only a part, or it was reverted
        return "now" if standing in _CODE_IS_THERE or states & _IN_REVIEW else "todo"
    return _under_way(states)


def _under_way(states: set[str]) -> str:
    if states & _IN_REVIEW:
        return "now"
    return "no" if "closed" in states else "todo"
