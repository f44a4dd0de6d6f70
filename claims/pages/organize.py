"""The organizers' page, and the switches on it."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from claims import queries
from claims.forms.rules import RulesForm
from claims.operations import deciding, reshaping, ruling
from claims.organizing import overview as organize
from portal.common import clock, web
from portal.common.errors import DomainError
from tasks_board import queries as events
from tasks_board.models import Event
from tasks_board.operations import events as event_operations


@web.page
@require_safe
def show_organize(request: HttpRequest, slug: str) -> HttpResponse:
    event = _event(request, slug)
    return _render(request, event, RulesForm.of(event))


def _render(request: HttpRequest, event: Event, rules: RulesForm, status: int = 200) -> HttpResponse:
    context = _context(request, event) | {
        "settle": organize.gather(event, viewer=web.viewer(request)),
        "rules": rules,
    }
    return render(request, "claims/organize.html", context, status=status)


@web.page
@require_POST
def change_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """What cannot be read is shown again as it was written, so that nothing typed is lost."""
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    form = RulesForm(request.POST)
    if form.is_valid():
        try:
            ruling.change_rules(event=event, changes=form.cleaned_data, acting_user=viewer, now=now)
        except DomainError as error:
            form.refuse(error)
        else:
            messages.success(request, _("The rules are changed."))
            return redirect("organize", event.slug)
    messages.error(request, form.list_complaints())
    return _render(request, event, form, status=409)


@web.page
@require_POST
def publish(request: HttpRequest, slug: str) -> HttpResponse:
    event, now = _event(request, slug), clock.now()
    web.attempt(
        request,
        lambda: reshaping.publish(event=event, acting_user=web.viewer(request), now=now),
        _("The event is open to everybody now."),
    )
    return redirect("organize", event.slug)


@web.page
@require_POST
def grant_mentors(request: HttpRequest, slug: str) -> HttpResponse:
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    web.attempt(
        request,
        lambda: event_operations.grant_named_mentors(event=event, acting_user=viewer, now=now),
        _("The mentors whom the tables name may decide on their tasks now."),
    )
    return redirect("organize", event.slug)


@web.page
@require_POST
def confirm_history(request: HttpRequest, slug: str) -> HttpResponse:
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    web.attempt(
        request, lambda: deciding.confirm_history(event=event, acting_user=viewer, now=now), _confirmed
    )
    return redirect("organize", event.slug)


def _confirmed(count: int) -> str:
    done = ngettext("%(count)d completion is confirmed.", "%(count)d completions are confirmed.", count)
    return done % {"count": count}


def _event(request: HttpRequest, slug: str) -> Event:
    return events.get_event_to_organize(slug, viewer=web.viewer(request))


def _context(request: HttpRequest, event: Event) -> dict[str, Any]:
    head = events.describe_head(event, viewer=web.viewer(request), now=clock.now())
    return {"event": event, "head": head, "tab": "organize"}
