"""The form of an event that is being set up: everything its text does not say."""

import re
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from claims.forms.complaining import ComplainingForm
from claims.forms.times import check_reach
from claims.operations.importing import EventPlan
from claims.presets import PRESETS
from rewards.models import EventReward, Pool
from tasks_board.documents.choices import ReadingChoices
from tasks_board.models import Event
from tasks_board.operations.events import RESERVED

_REPOSITORY = re.compile(r"[\w.-]{1,100}/[\w.-]{1,100}", re.ASCII)
_LOGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,38}")
_MOST = 50
ZONES = ("Asia/Shanghai", "UTC", "Asia/Tokyo", "Europe/Berlin", "America/New_York", "America/Los_Angeles")


class Words(forms.CharField):
    """One entry a line (or between commas), each of a form."""

    def __init__(
        self, *, pattern: "re.Pattern[str] | None", complaint: Any, by_line: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(widget=forms.Textarea(attrs={"class": "form-control", "rows": 3}), **kwargs)
        self.pattern, self.complaint = pattern, complaint
        self.separator = re.compile(r"[\r\n]+" if by_line else r"[\s,，;；、]+")

    def clean(self, value: Any) -> tuple[str, ...]:
        text = super().clean(value)
        found = {
            word.strip().lstrip("@").lower(): word.strip().lstrip("@") for word in self.separator.split(text)
        }
        words = [word for word in found.values() if word]
        for word in words:
            if self.pattern is not None and not self.pattern.fullmatch(word):
                raise forms.ValidationError(self.complaint, params={"word": word[:80]})
        if len(words) > _MOST:
            raise forms.ValidationError(_("At most %(most)d, please."), params={"most": _MOST})
        return tuple(words)


def _text(label: Any, longest: int, *, required: bool = False, help_text: Any = "") -> forms.CharField:
    widget = forms.TextInput(attrs={"class": "form-control"})
    return forms.CharField(
        label=label, max_length=longest, required=required, help_text=help_text, widget=widget
    )


def _choice(label: Any, choices: Any) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label, choices=choices, widget=forms.Select(attrs={"class": "form-select"})
    )


def _day(label: Any, help_text: Any) -> forms.DateField:
    widget = forms.DateInput(attrs={"class": "form-control", "type": "date"}, format="%Y-%m-%d")
    return forms.DateField(
        label=label, required=False, help_text=help_text, widget=widget, validators=[check_reach]
    )


def _repositories(label: Any, help_text: Any) -> Words:
    return Words(
        label=label,
        help_text=help_text,
        required=False,
        pattern=_REPOSITORY,
        max_length=4_000,
        complaint=_("“%(word)s” is no repository. Write OWNER/REPO."),
    )


class EventForm(ComplainingForm):
    """What the event shall be. `needs_organizer`: its maker has no GitHub account here that could organize it."""

    name = _text(_("Name"), 200, required=True)
    slug = forms.SlugField(
        label=_("Address"),
        max_length=70,
        help_text=_("the end of the event’s web address; letters, digits and hyphens"),
        widget=forms.TextInput(attrs={"class": "form-control"}),
    )
    preset = _choice(_("Kind"), Event.Kind.choices)
    title_prefix = _text(
        _("How titles begin"), 120, help_text=_("of pull requests, before the task’s number; e.g. PIR No.")
    )
    title_aliases = Words(
        label=_("Other ways to begin"),
        required=False,
        pattern=None,
        by_line=True,
        max_length=4_000,
        complaint="",
        help_text=_("one a line"),
    )
    repositories = _repositories(_("Watched repositories"), _("OWNER/REPO, one a line"))
    proposal_repositories = _repositories(
        _("Repositories of proposals"), _("where design documents go, one a line")
    )
    pool = _text(_("Reward pool"), 120, help_text=_("a shared one by its name; empty: nothing is paid"))
    unit = _choice(_("Unit"), [c for c in Pool.Unit.choices if c[0] != Pool.Unit.CURRENCY])
    per = _choice(_("Paid for"), EventReward.Per.choices)
    amount = forms.DecimalField(
        label=_("How much"),
        required=False,
        min_value=0,
        max_digits=12,
        decimal_places=3,
        widget=forms.NumberInput(attrs={"class": "form-control", "step": "any"}),
    )
    opens = _day(_("Opens"), _("from 00:00 of that day"))
    closes = _day(_("Closes"), _("at 24:00 of that day"))
    time_zone = forms.CharField(
        label=_("Time zone"),
        max_length=60,
        widget=forms.TextInput(attrs={"class": "form-control", "list": "zones"}),
    )
    language = _choice(_("Language of its texts"), settings.LANGUAGES)
    organizers = Words(
        label=_("Further organizers"),
        required=False,
        pattern=_LOGIN,
        max_length=2_000,
        complaint=_("“%(word)s” is no GitHub login."),
        help_text=_("GitHub logins, one a line"),
    )

    def __init__(self, *args: Any, needs_organizer: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["organizers"].required = needs_organizer

    def clean_slug(self) -> str:
        slug = str(self.cleaned_data["slug"]).lower()
        if slug in RESERVED or Event.objects.filter(slug=slug).exists():
            raise forms.ValidationError(_("There is already a page with this address. Choose another one."))
        return slug

    def clean_time_zone(self) -> str:
        zone = str(self.cleaned_data["time_zone"])
        if zone not in available_timezones():
            raise forms.ValidationError(_("No such time zone. Write it like Asia/Shanghai."))
        return zone

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        opens, closes = values.get("opens"), values.get("closes")
        if opens and closes and closes < opens:
            self.add_error("closes", _("The event would close before it opens."))
        if values.get("pool") and values.get("amount") is None and "amount" not in self.errors:
            self.add_error("amount", _("Say how much the pool pays."))
        return values

    @property
    def complaints(self) -> list[str]:
        """What cannot be read, field by field."""
        return [
            f"{self.fields[name].label}: {sentence}" if name in self.fields else str(sentence)
            for name, found in self.errors.items()
            for sentence in found
        ]


def plan_of(
    values: Mapping[str, Any],
    *,
    since: datetime | None,
    choices: ReadingChoices,
    configuration: dict[str, object],
    organizers: tuple[Any, ...],
) -> EventPlan:
    """The event that a filled-in form asks for. `since`: from when its pull requests count, if a bot was told."""
    preset, zone = PRESETS[values["preset"]], ZoneInfo(values["time_zone"])
    opens_at = _begin(values["opens"], zone)
    closes = values["closes"]
    return EventPlan(
        name=values["name"],
        slug=values["slug"],
        preset=preset.kind,
        title_prefix=values["title_prefix"],
        repositories=values["repositories"],
        proposal_repositories=values["proposal_repositories"],
        pool=values["pool"],
        unit=Pool.Unit(values["unit"]),
        per=EventReward.Per(values["per"]),
        amount=values["amount"],
        organizers=organizers,
        fields={
            "accent": preset.accent,
            "title_aliases": list(values["title_aliases"]),
            "opens_at": opens_at,
            "closes_at": _begin(closes + timedelta(days=1), zone) if closes else None,
            "pull_requests_since": since or opens_at,
            "time_zone": values["time_zone"],
            "language": values["language"],
        },
        configuration=configuration,
        choices=choices,
    )


def _begin(day: date | None, zone: ZoneInfo) -> datetime | None:
    return datetime.combine(day, time(), zone) if day else None
