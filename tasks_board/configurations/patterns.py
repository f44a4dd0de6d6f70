"""Regular expressions of other tools as words and the place of a number. They are taken apart and never executed.

People wrote most of them as plain words (``PPSCI Export&Infer No.``), so a sign counts as a sign of a regular expression
only where it can hardly be anything else: ``.*``, ``\\[``, ``[\\S\\s]+``, ``(?P<task_id>…)``, ``(a|b)``.
"""

import re
from dataclasses import dataclass

from tasks_board.configurations.model import Problem

LONGEST_PATTERN = 300
_DEEPEST = 5
_QUANTIFIER = r"(?:[*+?]|\{[0-9,]{1,9}\})\??"
_TOKEN = re.compile(
    rf"""(?P<gap>\.(?:[*+]\??|{{[0-9,]{{1,9}}}})
              |  \\[sSdDwW](?:{_QUANTIFIER})?
              |  \[\^?(?:\\.|[^\]\\])*\\[sSdDwW](?:\\.|[^\]\\])*\](?:{_QUANTIFIER})?
              |  \[\^?[^\]\\]*\]{_QUANTIFIER})
    |   \\(?P<escaped>[^A-Za-z0-9])
    |   (?P<code>\\[A-Za-z0-9])
    |   (?P<named>\(\?P<[A-Za-z_]\w{{0,30}}>)
    |   (?P<special>\(\?(?::|[=!<][=!]?))
    |   (?P<group>\()
    |   (?P<literal>[\s\S])""",
    re.VERBOSE,
)
_NUMBER, _GAP = "\0", "\1"
_EDGE = re.compile(r"[\s【\[「(]+\Z")


@dataclass(frozen=True, slots=True)
class Words:
    """What a pattern asks for: parts that stand one after the other, anything between two of them.

    `number_at` is the count of parts before the task's number; without a place of its own it stands behind the last.
    """

    parts: tuple[str, ...]
    number_at: int
    problems: tuple[Problem, ...] = ()

    @property
    def prefix(self) -> str:
        """The words before the number, as a title prefix."""
        return _EDGE.sub("", " ".join(self.parts[: self.number_at])).strip()


def read_pattern(pattern: str) -> Words:
    """Take a pattern apart. Whatever it holds, this ends in time linear in its length."""
    if len(pattern) > LONGEST_PATTERN:
        return Words((), 0, (Problem("pattern_too_long", pattern[:80]),))
    reader = _Reader(pattern)
    text = reader.read(pattern.removeprefix("^").removesuffix("$"), 0)
    before, number, behind = text.partition(_NUMBER)
    parts_before, parts_behind = _parts(before), _parts(behind)
    problems = reader.problems
    if _GAP in before.strip(_GAP + " "):
        problems.append(Problem("pattern_has_gap", pattern))
    at = len(parts_before) if number else len(parts_before) + len(parts_behind)
    return Words((*parts_before, *parts_behind), at, tuple(problems))


def _parts(text: str) -> list[str]:
    pieces = text.replace(_NUMBER, _GAP).split(_GAP)
    return [" ".join(piece.split()) for piece in pieces if piece.strip()]


class _Reader:
    """Reads one pattern, group by group, and notes what it did not understand."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.problems: list[Problem] = []

    def read(self, text: str, depth: int) -> str:
        """The text with signs replaced: gaps and the number by one character each."""
        out: list[str] = []
        place = 0
        while match := _TOKEN.match(text, place):
            place = match.end()
            if match["group"] or match["named"] or match["special"]:
                end = _end_of_group(text, place)
                out.append(self._group(match, text[place:end], depth))
                place = end + 1
            else:
                out.append(self._sign(match))
        return "".join(out)

    def _sign(self, match: "re.Match[str]") -> str:
        if match["code"]:
            self._not_understood()
        if match["gap"] or match["code"]:
            return _GAP
        shown = match["escaped"] or match["literal"] or ""
        return "" if shown in (_NUMBER, _GAP) else shown

    def _group(self, match: "re.Match[str]", inside: str, depth: int) -> str:
        if match["named"]:
            return _NUMBER
        if depth == _DEEPEST or (match["special"] and match["special"] != "(?:"):
            self._not_understood()
            return _GAP
        first, alternative, _rest = inside.partition("|")
        if not alternative and match["group"] and not re.search(r"[\\.*+?\[]", inside):
            return f"({inside})"  # words in parentheses
        return self.read(first, depth + 1)

    def _not_understood(self) -> None:
        problem = Problem("pattern_not_understood", self.pattern)
        if problem not in self.problems:
            self.problems.append(problem)


def _end_of_group(text: str, start: int) -> int:
    """Where the parenthesis that closes a group stands; the end of the text if none does."""
    depth, place = 1, start
    while place < len(text):
        if text[place] == "\\":
            place += 1
        elif text[place] == "(":
            depth += 1
        elif text[place] == ")":
            depth -= 1
            if not depth:
                return place
        place += 1
    return len(text)
