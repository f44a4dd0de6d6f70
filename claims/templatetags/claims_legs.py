"""Proposal and code as two buoys on one line: of a row on the board, of a claim on the page of its task."""

from functools import lru_cache

from django import template
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from claims.board import BoardClaim, BoardRow
from claims.legs import Leg, legs_of

register = template.Library()

_NAMES: dict[str, "str | Promise"] = {
    "proposal": gettext_lazy("Proposal"),
    "code": gettext_lazy("Code"),
    "docs": gettext_lazy("Docs"),
}
_WORDS: dict[str, "str | Promise"] = {
    "pass": gettext_lazy("through"),
    "now": gettext_lazy("in review"),
    "no": gettext_lazy("closed without merging"),
    "todo": gettext_lazy("still to come"),
    "skip": gettext_lazy("not needed"),
}


@register.simple_tag
def legs(row: BoardRow) -> SafeString:
    """How far the task has come, by those who are on it."""
    here = [pr for claim in row.claims if not claim.is_gone for pr in claim.pull_requests]
    marks = tuple((leg.name, leg.mark) for leg in legs_of(here, row.state, chain=row.chain))
    return _drawn(marks, get_language() or "")


@lru_cache(maxsize=256)
def _drawn(marks: tuple[tuple[str, str], ...], language: str) -> SafeString:
    said = [_("%(leg)s: %(state)s") % {"leg": _NAMES[name], "state": _WORDS[mark]} for name, mark in marks]
    last = 26 * (len(marks) - 1)
    buoys = [
        format_html(
            '<use class="is-{}" href="#l-{}" x="{}" y="0" width="14" height="14"/>', mark, mark, 26 * place
        )
        for place, (_name, mark) in enumerate(marks)
    ]
    return format_html(
        '<svg class="rg-legs{}" role="img" aria-label="{}" viewBox="0 0 {} 14">'
        '<line class="is-line" x1="7" x2="{}" y1="7" y2="7"/>{}</svg>',
        " rg-legs--two" if len(marks) == 2 else "",
        _(", ").join(said),
        last + 14,
        last + 7,
        mark_safe("".join(buoys)),  # noqa: S308  made of format_html above
    )


@register.simple_tag
def chain_of(line: BoardClaim, row: BoardRow) -> tuple[Leg, ...]:
    """The legs of one claim."""
    return legs_of(line.pull_requests, line.standing, chain=row.chain)


@register.filter
def leg_name(leg: Leg) -> str:
    """What the leg is called."""
    return str(_NAMES[leg.name])


@register.filter
def leg_word(leg: Leg) -> str:
    """How far the leg is, as a word."""
    return str(_WORDS[leg.mark])
