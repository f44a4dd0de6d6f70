"""The agreed text of an issue: every step of people and of ours goes into it once, over whatever it holds already.

A step is what became of the text that its author saw. Where that is the agreed text, the step is the new one; where other
steps came between, their changes are merged.
"""

from collections.abc import Collection

from claims.models import Claim
from claims.operations.names import names_in_rows, said
from tasks_board.documents.merge import merge_texts
from tasks_board.models import TrackingIssue
from tasks_board.operations.edits import rows_of_tasks
from tasks_board.tracking import read_issue


def fold(issue: TrackingIssue, *, seen: str, text: str, prefer_step: bool) -> Collection[str]:
    """Put the step from `seen` to `text` into the agreed text; what had to give way is returned. Saves nothing.

    `prefer_step`: the step is later than what the agreed text holds, so where both changed the same words it stands.
    """
    if issue.agreed_body == seen:
        issue.agreed_body = text
        return ()
    merged = merge_texts(base=seen, mine=issue.agreed_body, theirs=text, prefer_theirs=prefer_step)
    issue.agreed_body = merged.text
    return merged.overruled


def note_said(issue: TrackingIssue) -> None:
    """What the agreed text says of people is what the table says; what our own write said and it does not, we say anew."""
    tasks = list(issue.tasks.select_related("direction"))
    rows = rows_of_tasks(tasks, read_issue(issue, issue.agreed_body))
    names = names_in_rows(rows)
    spoken = {pk: said(row.claimants) for pk, row in rows.items()}
    changed = []
    for claim in Claim.objects.filter(task__in=tasks).select_related("person", "team"):
        login, team = names.of(claim)
        key = f"@{login.lower()}" if login is not None else f"team {str(team).lower()}"
        state, pull_requests = spoken.get(claim.task_id, {}).get(key, (None, ("", ())))[1]
        if (claim.table_standing, claim.table_pull_requests) != (state, list(pull_requests)):
            claim.table_standing, claim.table_pull_requests = state, list(pull_requests)
            changed.append(claim)
    Claim.objects.bulk_update(changed, ["table_standing", "table_pull_requests"])
