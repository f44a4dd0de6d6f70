"""The small parts of every page as template tags: icons, states, times, people, pull requests, lanes.

They write HTML with `format_html` and no template of their own: a board draws thousands of them.
"""

import uuid
import zlib
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from portal.common import clock
from portal.pages import activity, marks, richtext, times

register = template.Library()

_SIZES = {"": "", "s": " rg-i--s", "xs": " rg-i--xs"}
_FLAG_SIZES = {"": "", "s": " rg-flag--s", "l": " rg-flag--l"}


# A board draws the same few marks thousands of times: each is made once for a process (and a language).


@register.simple_tag
@lru_cache(maxsize=512)
def icon(name: str, size: str = "", tone: str = "") -> SafeString:
    """An octicon from the sprite. Always decoration: the word stands beside it."""
    return format_html(
        '<svg class="rg-i{}{}" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><use href="{}#o-{}"/></svg>',
        _SIZES[size],
        f" {tone}" if tone else "",
        static("vendor/octicons/sprite.svg"),
        name,
    )


@register.simple_tag
def gap() -> str:
    """What stands between two sentences: nothing where a full stop is as wide as a letter."""
    return "" if (get_language() or "").startswith("zh") else " "


@register.simple_tag
def state(code: str, shape: str = "", note: str = "") -> SafeString:
    """A state as icon and word; `shape` may be pill (in heads) or mini (in a claim's line)."""
    return _state(code, shape, str(note), get_language() or "")


@lru_cache(maxsize=1024)
def _state(code: str, shape: str, note: str, language: str) -> SafeString:
    mark = marks.mark_of(code)
    return format_html(
        '<span class="rg-state{}" data-state="{}">{}{}</span>{}',
        f" rg-state--{shape}" if shape else "",
        code,
        icon(mark.icon, "s" if shape == "mini" else ""),
        mark.word,
        format_html(' <span class="rg-xs rg-faint">{}</span>', note) if note else "",
    )


@register.simple_tag
def state_icon(code: str) -> SafeString:
    """A state's icon alone, where the words beside it say the state."""
    return icon(marks.mark_of(code).icon, "s")


@register.filter
def state_word(code: str) -> str:
    """The word of a state."""
    return str(marks.mark_of(code).word)


@register.simple_tag(takes_context=True)
def when(context: Mapping[str, Any], at: datetime | None) -> SafeString | str:
    """A time, relative, with the exact one (in the event's zone and in UTC) as its title."""
    return _time(context, at, lambda at, zone: times.relative(at, now=clock.now(), zone=zone))


@register.simple_tag(takes_context=True)
def moment(context: Mapping[str, Any], at: datetime | None) -> SafeString | str:
    """A time with its minute, in the event's zone."""
    return _time(context, at, lambda at, zone: times.exact(at, zone=zone))


@register.simple_tag(takes_context=True)
def deadline(context: Mapping[str, Any], at: datetime | None) -> SafeString | str:
    """An inclusive end: midnight is 24:00 of the day before."""
    return _time(context, at, lambda at, zone: times.deadline(at, now=clock.now(), zone=zone))


@register.simple_tag(takes_context=True)
def day(context: Mapping[str, Any], at: datetime | None) -> SafeString | str:
    """A day in the event's zone."""
    return _time(context, at, lambda at, zone: times.day(at, now=clock.now(), zone=zone))


@register.simple_tag(takes_context=True)
def day_text(context: Mapping[str, Any], at: datetime) -> str:
    """A day in the event's zone as bare text, for drawings."""
    return times.day(at, now=clock.now(), zone=_zone(context))


@register.simple_tag(takes_context=True)
def last_day_text(context: Mapping[str, Any], at: datetime) -> str:
    """The last day of something that ends then, as bare text: an end at midnight belongs to the day before."""
    return day_text(context, at - timedelta(seconds=1))


def _zone(context: Mapping[str, Any]) -> str:
    return getattr(context.get("event"), "time_zone", None) or "UTC"


def _time(
    context: Mapping[str, Any], at: datetime | None, words: Callable[[datetime, str], str]
) -> SafeString | str:
    if at is None:
        return ""
    zone = _zone(context)
    both = times.in_both_zones(at, zone=zone)
    return format_html('<time datetime="{}" title="{}">{}</time>', at.isoformat(), both, words(at, zone))


@register.simple_tag
def avatar(name: str, size: str = "", kind: str = "person") -> SafeString:
    """Initials on one of eight tints, always the same for the same name. Teams are square."""
    return format_html(
        '<span class="rg-avatar{}{}" data-hue="{}" aria-hidden="true">{}</span>',
        " rg-avatar--team" if kind == "team" else "",
        f" rg-avatar--{size}" if size else "",
        zlib.crc32(name.lower().encode()) % 8 + 1,
        initials(name),
    )


