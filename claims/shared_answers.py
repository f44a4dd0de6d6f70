"""One answer to a comment that several events heard: each number is answered by those that took it.

Where none took it, one of them says why, those that are running first; what no event knows is said once.
"""

from collections.abc import Sequence
from dataclasses import replace

from claims.replies import Line, Part
from claims.since import Since

_NOT_TAKEN = frozenset(
    {
        "refused",
        "ambiguous",
        "nothing",
        "unlinked",
        "team_unknown_login",
        "team_full",
        "team_is_another",
        "team_is_others",
        "team_invites_you",
    }
)
_TOOK, _UNKNOWN = 0, 3


def share_out(parts: Sequence[Part]) -> list[Part]:
    """The parts that have something to say, each with the lines that are its to say."""
    asked = [part for part in parts if part.lines]
    if not asked:
        tried = [part for part in parts if part.attempt]
        return sorted(tried, key=lambda part: not part.is_on)[:1]
    speakers: dict[tuple[str, bool], list[int]] = {}
    best: dict[tuple[str, bool], int] = {}
    for place, part in enumerate(asked):
        for line in part.lines:
            key, rank = _key(line), _rank(line, part)
            if rank < best.get(key, _UNKNOWN + 1):
                best[key], speakers[key] = rank, [place]
            elif rank == best[key] == _TOOK:
                speakers[key].append(place)
    kept = [
        replace(part, lines=[line for line in part.lines if place in speakers[_key(line)]])
        for place, part in enumerate(asked)
    ]
    return [replace(part, since=_of_lines(part)) for part in kept if part.lines]


def _of_lines(part: Part) -> list[Since]:
    said = {line.number for line in part.lines}
    return [entry for entry in part.since if entry.number in said]


def _key(line: Line) -> tuple[str, bool]:
    return line.number, line.code.startswith("team_")


def _rank(line: Line, part: Part) -> int:
    if line.code == "unknown":
        return _UNKNOWN
    if line.code not in _NOT_TAKEN:
        return _TOOK
    return 1 if part.is_on else 2
