"""What mentors settle on the page of a task: which pull requests are for it, whom they count for, work that none shows."""

import uuid
from decimal import Decimal, InvalidOperation

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from claims import queries, reports
from claims.models import Claim, PullRequest
from claims.operations import crediting, naming_pull_requests, ruling
from portal.accounts import lookup
from portal.common import clock, web
from portal.common.errors import DomainError
from portal.models import Person
from rewards.rules import WHOLE
from tasks_board import queries as events
from tasks_board import rights
from tasks_board.models import Task


@web.page
@require_POST
def link_pull_request(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    task, viewer = _task(request, slug, pk)
    return web.settle(
        request,
        lambda: naming_pull_requests.link_by_address(
            task=task,
            text=web.posted(request, "address", longest=400),
            acting_user=viewer,
            now=clock.now(),
        ),
        lambda found: (
            _("%(pr)s is linked.") % {"pr": found}
            if found
            else _(
                "Regatta reads it from GitHub now, and links it then. If GitHub knows no such pull request, nothing changes: check the number."
            )
        ),
        page=_page(request, task),
        field="address",
    )


@web.page
@require_POST
def settle_pull_request(request: HttpRequest, slug: str, pk: int, pull_request: int) -> HttpResponseBase:
    task, viewer = _task(request, slug, pk)
    pr, now = get_object_or_404(PullRequest, pk=pull_request), clock.now()
    action = web.posted(request, "action", longest=20)

    def settle() -> None:
        if action == "unlink":
            crediting.unlink(task=task, pull_request=pr, acting_user=viewer, now=now)
        elif action == "apart":
            crediting.keep_apart(task=task, pull_request=pr, acting_user=viewer, now=now)
        elif action == "link":
            crediting.link(task=task, pull_request=pr, acting_user=viewer, now=now)
        else:
            part = action == "part"
            crediting.mark_part(task=task, pull_request=pr, is_partial=part, acting_user=viewer, now=now)

    said = {
        "unlink": _("%(pr)s is no longer for this task. Its facts stay."),
        "apart": _(
            "%(pr)s is not for this task, whatever its title says later. It can be linked all the same."
        ),
        "link": _("%(pr)s is linked."),
        "part": _("%(pr)s counts as one part of the task."),
    }
    success = said.get(action, _("%(pr)s counts as the whole task.")) % {"pr": pr}
    return web.settle(request, settle, success, page=_page(request, task))


@web.page
@require_POST
def split_credit(request: HttpRequest, slug: str, pk: int, pull_request: int) -> HttpResponseBase:
    task, viewer = _task(request, slug, pk)
    pr = get_object_or_404(PullRequest, pk=pull_request)
    shares = (name for name, text in request.POST.items() if name.startswith("share-") and text)
    return web.settle(
        request,
        lambda: crediting.split_credit(
            task=task, pull_request=pr, points=_points(request), acting_user=viewer, now=clock.now()
        ),
        _("It is settled for whom %(pr)s counts.") % {"pr": pr},
        page=_page(request, task),
        field=next(shares, "whole_to"),
    )


def _points(request: HttpRequest) -> dict[int, int]:
    """By person, the share points that the form gives as percentages. Raises DomainError."""
    points: dict[int, int] = {}
    for name in request.POST:
        head, _sign, pk = name.partition("share-")
        if not head and pk.isascii() and pk.isdigit() and len(pk) < 12:
            points[int(pk)] = _read_percent(web.posted(request, name, longest=12), field=name)
    whole = web.posted(request, "whole_to", longest=12)
    if whole.isascii() and whole.isdigit():
        points = dict.fromkeys(points, 0) | {int(whole): WHOLE}
    return points


def _read_percent(text: str, *, field: str) -> int:
    try:
        percent = Decimal(text.replace(",", ".").rstrip("%") or "0")
    except InvalidOperation:
        percent = Decimal("NaN")
    is_share = percent.is_finite() and 0 <= percent <= 100
    points = percent * 100 if is_share else percent
    if not is_share or points != int(points):
        raise DomainError(
            "bad_share", _("A share is a percentage from 0 to 100, with two decimals at most."), field=field
        )
    return int(points)


@web.page
@require_POST
def accept_without(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    task, viewer = _task(request, slug, pk)
    if login := web.posted(request, "login", longest=100):
        return _accept_somebody(request, task, login, viewer)
    claims = Claim.objects.filter(task=task, shown=True).select_related("task__event", "person", "team")
    wanted = web.posted(request, "claim", longest=12)
    if wanted or claims.count() != 1:
        claims = claims.filter(pk=int(wanted) if wanted.isascii() and wanted.isdigit() else 0)
    claim = get_object_or_404(claims)
    once = web.posted(request, "once", longest=40) or uuid.uuid4().hex
    return web.settle(
        request,
        lambda: crediting.accept_without_pull_request(
            claim=claim,
            note=web.posted(request, "note", longest=2_000),
            acting_user=viewer,
            key=f"accept:{viewer.pk}:{claim.pk}:{once}",
            now=clock.now(),
        ),
        _("%(claimant)s’s work is accepted as done.") % {"claimant": claim.claimant},
        page=_page(request, task),
        field="note",
    )


def _accept_somebody(request: HttpRequest, task: Task, login: str, viewer: Person) -> HttpResponseBase:
    """The work of a person who is named by login, with or without a claim."""
    once, now = web.posted(request, "once", longest=40) or uuid.uuid4().hex, clock.now()

    def accept() -> Claim:
        rights.check_may_decide_on(task, viewer)
        return crediting.accept_work_of(
            task=task,
            person=lookup.meet_one(login, now=now),
            note=web.posted(request, "note", longest=2_000),
            acting_user=viewer,
            key=f"accept:{viewer.pk}:{task.pk}:{once}",
            now=now,
        )

    return web.settle(
        request,
        accept,
        lambda claim: _("%(claimant)s’s work is accepted as done.") % {"claimant": claim.claimant},
        page=_page(request, task),
        field="login",
        explain=reports.explain,
    )


@web.page
@require_POST
def change_task_chain(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    event = events.get_event_to_organize(slug, viewer=web.viewer(request))
    task, viewer = events.get_task(event, pk), queries.need_person(web.viewer(request))
    return web.settle(
        request,
        lambda: ruling.change_task_chain(
            task=task,
            text=web.posted(request, "chain", longest=600),
            acting_user=viewer,
            now=clock.now(),
        ),
        _("The steps of No.%(number)s are settled.") % {"number": task.number},
        page=_page(request, task),
        field="chain",
    )


def _task(request: HttpRequest, slug: str, pk: int) -> tuple[Task, Person]:
    event = events.get_event_to_decide(slug, viewer=web.viewer(request))
    return events.get_task(event, pk), queries.need_person(web.viewer(request))


def _page(request: HttpRequest, task: Task) -> str:
    return web.next_url(request, reverse("task", args=[task.event.slug, task.pk]))
