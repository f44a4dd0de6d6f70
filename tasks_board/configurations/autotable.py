"""What autoTable was told in HTML comments of a body: tables by letter, how titles name tasks, which repositories to watch.

``<!--table_start="A"-->``, ``<!--title_name="\\[Typing\\]\\[(?P<task_id>…)\\]"-->``, ``<!--enter="…"-->``,
``<!--repo="o/a;o/b"-->``, ``<!--start_pull_time="2024-6-27"-->``, ``<!--pr_search_content="/…/"-->``.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from tasks_board.configurations.model import Problem
from tasks_board.configurations.patterns import Words, read_pattern
from tasks_board.documents.model import Span

_MARKER = re.compile(r"<!--[ \t]*(?P<key>[a-z_]{1,40})[ \t]*=[ \t]*\"(?P<value>[^\n]{0,1000}?)\"[ \t]*-->")
_REPOSITORY = re.compile(
    r"(?:https?://github\.com/)?([A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100})/?", re.IGNORECASE
)
_DAY = re.compile(r"([12][0-9]{3})-([0-9]{1,2})-([0-9]{1,2})")
_KNOWN = frozenset(
    [
        "table_start",
        "table_end",
        "title_name",
        "enter",
        "repo",
        "start_pull_time",
        "pr_search_content",
        "bot_next",
    ]
)


@dataclass(frozen=True, slots=True)
class LetteredTable:
    """A stretch of the body that belongs to one letter."""

    letter: str
    span: Span


@dataclass(frozen=True, slots=True)
class AutoTable:
    """All markers of one body."""

    tables: tuple[LetteredTable, ...] = ()
    titles: Words | None = None
    comments: Words | None = None
    repositories: tuple[str, ...] = ()
    since: datetime | None = None
    search: str = ""
    problems: tuple[Problem, ...] = ()

    @property
    def prefix(self) -> str:
        """How titles of pull requests begin."""
        return self.titles.prefix if self.titles else ""


def read_markers(body: str) -> AutoTable | None:
    """The markers of a body; None if it has none. Never raises; the first marker of a kind counts."""
    reader = _Reader()
    for match in _MARKER.finditer(body):
        if match["key"] in _KNOWN:
            reader.take(match)
    return reader.found() if reader.values or reader.tables else None


class _Reader:
    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self.tables: list[LetteredTable] = []
        self.problems: list[Problem] = []
        self._opened: tuple[str, int] | None = None

    def take(self, match: "re.Match[str]") -> None:
        key, value = match["key"], match["value"]
        if key == "table_start":
            self._close(None, match.start())
            self._opened = (value, match.end())
        elif key == "table_end":
            self._close(value, match.start())
        elif key != "bot_next":
            self.values.setdefault(key, value)

    def _close(self, letter: str | None, end: int) -> None:
        if self._opened is None:
            if letter is not None:
                self.problems.append(Problem("table_never_begun", letter[:80]))
        elif letter == self._opened[0]:
            self.tables.append(LetteredTable(letter, Span(self._opened[1], end)))
        else:
            self.problems.append(Problem("table_never_ended", self._opened[0][:80]))
        self._opened = None

    def found(self) -> AutoTable:
        self._close(None, 0)
        titles, comments = self._words("title_name"), self._words("enter")
        return AutoTable(
            tables=tuple(self.tables),
            titles=titles,
            comments=comments,
            repositories=self._repositories(),
            since=self._since(),
            search=self.values.get("pr_search_content", "").strip("/"),
            problems=tuple(self.problems),
        )

    def _words(self, key: str) -> Words | None:
        if key not in self.values:
            return None
        words = read_pattern(self.values[key])
        self.problems += words.problems
        return words

    def _repositories(self) -> tuple[str, ...]:
        found: dict[str, str] = {}
        for piece in re.split("[;,；，]", self.values.get("repo", "")):
            match = _REPOSITORY.fullmatch(piece.strip())
            if match:
                found.setdefault(match[1].lower(), match[1])
            elif piece.strip():
                self.problems.append(Problem("repository_not_read", piece.strip()[:80]))
        return tuple(found.values())

    def _since(self) -> datetime | None:
        written = self.values.get("start_pull_time")
        if written is None:
            return None
        day = _DAY.match(written.strip())
        try:
            if day:
                return datetime(int(day[1]), int(day[2]), int(day[3]), tzinfo=UTC)
        except ValueError:
            pass
        self.problems.append(Problem("time_not_read", written[:80]))
        return None
