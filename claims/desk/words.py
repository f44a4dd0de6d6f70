"""Why something is on the mentor's desk, in a word and in a sentence."""

from collections.abc import Mapping
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from claims import words
from claims.desk.queue import DeskItem
from claims.desk.several import Action
from claims.models import Decision

CATEGORIES: Mapping[str, "str | Promise"] = {
    "doubtful": gettext_lazy("Doubtful"),
    "merged": gettext_lazy("Merged but open"),
    "approve": gettext_lazy("To approve"),
    "review": gettext_lazy("To review"),
    "stale": gettext_lazy("Gone quiet"),
}

_LABELS: Mapping[str, "str | Promise"] = {
    "doubt": gettext_lazy("In doubt"),
    "requested": gettext_lazy("Asked for"),
    "entered": gettext_lazy("Named in the table"),
    "stray": gettext_lazy("Pull request without a claim"),
    "stray_merged": gettext_lazy("Merged without a claim"),
    "uncertain": gettext_lazy("Looks like a claim"),
    "unread": gettext_lazy("Hard to read"),
    "unknown_number": gettext_lazy("Names no task"),
    "shared_number": gettext_lazy("Names several tasks"),
    "shared_name": gettext_lazy("Names several events"),
    "other_form": gettext_lazy("Title hard to read"),
    "review": gettext_lazy("Waits for a review"),
    "review_again": gettext_lazy("Waits for the next review"),
    "review_proposal": gettext_lazy("Proposal to review"),
    "approved": gettext_lazy("Approved, to be merged"),
    "overdue": gettext_lazy("Overdue"),
    "due": gettext_lazy("Due soon"),
    "silent": gettext_lazy("No activity"),
    "merged_elsewhere": gettext_lazy("Merged onto another branch"),
    "named_only": gettext_lazy("Merged, only named"),
    "merged_before": gettext_lazy("Merged before the claim"),
    "merged_in_part": gettext_lazy("Merged in part"),
    "reverted": gettext_lazy("Merged and reverted"),
    "landed": gettext_lazy("Landed, yet closed"),
    "merged_undone": gettext_lazy("Merged, not done"),
    "by_branch": gettext_lazy("Merged, named by its branch"),
    "at_rest": gettext_lazy("Asks nobody"),
}

_SENTENCES: Mapping[str, "str | Promise"] = {
    "requested": gettext_lazy("%(name)s asked for this task, and nobody has answered yet."),
    "entered": gettext_lazy(
        "The table names %(name)s for this task. The rules do not let them in without a mentor."
    ),
    "stray": gettext_lazy("%(about)s is for this task, and its author has no claim on it."),
    "stray_merged": gettext_lazy("%(about)s is merged for this task, and its author has no claim on it."),
    "uncertain": gettext_lazy("The comment looks like a claim, and it was not sure which task it means."),
    "unread": gettext_lazy(
        "The comment looks like an attempt, and no task of the event could be read in it."
    ),
    "unknown_number": gettext_lazy(
        "The title names the number %(about)s, which no task of the event has. Its author has a claim here."
    ),
    "shared_number": gettext_lazy("The title names the number %(about)s, which several tasks carry."),
    "shared_name": gettext_lazy(
        "Several events go by the name in the title of %(about)s, and its author has a claim in none or in several."
    ),
    "other_form": gettext_lazy(
        "The title of %(about)s looks as if it meant a task of its author’s, and cannot be read as one."
    ),
    "review": gettext_lazy("%(about)s is open, and nobody has reviewed it yet."),
    "review_again": gettext_lazy("%(about)s was reviewed, and it is the reviewers’ turn again."),
    "review_proposal": gettext_lazy("The proposal %(about)s waits for its review."),
    "approved": gettext_lazy("%(about)s is approved and waits to be merged."),
    "merged_elsewhere": gettext_lazy("%(about)s was merged onto a branch that does not count in this event."),
    "named_only": gettext_lazy("%(about)s is merged, but only the claimant says that it is for this task."),
    "merged_before": gettext_lazy(
        "%(about)s was merged before the claim, and only the claimant ties it to the task."
    ),
    "merged_in_part": gettext_lazy("%(about)s is merged as one part; the rest of the task is open."),
    "reverted": gettext_lazy("%(about)s was merged and then reverted."),
    "landed": gettext_lazy("%(about)s was closed after its commit had landed on the branch."),
    "by_branch": gettext_lazy("%(about)s is merged, and only its branch says that it is for this task."),
    "merged_undone": gettext_lazy("%(about)s is merged, but what was decided or written says otherwise."),
    "at_rest": gettext_lazy("Nothing about this claim waits for a mentor. You may decide all the same."),
}

_ACTIONS: Mapping[Action, "str | Promise"] = {
    Action.LINKED: gettext_lazy("Linked to its task"),
    Action.SEEN: gettext_lazy("Seen to, off the list"),
}


def action(asked: Action) -> str:
    """An action about several things, as what they are then."""
    return str(_ACTIONS.get(asked) or Decision.Kind(asked.value).label)


def label(item: DeskItem) -> str:
    """In a word."""
    return str(_LABELS[item.code])


def sentence(item: DeskItem, now: datetime) -> str:
    """In one sentence."""
    if item.code == "doubt" and item.claim is not None:
        return words.doubt(item.claim.doubts[0])
    if item.code in ("overdue", "due", "silent"):
        return _of_time(item, now)
    return str(_SENTENCES[item.code]) % {"name": item.name, "about": item.about or _("The work")}


def _of_time(item: DeskItem, now: datetime) -> str:
    at = item.at or item.since
    days = abs((at - now).days if at > now else (now - at).days)
    if item.code == "overdue":
        said = ngettext(
            "It is the claimant’s turn, and the time ended %(days)d day ago.",
            "It is the claimant’s turn, and the time ended %(days)d days ago.",
            days,
        )
    elif item.code == "due":
        said = ngettext(
            "It is the claimant’s turn, and the time ends within %(days)d day.",
            "It is the claimant’s turn, and the time ends within %(days)d days.",
            days := days + 1,
        )
    else:
        said = ngettext(
            "It is the claimant’s turn, and nothing has happened for %(days)d day.",
            "It is the claimant’s turn, and nothing has happened for %(days)d days.",
            days,
        )
    return said % {"days": days}
