"""Writing single cells of a body back, and nothing else (TABLES.md section 5).

An edit names a row and what it should say. Each changes only its own line; every other byte of the body
stays. What cannot be done is refused with :class:`EditRefused`; what the row already says changes nothing.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tasks_board.documents import fields, ids, reading, row_adding, ticking
from tasks_board.documents import text as texts
from tasks_board.documents.cell_writing import with_field
from tasks_board.documents.choices import ReadingChoices
from tasks_board.documents.lines import Claim, TableWriter
from tasks_board.documents.model import PullRequestRef, Span, State, best_state
from tasks_board.documents.views import RowView

_LOGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_NO_TEAM_NAME = re.compile(r"[|<>`~\[\]()@#\\\x00-\x1f（）]")


class EditRefused(ValueError):
    """The edit cannot be written. ``code`` is one of row_not_found, row_ambiguous, no_claimants_column,
    name_not_writable, state_not_writable, no_such_column, cell_not_writable, table_not_found."""

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
    is_done: bool | None = None  # ticks the row's checklist line; None: if one of its people is done now


@dataclass(frozen=True, slots=True, kw_only=True)
class AddClaimant(SetClaimant):
    """The same for somebody new; who is there already is set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTask(RowTarget):
    """The row's own mark, and the tick of its checklist line."""

    state: State


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCell(RowTarget):
    """What the row should say of one of :data:`fields.FIELDS`, in the form of `fields.value_in_row`."""

    field: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AddRow:
    """A row behind the last one of a section's table (the body's last, if none is named). ``values`` by field, and ``number``."""

    section: str | None = None
    values: Mapping[str, str] = field(default_factory=dict)


Edit = SetClaimant | AddClaimant | SetTask | SetCell | AddRow


def apply_edit(body: str, edit: Edit, *, repository: str, choices: ReadingChoices | None = None) -> str:
    """The body with one edit. Raises :class:`EditRefused`."""
    return apply_edits(body, [edit], repository=repository, choices=choices)


def apply_edits(
    body: str, edits: Iterable[Edit], *, repository: str, choices: ReadingChoices | None = None
) -> str:
    """The body with several edits, one after the other, read only once. Raises :class:`EditRefused`."""
    edits = list(edits)
    found = reading.survey(body, repository=repository, choices=choices)
    finder = _RowFinder(found)
    ticked = _with_ticks(body, finder, edits)
    if ticked != body:
        body, found = ticked, reading.survey(ticked, repository=repository, choices=choices)
        finder = _RowFinder(found)
    lines: dict[Span, str] = {}
    added: dict[int, list[str]] = defaultdict(list)
    is_text = False
    for edit in edits:
        is_text = is_text or isinstance(edit, SetCell | AddRow)
        if isinstance(edit, AddRow):
            row = _new_row(found, edit)
            added[row.place].append(row.text)
            continue
        place = finder.find(edit)
        known = place.view.row.span
        lines[known] = _edited(lines.get(known, known.of(body)), place.writer, edit)
    written = _joined(body, lines, added)
    if is_text and written != body:
        _refuse_other_tables(found, written, sum(map(len, added.values())), choices)
    return written


def apply_where_possible(
    body: str, edits: Sequence[Edit], *, repository: str, choices: ReadingChoices | None = None
) -> tuple[str, Mapping[int, str]]:
    """The body with every edit that can be written, and the codes of those that cannot, by their place.

    No edit may depend on another: a row that one adds is not found by the next.
    """
    return _halved(body, list(enumerate(edits)), repository, choices)


def _halved(
    body: str, edits: Sequence[tuple[int, Edit]], repository: str, choices: ReadingChoices | None
) -> tuple[str, Mapping[int, str]]:
    if not edits:
        return body, {}
    every = [edit for _place, edit in edits]
    try:
        return apply_edits(body, every, repository=repository, choices=choices), {}
    except EditRefused as refusal:
        if len(edits) == 1:
            return body, {edits[0][0]: refusal.code}
    middle = len(edits) // 2
    body, second = _halved(
        body, edits[middle:], repository, choices
    )  # rows that are added move nothing above them
    body, first = _halved(body, edits[:middle], repository, choices)
    return body, {**first, **second}


def _with_ticks(body: str, finder: "_RowFinder", edits: Iterable[Edit]) -> str:
    """The body with the checklist lines of the tasks that these edits finish ticked, those of the others unticked."""
    if not finder.has_checklist:
        return body
    by_line: dict[ticking.ChecklistLine, tuple[RowView, list[SetClaimant | SetTask]]] = {}
    for edit in edits:
        if isinstance(edit, SetClaimant | SetTask):
            place = finder.find(edit)
            line = place.view.checklist_line
            is_said = (
                isinstance(edit, SetTask) or edit.is_done is not None or place.writer.can_say(edit.state)
            )
            if line is not None and is_said:
                by_line.setdefault(line, (place.view, []))[1].append(edit)
    return ticking.with_ticks(body, {line: _is_done(view, said) for line, (view, said) in by_line.items()})


