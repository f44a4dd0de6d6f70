"""Rows of a board: drawn once for what they say, since most of hundreds say the same as a minute ago."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django import template
from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from claims.board import BoardRow, Columns
from claims.models import PullRequest
from portal.common import clock
from portal.pages import times
from tasks_board.models import Event

register = template.Library()


@register.simple_tag
def pull_request_url(pull_request: PullRequest) -> str:
    """Where it stands at GitHub."""
    return f"{settings.GITHUB_WEB_URL}/{pull_request.repository}/pull/{pull_request.number}"


@register.simple_tag(takes_context=True)
def board_row(context: Mapping[str, Any], row: BoardRow) -> SafeString:
    """One row of the board, with the columns that the page has. Context: event, page, home_repository."""
    event, page = context["event"], context["page"]
    ago = times.relative(row.changed_at, now=clock.now(), zone=event.time_zone) if row.changed_at else ""
    return _drawn(
        row,
        Columns(page.has_difficulty, page.has_mentors, page.has_legs),
        event,
        (event.slug, event.language, event.time_zone, settings.GITHUB_WEB_URL),
        context["home_repository"],
        (get_language(), ago),
    )


@lru_cache(maxsize=8192)
def _drawn(
    row: BoardRow,
    columns: Columns,
    event: Event,
    of_event: tuple[str, str, str, str],
    home_repository: str,
    words: tuple[str | None, str],
) -> SafeString:
    """`of_event` and `words` are what the row's HTML takes from the event and settings, the language and the clock."""
    return render_to_string(
        "claims/partials/_row.html",
        {"row": row, "event": event, "page": columns, "home_repository": home_repository},
    )
