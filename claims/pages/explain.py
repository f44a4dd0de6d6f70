"""The page "How was this read?": paste a text, or the address of something known, and see what is made of it."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from claims import explaining, trying, why
from claims.explaining import Explanation
from portal.common import clock, web
from portal.common.errors import NotFound
from portal.models import Person
from tasks_board import queries
from tasks_board.models import Event

KINDS = ("body", "comment", "title")


@login_not_required
@web.page
@require_http_methods(["GET", "HEAD", "POST"])
def how_read(request: HttpRequest) -> HttpResponse:
    viewer = web.viewer(request)
    events = list(queries.list_visible_events(viewer=viewer).order_by("-created_at", "-pk"))
    event = next((e for e in events if e.slug == web.posted(request, "event", longest=80)), None)
    event = event or (events[0] if events else None)
    kind = web.posted(request, "kind", longest=10)
    kind = kind if kind in KINDS else "comment"
    text = request.POST.get("text", "").replace("\x00", "")[: explaining.LONGEST]
    repository = _repository(request, event, kind)
    about = request.GET.get("about", "").replace("\x00", "").strip()[:400]
    context = {
        **_told(about, web.viewer(request)),
        "events": events,
        "event": event,
        "kind": kind,
        "text": text,
        "longest": explaining.LONGEST,
        "repository": repository,
        "repositories": sorted(
            {n for one in events for n in (*one.repositories, *one.proposal_repositories)}
        ),
        "explanation": explain(text, kind=kind, event=event, repository=repository, viewer=viewer)
        if text
        else None,
    }
    return render(request, "claims/how_read.html", context)


def _told(about: str, viewer: Person | None) -> dict[str, object]:
    """What is known about an address, or why nothing is said."""
    if not about:
        return {"about": ""}
    try:
        return {"about": about, "told": why.tell(about, viewer=viewer)}
    except NotFound as error:
        return {"about": about, "not_told": error.message}


def explain(
    text: str, *, kind: str, event: Event | None, repository: str, viewer: Person | None
) -> Explanation:
    """The reading of the text as what it is said to be."""
    if kind == "body" or event is None:
        return explaining.explain_body(text, repository=repository)
    if kind == "title":
        return trying.try_title(text, event=event, repository=repository)
    return trying.try_comment(text, event=event, repository=repository, viewer=viewer, now=clock.now())


def _repository(request: HttpRequest, event: Event | None, kind: str) -> str:
    """Where a title stands, as asked, or else where the event looks first; for other texts what a bare #n means."""
    if kind == "title" and event is not None:
        asked = web.posted(request, "repository", longest=140).strip()
        return asked or next(iter(event.repositories), "")
    issue = event.tracking_issues.order_by("pk").first() if event else None
    return issue.repository if issue else "PaddlePaddle/Paddle"
