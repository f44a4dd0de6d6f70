"""Where a draft leads: on with it, to the event that it went to, or to what else its configuration holds."""

from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from claims.births import files
from claims.models import ImportDraft
from claims.operations import drafting
from claims.operations.drafting import Maker
from portal.common.errors import Elsewhere, NotFound
from tasks_board.models import Event


def open_draft(pk: int, *, maker: Maker, now: datetime) -> ImportDraft:
    """Their draft, if anything is left to be done with it. Raises NotAllowed, Elsewhere."""
    try:
        draft = drafting.get_draft(pk, maker=maker, now=now)
    except NotFound as error:
        raise Elsewhere(error.code, error.message, address=reverse("new_event"), is_lost=True) from error
    if draft.event is not None:
        raise Elsewhere(
            "draft_used",
            _("This draft was used already. The event stands; nothing else was done."),
            address=address_after(draft, draft.event, maker=maker, now=now),
        )
    return draft


def address_after(draft: ImportDraft, event: Event | None, *, maker: Maker, now: datetime) -> str:
    """Where to go once a draft was used for an event, or forgotten: to its configuration, while that holds more."""
    file = drafting.find_file(draft, now=now)
    if file is not None and (event is None or files.list_entries(file, viewer=maker.person).open):
        return reverse("event_draft", args=[file.pk], query={"after": event.slug} if event else None)
    if event is None:
        return reverse("new_event")
    return reverse("organize", args=[event.slug]) if maker.person is not None else reverse("home")
