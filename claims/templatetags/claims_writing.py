"""What pages say of figures that texts state."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from claims.operations import counting
from tasks_board.models import TrackingIssue

register = template.Library()

_FIGURES: Mapping[str, "str | Promise"] = {
    "tasks": _("tasks"),
    "total": _("tasks"),
    "claimed": _("claimed"),
    "submitted": _("submitted"),
    "open": _("open"),
    "in_progress": _("in progress"),
    "approved": _("approved"),
    "deferred": _("paused"),
    "done": _("done"),
}


@register.simple_tag
def figure_word(key: str) -> str:
    """What a figure counts."""
    return str(_FIGURES.get(key, key))


@register.simple_tag
def stated_otherwise(head: Any) -> list[tuple[TrackingIssue, list[counting.StatedFigure]]]:
    """By issue, the figures of its text that the tasks do not bear out; nothing is asked where texts state none."""
    found = [
        (issue, counting.stated_differences(issue))
        for issue in head.issues
        if issue.stated and issue.writing != TrackingIssue.Writing.ON
    ]
    return [(issue, figures) for issue, figures in found if figures]
