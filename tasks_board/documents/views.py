"""What the cells of one row say, each read once (TABLES.md section 4, Fields of a task)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tasks_board.documents import (
    boxes,
    cells,
    claimants,
    columns,
    entries,
    ids,
    marks,
    people,
    plain,
    pointers,
    references,
)
from tasks_board.documents import text as texts
from tasks_board.documents.columns import Columns
from tasks_board.documents.definitions import with_addresses
from tasks_board.documents.entries import CellText, Entry
from tasks_board.documents.marks import Marks
from tasks_board.documents.model import Dialect, ReadClaimant, Span, State
from tasks_board.documents.once import once
from tasks_board.documents.tables import Row
from tasks_board.documents.ticking import ChecklistLine


@dataclass(frozen=True, slots=True)
class TableContext:
    """What all rows of one table share. ``checklist`` (by id key) is empty where a column has titles."""

    repository: str
    section: str | None
    columns: Columns
    dialect: Dialect
    marks: Marks
    checklist: Mapping[str, ChecklistLine]
    names: Mapping[str, str] = field(default_factory=dict)  # whom a name means, by its key; empty: nobody
    definitions: Mapping[str, str] = field(default_factory=dict)  # addresses by label
    silences: dict[tuple[str, ...], Mapping[str, object]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def silence(self, spoken: tuple[str, ...]) -> Mapping[str, object]:
        """What a view says of everything that hangs on empty or missing cells alone, if these roles have something."""
        if spoken not in self.silences:
            self.silences[spoken] = _silence(self, spoken)
        return self.silences[spoken]

    def cell(self, source: str) -> CellText:
        return entries.prepare(
            source,
            repository=self.repository,
            dialect=self.dialect,
            marks=self.marks,
            names=self.names,
            addresses=self.definitions,
        )


def _silence(context: TableContext, spoken: tuple[str, ...]) -> Mapping[str, object]:
    """The values of a view's properties that need no reading, because all that they look at is empty."""
    said = {*spoken}
    silent: dict[str, object] = {
        name: value for roles, values in _UNSAID if said.isdisjoint(roles) for name, value in values.items()
    }
    if not context.columns.pull_requests:
        silent |= {"column_references": (), "column_state": None, "_pull_request_cells": ()}
    if not context.checklist:
        silent["checklist_line"] = None
    if "title" not in context.columns.places:  # it may come from the checklist, with its link
        silent.pop("title", None)
        silent.pop("url", None)
    return silent


# What hangs on cells of these roles alone, and what it is where nothing stands in them.
_UNSAID: Sequence[tuple[tuple[str, ...], Mapping[str, object]]] = (
    (("number",), {"number": None, "number_is_struck": False}),
    (("title",), {"title": "", "title_is_struck": False, "struck_means_finished": False}),
    (("claimants",), {"entries": (), "claimants": ()}),
    (("completed_by",), {"winners": ()}),
    (("mentor", "assistant"), {"guides": ()}),
    (("difficulty",), {"difficulty": None, "stars": None}),
    (("direction",), {"directions": ()}),
    (("state",), {"_state_column": None}),
    (("state", "number", "title"), {"typed_mark": None}),
    (("title", "date"), {"finish": None}),
    (("title", "link", "mentor"), {"url": None}),
)


