"""The form of an event's rules on the organizers' page."""

import re
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tasks_board.models import Event
from tasks_board.rules import LARGEST, WhoMayClaim

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


class RulesForm(forms.Form):
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
    waiting_list = _switch(_("Whoever finds no place waits in line"))
    first_merged_wins = _switch(_("The first merge ends the others’ claims"))
    branches = forms.CharField(
        label=_("Branches on which a merge counts"),
        required=False,
        max_length=1_000,
        help_text=_("Separated by spaces or commas; empty: any branch"),
        widget=forms.TextInput(attrs={"class": "form-control", "spellcheck": "false"}),
    )
    proposal_required = _switch(_("A proposal comes first, unless the table says otherwise"))

    quiet = _switch(_("Quiet: answer comments with a reaction, not with words"))

    @classmethod
    def of(cls, event: Event) -> "RulesForm":
        """The form as the event's rules fill it."""
        rules = event.rule_set.to_json()
        return cls(initial={**rules, "branches": ", ".join(rules["branches"])})

    def clean_branches(self) -> list[str]:
        """The names of branches, each once. What Git allows in no name is refused."""
        names = list(dict.fromkeys(re.split(r"[\s,，、;；]+", self.cleaned_data["branches"].strip())))
        names = [name for name in names if name]
        if bad := [name for name in names if not _BRANCH.fullmatch(name) or ".." in name]:
            raise forms.ValidationError(_("This is no name of a branch: %(name)s") % {"name": bad[0]})
        return names

    @property
    def switches(self) -> list[forms.BoundField]:
        """The fields to tick."""
        return [field for field in self if isinstance(field.field, forms.BooleanField)]

    @property
    def limits(self) -> list[forms.BoundField]:
        """The fields to fill in or choose from."""
        return [field for field in self if not isinstance(field.field, forms.BooleanField)]

    def list_complaints(self) -> str:
        """What cannot be read, field by field."""
        errors = {self.fields[name].label: found for name, found in self.errors.items()}
        return " ".join(f"{label}: {' '.join(map(str, found))}" for label, found in errors.items())
