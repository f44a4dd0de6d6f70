"""How a task came to stand as it does: facts from GitHub, statements in texts, decisions, and what is in doubt."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from claims import pull_requests, words
from claims.models import Claim, Decision, IssueComment, Review, Statement
from claims.policy import Verdict
from claims.pull_requests import SeenPullRequest
from tasks_board.models import Task


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line. `kind` is fact, statement, decision or doubt; `by` is who said or did it (empty: the rules)."""

    at: datetime
    kind: str
    icon: str
    text: str
    state: str = ""
    by: str = ""
    source: str = ""
    note: str = ""
    quote: str = ""
    pull_request: SeenPullRequest | None = None
    is_undone: bool = False
    undo: int | None = None  # the decision, if the reader may take it back


def list_entries(task: Task, undoable: Collection[int] = ()) -> list[LogEntry]:
    """The whole log of a task, oldest first, in a fixed number of queries. `undoable`: what the reader may take back."""
    seen = pull_requests.list_by_task(Q(task=task)).get(task.pk, [])
    entries = [
        *list_decisions(Decision.objects.filter(claim__task=task), undoable),
        *_statements(task),
        *(entry for pr in seen for entry in _facts(pr)),
        *_reviews(task, seen),
        *_doubts(Claim.objects.filter(task=task, shown=True)),
    ]
    order = {"statement": 0, "fact": 1, "decision": 2, "doubt": 3}
    return sorted(entries, key=lambda entry: (entry.at, order[entry.kind]))


_DECISION_ICONS = {
    "claimed": "person",
    "requested": "person-add",
    "waiting": "hourglass",
    "promoted": "person-add",
    "renewed": "history",
    "extended": "history",
    "reminded": "bell",
    "admitted": "check",
    "declined": "x",
    "released": "sign-out",
    "expired": "stopwatch",
    "accepted": "check",
    "partial": "tasklist",
    "rejected": "x",
    "deferred": "pause",
    "blocked": "blocked",
    "follows_facts": "undo",
    "superseded": "history",
    "restored": "undo",
    "undone": "undo",
}


def list_decisions(found: QuerySet[Decision], undoable: Collection[int] = ()) -> Iterator[LogEntry]:
    """The lines of these decisions, in one query."""
    related = found.select_related("claim__person", "claim__team", "decided_by", "comment", "undone_by")
    for decision in related:
        yield entry_of(decision, undoable)


def entry_of(decision: Decision, undoable: Collection[int] = ()) -> LogEntry:
    """The line of one decision."""
    return LogEntry(
        at=decision.at,
        kind="decision",
        icon=_DECISION_ICONS.get(decision.kind, "check"),
        text=words.decided(decision),
        by=decision.decided_by.login if decision.decided_by else "",
        source=decision.get_source_display(),
        note=_note(decision),
        quote=_excerpt(decision.comment),
        is_undone=hasattr(decision, "undone_by"),
        undo=decision.pk if decision.pk in undoable else None,
    )


def _note(decision: Decision) -> str:
    """What was said to it, and which rules a mentor overruled."""
    overruled = [
        words.rule(Verdict(str(entry["rule"]), passed=False, values=entry["values"]))
        for entry in decision.against
    ]
    said = [_("%(rule)s: %(answer)s") % {"rule": rule, "answer": answer} for rule, answer in overruled]
    against = _("Against the rules: %(rules)s") % {"rules": _("; ").join(said)} if said else ""
    return "\n".join(filter(None, [decision.note, against]))


def _excerpt(comment: IssueComment | None) -> str:
    if comment is None or comment.deleted_at is not None:
        return ""
    text = comment.body.strip()
    return text if len(text) <= 400 else text[:400].rstrip() + "…"


def _statements(task: Task) -> Iterable[LogEntry]:
    found = Statement.objects.filter(claim__task=task).select_related(
        "claim__person", "claim__team", "editor"
    )
    for statement in found:
        values = {"claimant": statement.claim.claimant, "state": words.state_word(statement.state)}
        yield LogEntry(
            at=statement.at,
            kind="statement",
            icon="pencil",
            text=_("The table says of %(claimant)s: %(state)s") % values,
            by=statement.editor.login if statement.editor else "",
        )


def _facts(pr: SeenPullRequest) -> Iterable[LogEntry]:
    if pr.opened_at is None:
        return
    opened = _("Proposal opened") if pr.is_proposal else _("Pull request opened")
    yield LogEntry(
        pr.opened_at, "fact", "git-pull-request", opened, "open", pr.author, _reason(pr), pull_request=pr
    )
    if pr.merged_at:
        merged = _("Revert merged") if pr.is_revert else _("Merged")
        yield LogEntry(pr.merged_at, "fact", "git-merge", merged, "done", pull_request=pr)
    elif pr.closed_at and pr.state == "closed":
        closed = _("Closed without merging")
        yield LogEntry(pr.closed_at, "fact", "git-pull-request-closed", closed, "blocked", pull_request=pr)


def _reason(pr: SeenPullRequest) -> str:
    reasons = {
        "title": _("its title names the task"),
        "retitled": _("its title names it since after the merge"),
        "comment": _("a comment names it"),
        "table": _("the table names it"),
        "mentor": _("a mentor linked it"),
    }
    return reasons.get(pr.reason, "")


def _reviews(task: Task, seen: Sequence[SeenPullRequest]) -> Iterable[LogEntry]:
    by_address = {pr.address: pr for pr in seen}
    found = Review.objects.filter(pull_request__links__task=task, state__in=["approved", "changes_requested"])
    for review in found.select_related("reviewer", "pull_request").distinct():
        approved = review.state == "approved"
        yield LogEntry(
            at=review.submitted_at,
            kind="fact",
            icon="check" if approved else "file-diff",
            text=pgettext("a review", "Approved") if approved else _("Changes requested"),
            state="approved" if approved else "blocked",
            by=review.reviewer.login,
            pull_request=by_address.get(str(review.pull_request)),
        )


def _doubts(claims: Iterable[Claim]) -> Iterable[LogEntry]:
    for claim in claims:
        for entry in claim.doubts:
            at = parse_datetime(str(entry.get("at", ""))) or claim.standing_at
            yield LogEntry(at=at, kind="doubt", icon="question", text=words.doubt(entry))
