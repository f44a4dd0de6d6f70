"""A reading in lines of text, for the command line: every row with its meaning and confidence, and what it would change."""

from claims.births.revising import foresee
from claims.operations.revising import Update
from tasks_board.documents.model import Reading, ReadTable, ReadTask
from tasks_board.models import TrackingIssue


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


def describe_changes(tracking_issue: TrackingIssue, update: Update) -> str:
    """What importing would change of an event that stands already, as the wizard shows it."""
    revision = foresee(tracking_issue, update, viewer=None)
    stands = f"{tracking_issue.event.name} stands already."
    if revision.is_older:
        return f"{stands} It has read a newer text of the issue than this one, which would not be taken in."
    lines = [f"  {one.what}: {one.before or '-'} -> {one.after or '-'}" for one in revision.settings]
    lines += [f"  {one.what}: {one.before or '-'} stays; told: {one.after}" for one in revision.stays]
    for change in revision.changes:
        lines.append(f"  {change.kind}: {change.number} {change.title}".rstrip())
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
