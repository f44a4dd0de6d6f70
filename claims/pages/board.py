"""The board, a task, and the buttons on them."""

import uuid

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from claims import board, board_view, queries, words
from claims.board_view import SHOWS, SORTS, BoardAsk
from claims.models import Claim, Decision
from claims.operations import claiming, seeing
from claims.operations.claiming import Asked, ClaimRefused
from portal.common import clock, web
from portal.common.errors import DomainError
from portal.models import Person
from portal.pages import marks
from tasks_board import queries as events
from tasks_board.models import Event, Task
from tasks_board.operations import teams


@login_not_required
@never_cache
@vary_on_headers("HX-Request", "HX-Target")
@web.page
@require_safe
def show_board(request: HttpRequest, slug: str) -> HttpResponse:
    """Its rows change in place: a copy that a browser kept would show them, on the way back, as they were before."""
    now, viewer = clock.now(), web.viewer(request)
    event = events.get_event(slug, viewer=viewer)
    rows = board.list_rows(event, viewer=viewer, now=now)
    directions = list(event.directions.order_by("-source", "position", "pk"))  # sections before columns
    context = {
        "event": event,
        "page": board_view.arrange(rows, directions, read_ask(request.GET)),
        "home_repository": home_repository(event),
        "tab": "board",
        "here": "tasks",
    }
    if request.headers.get("HX-Target") == "board":
        return render(request, "claims/partials/_board_answer.html", context)
    context["legend_states"] = marks.STATES
    context["head"] = events.describe_head(event, viewer=viewer, now=now)
    return render(request, "claims/board.html", context)


def read_ask(query: QueryDict) -> BoardAsk:
    """A reading of the address: unknown values are left out, never an error."""
    sort = query.get("sort", "number")
    show = query.get("show", "")
    numbers = [v for v in query.getlist("direction") if v.isascii() and v.isdigit() and len(v) < 12]
    return BoardAsk(
        q=query.get("q", "").strip()[:200],
        directions=frozenset(map(int, numbers)),
        states=frozenset(query.getlist("state")) & frozenset(Task.State.values),
        mentors=frozenset(query.getlist("mentor")),
        show=show if show in SHOWS else "",
        claimable=query.get("claimable") == "1",
        sort=sort.lstrip("-") if sort.lstrip("-") in SORTS else "number",
        backwards=sort.startswith("-"),
        compact=query.get("density") == "compact",
        page=read_page(query.get("page", "1")),
    )


def read_page(text: str) -> int:
    """The number of a page; 0 asks for all rows on one."""
    if text == "all":
        return 0
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) < 6 else 1


def home_repository(event: Event) -> str:
    """The repository whose pull requests are written as #n alone."""
    return str(event.repositories[0]) if event.repositories else ""


@login_not_required
@web.page
@require_safe
def show_task(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    now, viewer = clock.now(), web.viewer(request)
    event = events.get_event(slug, viewer=viewer)
    task = events.get_task(event, pk)
    if web.is_visit(request):
        seeing.see_page(person=viewer, page="task", event=event, task=task, now=now)
    context = {
        "event": event,
        "task": task,
        "detail": queries.describe_task(task, viewer=viewer, now=now),
        "head": events.describe_head(event, viewer=viewer, now=now),
        "home_repository": home_repository(event),
        "here": "tasks",
    }
    return render(request, "claims/task.html", context)


@login_not_required
@web.page
@require_safe
def show_verdict(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    now, viewer = clock.now(), web.viewer(request)
    event = events.get_event(slug, viewer=viewer)
    task = events.get_task(event, pk)
    detail = queries.describe_task(task, viewer=viewer, now=now)
    return render(request, "claims/partials/_verdict.html", {"event": event, "task": task, "detail": detail})


@web.page
@require_POST
def claim(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    now, person = clock.now(), queries.need_person(web.viewer(request))
    task = events.get_task(events.get_event(slug, viewer=person), pk)
    asked = _asked(request, person, task)
    for_team = request.POST.get("for") == "team"
    status = web.attempt(
        request,
        lambda: claiming.claim_task(
            task=task,
            claimant=person,
            asked=asked,
            now=now,
            team=teams.need_team_of(task.event, person) if for_team else None,
        ),
        lambda claim: _taken(claim, task),
        explain=explain,
    )
    return answer(request, task, status)


def _taken(claim: Claim, task: Task) -> str:
    for_team = claim.team is not None
    if claim.standing == Claim.Standing.WAITING:
        said = (
            _("No.%(number)s has no free place. %(team)s waits in line and moves up when one becomes free.")
            if for_team
            else _("No.%(number)s has no free place. You wait in line and move up when one becomes free.")
        )
    elif claim.standing == Claim.Standing.REQUESTED:
        said = (
            _("%(team)s has asked for No.%(number)s. A mentor answers.")
            if for_team
            else _("You have asked for No.%(number)s. A mentor answers.")
        )
    elif for_team:
        said = _("%(team)s has claimed No.%(number)s.")
    else:
        said = _("You have claimed No.%(number)s.")
    return said % {"number": task.number, "team": claim.team}


@web.page
@require_POST
def release(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    now, person = clock.now(), queries.need_person(web.viewer(request))
    task = events.get_task(events.get_event(slug, viewer=person), pk)
    asked = _asked(request, person, task)
    status = web.attempt(
        request,
        lambda: claiming.release_task(task=task, claimant=person, asked=asked, now=now),
        _("You have released No.%(number)s. Others can take it now.") % {"number": task.number},
    )
    return answer(request, task, status)


def _asked(request: HttpRequest, person: Person, task: Task) -> Asked:
    """The wish behind a button. The form's `once` makes two clicks on one form one wish."""
    once = web.posted(request, "once", longest=40) or uuid.uuid4().hex
    return Asked(source=Decision.Source.WEB, at=clock.now(), key=f"web:{person.pk}:{task.pk}:{once}")


def explain(error: DomainError) -> str:
    """A refusal in words: of a claim, each rule that said no."""
    return words.refused(error.ruling) if isinstance(error, ClaimRefused) else str(error.message)


def answer(request: HttpRequest, task: Task, status: int) -> HttpResponse:
    """Back to where the button was; htmx gets the row as it stands now, and the message beside it."""
    if request.headers.get("HX-Request"):
        event, task = task.event, events.get_task(task.event, task.pk)
        context = {
            "event": event,
            "row": board.get_row(task, viewer=web.viewer(request), now=clock.now()),
            "page": board.find_columns(event),
            "home_repository": home_repository(event),
        }
        response = render(request, "claims/partials/_row_answer.html", context, status=status)
        response["X-Regatta-Partial"] = "row"
        return response
    return redirect(web.next_url(request, reverse("task", args=[task.event.slug, task.pk])))
