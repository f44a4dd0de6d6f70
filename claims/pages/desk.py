"""A mentor's desk, and the buttons on it."""

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from claims import desk, queries
from claims.models import Claim, Decision, IssueComment, PullRequest
from claims.operations import deciding
from portal.common import clock, web
from tasks_board import queries as events
from tasks_board.models import Event


@web.page
@require_GET
def show_desk(request: HttpRequest, slug: str) -> HttpResponse:
    viewer = queries.need_person(web.viewer(request))
    event = events.get_event_to_decide(slug, viewer=viewer)
    context = {
        "event": event,
        "head": events.describe_head(event, viewer=viewer, now=clock.now()),
        "desk": desk.gather_desk(event, viewer=viewer),
        "tab": "desk",
    }
    return render(request, "claims/desk.html", context)


@web.page
@require_POST
def decide(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    claim = get_object_or_404(
        Claim.objects.select_related("task__event", "person", "team"), pk=pk, task__event=event
    )
    if request.POST.get("kind") not in Decision.Kind.values:
        raise Http404
    kind = Decision.Kind(request.POST["kind"])
    key = f"desk:{viewer.pk}:{claim.pk}:{web.posted(request, 'once', longest=40) or uuid.uuid4().hex}"
    note = web.posted(request, "note", longest=2_000)
    web.attempt(
        request,
        lambda: deciding.decide(claim=claim, kind=kind, acting_user=viewer, key=key, now=now, note=note),
        _("Decided: %(claimant)s, No.%(number)s: %(decision)s.")
        % {"claimant": claim.claimant, "number": claim.task.number, "decision": kind.label},
    )
    return _back(request, event)


@web.page
@require_POST
def admit_author(request: HttpRequest, slug: str, pk: int, pull_request: int) -> HttpResponse:
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    task = events.get_task(event, pk)
    pr = get_object_or_404(PullRequest.objects.select_related("author"), pk=pull_request)
    web.attempt(
        request,
        lambda: deciding.admit_author(task=task, pull_request=pr, acting_user=viewer, now=now),
        _("%(login)s is now a claimant of No.%(number)s.") % {"login": pr.author, "number": task.number},
    )
    return _back(request, event)


@web.page
@require_POST
def settle_comment(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    comment = get_object_or_404(IssueComment, pk=pk, tracking_issue__event=event)
    web.attempt(
        request,
        lambda: deciding.mark_handled(comment=comment, acting_user=viewer, now=now),
        _("The comment is off the list."),
    )
    return _back(request, event)


def _event(request: HttpRequest, slug: str) -> Event:
    return events.get_event_to_decide(slug, viewer=web.viewer(request))


def _back(request: HttpRequest, event: Event) -> HttpResponse:
    return redirect(web.next_url(request, reverse("desk", args=[event.slug])))
