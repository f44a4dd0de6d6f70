"""The organizers' page of the texts that carry an event's tables: issues and comments, added, moved, merged."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from claims import github_reading, queries
from claims.births import sources
from claims.models import IssueComment
from claims.operations import comment_texts, texts
from claims.operations.importing import IssueText, check_reading
from claims.organizing import texts as text_list
from portal.common import clock, web
from portal.common.errors import DomainError
from portal.common.refusals import Refusal, refusal_of
from portal.github import connect
from tasks_board import queries as events
from tasks_board.documents.reading import read_body
from tasks_board.models import Event, TrackingIssue


@web.page
@require_safe
def show_issues(request: HttpRequest, slug: str) -> HttpResponse:
    """The texts of the event; with an address, what would come in with that issue."""
    event = _event(request, slug)
    wanted = request.GET.get("issue", "").replace("\x00", "").strip()[:300]
    context: dict[str, Any] = {"wanted": wanted, "again": refusal_of(request)}
    if wanted:
        try:
            context["preview"] = _preview(request, event, wanted)
        except DomainError as error:
            messages.error(request, web.sentence(error))
            context["again"] = Refusal(request.path, request.GET, web.sentence(error), "issue")
    return render(request, "claims/issues.html", _context(request, event) | context)


def _preview(request: HttpRequest, event: Event, wanted: str) -> dict[str, Any]:
    """What would come in. Raises DomainError."""
    text = _fetch(request, wanted)
    check_reading(read_body(text.body, repository=text.repository), wanted)
    rows = texts.preview_text(event=event, body=text.body, repository=text.repository)
    return {"text": text, "rows": rows, "counts": text_list.count_incoming(rows)}


def _fetch(request: HttpRequest, wanted: str) -> IssueText:
    """The issue at an address as people write it. Raises DomainError, also for one that not everybody here may see."""
    is_staff = bool(getattr(request.user, "is_staff", False))
    address = sources.need_address(wanted)
    return sources.fetch_issue(address, gateway=connect.connect(), may_see_private=is_staff)


@web.page
@require_POST
def add_issue(request: HttpRequest, slug: str) -> HttpResponseBase:
    event, viewer = _event(request, slug), queries.need_person(web.viewer(request))
    wanted = web.posted(request, "issue", longest=300)

    def add() -> TrackingIssue:
        gateway = connect.connect()
        text = _fetch(request, wanted)
        reading = read_body(text.body, repository=text.repository)
        github_reading.resolve_people(readings=[reading], gateway=gateway, now=clock.now())
        return texts.add_issue(event=event, text=text, acting_user=viewer, now=clock.now())

    return web.settle(
        request,
        add,
        lambda added: _("%(issue)s is read from now on.") % {"issue": added},
        page=reverse("issues", args=[event.slug]),
        field="issue",
    )


@web.page
@require_POST
def take_in_comment(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event, viewer = _event(request, slug), queries.need_person(web.viewer(request))
    comment = get_object_or_404(
        IssueComment.objects.select_related("tracking_issue", "author"), pk=pk, tracking_issue__event=event
    )
    web.attempt(
        request,
        lambda: comment_texts.take_in_comment(
            event=event, comment=comment, acting_user=viewer, now=clock.now()
        ),
        _("The tables of this comment are read from now on."),
    )
    return redirect("issues", event.slug)


@web.page
@require_POST
def retire_issue(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Read a text no more, or again."""
    event, viewer = _event(request, slug), queries.need_person(web.viewer(request))
    text = get_object_or_404(TrackingIssue.objects.select_related("event"), pk=pk, event=event)
    if request.POST.get("again") == "1":
        web.attempt(
            request,
            lambda: texts.read_text_again(tracking_issue=text, acting_user=viewer, now=clock.now()),
            _("%(issue)s is read again from now on.") % {"issue": text},
        )
    else:
        web.attempt(
            request,
            lambda: texts.retire_text(tracking_issue=text, acting_user=viewer, now=clock.now()),
            _retired,
        )
    return redirect("issues", event.slug)


def _retired(left: int) -> str:
    done = _("It is read no more; its tasks went where their rows stand.")
    if not left:
        return done
    stay = ngettext(
        "%(count)d task has no row elsewhere yet: it stays on the board.",
        "%(count)d tasks have no row elsewhere yet: they stay on the board.",
        left,
    )
    return f"{done} {stay % {'count': left}}"


def _event(request: HttpRequest, slug: str) -> Event:
    return events.get_event_to_organize(slug, viewer=web.viewer(request))


def _context(request: HttpRequest, event: Event) -> dict[str, Any]:
    head = events.describe_head(event, viewer=web.viewer(request), now=clock.now())
    offers = comment_texts.list_offers(event)
    loose = event.tasks.on_board().filter(tracking_issue=None).count()
    texts_ = text_list.list_texts(event)
    return {
        "event": event,
        "head": head,
        "tab": "organize",
        "texts": texts_,
        "offers": offers,
        "loose": loose,
    }
