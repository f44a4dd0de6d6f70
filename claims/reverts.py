"""Which merged pull requests were taken back, and when.

GitHub has no mark for it: its revert button opens `Revert "TITLE"` with `Reverts owner/repo#n` as the text. A revert of a
revert makes the first one void. Pure.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

_NAMED = re.compile(r"\breverts\s+([\w.-]+/[\w.-]+)?#(\d{1,9})\b", re.IGNORECASE)
_REVERT_TITLE = re.compile(
    r"""^\s*revert\s+["“](?P<title>.*)["”]\s*(?:\(#\d+\))?\s*$""", re.IGNORECASE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Merged:
    """A merged pull request for a task; `is_revert` if its title says that it takes something back."""

    repository: str
    number: int
    title: str
    body: str
    merged_at: datetime
    is_revert: bool

    @property
    def address(self) -> tuple[str, int]:
        """Repository (in lower case) and number."""
        return self.repository.lower(), self.number


def is_revert_title(title: str) -> bool:
    """Whether a title is that of a revert, or of a revert of one."""
    return _REVERT_TITLE.match(title) is not None


def reverted_times(merged: Iterable[Merged]) -> dict[tuple[str, int], datetime]:
    """When each pull request of one task was taken back, for those that are at the end.

    A revert takes back what its text names; else the one with the title it quotes; else, if it is a plain revert, the
    last one merged before it in its repository.
    """
    ordered = sorted(merged, key=lambda m: (m.merged_at, m.address))
    taken_back: dict[tuple[str, int], datetime] = {}
    for revert in reversed([m for m in ordered if m.is_revert or is_revert_title(m.title)]):
        if revert.address in taken_back:
            continue  # void: a later revert took it back
        target = _target(revert, ordered)
        if target is not None:
            taken_back.setdefault(target.address, revert.merged_at)
    return taken_back


def _target(revert: Merged, ordered: Sequence[Merged]) -> Merged | None:
    before = [m for m in ordered if m.merged_at <= revert.merged_at and m is not revert]
    if named := _NAMED.search(revert.body):
        address = ((named[1] or revert.repository).lower(), int(named[2]))
        return next((m for m in before if m.address == address), None)
    same_place = [m for m in before if m.repository.lower() == revert.repository.lower()]
    quoted = _REVERT_TITLE.match(revert.title)
    if quoted:
        same_title = [m for m in same_place if m.title.strip() == quoted["title"].strip()]
        if same_title:
            return same_title[-1]
    if not revert.is_revert:
        return None
    return next((m for m in reversed(same_place) if not m.is_revert), None)
