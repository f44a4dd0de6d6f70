"""One row of a task list becomes a task (TABLES.md section 4, State of a task)."""

from collections.abc import Mapping, Sequence

from tasks_board.documents import cells, explain, mentors, references
from tasks_board.documents.model import Problem, PullRequestRef, ReadTask, State, best_state
from tasks_board.documents.people import called
from tasks_board.documents.views import RowView

Guides = Mapping[str | None, Sequence[mentors.Guide]]


def read_row(view: RowView, guides: Guides) -> tuple[ReadTask, Sequence[Problem]]:
    """Everything one row says, and what in it could not be read.

    ``guides`` are the people of the mentor line above the table.
    """
    found, says = view.claimants, view.sources
    row_cells, problems = explain.read_cells(view)
    column: Sequence[PullRequestRef] = ()
    if view.column_references and len(found) != 1:
        column = references.unique(found.ref for found in view.column_references if not found.struck)
    people: Sequence[tuple[str, str]] = view.guides
    if guides:
        people = [*people, *called(mentors.guides_of(view.number, guides), view.context.names)]
    task = ReadTask(
        number=view.number,
        title=view.title,
        url=view.url,
        difficulty=view.difficulty,
        stars=view.stars,
        directions=view.directions,
        mentors=_logins(people, "mentor") if people else (),
        assistants=_logins(people, "assistant") if people else (),
        claimants=found,
        pull_requests=tuple(column),
        completed_by=view.winners or tuple(c.name for c in found if c.state is State.DONE),
        locked=view.names("locked") if "locked" in says else (),
        priority=view.plain("priority") if "priority" in says else None,
        requires_rfc=cells.read_requires_rfc(says.get("requires_rfc", "")),
        completed_on=view.finish[0] if view.finish else None,
        description=view.plain("description") if "description" in says else None,
        state=task_state(view),
        own_mark=view.own_mark,
        removed=view.is_removed,
        section=view.context.section,
        line=view.row.line,
        cells=row_cells,
    )
    return task, problems


def task_state(view: RowView) -> State:
    """The first rule that fits: finished by strike, winner or tick; the row's own mark; the people."""
    if view.struck_means_finished or view.winners or view.is_ticked:
        return State.DONE
    own_mark = view.own_mark
    if own_mark not in (None, State.OPEN):
        return own_mark
    live = [claimant.state for claimant in view.claimants if claimant.state.is_live]
    if own_mark is State.OPEN:
        return best_state(live)
    return best_state([*live, view.column_state] if view.column_state else live)


def _logins(people: Sequence[tuple[str, str]], role: str) -> tuple[str, ...]:
    """Each login once, spelled as it came first."""
    logins: dict[str, str] = {}
    for place, login in people:
        if place == role:
            logins.setdefault(login.lower(), login)
    return tuple(logins.values())
