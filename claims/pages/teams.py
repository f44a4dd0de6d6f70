"""The teams of an event: seen by everybody, made and led by their members."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from claims import queries
from claims.operations import seeing, teaming
from claims.organizing import teams as team_list
from portal.accounts import lookup
from portal.common import clock, web
from portal.models import Person
from tasks_board import queries as events
from tasks_board.models import Event, Team, TeamMember
from tasks_board.operations import teams


@login_not_required
@web.page
@require_safe
def show_teams(request: HttpRequest, slug: str) -> HttpResponse:
    viewer = web.viewer(request)
    event, now = events.get_event(slug, viewer=viewer), clock.now()
    if web.is_visit(request):
        seeing.see_page(person=viewer, page="teams", event=event, now=now)
    context = {
        "event": event,
        "head": events.describe_head(event, viewer=viewer, now=now),
        "tab": "teams",
        "list": team_list.list_teams(event, viewer=viewer),
        "viewer": viewer,
    }
    return render(request, "claims/teams.html", context)


@web.page
@require_POST
def create_team(request: HttpRequest, slug: str) -> HttpResponseBase:
    event, viewer = _event(request, slug)
    name = web.posted(request, "name", longest=teams.LONGEST_NAME)
    return _done(
        request,
        event,
        lambda: teams.create_team(event=event, name=name, captain=viewer, now=clock.now()),
        _("The team is made. Invite the others by their GitHub login."),
        field="name",
    )


@web.page
@require_POST
def invite(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    event, viewer, team = _team(request, slug, pk)
    login = web.posted(request, "login", longest=100)

    def ask() -> TeamMember:
        if team.captain_id == viewer.whole_id:
            lookup.meet([login], now=clock.now())
        return teaming.invite_to_team(team=team, login=login, acting_user=viewer, now=clock.now())

    return _done(
        request,
        event,
        ask,
        _("%(login)s is invited, and a member once they accept.") % {"login": login},
        field="login",
    )


@web.page
@require_POST
def answer_invitation(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    event, viewer, team = _team(request, slug, pk)
    if request.POST.get("answer") == "accept":
        return _done(
            request,
            event,
            lambda: teaming.accept_invitation(team=team, person=viewer, now=clock.now()),
            _("You are in the team %(team)s.") % {"team": team.name},
        )
    return _done(
        request,
        event,
        lambda: teams.decline(team=team, person=viewer, now=clock.now()),
        _("You have declined the invitation."),
    )


@web.page
@require_POST
def leave(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    event, viewer, team = _team(request, slug, pk)
    return _done(
        request,
        event,
        lambda: teaming.leave_team(team=team, person=viewer, now=clock.now()),
        _("You have left the team %(team)s.") % {"team": team.name},
    )


@web.page
@require_POST
def hand_over(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    event, viewer, team = _team(request, slug, pk)
    to = _person(request)
    return _done(
        request,
        event,
        lambda: teams.hand_over(team=team, to=to, acting_user=viewer, now=clock.now()),
        _("%(login)s leads the team now.") % {"login": to.login},
    )


@web.page
@require_POST
def remove(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    event, viewer, team = _team(request, slug, pk)
    person = _person(request)
    return _done(
        request,
        event,
        lambda: teaming.remove_member(team=team, person=person, acting_user=viewer, now=clock.now()),
        _("%(login)s is not in the team any more.") % {"login": person.login},
    )


def _event(request: HttpRequest, slug: str) -> tuple[Event, Person]:
    viewer = queries.need_person(web.viewer(request))
    return events.get_event(slug, viewer=viewer), viewer


def _team(request: HttpRequest, slug: str, pk: int) -> tuple[Event, Person, Team]:
    event, viewer = _event(request, slug)
    team = team_list.get_team(event, pk)
    if team is None:
        raise Http404
    return event, viewer, team


def _person(request: HttpRequest) -> Person:
    """Whom a button beside a name is about."""
    key = request.POST.get("person", "")
    if not (key.isascii() and key.isdigit() and len(key) < 12):
        raise Http404
    return get_object_or_404(Person, pk=int(key))


def _done(
    request: HttpRequest, event: Event, action: Callable[[], Any], success: str, *, field: str = ""
) -> HttpResponseBase:
    page = web.next_url(request, reverse("teams", args=[event.slug]))
    return web.settle(request, action, success, page=page, field=field)
