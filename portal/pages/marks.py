"""How states and pull requests look everywhere: an icon, a word, and (third) a colour by the code itself."""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Mark(NamedTuple):
    """What stands for a state: the name of an octicon, and a word."""

    icon: str
    word: "str | Promise"


# Of tasks and of claims alike; `data-state` carries the code and so the colour.
STATES: Mapping[str, Mark] = {
    "open": Mark("issue-opened", _("Open")),
    "requested": Mark("person-add", _("Requested")),
    "claimed": Mark("person", _("Claimed")),
    "rfc_submitted": Mark("file-diff", _("RFC in review")),
    "rfc_merged": Mark("file-badge", _("RFC merged")),
    "pr_open": Mark("git-pull-request", _("PR open")),
    "closed_unmerged": Mark("git-pull-request-closed", _("PR closed")),
    "approved": Mark("check-circle", _("Approved")),
    "partly_done": Mark("tasklist", _("Partly done")),
    "done": Mark("check-circle-fill", _("Done")),
    "deferred": Mark("pause", _("Deferred")),
    "blocked": Mark("blocked", _("Blocked")),
    "waiting": Mark("hourglass", _("Waiting")),
    "withdrawn": Mark("sign-out", _("Withdrawn")),
    "released": Mark("sign-out", _("Released")),
    "declined": Mark("circle-slash", _("Declined")),
    "expired": Mark("stopwatch", _("Expired")),
    "superseded": Mark("history", _("Done by others")),
    "removed": Mark("archive", _("Removed")),
}

PULL_REQUESTS: Mapping[str, Mark] = {
    "open": Mark("git-pull-request", pgettext_lazy("pull request", "open")),
    "draft": Mark("git-pull-request-draft", pgettext_lazy("pull request", "draft")),
    "merged": Mark("git-merge", pgettext_lazy("pull request", "merged")),
    "closed": Mark("git-pull-request-closed", pgettext_lazy("pull request", "closed without merging")),
    "named": Mark("link", pgettext_lazy("pull request", "named in the table")),
}

REVIEWS: Mapping[str, Mark] = {
    "approved": Mark("check", pgettext_lazy("review", "approved")),
    "changes_requested": Mark("file-diff", pgettext_lazy("review", "changes requested")),
}

ALARMS: Mapping[str, "str | Promise"] = {
    "body_too_long": _("The text would be longer than GitHub allows"),
    "another_writer": _("Another program writes the same table"),
    "comment_deleted": _("The comment with the table was deleted; its tasks are kept"),
    "not_allowed": _("GitHub does not let us write there"),
    "not_found": _("GitHub does not find the text any more, or hides it from us"),
    "gone": _("The text was deleted at GitHub"),
    "not_valid": _("GitHub found what we wrote not valid"),
    "refused": _("GitHub refused what we wrote"),
    "reply_refused": _("GitHub refused an answer of ours; the table is still written"),
}

# What a lane shows, left to right; what is open stays white.
LANES: tuple[tuple[str, "str | Promise", frozenset[str]], ...] = (
    ("done", _("done"), frozenset({"done"})),
    ("review", _("PR submitted"), frozenset({"pr_open", "approved", "partly_done"})),
    ("claimed", _("claimed"), frozenset({"claimed", "rfc_submitted", "rfc_merged"})),
    ("open", _("open"), frozenset({"open"})),
    ("paused", _("paused"), frozenset({"deferred", "blocked"})),
)


def mark_of(state: str) -> Mark:
    """The mark of a state; one that is not known yet shows its code."""
    return STATES.get(state) or Mark("question", state)
