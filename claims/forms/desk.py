"""What a mentor’s desk is asked for, and what gives a claimant more time."""

from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from claims.desk import queue as desk
from claims.desk.paging import DeskAsk
from claims.forms.complaining import ComplainingForm
from claims.forms.times import check_reach

LONGEST_DAYS = 365


class ExtensionForm(ComplainingForm):
    """So many days more, or until the end of a day. The day wins if both are given."""

    days = forms.IntegerField(label=_("Days"), required=False, min_value=1, max_value=LONGEST_DAYS)
    until = forms.DateField(label=_("Until"), required=False, validators=[check_reach])

    def clean(self) -> dict[str, Any]:
        """One of the two is needed."""
        values = super().clean() or {}
        if not self.errors and values.get("days") is None and values.get("until") is None:
            raise forms.ValidationError(_("Say how many days, or until which day."))
        return values

    def moment(self, *, due_at: datetime | None, now: datetime, time_zone: str) -> datetime:
        """The end that the form asks for: a day ends at its midnight in the event's zone; days count from the end so far."""
        day = self.cleaned_data.get("until")
        if day is not None:
            midnight = datetime.combine(day + timedelta(days=1), time(), tzinfo=ZoneInfo(time_zone))
            return midnight.astimezone(UTC)
        since = max(due_at, now) if due_at is not None else now
        return since + timedelta(days=int(self.cleaned_data["days"]))


def read_ask(query: QueryDict) -> DeskAsk:
    """A reading of the address: unknown values are left out, never an error."""
    show, days = query.get("show", ""), query.get("days", "")
    return DeskAsk(
        show=show if show in (*desk.CATEGORIES, "handled") else "",
        direction=number_of(query.get("direction", "")),
        mine=query.get("mine") == "1",
        q=query.get("q", "").strip()[:200],
        days=int(days) if days in map(str, desk.SILENT_DAYS) else 14,
        page=number_of(query.get("page", "")) or 1,
        item=query.get("item", "")[:60],
        ticked=query.get("ticked", "")[:20],
    )


def number_of(text: str) -> int | None:
    """A key as addresses and forms write it."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
