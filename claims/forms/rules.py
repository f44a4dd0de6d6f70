"""The form of an event's rules on the organizers' page."""

import re
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from claims.forms.complaining import ComplainingForm
from tasks_board.chains import chain_from_json, read_chain, write_chain
from tasks_board.models import Event
from tasks_board.rules import LARGEST, LONGEST_NAME, WhoMayClaim

_WHO = [
    (WhoMayClaim.OPEN.value, _("Anybody, at once")),
    (WhoMayClaim.MENTOR_APPROVES.value, _("Anybody, after a mentor said yes")),
    (WhoMayClaim.INVITATION.value, _("People invited by an organizer")),
]


# https://git-scm.com/docs/git-check-ref-format
_BRANCH = re.compile(r"[^\s~^:?*\[\\\x00-\x1f\x7f]{1,250}\*?")


def _number(label: Any, *, least: int = 1, required: bool = False) -> forms.IntegerField:
    field = forms.IntegerField(label=label, min_value=least, max_value=LARGEST, required=required)
    field.widget.attrs["class"] = "form-control"
    return field


def _switch(label: Any) -> forms.BooleanField:
    widget = forms.CheckboxInput(attrs={"class": "form-check-input"})
    return forms.BooleanField(label=label, required=False, widget=widget)


class NamesField(forms.CharField):
    """Names with commas between them, or blanks where the names have none (`by_blanks`)."""

    def __init__(self, *, by_blanks: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.separator = re.compile(r"[\s,，、;；]+" if by_blanks else r"[,，、;；\n]")

    def prepare_value(self, value: Any) -> Any:
        """As people write them."""
        return value if isinstance(value, str) or value is None else ", ".join(value)

    def to_python(self, value: Any) -> list[str]:  # type: ignore[override]  # a list is what a rule wants
        """The names, each once."""
        parts = [part.strip() for part in self.separator.split(super().to_python(value) or "")]
        return list(dict.fromkeys(part[:LONGEST_NAME] for part in parts if part))


class ChainField(forms.CharField):
    """Steps as people write them."""

    def prepare_value(self, value: Any) -> Any:
        """As `read_chain` reads it."""
        return value if isinstance(value, str) or value is None else write_chain(chain_from_json(value))

    def to_python(self, value: Any) -> list[dict[str, str]]:  # type: ignore[override]  # as it is stored
        """The steps as JSON."""
        try:
            return [step.to_json() for step in read_chain(super().to_python(value) or "")]
        except ValueError as error:
            raise forms.ValidationError(
                _(
                    "Write the steps in their order, as: proposal → code → docs owner/name. At most six, none twice."
                )
            ) from error


def _text() -> forms.TextInput:
    return forms.TextInput(attrs={"class": "form-control"})


_TEXTS = ("chain", "branches", "landed_labels")


class RulesForm(ComplainingForm):
    """What an organizer may change of the rules; an empty number is no limit."""

    who_may_claim = forms.ChoiceField(
        label=_("Who may claim"), choices=_WHO, widget=forms.Select(attrs={"class": "form-select"})
    )
    places_per_task = _number(_("Places per task"))
    open_claims_per_person = _number(_("Open claims per person"))
    people_per_team = _number(_("People per team"))
    days_to_pull_request = _number(_("Days until a pull request"))
    days_of_silence = _number(_("Days without activity"))
    reminder_days = _number(_("Days of warning before the end"), least=0, required=True)
    grace_days = _number(_("Days of grace after it"), least=0, required=True)
    renewals = _number(_("Times that claimants may begin anew"), least=0, required=True)
    chain = ChainField(
        label=_("Steps to be merged, as: proposal → code → docs"),
        max_length=600,
        required=False,
        widget=_text(),
    )
    branches = NamesField(
        label=_("Branches that count, as: develop, release/*"),
        by_blanks=True,
        max_length=2_000,
        required=False,
        widget=_text(),
    )
    landed_labels = NamesField(
        label=_("Labels of bots that land what they close"), max_length=2_000, required=False, widget=_text()
    )
    waiting_list = _switch(_("Whoever finds no place waits in line"))
    first_merged_wins = _switch(_("The first merge ends the others’ claims"))
    proposal_required = _switch(_("A proposal comes first, unless the table says otherwise"))
    quiet = _switch(_("Quiet: answer comments with a reaction, not with words"))

    def clean(self) -> dict[str, Any]:
        """A text field that the request does not hold changes nothing."""
        found = super().clean() or self.cleaned_data
        return {name: value for name, value in found.items() if name not in _TEXTS or name in self.data}

    @classmethod
    def of(cls, event: Event) -> "RulesForm":
        """The form as the event's rules fill it."""
        return cls(initial=event.rule_set.to_json())

    def clean_branches(self) -> list[str]:
        """The names of branches, each once. What Git allows in no name is refused."""
        names: list[str] = self.cleaned_data["branches"]
        if bad := [name for name in names if not _BRANCH.fullmatch(name) or ".." in name]:
            raise forms.ValidationError(_("This is no name of a branch: %(name)s") % {"name": bad[0]})
        return names
