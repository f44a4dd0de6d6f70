"""HackathonBot's configuration: a list of entries, one for each revision of an event.

Addresses come in GitHub's API form and in its web form; numbers as numbers, ranges and texts. Every field is read for
itself: what cannot be read is listed and costs nothing else.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NoReturn

from tasks_board.configurations.model import Assigned, Configuration, Entry, Problem
from tasks_board.configurations.numbers import MOST_NUMBERS, expand
from tasks_board.configurations.patterns import read_pattern
from tasks_board.documents.text import squeeze

_NAME = r"[A-Za-z0-9_.-]{1,100}"
_ADDRESS = (
    rf"https?://(?P<host>[A-Za-z0-9.:-]{{1,200}})/+(?:api/v3/)?(?:repos/)?(?P<repository>{_NAME}/{_NAME})"
)
_ISSUE = re.compile(rf"{_ADDRESS}/+(?:issues|pull)/(?P<number>[0-9]{{1,9}})(?:[/?#].{{0,200}})?")
_WATCHED = re.compile(rf"{_ADDRESS}(?:/+pulls?)?/*(?:\?.{{0,200}})?")
_KNOWN = frozenset(
    [
        "issue_name",
        "issue_url",
        "repo_urls",
        "start_time",
        "max_task_id",
        "task_num",
        "un_handle_tasks",
        "removed_tasks",
        "type_names",
        "task_types",
        "pr_prefix",
        "pr_col",
        "complete_col",
        "board",
        "hackathon",
    ]
)
_LONGEST_NAME, _DEEPEST = 200, 50
MOST_NUMBERS_IN_A_FILE = 20 * MOST_NUMBERS


class NotAConfiguration(ValueError):
    """The text is no JSON list of entries. The message says where it fails."""


def read_entries(text: str) -> tuple[Entry, ...]:
    """All entries of a file, or a single one, in order. Raises NotAConfiguration."""
    return read_written(load_entries(text))


def load_entries(text: str) -> list[Any]:
    """The entries as they are written. Raises NotAConfiguration, also for what no database holds as JSON."""
    try:
        found = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise NotAConfiguration(str(error)) from error
    if isinstance(found, dict):
        found = [found]
    if not isinstance(found, list):
        raise NotAConfiguration(f"a list of entries was expected, not {type(found).__name__}")
    if _is_deeper(found, _DEEPEST):
        raise NotAConfiguration(f"lists stand within lists, more than {_DEEPEST} deep")
    return found


def _refuse(written: str) -> NoReturn:
    raise ValueError(f"{written} is no number")


def _finite(written: str) -> float:
    value = float(written)
    return value if math.isfinite(value) else _refuse(written)


def _is_deeper(value: object, most: int) -> bool:
    layer: list[object] = [value]
    for _ in range(most + 1):
        nested = [item for item in layer if isinstance(item, list | dict)]
        layer = [below for item in nested for below in (item.values() if isinstance(item, dict) else item)]
    return bool(layer)


def read_written(found: Sequence[object]) -> tuple[Entry, ...]:
    """The same of entries that are at hand. All of them together name so many numbers; those beyond are unread."""
    left = MOST_NUMBERS_IN_A_FILE
    entries = []
    for place, written in enumerate(found, 1):
        entry, used = _read(written, place, min(left, MOST_NUMBERS))
        entries.append(entry)
        left -= used
    return tuple(entries)


def read_entry(written: object, place: int = 1) -> Entry:
    """One entry; without an issue's address and a name it is nobody's configuration."""
    return _read(written, place, MOST_NUMBERS)[0]


def _read(written: object, place: int, most: int) -> tuple[Entry, int]:
    """The entry, and how many numbers it names."""
    if not isinstance(written, Mapping):
        return Entry(place, None, (Problem("entry_is_no_object", _echo(written)),)), 0
    reader = _Reader(written, most)
    configuration = reader.read()
    return Entry(place, configuration, tuple(reader.problems)), most - reader.left


def _echo(value: object) -> str:
    return squeeze(str(value))[:80]


class _Reader:
    """Reads one entry field by field."""

    def __init__(self, written: Mapping[str, Any], most: int) -> None:
        self.written = written
        self.left = most
        self.problems: list[Problem] = []

    def read(self) -> Configuration | None:
        issue = _ISSUE.fullmatch(str(self.written.get("issue_url", "")).strip())
        name = squeeze(str(self.written.get("issue_name") or ""))[:_LONGEST_NAME]
        if issue is None:
            self._note("issue_address_not_read", self.written.get("issue_url", ""))
        if not name:
            self._note("name_missing", "")
        if issue is None or not name:
            return None
        for key in self.written:
            if key not in _KNOWN:
                self._note("field_unknown", key)
        words = read_pattern(str(self.written.get("pr_prefix") or ""))
        self.problems += words.problems
        return Configuration(
            repository=issue["repository"],
            number=int(issue["number"]),
            name=name,
            prefix=words.prefix[:120],
            repositories=self._repositories(),
            since=self._time(),
            assigned=self._assigned(),
            highest_number=self._count("max_task_id", self._count("task_num")),
            pull_request_column=self._count("pr_col"),
            completed_column=self._count("complete_col"),
            has_board=self.written.get("board") is True,
            problems=tuple(self.problems),
            host=issue["host"],
        )

    def _note(self, code: str, about: object) -> None:
        self.problems.append(Problem(code, _echo(about)))

    def _list(self, key: str) -> Sequence[Any]:
        value = self.written.get(key)
        if isinstance(value, list):
            return value
        if value is not None:
            self._note("list_expected", key)
        return ()

    def _repositories(self) -> tuple[str, ...]:
        found: dict[str, str] = {}
        for address in self._list("repo_urls"):
            match = _WATCHED.fullmatch(str(address).strip())
            if match:
                found.setdefault(match["repository"].lower(), match["repository"])
            elif str(address).strip():
                self._note("repository_not_read", address)
        return tuple(found.values())

    def _time(self) -> datetime | None:
        written = self.written.get("start_time")
        if not written:
            return None
        try:
            at = datetime.fromisoformat(str(written).strip())
        except ValueError:
            at = None
        if at is None or not 1971 <= at.year <= 2199:  # no zone or database holds those beyond
            self._note("time_not_read", written)
            return None
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)

    def _assigned(self) -> Assigned:
        names = [squeeze(str(name))[:_LONGEST_NAME] for name in self._list("type_names")]
        lists = self._list("task_types")
        if len(names) > len(lists):
            for name in names[len(lists) :]:
                self._note("direction_without_numbers", name)
        elif len(lists) > len(names):
            self._note("numbers_without_direction", lists[len(names) :])
        directions: dict[str, frozenset[str]] = {}
        for name, numbers in zip(names, lists, strict=False):
            if name:
                directions[name] = directions.get(name, frozenset()) | self._numbers(numbers)
        return Assigned(
            directions=tuple(directions.items()),
            excluded=self._numbers(self._list("un_handle_tasks")),
            removed=self._numbers(self._list("removed_tasks")),
        )

    def _numbers(self, written: object) -> frozenset[str]:
        found = expand(written, self.left)
        self.left -= found.written
        for item in found.unread:
            self._note("number_not_read", item)
        return frozenset(found.numbers)

    def _count(self, key: str, default: int | None = None) -> int | None:
        value = self.written.get(key)
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9:
            return value
        if value is not None:
            self._note("count_not_read", f"{key}: {value}")
        return default
