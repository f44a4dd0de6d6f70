"""How a pasted text is read, in words: the tables of a body, a comment, a title. Nothing is stored, nothing is fetched."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from claims.grammar.comments import read_comment
from claims.grammar.model import CommentReading, IntentKind, TitleReading
from claims.grammar.titles import read_title
from claims.operations.task_numbers import task_ids, title_prefix
from claims.replies import why_no_more
from claims.words import state_word
from tasks_board.documents.model import Dialect, Problem, ReadCell, Reading, ReadTable
from tasks_board.documents.reading import read_body
from tasks_board.models import Event, TaskHelper

LONGEST = 65_536  # characters, as GitHub's own limit
SURE = 0.9
_CODE = re.compile(r": (\w+)(?=, |$)")  # after a claimant's name
_ROLE = re.compile(r"(^|, )(mentor|assistant): ")  # before a helper's name


@dataclass(frozen=True, slots=True)
class Line:
    """One finding: whether it counts, what it is about, and what was made of it."""

    counts: bool
    about: str
    words: str


@dataclass(frozen=True, slots=True)
class CellLine:
    """A cell: its column's role, the text as it stands, what it was taken for, and whether that is sure."""

    role: str
    text: str
    meaning: str
    is_sure: bool


@dataclass(frozen=True, slots=True)
class RowLine:
    """A row with its state and its cells."""

    number: str
    title: str
    state: str
    is_removed: bool
    cells: Sequence[CellLine]


@dataclass(frozen=True, slots=True)
class TableLine:
    """A task list: its heading, the dialect it is written in, its rows and what could not be read."""

    section: str
    dialect: str
    rows: Sequence[RowLine]
    problems: Sequence[str]


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a text was read as: findings for comments and titles, tables for bodies."""

    lines: Sequence[Line] = ()
    tables: Sequence[TableLine] = ()


def explain_body(text: str, *, repository: str) -> Explanation:
    """Every table of tasks in a body, cell by cell."""
    reading = read_body(text, repository=repository)
    if not reading.tables:
        return Explanation(lines=[Line(False, _("Tables"), _no_table(reading))])
    return Explanation(tables=[_table(table) for table in reading.tables])


def read_for_event(text: str, *, event: Event, repository: str, author: str) -> CommentReading:
    """What a person's comment under the event's issue says."""
    return read_comment(
        text, author=author, author_type="User", repository=repository, task_ids=task_ids(event)
    )


def explain_comment(text: str, *, event: Event, repository: str, author: str) -> Explanation:
    """What a comment under the event's issue asks for."""
    reading = read_for_event(text, event=event, repository=repository, author=author)
    return Explanation(lines=comment_lines(reading))


def explain_title(text: str, *, event: Event, repository: str) -> Explanation:
    """Which of the event's tasks the title of a pull request names, and how it counts."""
    reading = read_title(text, repository=repository, events=[title_prefix(event)])
    return Explanation(lines=title_lines(reading, event, repository))


def _no_table(reading: Reading) -> str:
    return _(
        "No task list was found. It needs a column with a title (for example 任务标题 or 题目), "
        "or a number and a column for claimants."
    )


def _table(table: ReadTable) -> TableLine:
    rows = [
        RowLine(
            number=task.number or "",
            title=task.title,
            state=task.state.value,
            is_removed=task.removed,
            cells=[
                CellLine(
                    role_word(cell.column), cell.text.strip(), meaning_words(cell), cell.confidence >= SURE
                )
                for cell in task.cells
            ],
        )
        for task in table.tasks
    ]
    problems = [problem_sentence(problem) for problem in table.problems]
    return TableLine(
        table.section or "", dialect_word(table.dialect), rows, [*problems, *_shared_numbers(table)]
    )


def _shared_numbers(table: ReadTable) -> list[str]:
    counts = Counter(task.number for task in table.tasks if task.number and not task.removed)
    told = _(
        "%(count)s rows have the number %(number)s; a comment or title that names it means none of them."
    )
    return [told % {"count": count, "number": number} for number, count in counts.items() if count > 1]


