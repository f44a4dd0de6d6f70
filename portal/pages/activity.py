"""What happened lately, in words: the audit entries that are of interest to everybody."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from claims.models import Claim
from portal.models import AuditEntry
from portal.pages import marks
from tasks_board.models import Event, Task

_NEWS: Mapping[str, "str | Promise"] = {
    "requested": gettext_lazy("%(who)s asked for %(task)s"),
    "waiting": gettext_lazy("%(who)s waits for %(task)s"),
    "claimed": gettext_lazy("%(who)s has %(task)s"),
    "rfc_submitted": gettext_lazy("%(who)s opened the proposal for %(task)s"),
    "rfc_merged": gettext_lazy("%(who)s’s proposal for %(task)s is merged"),
    "pr_open": gettext_lazy("%(who)s opened a pull request for %(task)s"),
    "approved": gettext_lazy("%(who)s’s work on %(task)s is approved"),
    "partly_done": gettext_lazy("%(who)s completed part of %(task)s"),
    "done": gettext_lazy("%(who)s completed %(task)s"),
    "closed_unmerged": gettext_lazy("%(who)s’s pull request for %(task)s was closed"),
    "withdrawn": gettext_lazy("%(who)s released %(task)s"),
    "expired": gettext_lazy("%(who)s’s claim on %(task)s ran out"),
    "superseded": gettext_lazy("%(who)s was overtaken on %(task)s"),
}


# What only a text says is told as that.
_TOLD = gettext_lazy("The table says of %(who)s on %(task)s: %(state)s")


@dataclass(frozen=True, slots=True)
class News:
    """One thing that happened."""

    at: datetime
    state: str
    text: str
    event: Event
    task: Task


def list_recent(events: "QuerySet[Event] | Sequence[Event]", *, limit: int) -> list[News]:
    """The latest changes of standings in these events. Two queries."""
    ids = [event.pk for event in events]
    entries = AuditEntry.objects.filter(action="claims.standing_changed", event_id__in=ids).order_by(
        "-at", "-pk"
    )
    latest = list(entries[:limit])
    claims = Claim.objects.select_related("person", "team", "task__event").in_bulk(
        [e.target_id for e in latest]
    )
    return [news for entry in latest if (news := _news(entry, claims.get(entry.target_id)))]


def _news(entry: AuditEntry, claim: Claim | None) -> News | None:
    state = str(entry.data.get("to", ""))
    if claim is None or state not in _NEWS:
        return None
    sentence = _TOLD if entry.data.get("reason") in ("table", "named", "entered") else _NEWS[state]
    task = _("No.%(number)s %(title)s") % {"number": claim.task.number, "title": claim.task.title}
    text = str(sentence) % {"who": claim.claimant, "task": task, "state": marks.mark_of(state).word}
    return News(entry.at, state, text, claim.task.event, claim.task)
