"""How far a proposal and then the code have come, where the task asks for both."""

from collections.abc import Iterable
from dataclasses import dataclass

from claims.pull_requests import SeenPullRequest

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


def legs_of(
    pull_requests: Iterable[SeenPullRequest], standing: str, *, needs_proposal: bool
) -> tuple[Leg, Leg]:
    """Both legs of a claim, or of a task if these are the pull requests of all who are on it."""
    seen = tuple(pull_requests)
    proposals = tuple(pr for pr in seen if pr.is_proposal)
    code = tuple(pr for pr in seen if not pr.is_proposal)
    return (
        Leg("proposal", _proposal(proposals, standing, needs_proposal), proposals),
        Leg("code", _code(code, standing), code),
    )


def _proposal(proposals: tuple[SeenPullRequest, ...], standing: str, needs_proposal: bool) -> str:
    states = {pr.state for pr in proposals}
    if "merged" in states:
        return "pass"
    if not needs_proposal or standing == "done":
        return "skip"
    return _under_way(states)


def _code(code: tuple[SeenPullRequest, ...], standing: str) -> str:
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
