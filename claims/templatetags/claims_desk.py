"""What a thing on the mentor's desk says of itself: a word with its icon and colour, and why it is there."""

from django import template

from claims.desk import words as desk_words
from claims.desk.queue import DeskItem
from portal.common import clock

register = template.Library()

_ICONS = {
    "doubt": "question",
    "requested": "person-add",
    "entered": "person-add",
    "stray": "link",
    "stray_merged": "link",
    "uncertain": "comment",
    "unknown_number": "question",
    "shared_number": "question",
    "shared_name": "question",
    "other_form": "question",
    "unread": "comment",
    "review_proposal": "file-diff",
    "approved": "check-circle",
    "overdue": "stopwatch",
    "due": "stopwatch",
    "silent": "hourglass",
}
_ICON_OF = {"merged": "git-merge", "review": "eye"}
# The colour is that of a state, by its code.
_COLOURS = {
    "doubtful": "pr_open",
    "merged": "blocked",
    "approve": "claimed",
    "review": "rfc_submitted",
    "stale": "expired",
}


@register.filter
def desk_word(item: DeskItem) -> str:
    """Why it is here, in a word."""
    return desk_words.label(item)


@register.filter
def desk_why(item: DeskItem) -> str:
    """Why it is here, in a sentence."""
    return desk_words.sentence(item, clock.now())


@register.filter
def desk_icon(item: DeskItem) -> str:
    """The octicon beside the word."""
    return _ICONS.get(item.code) or _ICON_OF.get(item.category, "info")


@register.filter
def desk_colour(item: DeskItem) -> str:
    """The state whose colour it has."""
    return _COLOURS[item.category]


@register.filter
def desk_category(code: str) -> str:
    """The name of a category."""
    return str(desk_words.CATEGORIES[code])
