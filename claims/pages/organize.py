"""The organizers' page, and the switches on it."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from claims import organize, queries
from claims.forms.rules import RulesForm
from claims.github_texts import may_write, read_text
from claims.models import TableConflict
from claims.operations import deciding, ruling, writing
from portal.accounts import people
from portal.common import clock, web
from portal.common.errors import DomainError
from portal.github import connect
from tasks_board import queries as events
from tasks_board.models import Event, TrackingIssue
from tasks_board.operations import events as event_operations
from tasks_board.tracking import address_of


@web.page
@require_GET
def show_organize(request: HttpRequest, slug: str) -> HttpResponse:
    event = _event(request, slug)
    context = _context(request, event) | {"settle": organize.gather(event), "rules": RulesForm.of(event)}
    return render(request, "claims/organize.html", context)


@web.page
@require_POST
def change_rules(request: HttpRequest, slug: str) -> HttpResponse:
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    form = RulesForm(request.POST)
    if not form.is_valid():
        messages.error(request, form.list_complaints())
        return redirect("organize", event.slug)
    web.attempt(
        request,
        lambda: ruling.change_rules(event=event, changes=form.cleaned_data, acting_user=viewer, now=now),
        _("The rules are changed."),
    )
    return redirect("organize", event.slug)


@web.page
@require_GET
def review_writing(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = _event(request, slug)
    issue = get_object_or_404(TrackingIssue, pk=pk, event=event)
    probe = probe_issue(issue)
    preview = (
        organize.preview_writing(issue, body_at_github=probe["body"]) if probe["body"] is not None else None
    )
    context = _context(request, event) | {"issue": issue, "probe": probe, "preview": preview}
    return render(request, "claims/writing.html", context)


def probe_issue(issue: TrackingIssue) -> dict[str, Any]:
    """Ask GitHub whether we may write there, and for the text as it is now; what went wrong, if anything."""
    try:
        address, _number = address_of(issue)
        gateway = connect.connect()
        account = gateway.get_me()
        people.remember_portal(account, seen_at=clock.now())
        repository = gateway.get_repository(address)
        at_github = read_text(issue, gateway)
    except DomainError as error:
        return {"error": str(error.message), "body": None, "may_write": False}
    is_allowed = may_write(at_github, account, repository)
    return {"error": "", "body": at_github.body, "may_write": is_allowed, "login": account.login}


@web.page
@require_POST
def set_writing(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event, now = _event(request, slug), clock.now()
    issue = get_object_or_404(TrackingIssue, pk=pk, event=event)
    on = request.POST.get("on") == "1"
    if on and not probe_issue(issue)["may_write"]:
        messages.error(request, _("GitHub does not let us write there. Nothing was switched on."))
        return redirect("review_writing", event.slug, issue.pk)
    words = _("%(issue)s is kept up to date from now on.") if on else _("%(issue)s is read only from now on.")
    web.attempt(
        request,
        lambda: writing.switch_writing(tracking_issue=issue, on=on, acting_user=web.viewer(request), now=now),
        words % {"issue": issue},
    )
    return redirect("organize", event.slug)


@web.page
@require_POST
def publish(request: HttpRequest, slug: str) -> HttpResponse:
    event, now = _event(request, slug), clock.now()
    web.attempt(
        request,
        lambda: event_operations.publish_event(event=event, acting_user=web.viewer(request), now=now),
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


@web.page
@require_POST
def settle_conflict(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    conflict = get_object_or_404(TableConflict, pk=pk, claim__task__event=event, settled_at=None)
    ours = request.POST.get("keep") == "ours"
    web.attempt(
        request,
        lambda: deciding.settle_conflict(conflict=conflict, keep_ours=ours, acting_user=viewer, now=now),
        _("The conflict is settled."),
    )
    return redirect("organize", event.slug)


def _event(request: HttpRequest, slug: str) -> Event:
    return events.get_event_to_organize(slug, viewer=web.viewer(request))


def _context(request: HttpRequest, event: Event) -> dict[str, Any]:
    head = events.describe_head(event, viewer=web.viewer(request), now=clock.now())
    return {"event": event, "head": head, "tab": "organize"}
