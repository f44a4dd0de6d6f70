"""The forms of an organizer about the event itself. Times are written in the event's own zone."""

import re
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.conf import settings
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from claims.forms.complaining import ComplainingForm
from claims.forms.times import check_reach
from tasks_board.models import Event, Phase

_ACCENTS = [
    ("harbour", _("Harbour (teal)")),
    ("signal", _("Signal (red)")),
    ("deep", _("Deep (blue)")),
    ("brass", _("Brass (yellow)")),
    ("kelp", _("Kelp (green)")),
    ("slate", _("Slate (grey)")),
]
_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]{1,39}/[A-Za-z0-9_.-]{1,100}")
_MOMENT = "%Y-%m-%dT%H:%M"
_MINUTE = timedelta(minutes=1)


class Lines(forms.CharField):
    """A list, one entry a line."""

    def __init__(self, *, label: Any, longest: int = 120, pattern: "re.Pattern[str] | None" = None) -> None:
        widget = forms.Textarea(attrs={"class": "form-control", "rows": 3})
        super().__init__(label=label, required=False, widget=widget)
        self.longest, self.pattern = longest, pattern

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> list[str]:  # type: ignore[override]
        lines = dict.fromkeys(line.strip() for line in (super().to_python(value) or "").splitlines())
        found = [line for line in lines if line]
        for line in found:
            if len(line) > self.longest or (self.pattern and not self.pattern.fullmatch(line)):
                raise forms.ValidationError(_("“%(line)s” cannot be read here."), params={"line": line[:80]})
        return found

    def validate(self, value: Any) -> None:
        """Nothing more to look at."""

    def run_validators(self, value: Any) -> None:
        """They are for texts."""


def _text(label: Any, longest: int, *, required: bool = False) -> forms.CharField:
    widget = forms.TextInput(attrs={"class": "form-control"})
    return forms.CharField(label=label, max_length=longest, required=required, widget=widget)


def _whole_day(at: datetime) -> datetime:
    """24:00, where a day's last minute is meant as an end."""
    return at + _MINUTE if (at.hour, at.minute) == (23, 59) else at


class Beginning(forms.DateTimeField):
    """A moment to the minute."""

    def __init__(self, *, label: Any) -> None:
        widget = forms.DateTimeInput(
            attrs={"class": "form-control", "type": "datetime-local"}, format=_MOMENT
        )
        super().__init__(
            label=label, required=False, widget=widget, input_formats=[_MOMENT], validators=[check_reach]
        )


class End(Beginning):
    """An inclusive end. Browsers have no way to write 24:00: a day's last minute stands for it, both ways."""

    def prepare_value(self, value: Any) -> Any:
        value = super().prepare_value(value)
        is_midnight = isinstance(value, datetime) and (value.hour, value.minute) == (0, 0)
        return value - _MINUTE if is_midnight else value

    def clean(self, value: Any) -> datetime | None:
        at = super().clean(value)
        return _whole_day(at) if at else None


def _choice(label: Any, choices: Any) -> forms.ChoiceField:
    widget = forms.Select(attrs={"class": "form-select"})
    return forms.ChoiceField(label=label, choices=choices, widget=widget)


def _switch(label: Any) -> forms.BooleanField:
    widget = forms.CheckboxInput(attrs={"class": "form-check-input"})
    return forms.BooleanField(label=label, required=False, widget=widget)


class EventForm(ComplainingForm):
    """What an event is called, when and where it is."""

    name = _text(_("Name"), 200, required=True)
    time_zone = _text(_("Time zone"), 60, required=True)
    opens_at = Beginning(label=_("Opens"))
    closes_at = End(label=_("Closes"))
    language = _choice(_("Language of its texts"), settings.LANGUAGES)
    accent = _choice(_("Colour"), _ACCENTS)
    title_prefix = _text(_("Prefix of pull request titles"), 120)
    title_aliases = Lines(label=_("Other prefixes that count, one a line"))
    repositories = Lines(label=_("Watched repositories, owner/name, one a line"), pattern=_REPOSITORY)
    proposal_repositories = Lines(label=_("Repositories of proposals, one a line"), pattern=_REPOSITORY)
    summary = forms.CharField(
        label=_("Summary (Markdown)"),
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"class": "form-control", "rows": 4}),
    )

    @classmethod
    def of(cls, event: Event) -> "EventForm":
        """The form as the event fills it."""
        return cls(initial={name: getattr(event, name) for name in cls.base_fields})

    def clean_time_zone(self) -> str:
        """A zone that is known."""
        zone = str(self.cleaned_data["time_zone"])
        if zone not in available_timezones():
            raise forms.ValidationError(
                _("There is no such time zone. Write it like Asia/Shanghai, Europe/Berlin or UTC.")
            )
        return zone


class PhaseForm(ComplainingForm):
    """A phase of an event."""

    name = _text(_("Name"), 120, required=True)
    starts_at = Beginning(label=_("Begins"))
    ends_at = End(label=_("Ends"))
    claims_open = _switch(_("Tasks can be claimed"))

    @classmethod
    def of(cls, phase: Phase) -> "PhaseForm":
        """The form as a phase fills it."""
        initial = {name: getattr(phase, name) for name in cls.base_fields}
        return cls(initial=initial, auto_id=cls.ids_of(phase))

    @staticmethod
    def ids_of(phase: Phase | None) -> str:
        """What tells the fields of one phase on the page from those of another; None is the new one."""
        return f"id_phase{phase.pk}_%s" if phase else "id_new_%s"


class CloneForm(ComplainingForm):
    """The next event."""

    name = _text(_("Name of the next event"), 200, required=True)
    slug = _text(_("Address (letters, digits and hyphens)"), 70)
    title_prefix = _text(_("Prefix of pull request titles"), 120)
    with_roles = _switch(_("Its organizers, mentors, judges and assistants too"))
    with_rewards = _switch(_("What it pays too"))

    def clean_slug(self) -> str:
        """A slug as addresses have them."""
        slug = str(self.cleaned_data["slug"])
        if slug and slugify(slug) != slug:
            raise forms.ValidationError(_("Use lower-case letters, digits and hyphens."))
        return slug


def with_seconds(values: dict[str, Any], of: Event | Phase | None) -> dict[str, Any]:
    """The values, with the seconds of times that nobody changed: the fields show minutes only."""
    for name in ("opens_at", "closes_at", "starts_at", "ends_at"):
        known, written = getattr(of, name, None), values.get(name)
        if known and written:
            minute = known.astimezone(written.tzinfo).replace(second=0, microsecond=0)
            shown = _whole_day(minute) if name in ("closes_at", "ends_at") else minute
            values[name] = known if shown == written else written
    return values


def in_zone(name: str, fallback: str) -> Any:
    """For reading and showing times in a zone; an unknown one is the fallback."""
    return timezone.override(ZoneInfo(name if name in available_timezones() else fallback))