def _is_done(view: RowView, edits: Sequence[SetClaimant | SetTask]) -> bool:
    """Whether a row is done by what its last edit says, else by the best of its people."""
    states = {_key(who.name): who.state for who in view.claimants}
    said: bool | None = None
    for edit in edits:
        if isinstance(edit, SetTask):
            said = edit.state is State.DONE
        else:
            states[_key(edit.login if edit.login is not None else edit.team or "")] = edit.state
            said = edit.is_done
    return best_state(list(states.values())) is State.DONE if said is None else said


def _joined(body: str, lines: Mapping[Span, str], added: Mapping[int, Sequence[str]]) -> str:
    changes = [(span, text) for span, text in lines.items()]
    changes += [(Span(place, place), "".join(rows)) for place, rows in added.items()]
    parts, place = [], 0
    for span, text in sorted(changes, key=lambda change: (change[0].start, change[0].end, change[1])):
        parts += [body[place : span.start], text]
        place = span.end
    return "".join([*parts, body[place:]])


def _new_row(found: reading.Survey, edit: AddRow) -> row_adding.NewRow:
    task_list = row_adding.table_for(found, edit.section)
    if task_list is None:
        raise EditRefused("table_not_found", f"No table with titles stands in {edit.section!r}.")
    row = row_adding.new_row(found, task_list, edit.values)
    if row is None:
        raise EditRefused("cell_not_writable", f"The table cannot say {dict(edit.values)}.")
    return row


def _refuse_other_tables(
    found: reading.Survey, written: str, added: int, choices: ReadingChoices | None
) -> None:
    """What people type must not turn one table into another: the same tables in the same dialects, and so many rows more."""
    again = reading.survey(written, repository=found.lists[0].context.repository, choices=choices)
    shapes = [
        ([(entry.context.section, entry.context.dialect) for entry in each.lists], _count(each))
        for each in (found, again)
    ]
    if shapes[0][0] != shapes[1][0] or shapes[0][1] + added != shapes[1][1]:
        raise EditRefused("cell_not_writable", "The text would be read as another table.")


def _count(found: reading.Survey) -> int:
    return sum(1 for entry in found.lists for _row in entry.rows(found.outline.masked))


def _edited(line: str, writer: TableWriter, edit: SetClaimant | SetTask | SetCell) -> str:
    if isinstance(edit, SetCell):
        return _with_cell(line, writer, edit)
    if isinstance(edit, SetTask):
        return writer.with_task_state(line, edit.state)
    if "claimants" not in writer.context.columns.places:
        raise EditRefused("no_claimants_column", "The table has no column for claimants.")
    _refuse_unwritable(edit)
    _refuse_corrected(edit, writer.context.names)
    return writer.with_claim(
        line, Claim(edit.login, edit.team, edit.state, edit.pull_requests, edit.is_brief)
    )


def _with_cell(line: str, writer: TableWriter, edit: SetCell) -> str:
    if not fields.is_carried(writer.context.columns.places, edit.field):
        raise EditRefused("no_such_column", f"The table has no column for {edit.field}.")
    written = with_field(writer, line, edit.field, edit.value)
    if written is None or "\n" in edit.value or (edit.field == "title" and not edit.value):
        raise EditRefused("cell_not_writable", f"The cell cannot say {edit.value!r}.")
    return written


def _refuse_unwritable(edit: SetClaimant) -> None:
    """Names go into a stranger's page: only what stays a name there may be written."""
    if edit.login is not None:
        writable = bool(_LOGIN.fullmatch(edit.login))
    else:
        name = texts.squeeze(edit.team or "")
        writable = bool(name) and not _NO_TEAM_NAME.search(name)
    if not writable:
        raise EditRefused("name_not_writable", f"Not a name that can be written: {edit.login or edit.team!r}")


def _refuse_corrected(edit: SetClaimant, names: Mapping[str, str]) -> None:
    """A name that was said to mean somebody else, or nobody, would not be read as it was meant."""
    key = _key(edit.login if edit.login is not None else edit.team or "")
    if key in names and names[key].casefold() != key:
        raise EditRefused("name_not_writable", "The name was said to mean somebody else here.")


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

    @property
    def has_checklist(self) -> bool:
        return any(place.view.context.checklist for place in self._places)

    def find(self, target: RowTarget) -> _Place:
        """The one row that is meant. Raises EditRefused."""
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
        return place

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