def role_word(role: str) -> str:
    """What a column is for, in words."""
    words = {
        "number": _("number"),
        "title": _("title"),
        "difficulty": _("difficulty"),
        "priority": _("priority"),
        "direction": _("direction"),
        "description": _("description"),
        "mentor": _("mentors"),
        "assistant": _("assistants"),
        "claimants": _("claimants"),
        "pull_requests": _("pull requests"),
        "state": _("state"),
        "requires_rfc": _("needs a proposal"),
        "completed_by": _("completed by"),
        "locked": _("chosen"),
        "date": _("date"),
        "link": _("link"),
    }
    return words.get(role, role)


def meaning_words(cell: ReadCell) -> str:
    """What a cell was read as, its codes in words."""
    match cell.column:
        case "claimants":
            return _CODE.sub(lambda found: f": {state_word(found[1])}", cell.meaning)
        case "mentor":
            return _ROLE.sub(lambda found: f"{found[1]}{TaskHelper.Role(found[2]).label}: ", cell.meaning)
        case "state":
            return state_word(cell.meaning)
        case "requires_rfc":
            return {"yes": _("yes"), "no": _("no")}.get(cell.meaning, cell.meaning)
    return cell.meaning


def dialect_word(dialect: Dialect) -> str:
    """How a table writes people and states, in words."""
    words = {
        Dialect.BADGE: _("badges"),
        Dialect.PARENTHESIS: _("marks in parentheses"),
        Dialect.EMOJI: _("emoji"),
        Dialect.PLAIN: _("plain text"),
    }
    return words[dialect]


def problem_sentence(problem: Problem) -> str:
    sentences = {
        "cell_not_understood": _("Line %(line)s: “%(text)s” in the column %(column)s was not understood."),
        "row_too_short": _("Line %(line)s has %(cells)s cells where the header has %(expected)s."),
        "row_too_long": _(
            "Line %(line)s has %(cells)s cells; what is beyond the header’s %(expected)s is left out."
        ),
    }
    sentence = sentences.get(problem.code)
    if sentence is None:
        return problem.code
    arguments = dict(problem.message_args)
    return sentence % (arguments | {"column": role_word(str(arguments.get("column", "")))})


def comment_lines(reading: CommentReading) -> list[Line]:
    """What a comment asks for, wish by wish, and what of it could not be taken."""
    words = {
        IntentKind.CLAIM: _("Claims these tasks"),
        IntentKind.RELEASE: _("Releases these tasks"),
        IntentKind.ALTERNATIVE: _("Names these as an alternative; books nothing"),
        IntentKind.SUBMIT: _("Hands in work for these tasks"),
    }
    lines = []
    for intent in reading.intents:
        what = ", ".join((*intent.tasks, *map(str, intent.pull_requests)))
        lines.append(Line(intent.kind is not IntentKind.ALTERNATIVE, words[intent.kind], what))
    lines += [Line(False, _("Not a task of this event"), number) for number in reading.unknown]
    if reading.team:
        lines.append(Line(True, _("Team"), reading.team))
    if reading.members:
        lines.append(Line(True, _("Members"), ", ".join(reading.members)))
    if reading.flexible is not None:
        lines.append(
            Line(True, _("Would take another task instead"), _("yes") if reading.flexible else _("no"))
        )
    if reading.attempt:
        lines.append(Line(False, _("Looks like an attempt"), why_no_more(reading.attempt)))
    return lines or [Line(False, _("Asks for nothing"), _("Quotes, code and mail replies are not read."))]


def title_lines(reading: TitleReading, event: Event, repository: str) -> list[Line]:
    """What a title says to one event, rule by rule."""
    watched = {name.lower() for name in (*event.repositories, *event.proposal_repositories)}
    lines = [
        Line(repository.lower() in watched, _("The repository is watched"), repository),
        Line(reading.event is not None, _("The title names the event"), event.title_prefix or "—"),
    ]
    if reading.event is None:
        return lines
    none = _("No number in it is a task of this event.")
    lines.append(Line(bool(reading.tasks), _("The title names tasks"), ", ".join(reading.tasks) or none))
    if reading.revert:
        lines.append(Line(True, _("A revert"), _("Once merged, it takes the credit of those tasks back.")))
    if reading.partial:
        lines.append(
            Line(True, _("One part"), _("It does not finish the task; another pull request has to."))
        )
    if reading.rfc:
        lines.append(Line(True, _("A proposal"), _("It counts as the design, not as the work.")))
    return lines
