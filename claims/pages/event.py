"""The organizers' page of the event itself: what it is called, its dates and repositories, its phases, its life, the next one."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from claims import queries
from claims.forms.complaining import ComplainingForm
from claims.forms.event import CloneForm, EventForm, PhaseForm, in_zone, with_seconds
from claims.operations import cloning, reshaping
from claims.organizing.shared_names import list_sharing
from portal.common import clock, web
from portal.common.errors import DomainError
from tasks_board import queries as events
from tasks_board.models import Event, Phase
from tasks_board.operations import life


@web.page
@require_safe
def show_event_settings(request: HttpRequest, slug: str) -> HttpResponse:
    event = _event(request, slug)
    form = EventForm.of(event)
    return _render(request, event, form)


@web.page
@require_POST
def change_event(request: HttpRequest, slug: str) -> HttpResponse:
    """What cannot be read is shown again as it was written, so that nothing typed is lost."""
    event, viewer = _event(request, slug), queries.need_person(web.viewer(request))
    with in_zone(web.posted(request, "time_zone", longest=60), event.time_zone):
        form = EventForm(request.POST)
        if not form.is_valid():
            return _render(request, event, form, refused=form)
    try:
        changed = reshaping.change_event(
            event=event, values=with_seconds(form.cleaned_data, event), acting_user=viewer, now=clock.now()
        )
    except DomainError as error:
        form.refuse(error)
        return _render(request, _event(request, slug), form, refused=form)
    messages.success(request, _("The event is changed.") if changed else _("Nothing was different."))
    return redirect("event_settings", event.slug)


@web.page
@require_POST
def add_phase(request: HttpRequest, slug: str) -> HttpResponse:
    return _save_phase(request, _event(request, slug), None)


@web.page
@require_POST
def change_phase(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Change a phase, or take it away."""
    event = _event(request, slug)
    phase = get_object_or_404(event.phases.select_related("event"), pk=pk)
    if "remove" not in request.POST:
        return _save_phase(request, event, phase)
    viewer = queries.need_person(web.viewer(request))
    web.attempt(
        request,
        lambda: life.remove_phase(phase=phase, acting_user=viewer, now=clock.now()),
        _("The phase is removed."),
    )
    return redirect("event_settings", event.slug)


def _save_phase(request: HttpRequest, event: Event, phase: Phase | None) -> HttpResponse:
    viewer = queries.need_person(web.viewer(request))
    with in_zone(event.time_zone, "UTC"):
        form = PhaseForm(request.POST, auto_id=PhaseForm.ids_of(phase))
        if not form.is_valid():
            return _render(request, event, EventForm.of(event), refused=form, phase=phase)
    try:
        life.save_phase(
            event=event,
            phase=phase,
            values=with_seconds(form.cleaned_data, phase),
            acting_user=viewer,
            now=clock.now(),
        )
    except DomainError as error:
        form.refuse(error)
        return _render(request, event, EventForm.of(event), refused=form, phase=phase)
    messages.success(request, _("The phase is saved."))
    return redirect("event_settings", event.slug)


@web.page
@require_POST
def set_event_status(request: HttpRequest, slug: str) -> HttpResponse:
    event, viewer = _event(request, slug), queries.need_person(web.viewer(request))
    wanted = request.POST.get("status", "")
    if wanted not in Event.Status.values:
        messages.error(request, _("Choose what the event shall become."))
        return redirect("event_settings", event.slug)
    web.attempt(
        request,
        lambda: reshaping.set_status(
            event=event, status=Event.Status(wanted), acting_user=viewer, now=clock.now()
        ),
        lambda _result: _("The event is now: %(status)s.") % {"status": event.get_status_display()},
    )
    return redirect("event_settings", event.slug)


@web.page
@require_POST
def clone_event(request: HttpRequest, slug: str) -> HttpResponse:
    event, viewer = _event(request, slug), queries.need_person(web.viewer(request))
    form = CloneForm(request.POST, auto_id="id_clone_%s")
    if not form.is_valid():
        return _render(request, event, EventForm.of(event), refused=form)
    try:
        made = cloning.clone_event(
            event=event, into=cloning.Next(**form.cleaned_data), acting_user=viewer, now=clock.now()
        )
    except DomainError as error:
        form.refuse(error)
        return _render(request, event, EventForm.of(event), refused=form)
    messages.success(
        request,
        _("The next event is made, as a draft. Add the issue that carries its table when there is one."),
    )
    return redirect("event_settings", made.slug)


def _event(request: HttpRequest, slug: str) -> Event:
    return events.get_event_to_organize(slug, viewer=web.viewer(request))


def _render(
    request: HttpRequest,
    event: Event,
    form: EventForm,
    *,
    refused: ComplainingForm | None = None,
    phase: Phase | None = None,
) -> HttpResponse:
    """The page; one of its forms (that of this phase, or of a new one) as it was sent, with what is wrong with it."""
    if refused is not None:
        messages.error(request, refused.list_complaints())
    head = events.describe_head(event, viewer=web.viewer(request), now=clock.now())
    of_phase = {phase: refused} if isinstance(refused, PhaseForm) else {}
    phases = [
        (each, of_phase.get(each) or PhaseForm.of(each)) for each in event.phases.order_by("position", "pk")
    ]
    context = {
        "event": event,
        "head": head,
        "tab": "organize",
        "form": form,
        "sharing": list_sharing(event, viewer=web.viewer(request)),
        "phases": phases,
        "new_phase": of_phase.get(None) or PhaseForm(auto_id=PhaseForm.ids_of(None)),
        "clone": refused if isinstance(refused, CloneForm) else CloneForm(auto_id="id_clone_%s"),
        "unfinished": event.tasks.on_board().exclude(state="done").count(),
    }
    with in_zone(event.time_zone, "UTC"):
        return render(request, "claims/event_settings.html", context, status=409 if refused else 200)
