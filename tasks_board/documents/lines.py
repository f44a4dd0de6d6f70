"""One line of a task list with one edit applied (TABLES.md section 5)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tasks_board.documents import boxes, cells, columns, references, rows, splice, tables, writers
from tasks_board.documents import text as texts
from tasks_board.documents.entries import Entry
from tasks_board.documents.marks import find_badges, written_state
from tasks_board.documents.model import Dialect, PullRequestRef, Span, State, best_state
from tasks_board.documents.once import once
from tasks_board.documents.reading import Survey, TaskList
from tasks_board.documents.views import RowView, TableContext

_MARK_DIALECTS = (Dialect.EMOJI, Dialect.PLAIN)


@dataclass(frozen=True, slots=True)
class Claim:
    """What one row should say about one person or team."""

    login: str | None
    team: str | None
    state: State
    pull_requests: Sequence[PullRequestRef]
    is_brief: bool = False

    @property
    def name(self) -> str:
        return f"@{self.login}" if self.login is not None else self.team or ""

    @property
    def key(self) -> str:
        return texts.comparison_key(self.login if self.login is not None else self.team or "")


@dataclass(frozen=True)
class TableWriter:
    """How the lines of one table are written."""

    survey: Survey
    task_list: TaskList

    @once
    def context(self) -> TableContext:
        """The table's dialect decides; a plain table of people without any mark takes the body's."""
        context, raw = self.task_list.context, self.task_list.raw
        unmarked = not context.marks.pattern.search(
            self.survey.outline.masked, raw.header.span.end, raw.span.end
        )
        if context.dialect is Dialect.PLAIN and "claimants" in context.columns.places and unmarked:
            return replace(context, dialect=self.survey.dialect)
        return context

    @once
    def usual_place_of_marks(self) -> str | None:
        """The column where the rows of the table have their marks."""
        masked = self.survey.outline.masked
        views = (self.task_list.view(masked, row) for row in self.task_list.rows(masked))
        found = Counter(place for view in views if (place := _place_of_mark(view)))
        return found.most_common(1)[0][0] if found else None

    @once
    def usual_box(self) -> boxes.Box | None:
        """The box that the rows of the table have in their state column, if they have any."""
        masked = self.survey.outline.masked
        views = (self.task_list.view(masked, row) for row in self.task_list.rows(masked))
        return next((box for view in views if (box := self._box(view.source("state")))), None)

    def view(self, line: str) -> RowView:
        masked = tables.mask(line, texts.HIDDEN)
        row = tables.split_row(masked, tables.Line(0, Span(0, len(line))))
        return RowView(self.context, masked, row)

    def with_claim(self, line: str, claim: Claim) -> str:
        """The line with the claim written into it; the same line if there is nothing to change."""
        view = self.view(line)
        if not self.can_say(claim.state):
            return line
        mine = [entry for entry in view.entries if entry.key == claim.key]
        wish = _wish(view, claim, mine)
        cell = self.context.cell(view.source("claimants"))
        changes = {self.context.columns.places["claimants"]: writers.write(cell, mine, wish)}
        if self.context.dialect in _MARK_DIALECTS and self._column and not wish.withdraws:
            place = self.context.columns.pull_requests[0]
            source = _source_at(view, place)
            changes[place] = splice.append_listed(source, [str(ref) for ref in _missing(view, claim, mine)])
        if claim.state is State.DONE:
            changes |= _winner(view, claim, wish.name)
        written = _with_cells(line, view, changes)
        return self._with_best_mark(line, written, view, claim)

    def can_say(self, state: State) -> bool:
        """Whether the table has a form for a person's state."""
        return writers.has_form(self.context.dialect, state, self.context.marks)

    def with_task_state(self, line: str, state: State) -> str:
        """The row's own mark; only tables with marks have one."""
        return self.with_mark(line, state) if self.context.dialect in _MARK_DIALECTS else line

    def with_mark(self, line: str, state: State) -> str:
        """The mark replaced where it stands, else put where the table has its marks."""
        view = self.view(line)
        mark = self.context.marks.mark_for(state)
        if mark not in self.context.marks.meanings:
            return line
        role = _place_of_mark(view) or self.usual_place_of_marks or self._default_place
        place = self.context.columns.places.get(role) if role else None
        if role is None or place is None:
            return line
        source = _source_at(view, place)
        if role == "state":
            return _with_cells(line, view, {place: self._state_cell(source, mark)})
        return _with_cells(line, view, {place: self._marked(source, mark)})

    def with_sources(self, line: str, sources: Mapping[int, str]) -> str:
        """The line with the cells in some columns (by their place) replaced as they are given."""
        return _with_cells(line, self.view(line), sources)

    def _box(self, source: str) -> boxes.Box | None:
        """The box that a cell is, unless its sign is a mark with a meaning of its own here."""
        return None if self.context.marks.first_state(source) is not None else boxes.read_box(source)

    def _state_cell(self, source: str, mark: str) -> str:
        """What the state column says is replaced by the mark, unless its mark says the same; a box is ticked or not."""
        marks = self.context.marks
        says = cells.standing(source)
        if marks.first_state(says) is marks.meanings[mark] and not find_badges(says):
            return source
        is_done, box = marks.meanings[mark] is State.DONE, self._box(source)
        if box and (sign := box.saying(is_done)):
            return splice.splice(source, [(box.span, sign)])
        if not source.strip() and self.usual_box:
            sign = self.usual_box.saying(is_done)
            return splice.fill(source, sign) if is_done and sign else source
        return splice.fill(source, mark)

    @property
    def _column(self) -> bool:
        return bool(self.context.columns.pull_requests)

    @property
    def _default_place(self) -> str | None:
        roles = ("title",) if self.context.dialect is Dialect.PLAIN else ("number", "title")
        return next((role for role in roles if role in self.context.columns.places), None)

    def _marked(self, source: str, mark: str) -> str:
        """Before the text in emoji tables, behind it (and behind 🆕) in plain ones, without a blank."""
        marks = self.context.marks
        old = marks.pattern.search(source)
        if old:
            same = marks.state_of(old) is marks.meanings[mark]
            return source if same else source[: old.start()] + mark + source[old.end() :]
        content = source.strip()
        if not content:
            return splice.fill(source, mark)
        start = source.index(content)
        if self.context.dialect is Dialect.PLAIN:
            return source[: start + len(content)] + mark + source[start + len(content) :]
        start += 2 if content.startswith("~~") else 0
        return source[:start] + mark + source[start:]

    def _with_best_mark(self, line: str, written: str, before: RowView, claim: Claim) -> str:
        """The row's mark follows the best state of the people who have not withdrawn.

        In plain tables only if that changes by the edit, and the row does not read so by itself.
        """
        if self.context.dialect not in _MARK_DIALECTS:
            return written
        states = {texts.comparison_key(who.name): who.state for who in before.claimants}
        best_before = best_state([state for state in states.values() if state.is_live])
        withdrawn = not claim.state.is_live and claim.state is not State.CLOSED_UNMERGED
        states[claim.key] = State.WITHDRAWN if withdrawn else written_state(claim.state, self.context.marks)
        best = best_state([state for state in states.values() if state.is_live])
        reads = rows.task_state(self.view(written))
        was_done = (
            best is State.DONE and reads is not best
        )  # further references may have undone a finished column
        says_so = reads is best or (best is best_before and not was_done)
        if self.context.dialect is Dialect.PLAIN and says_so:
            return written
        return self.with_mark(written, best)


