"""Forms of the organizers' pages about people: marks, roles, a registration list."""

from typing import Any

from django import forms
from django.core import signing
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from claims.forms.complaining import ComplainingForm
from portal.common import sheets, web
from portal.common.errors import DomainError
from portal.models import Person
from tasks_board.models import Event, EventMark, EventRole
from tasks_board.operations import registrations
from tasks_board.operations.list_effects import Effects
from tasks_board.operations.registrations import Entry, ReadList

_SALT = "claims.registration-list"
LONGEST_PREVIEW = 3600  # seconds from looking to confirming
_SELECT = forms.Select(attrs={"class": "form-select"})
_INPUT = {"class": "form-control", "autocapitalize": "none", "autocomplete": "off", "spellcheck": "false"}


def _logins() -> forms.CharField:
    area = forms.Textarea(attrs={**_INPUT, "rows": 2})
    return forms.CharField(label=_("GitHub logins, as many as you like"), max_length=20_000, widget=area)


class MarkForm(ComplainingForm):
    """Whom to mark, as what, and a note for organizers."""

    logins = _logins()
    kind = forms.ChoiceField(label=_("Mark"), choices=EventMark.Kind.choices, widget=_SELECT)
    note = forms.CharField(
        label=_("Note, for organizers only"),
        max_length=500,
        required=False,
        widget=forms.TextInput(attrs={"class": "form-control"}),
    )


class RoleForm(ComplainingForm):
    """Whom to grant which right, in the whole event or in single tasks."""

    logins = _logins()
    role = forms.ChoiceField(label=_("Role"), choices=EventRole.Role.choices, widget=_SELECT)
    tasks = forms.CharField(
        label=_("Only for these tasks (their numbers; empty: the whole event)"),
        max_length=2_000,
        required=False,
        widget=forms.TextInput(attrs=_INPUT),
    )

    def clean(self) -> dict[str, Any]:
        """Only mentors and assistants are granted for single tasks."""
        values = super().clean() or {}
        if values.get("tasks") and values.get("role") not in ("mentor", "assistant"):
            self.add_error("tasks", _("Only mentors and assistants are granted for single tasks."))
        return values


def read_upload(request: HttpRequest) -> ReadList:
    """The list that was uploaded or pasted. Raises DomainError."""
    file = request.FILES.get("file")
    text = web.posted(request, "text", longest=sheets.MOST_BYTES)
    if file is not None and file.size:
        if file.size > sheets.MOST_BYTES:
            raise DomainError(
                "sheet_too_large", _("The file is larger than 5 MB. Split it, and upload the parts.")
            )
        sheet = sheets.read_sheet(file.name or "", file.read(), columns=registrations.COLUMNS)
    elif text:
        sheet = sheets.read_pasted(text, columns=registrations.COLUMNS)
    else:
        raise DomainError("no_list", _("Choose a file, or paste the list."))
    return registrations.read_list(sheet)


def effects_of(request: HttpRequest) -> Effects:
    """What the list shall lead to."""
    return Effects(invitations="invitations" in request.POST, teams="teams" in request.POST)


def seal(event: Event, viewer: Person, entries: list[Entry], fingerprint: str) -> str:
    """A list as the form of the preview carries it: whoever looked at it confirms the very same, in the same event."""
    lines = [entry.to_json() for entry in entries]
    return signing.dumps([event.pk, viewer.pk, fingerprint, lines], salt=_SALT, compress=True)


def unseal(event: Event, viewer: Person, sealed: str) -> tuple[list[Entry], str]:
    """The list of a preview and its fingerprint. Raises DomainError: stale_preview."""
    try:
        event_pk, viewer_pk, fingerprint, lines = signing.loads(sealed, salt=_SALT, max_age=LONGEST_PREVIEW)
    except signing.BadSignature as error:
        raise _stale() from error
    if (event_pk, viewer_pk) != (event.pk, viewer.pk):
        raise _stale()
    return [Entry(*line) for line in lines], fingerprint


def _stale() -> DomainError:
    return DomainError("stale_preview", _("This preview is too old. Upload the list again."))
