"""Writing single cells of a body back, and nothing else (TABLES.md section 5).

An edit names a row and what it should say. Each changes only its own line; every other byte of the body
stays. What cannot be done is refused with :class:`EditRefused`; what the row already says changes nothing.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tasks_board.documents import ids, reading
from tasks_board.documents import text as texts
from tasks_board.documents.lines import Claim, TableWriter
from tasks_board.documents.model import PullRequestRef, Span, State
from tasks_board.documents.tables import Row
from tasks_board.documents.views import RowView

_LOGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_NO_TEAM_NAME = re.compile(r"[|<>`~\[\]()@#\\\x00-\x1f（）]")


class EditRefused(ValueError):
    """The edit cannot be written. ``code`` is one of row_not_found, row_ambiguous, no_claimants_column,
    name_not_writable, state_not_writable."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class RowTarget:
    """Which row: by number or title, in a section if given, or by its line in the body (from 1)."""

    number: str | None = None
    title: str | None = None
    section: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetClaimant(RowTarget):
    """What the row should say about a person or team; who is not there yet is added."""

    login: str | None = None
    team: str | None = None
    state: State
    pull_requests: tuple[PullRequestRef, ...] = ()
    is_brief: bool = False  # in the shortest form, for a text near GitHub's limit


@dataclass(frozen=True, slots=True, kw_only=True)
class AddClaimant(SetClaimant):
    """The same for somebody new; who is there already is set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTask(RowTarget):
    """The row's own mark."""

    state: State


Edit = SetClaimant | AddClaimant | SetTask


def apply_edit(body: str, edit: Edit, *, repository: str) -> str:
    """The body with one edit. Raises :class:`EditRefused`."""
    return apply_edits(body, [edit], repository=repository)


def apply_edits(body: str, edits: Iterable[Edit], *, repository: str) -> str:
    """The body with several edits, one after the other, read only once. Raises :class:`EditRefused`."""
    found = reading.survey(body, repository=repository)
    finder = _RowFinder(found)
    lines: dict[Span, str] = {}
    for edit in edits:
        writer, row = finder.find(edit)
        before = lines.get(row.span, row.span.of(body))
        lines[row.span] = _edited(before, writer, edit)
    parts, place = [], 0
    for span in sorted(lines):
        parts += [body[place : span.start], lines[span]]
        place = span.end
    return "".join([*parts, body[place:]])


def _edited(line: str, writer: TableWriter, edit: Edit) -> str:
    if isinstance(edit, SetTask):
        return writer.with_task_state(line, edit.state)
    if "claimants" not in writer.context.columns.places:
        raise EditRefused("no_claimants_column", "The table has no column for claimants.")
    _refuse_unwritable(edit)
    return writer.with_claim(
        line, Claim(edit.login, edit.team, edit.state, edit.pull_requests, edit.is_brief)
    )


def _refuse_unwritable(edit: SetClaimant) -> None:
    """Names go into a stranger's page: only what stays a name there may be written."""
    if edit.login is not None:
        writable = bool(_LOGIN.fullmatch(edit.login))
    else:
        name = texts.squeeze(edit.team or "")
        writable = bool(name) and not _NO_TEAM_NAME.search(name)
    if not writable:
        raise EditRefused("name_not_writable", f"Not a name that can be written: {edit.login or edit.team!r}")


@dataclass(frozen=True, slots=True)
class _Place:
    writer: TableWriter
    view: RowView


class _RowFinder:
    """Finds rows of one body; numbers and titles are read once, and only when somebody asks for them."""

    def __init__(self, found: reading.Survey) -> None:
        masked = found.outline.masked
        self._places = [
            _Place(writer, task_list.view(masked, row))
            for task_list in found.lists
            for writer in [TableWriter(found, task_list)]
            for row in task_list.rows(masked)
        ]
        self._numbers: dict[str, list[_Place]] = {}
        self._titles: dict[str, list[_Place]] = {}

    def find(self, target: RowTarget) -> tuple[TableWriter, Row]:
        places = self._candidates(target)
        if target.section is not None:
            wanted = texts.comparison_key(target.section)
            places = [p for p in places if texts.comparison_key(p.view.context.section or "") == wanted]
        if not places:
            raise EditRefused("row_not_found", f"No row fits {target}.")
        place = _only(places) or _only([p for p in places if not p.view.is_removed])
        place = place or _only([p for p in places if "claimants" in p.view.context.columns.places])
        if place is None:
            raise EditRefused("row_ambiguous", f"{len(places)} rows fit {target}.")
        return place.writer, place.view.row

    def _candidates(self, target: RowTarget) -> Sequence[_Place]:
        if target.line is not None:
            return [place for place in self._places if place.view.row.line == target.line]
        if target.number is not None:
            numbers = self._index(self._numbers, lambda view: ids.id_key(view.number or ""))
            places = numbers.get(ids.id_key(target.number), [])
            if target.title is None:
                return places
            titled = [p for p in places if _key(p.view.title) == _key(target.title)]
            return titled or places
        if target.title is not None:
            titles = self._index(self._titles, lambda view: _key(view.title))
            return titles.get(_key(target.title), [])
        return []

    def _index(
        self, index: dict[str, list[_Place]], key: Callable[[RowView], str]
    ) -> dict[str, list[_Place]]:
        if not index:
            for place in self._places:
                index.setdefault(key(place.view), []).append(place)
        return index


def _key(text: str) -> str:
    return texts.comparison_key(text)


def _only(places: Sequence[_Place]) -> _Place | None:
    return places[0] if len(places) == 1 else None