def initials(name: str) -> str:
    """One or two letters for a name: of its parts if it has several, else its beginning. A Han name needs one."""
    if name and ord(name[0]) > 0x2E7F:
        return name[0]
    parts = [part for part in name.replace("_", "-").replace(" ", "-").split("-") if part]
    return "".join(part[0] for part in parts[:2]) if len(parts) > 1 else name[:2]


@register.simple_tag
@lru_cache(maxsize=4096)
def person(login: str, size: str = "", kind: str = "person", link: bool = True) -> SafeString:
    """Somebody: tinted initials and the login, linked to the page about them. A team has no page of its own yet."""
    body = format_html("{}<span>{}</span>", avatar(login, size, kind), login)
    if kind == "team" or not link:
        return format_html('<span class="rg-person">{}</span>', body)
    return format_html('<a class="rg-person" href="{}">{}</a>', reverse("person", args=[login]), body)


@register.simple_tag
def task_address(name: str, slug: str, pk: int) -> str:
    """The address of a task (`task`, `verdict`), looked up once for an event: boards have hundreds of them."""
    return _address_of_tasks(name, slug).replace("/0/", f"/{pk}/", 1)


@lru_cache(maxsize=256)
def _address_of_tasks(name: str, slug: str) -> str:
    return reverse(name, args=[slug, 0])


@register.simple_tag
def pull_request(pr: Any, home: str = "") -> SafeString:
    """A pull request as GitHub draws it: icon of its state, repository and number, a mark for the review.

    `pr` has repository, number, state, url and review; the repository `home` goes without saying.
    """
    mark = marks.PULL_REQUESTS[pr.state]
    repository = "" if pr.repository == home else pr.repository.rsplit("/", 1)[-1]
    return format_html(
        '<a class="rg-pr" data-pr="{}" href="{}" title="{}#{}">{}<span>{}#{}</span>'
        '<span class="visually-hidden">{}</span>{}{}</a>',
        pr.state,
        pr.url,
        pr.repository,
        pr.number,
        icon(mark.icon, "s"),
        repository,
        pr.number,
        mark.word,
        _review(pr),
        _revert(pr),
    )


def _revert(pr: Any) -> SafeString | str:
    if not getattr(pr, "is_revert", False):
        return ""
    return format_html(
        '<span class="rg-pr__no">{}<span class="visually-hidden">{}</span></span>',
        icon("undo", "xs"),
        _("a revert"),
    )


def _review(pr: Any) -> SafeString | str:
    mark = marks.REVIEWS.get(getattr(pr, "review", "") or "")
    if mark is None or pr.state not in {"open", "draft"}:
        return ""
    return format_html(
        '<span class="{}">{}<span class="visually-hidden">{}</span></span>',
        "rg-pr__ok" if pr.review == "approved" else "rg-pr__no",
        icon(mark.icon, "xs"),
        mark.word,
    )


@register.simple_tag
def flag(event: Any, size: str = "") -> SafeString:
    """The event's signal flag: the letter of the international code with which its address begins."""
    letter = next((c for c in event.slug.upper() if "A" <= c <= "Z"), "N")
    return format_html(
        '<svg class="rg-flag{}" viewBox="0 0 24 18" aria-hidden="true" focusable="false"><use href="{}#f-{}"/></svg>',
        _FLAG_SIZES[size],
        static("img/flags.svg"),
        letter,
    )


@register.simple_tag
def lane(counts: Mapping[str, int], size: str = "") -> SafeString:
    """How tasks stand, as one bar with a text twin. `counts`: by the names of `marks.LANES`."""
    total = sum(counts.values())
    parts: list[SafeString] = []
    at = 0.0
    for name, _word, _states in marks.LANES[:3]:
        width = 100 * counts.get(name, 0) / total if total else 0
        if width:
            parts += [_stretch(name, at, width)]
            at += width
    return format_html(
        '<svg class="rg-lane{}" role="img" aria-label="{}">{}</svg>',
        " rg-lane--s" if size == "s" else "",
        lane_words(counts),
        mark_safe("".join(parts)),  # noqa: S308  made of format_html above
    )


def _stretch(name: str, at: float, width: float) -> SafeString:
    end = f"{at + width:.2f}%"
    bar = format_html(
        '<rect class="rg-f-{}" x="{}%" width="{}%" height="100%"/>', name, f"{at:.2f}", f"{width:.2f}"
    )
    if at + width > 99.99:
        return bar
    return format_html('{}<line class="rg-lane__gap" x1="{}" x2="{}" y1="0" y2="100%"/>', bar, end, end)


