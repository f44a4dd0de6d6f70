"""The registration list of an event: uploaded, looked at, confirmed. For organizers alone."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from claims import queries
from claims.forms import people as forms
from claims.operations import team_lists
from portal.common import clock, web
from portal.common.errors import DomainError
from portal.models import Person
from tasks_board import queries as events
from tasks_board.models import Event
from tasks_board.operations import registrations
from tasks_board.operations.list_effects import Effects, Settled
from tasks_board.operations.registrations import Entry, Refused


@never_cache
@web.page
@require_safe
def show_registrations(request: HttpRequest, slug: str) -> HttpResponse:
    event = _event(request, slug)
    context = _context(request, event) | {"rows": registrations.list_lines(event)}
    return render(request, "claims/registrations.html", context)


@never_cache
@web.page
@require_POST
def show_contacts(request: HttpRequest, slug: str) -> HttpResponse:
    event, viewer = _event(request, slug), queries.need_person(web.viewer(request))
    rows = registrations.show_contacts(event=event, acting_user=viewer, now=clock.now())
    context = _context(request, event) | {"rows": rows, "contacts": True}
    return render(request, "claims/registrations.html", context)


@never_cache
@web.page
@require_POST
def preview(request: HttpRequest, slug: str) -> HttpResponseBase:
    event, viewer = _event(request, slug), queries.need_person(web.viewer(request))
    try:
        read = forms.read_upload(request)
        if not read.entries and not read.refused:
            raise DomainError("no_lines", _("The list has no lines."))
    except DomainError as error:
        field = "file" if request.FILES.get("file") else "text"
        return web.refuse(request, error, page=reverse("registrations", args=[event.slug]), field=field)
    effects = forms.effects_of(request)
    return _preview(request, event, viewer, list(read.entries), effects, read.refused, read.unknown)


def _preview(
    request: HttpRequest,
    event: Event,
    viewer: Person,
    entries: list[Entry],
    effects: Effects,
    refused: Any = (),
    unknown: Any = (),
) -> HttpResponse:
    plan = registrations.plan(event, entries)
    lines: list[Refused] = list(refused)
    context = _context(request, event) | {
        "plan": plan,
        "refused": lines,
        "unknown": unknown,
        "effects": effects,
        "counts": {change: plan.count(change) for change in ("new", "changed", "back", "same")},
        "sealed": forms.seal(event, viewer, entries, plan.fingerprint),
    }
    return render(request, "claims/registrations_preview.html", context)


@never_cache
@web.page
@require_POST
def confirm(request: HttpRequest, slug: str) -> HttpResponse:
    event, viewer = _event(request, slug), queries.need_person(web.viewer(request))
    effects = forms.effects_of(request)
    try:
        entries, fingerprint = forms.unseal(event, viewer, request.POST.get("list", ""))
    except DomainError as error:
        messages.error(request, web.sentence(error))
        return redirect("registrations", event.slug)
    if registrations.plan(event, entries).fingerprint != fingerprint:
        messages.warning(request, _("Something has changed since you looked. Look again, then confirm."))
        return _preview(request, event, viewer, entries, effects)
    status = web.attempt(
        request,
        lambda: team_lists.take_in_list(
            event=event, entries=entries, effects=effects, acting_user=viewer, now=clock.now()
        ),
        _said,
    )
    if status != 200:
        return _preview(request, event, viewer, entries, effects)
    return redirect("registrations", event.slug)


@web.page
@require_POST
def settle(request: HttpRequest, slug: str) -> HttpResponseBase:
    event, viewer = _event(request, slug), queries.need_person(web.viewer(request))
    effects = forms.effects_of(request)
    return web.settle(
        request,
        lambda: team_lists.settle_list(event=event, effects=effects, acting_user=viewer, now=clock.now()),
        _said,
        page=reverse("registrations", args=[event.slug]),
    )


def _said(done: Settled) -> str:
    said = _(
        "%(matched)d lines have an account; %(invited)d people invited to the event, "
        "%(teams)d teams made, %(seats)d invitations into teams."
    ) % {"matched": done.matched, "invited": done.invited, "teams": done.teams_made, "seats": done.seats}
    if done.left_out:
        left = _("These names stand in the tables; link them first: %(names)s") % {
            "names": ", ".join(done.left_out[:20])
        }
        return f"{said} {left}"
    return said


def _event(request: HttpRequest, slug: str) -> Event:
    return events.get_event_to_organize(slug, viewer=web.viewer(request))


def _context(request: HttpRequest, event: Event) -> dict[str, Any]:
    head = events.describe_head(event, viewer=web.viewer(request), now=clock.now())
    return {"event": event, "head": head, "tab": "organize"}
