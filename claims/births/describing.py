"""A reading in lines of text, for the command line: every row with its meaning and confidence, and what it would change."""

from datetime import datetime

from claims.births.comparing import Change
from claims.births.rehearsing import Rehearsed
from claims.births.revising import Differences, tell_apart
from claims.operations.revising import Update, as_taken_in, is_older
from tasks_board.documents.model import Reading, ReadTable, ReadTask
from tasks_board.models import TrackingIssue

OLDER = "It has read a newer text of the issue than this one, which would not be taken in."
_KINDS = {"came": "moved here", "copy": "a copy that makes no second task"}


def describe(reading: Reading) -> str:
    """The reading, row by row, as a person can check it."""
    lines = [f"dialect: {reading.dialect}"]
    for table in reading.tables:
        columns = ", ".join(f"{role}={header}" for role, header in table.columns.items())
        lines += ["", f"{table.section or '(no heading)'}  [{table.dialect}]  {columns}"]
        for task in table.tasks:
            lines += _row(task)
        lines += _problems(table)
    marks = ", ".join(f"{mark}={state}" for mark, state in reading.legend.items())
    return "\n".join([*lines, "", f"legend: {marks or '-'}", f"{len(reading.tasks)} tasks"])


def _row(task: ReadTask) -> list[str]:
    who = ", ".join(" ".join([f"{c.name} ({c.state})", *map(str, c.pull_requests)]) for c in task.claimants)
    sure = round(100 * min((cell.confidence for cell in task.cells), default=1.0))
    number = task.number or "(no number)"
    mentors = ", ".join(task.mentors) or "-"
    lines = [
        f"  {number}  {task.title}  {task.state}  claimants: {who or '-'}  mentors: {mentors}  sure: {sure}%"
    ]
    doubtful = [cell for cell in task.cells if cell.confidence < 1]
    lines += [
        f"      ? {cell.column}: {cell.text.strip()[:80]!r} -> {cell.meaning or '-'}" for cell in doubtful
    ]
    return lines


def _problems(table: ReadTable) -> list[str]:
    return [f"  ! {problem.code} {dict(problem.message_args)}" for problem in table.problems]


def describe_changes(tracking_issue: TrackingIssue, update: Update, *, now: datetime) -> str:
    """What importing would change of an event that stands already, as the wizard shows it."""
    stands = f"{tracking_issue.event.name} stands already."
    if is_older(tracking_issue, update):
        stands = f"{stands} {OLDER}"
    differences = tell_apart(tracking_issue, as_taken_in(tracking_issue, update), now=now)
    return describe_differences(stands, differences)


def describe_rehearsed(place: int, found: Rehearsed) -> str:
    """What importing an entry would make, or change of its event."""
    name = f"{place}: {found.name}"
    if found.differences is None:
        return f"{name} would be created, a draft with {found.tasks} tasks."
    stands = "stands already." if found.after is None else f"is entry {found.after}’s event by then."
    older = f" {OLDER}" if found.is_older else ""
    return describe_differences(f"{name} {stands}{older}", found.differences)


def describe_differences(stands: str, revision: Differences) -> str:
    """What would change, line by line, after the sentence that says what stands."""
    lines = [f"  {one.what}: {one.before or '-'} -> {one.after or '-'}" for one in revision.settings]
    lines += [f"  {one.what}: {one.before or '-'} stays; told: {one.after}" for one in revision.stays]
    for change in revision.changes:
        lines.append(
            f"  {_KINDS.get(change.kind, change.kind)}: {change.number} {change.title}{_where(change)}"
        )
        for one in change.differences:
            note = f" ({one.note})" if one.note else ""
            lines.append(f"      {one.what}: {one.before or '-'} -> {one.after or '-'}{note}")
        if change.kept:
            lines.append(f"      stays with the task: {', '.join(change.kept)}")
    if revision.corrects:
        lines.append("  Later texts are read with these corrections too.")
    if revision.is_empty:
        return "\n".join([f"{stands} Nothing would change.", *lines])
    return "\n".join([f"{stands} It would change:", *lines, f"  {revision.same} rows and all claims stay."])


def _where(change: Change) -> str:
    if not change.where:
        return ""
    return f" ({'to' if change.kind == 'moved' else 'of'} {change.where})"