def _wish(view: RowView, claim: Claim, mine: Sequence[Entry]) -> writers.Wish:
    source = view.source("claimants")
    as_read = {texts.comparison_key(who.name): who.state for who in view.claimants}.get(claim.key)
    in_own_column = view.context.dialect in _MARK_DIALECTS and bool(view.context.columns.pull_requests)
    return writers.Wish(
        name=mine[0].name.of(source) if mine else claim.name,
        state=claim.state,
        pull_requests=claim.pull_requests,
        new=() if in_own_column else _missing(view, claim, mine),
        as_read=as_read,
        is_brief=claim.is_brief,
    )


def _missing(view: RowView, claim: Claim, mine: Sequence[Entry]) -> Sequence[PullRequestRef]:
    """The references that the row does not hold yet, in whatever form."""
    there = {found.ref.key for entry in mine for found in entry.references}
    if view.context.dialect in _MARK_DIALECTS:
        there |= {found.ref.key for found in view.column_references}
    return [ref for ref in references.unique(claim.pull_requests) if ref.key not in there]


def _winner(view: RowView, claim: Claim, name: str) -> Mapping[int, str]:
    """Who is done is named in the winner column too, in a filled cell behind a break."""
    place = view.context.columns.places.get("completed_by")
    if place is None or claim.key in {texts.comparison_key(winner) for winner in view.winners}:
        return {}
    source = _source_at(view, place)
    ended = splice.ends_in_break(source.rstrip())
    return {place: splice.append(source, name, " " if ended else " <br> ")}


def _place_of_mark(view: RowView) -> str | None:
    """Where the row has its own mark: the state column if it says something, the number, the title."""
    state = view.source("state")
    speaks = (
        not splice.says_nothing(state)
        or view.context.marks.first_state(state) is not None
        or boxes.read_box(state) is not None
    )
    if speaks and view.context.columns.keys.get("state") != columns.DEFENCE_RESULT:
        return "state"
    marked = (role for role in ("number", "title") if view.context.marks.first_state(view.source(role)))
    return next(marked, None)


def _source_at(view: RowView, place: int) -> str:
    return view.row.cells[place].of(view.masked) if place < len(view.row.cells) else ""


def _with_cells(line: str, view: RowView, sources: Mapping[int, str]) -> str:
    """The line with some cells replaced; missing ones are added behind the last pipe."""
    present = [
        (view.row.cells[place], source) for place, source in sources.items() if place < len(view.row.cells)
    ]
    changed = [
        (span, splice.with_remarks(source, span.of(view.masked), span.of(line)))
        for span, source in present
        if span.of(view.masked) != source
    ]
    count = len(view.row.cells)
    last = max((place for place, source in sources.items() if source), default=-1)
    added = "".join(f"{sources.get(place) or '  '}|" for place in range(count, last + 1))
    if added:
        end = view.row.end
        changed.append((Span(end, end), added if view.row.closed else f"|{added}"))
    return splice.splice(line, changed)