@dataclass(frozen=True)
class RowView:
    """The cells of one row by role, each read once and only when asked for."""

    context: TableContext
    masked: str
    row: Row

    def __post_init__(self) -> None:
        self.__dict__.update(self.context.silence(tuple(self.sources)))

    @once
    def sources(self) -> Mapping[str, str]:
        """The cells in which something stands, by role."""
        found, masked = self.row.cells, self.masked
        count = len(found)
        return {
            role: source
            for role, place in self.context.columns.places.items()
            if place < count and (source := masked[found[place].start : found[place].end]).strip()
        }

    def span(self, role: str) -> Span | None:
        place = self.context.columns.places.get(role)
        return self.row.cells[place] if place is not None and place < len(self.row.cells) else None

    def source(self, role: str) -> str:
        """The cell as written, or nothing."""
        return self.sources.get(role, "")

    def _linked(self, role: str) -> str:
        """The cell with the addresses of its links by reference."""
        return with_addresses(self.source(role), self.context.definitions)

    @once
    def number(self) -> str | None:
        return cells.read_number(self._linked("number"), self.context.marks)

    @once
    def entries(self) -> Sequence[Entry]:
        source = self.source("claimants")
        return claimants.read_entries(self.context.cell(source)) if source else ()

    @once
    def claimants(self) -> tuple[ReadClaimant, ...]:
        """The people of the row; the pull requests of a separate column belong to the only one."""
        if not self.entries:
            return ()
        facts = claimants.RowFacts(
            own_mark=self.own_mark,
            finished=self.finish is not None or self.is_ticked or self.struck_means_finished,
            winners={texts.comparison_key(name) for name in self.winners},
            column_state=self.column_state,
            dialect=self.context.dialect,
        )
        span = self.span("claimants")
        found = claimants.settle(claimants.by_name(self.entries), facts, span.start if span else 0)
        if len(found) == 1 and self.column_references:
            return (claimants.with_references(found[0], self.column_references),)
        return found

    @once
    def column_references(self) -> Sequence[references.FoundReference]:
        return [found for source in self._pull_request_cells for found in self._references(source)]

    @once
    def column_state(self) -> State | None:
        """done if all references of the column carry a tick, partly_done if some do, else pr_open."""
        ticks = [tick for source in self._pull_request_cells for tick in self._ticks(source)]
        if not ticks:
            return None
        return State.DONE if all(ticks) else State.PARTLY_DONE if any(ticks) else State.PR_OPEN

    @once
    def winners(self) -> tuple[str, ...]:
        return self.names("completed_by")

    def names(self, role: str) -> tuple[str, ...]:
        source = self.source(role)
        return people.read_names(self.context.cell(source)) if source else ()

    @once
    def guides(self) -> Sequence[tuple[str, str]]:
        """``(role, login)`` of the mentor and assistant cells."""
        return [
            guide
            for role in ("mentor", "assistant")
            if (source := self.source(role))
            for guide in people.read_guides(
                self.context.cell(source), role=role, keep_struck=self.number_is_struck
            )
        ]

    @once
    def difficulty(self) -> str | None:
        return texts.squeeze(self.source("difficulty")) or None

    @once
    def stars(self) -> str | None:
        return cells.read_stars(self.difficulty) if self.difficulty else None

    @once
    def directions(self) -> tuple[str, ...]:
        return cells.read_directions(self._linked("direction"))

    def plain(self, role: str) -> str | None:
        return cells.read_plain(self._linked(role))

    @once
    def typed_mark(self) -> State | None:
        """The mark somebody typed: the state column, else the number, else the title."""
        spoken, sources = self._state_column, self.sources
        for role in ("number", "title"):
            if spoken is None and role in sources:
                spoken = self.context.marks.first_state(sources[role])
        return spoken

    @once
    def finish(self) -> tuple[str, Span | None] | None:
        """The date of completion, with its place in the title if it stands there."""
        if self.typed_mark not in (None, State.DONE):
            return None  # then any date is a plan
        title = self._linked("title")
        always = self.context.columns.keys.get("title") == columns.COMPLETION_TITLE
        in_column = cells.read_finish_date(self.source("date"))
        in_title = cells.read_title_date(title, self.context.marks, always=always)
        if in_column:
            return in_column, in_title[1] if in_title else None
        return in_title

    @property
    def own_mark(self) -> State | None:
        return State.DONE if self.finish else self.typed_mark

    @once
    def title(self) -> str:
        if "title" in self.context.columns.places:
            place = self.finish[1] if self.finish else None
            return cells.read_title(self._linked("title"), self.context.marks, place)
        return self.checklist_line.title if self.checklist_line else ""

    @once
    def checklist_line(self) -> ChecklistLine | None:
        if not self.context.checklist or self.number is None:
            return None
        return self.context.checklist.get(ids.id_key(self.number))

    @property
    def is_ticked(self) -> bool:
        return self.checklist_line is not None and self.checklist_line.ticked

    @once
    def url(self) -> str | None:
        """A link of the title, else of the link column or beside the tracking issue, else an in-page anchor."""
        title = self.checklist_line.source if self.checklist_line else self._linked("title")
        sources = [title, self._linked("link")]
        if self.context.columns.keys.get("mentor") == columns.TRACKING_MENTOR:
            sources.append(self._linked("mentor"))
        for source in sources:
            if links := cells.http_links(source):
                return links[0]
        return next(filter(None, map(cells.in_page_anchor, sources)), None)

    @once
    def number_is_struck(self) -> bool:
        return cells.is_struck_as_a_whole(self.source("number"), self.context.marks)

    @once
    def title_is_struck(self) -> bool:
        return cells.is_struck_as_a_whole(self.source("title"), self.context.marks)

    @once
    def struck_means_finished(self) -> bool:
        """A struck title is finished if the number stands; without numbers, if anything else speaks for it."""
        if not self.title_is_struck:
            return False
        if "number" in self.context.columns.places:
            return not self.number_is_struck or self.context.dialect is Dialect.PARENTHESIS
        return (
            self.own_mark is State.DONE
            or bool(self.winners)
            or any(not entry.struck for entry in self.entries)
            or any(not found.struck for found in self.column_references)
        )

    @property
    def is_removed(self) -> bool:
        if "number" in self.context.columns.places:
            number = self.sources.get("number", "")
            return (
                texts.may_strike(number)
                and self.number_is_struck
                and self.context.dialect is not Dialect.PARENTHESIS
            )
        return self.title_is_struck and not self.struck_means_finished

    @once
    def _state_column(self) -> State | None:
        source = cells.standing(self._linked("state"))
        if not source:
            return None
        words = self.context.marks.chosen.words
        badges = marks.find_badges(source, words)
        spoken = badges[0].state if badges else self.context.marks.first_state(source)
        if spoken is not None:
            return spoken
        if words and not badges and (key := texts.comparison_key(plain.plain_text(source))) in words:
            return words[key]
        if box := boxes.read_box(source):
            return State.DONE if box.is_ticked else None
        if self.context.columns.keys["state"] == columns.DEFENCE_RESULT:
            return marks.state_of_defence(source)
        return marks.state_of_words(source)

    @once
    def _pull_request_cells(self) -> Sequence[str]:
        spans = [
            self.row.cells[place]
            for place in self.context.columns.pull_requests
            if place < len(self.row.cells)
        ]
        return [with_addresses(span.of(self.masked), self.context.definitions) for span in spans]

    def _references(self, source: str) -> list[references.FoundReference]:
        """What a cell names of its own; what it only points at does not count."""
        found = references.find_references(source, repository=self.context.repository)
        if not found:
            return found
        pointed = pointers.pointed_at(texts.aligned(source), [reference.span for reference in found])
        return [reference for reference in found if reference.span not in pointed] if pointed else found

    def _ticks(self, source: str) -> list[bool]:
        found = [reference for reference in self._references(source) if not reference.struck]
        if not found:
            return []
        if not self.context.marks.ticks:
            return [False] * len(found)
        if (
            texts.squeeze(source).lstrip("~ ").startswith(marks.TICK)
        ):  # here ticks stand before the references
            starts = [0, *(reference.span.end for reference in found[:-1])]
            ends = [reference.span.start for reference in found]
            return [marks.TICK in source[start:end] for start, end in zip(starts, ends, strict=True)]
        ends = [*(reference.span.start for reference in found[1:]), len(source)]
        return [
            marks.TICK in source[reference.span.end : end] for reference, end in zip(found, ends, strict=True)
        ]
