"""What became of the claims that a comment made since it was answered, as the answer is to tell it."""

from collections.abc import Sequence
from dataclasses import replace
from zoneinfo import ZoneInfo

from django.utils import translation

from claims import words
from claims.belonging import is_own
from claims.echoes import echo
from claims.free_tasks import free_near
from claims.models import Claim, Decision, IssueComment
from claims.replies import Line, language_of
from claims.since import AS_SAID, Since

# Decisions by which a comment takes a task; the last by a mentor who took the comment for a claim.
TAKING = ("claimed", "requested", "waiting", "admitted")
_ITSELF = frozenset(
    {
        "requested",
        "waiting",
        "done",
        "partly_done",
        "deferred",
        "blocked",
        "closed_unmerged",
        "declined",
        "expired",
        "superseded",
    }
)
_WITH_REASON = frozenset({"yours", "done", "partly_done", "deferred", "blocked", "declined", "taken_back"})


def happened_since(comment: IssueComment, lines: Sequence[Line]) -> list[Since]:
    """How the comment's claims stand, as far as its answer does not say so, in the order of the tasks."""
    said = {line.number: AS_SAID[line.code] for line in lines if line.code in AS_SAID}
    if not said or comment.deleted_at is not None:
        return []
    made = Claim.objects.filter(decisions__comment=comment, decisions__kind__in=TAKING, shown=True)
    made = made.filter(task__number__in=said).select_related("task__event", "person", "team")
    claims = made.distinct().order_by("task__sort_key", "task_id", "pk")
    with translation.override(language_of(comment.body)):
        found = [
            (claim, since)
            for claim in claims.prefetch_related("decisions__decided_by")
            if (since := _since(claim, said[claim.task.number])) is not None
        ]
    lost = [claim.task for claim, since in found if since.code == "superseded"]
    free = free_near(lost) if lost else {}
    return [
        replace(since, free=[(task.number, task.title) for task in free.get(claim.task_id, ())])
        for claim, since in found
    ]


def _since(claim: Claim, said: str) -> Since | None:
    last = _last_word(claim)
    is_by_others = last is not None and last.decided_by is not None and not is_own(claim, last.decided_by)
    code = _code(claim, is_taken_back=is_by_others and last is not None and last.kind == "released")
    if code == said:
        return _reminded(claim) if code == "yours" else None
    note = last.note if last is not None and is_by_others and code in _WITH_REASON else ""
    return Since(claim.task.number, code, why=words.why(claim, show=echo), note=note)


def _code(claim: Claim, *, is_taken_back: bool) -> str:
    if claim.standing == Claim.Standing.WITHDRAWN:
        return "taken_back" if is_taken_back else "released"
    return claim.standing if claim.standing in _ITSELF else "yours"


def _last_word(claim: Claim) -> Decision | None:
    """The last decision about taking part or the work that anybody made and that holds."""
    decisions = claim.decisions.all()
    undone = {decision.undoes_id for decision in decisions}
    held = [d for d in decisions if d.kind in Decision.BY_MENTORS and d.pk not in undone]
    return max(held, key=lambda d: (d.at, d.pk), default=None)


def _reminded(claim: Claim) -> Since | None:
    """That the time ends soon, while it is the time that the reminder spoke of."""
    is_told = any(d.kind == "reminded" and d.until == claim.due_at for d in claim.decisions.all())
    if claim.due_at is None or not is_told:
        return None
    zone = claim.task.event.time_zone
    until = claim.due_at.astimezone(ZoneInfo(zone))
    return Since(claim.task.number, "reminded", until=f"{until:%Y-%m-%d %H:%M} ({zone})")
