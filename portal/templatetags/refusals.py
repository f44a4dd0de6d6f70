"""Forms that keep what was typed: each asks whether it is the one that was refused, then fills its fields from that.

{% refused address as again %} … value="{% typed again "login" %}"{% complained again "login" %}> {% complaint again "login" %}
"""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from portal.common.refusals import Refusal, refusal_of
from portal.templatetags.regatta import icon

register = template.Library()

_ID = "complaint"  # a page is shown again for one form


@register.simple_tag(takes_context=True)
def refused(context: Mapping[str, Any], address: str) -> Refusal | None:
    """The form with this address as it was sent and refused, if it is that form."""
    found = refusal_of(context["request"])
    return found if found is not None and found.address == address else None


@register.simple_tag
def typed(again: Refusal | None, field: str, otherwise: object = "") -> str:
    """What stood in the field, or stands there in a new form."""
    return str(again.typed[field]) if again and field in again.typed else str(otherwise)


@register.simple_tag
def selected(again: Refusal | None, field: str, value: object, otherwise: object = False) -> SafeString:
    """The attribute of an option that was chosen."""
    return _mark("selected", again, field, value, otherwise)


@register.simple_tag
def checked(again: Refusal | None, field: str, value: object, otherwise: object = False) -> SafeString:
    """The attribute of a box that was ticked."""
    return _mark("checked", again, field, value, otherwise)


def _mark(word: str, again: Refusal | None, field: str, value: object, otherwise: object) -> SafeString:
    is_set = str(value) in again.typed.getlist(field) if again else otherwise
    return SafeString(f" {word}" if is_set else "")


@register.simple_tag
def complained(again: Refusal | None, field: str, described_by: str = "") -> SafeString:
    """The attributes of a field: that the complaint is about it, and what describes it."""
    if not again or again.field != field:
        return format_html(' aria-describedby="{}"', described_by) if described_by else SafeString("")
    described_by = f"{_ID} {described_by}".rstrip()
    return format_html(' aria-invalid="true" aria-describedby="{}" autofocus', described_by)


@register.simple_tag
def complaint(again: Refusal | None, field: str) -> SafeString:
    """The complaint, if it is about the field."""
    if not again or again.field != field:
        return SafeString("")
    return format_html(
        '<p class="rg-complaint rg-small mt-1 mb-0 w-100" id="{}">{} {}</p>',
        _ID,
        icon("x", "s"),
        again.complaint,
    )