def lane_words(counts: Mapping[str, int]) -> str:
    """The lane's text twin: each kind with its count."""
    words = [
        _("%(what)s %(count)d") % {"what": word, "count": counts.get(name, 0)}
        for name, word, _s in marks.LANES[:4]
    ]
    return _(", ").join(words)


@register.simple_tag
def legend(counts: Mapping[str, int]) -> SafeString:
    """What the textures of a lane mean, with the counts."""
    return format_html(
        '<ul class="rg-legend">{}</ul>',
        format_html_join(
            "",
            '<li><svg class="rg-swatch" aria-hidden="true" focusable="false">'
            '<rect class="{}" width="100%" height="100%"/></svg>{} <b>{}</b></li>',
            (
                ("is-open" if name == "open" else f"rg-f-{name}", word, counts.get(name, 0))
                for name, word, _states in marks.LANES
                if counts.get(name, 0) and name != "paused"
            ),
        ),
    )


@register.simple_tag
def stars(steps: int | None, written: str = "") -> SafeString | str:
    """A difficulty: up to five stars drawn, anything else as it was written."""
    count, rest = divmod(steps or 0, 1000)
    if not steps or rest or count > 5:
        return format_html('<span class="rg-tag">{}</span>', written) if written else ""
    drawn = mark_safe(icon("star-fill", "s") * count)  # noqa: S308  our own markup, repeated
    label = _("Difficulty: %(count)d stars") % {"count": count}
    return format_html('<span class="rg-stars" role="img" aria-label="{}">{}</span>', label, drawn)


@register.simple_tag
def once() -> SafeString:
    """A hidden field that makes two clicks on one form one wish."""
    return format_html('<input type="hidden" name="once" value="{}">', uuid.uuid4().hex)


@register.simple_tag
def issue_url(issue: Any) -> str:
    """Where a tracking issue stands at GitHub; its repository for a pasted text that stands in no issue."""
    if issue.number is None:
        return f"{settings.GITHUB_WEB_URL}/{issue.repository}"
    address = f"{settings.GITHUB_WEB_URL}/{issue.repository}/issues/{issue.number}"
    comment = getattr(issue, "comment_id", None)  # what is to become a tracking issue is a body
    return f"{address}#issuecomment-{comment}" if comment else address


@register.simple_tag
def recent_news(event: Any) -> list[activity.News]:
    """What happened lately in an event. Two queries."""
    return activity.list_recent([event], limit=8)


@register.simple_tag
def alarm_words(code: str) -> str:
    """Why writing into an issue is held back."""
    return str(marks.ALARMS.get(code, code))


@register.filter
def amount(value: Decimal | int) -> str:
    """A figure without zeros that say nothing: 1.500 is 1.5."""
    return f"{Decimal(value).normalize():f}"


@register.filter
def in_units(value: Decimal | int, pool: Any) -> str:
    """A figure of a pool with its unit: 3 stars."""
    number, shown = Decimal(value), amount(value)
    plural = 1 if number == 1 else 2
    if pool.unit == pool.Unit.STAR:
        return ngettext("%(n)s star", "%(n)s stars", plural) % {"n": shown}
    if pool.unit == pool.Unit.POINT:
        return ngettext("%(n)s point", "%(n)s points", plural) % {"n": shown}
    return f"{shown} {pool.currency or pool.get_unit_display()}"


@register.simple_tag
def hull(part: Decimal | int, whole: Decimal | int) -> SafeString:
    """A rank as a boat on its lane; the figure stands beside it as text. Where there is nothing yet, no boat has left."""
    if not whole or part <= 0:
        return mark_safe(
            '<svg class="rg-hull" aria-hidden="true" focusable="false"><line class="is-lane" x1="0" x2="100%" y1="8" y2="8"/></svg>'
        )
    at = f"{100 * part / whole:.1f}%"
    return format_html(
        '<svg class="rg-hull" aria-hidden="true" focusable="false"><line class="is-lane" x1="0" x2="100%" y1="8" y2="8"/>'
        '<line class="is-wake" x1="0" x2="{}" y1="8" y2="8"/><svg x="{}" overflow="visible"><path class="is-boat" '
        'd="M-23 8C-16.5 3.5 -5.66667 3.5 3 8C-5.66667 12.5 -16.5 12.5 -23 8Z"/></svg></svg>',
        at,
        at,
    )


@register.filter
def markdown(text: str) -> SafeString:
    """What somebody wrote in Markdown, rendered and then sanitized."""
    return mark_safe(richtext.render(text))  # noqa: S308  sanitized by nh3


@register.filter
def language_tag(code: str) -> str:
    """A language as HTML names it: zh-hans is zh-Hans."""
    head, _dash, script = code.partition("-")
    return f"{head}-{script.capitalize()}" if script else head
