"""Home, search over all events, and the page about a person."""

from collections.abc import Mapping, Sequence

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from claims import free_tasks
from claims import queries as claims
from claims.mine import overview as mine
from claims.mine.next_steps import LINE, NOW, OTHERS
from claims.mine.overview import MyClaim
from portal.common import clock, web
from portal.pages import activity, people
from rewards import queries as rewards
from tasks_board import queries as events
from tasks_board import rights
from tasks_board.models import Event


@login_not_required
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    now, viewer = clock.now(), web.viewer(request)
    cards = events.list_event_cards(viewer=viewer, now=now)
    running = [card for card in cards if card.event.status == Event.Status.RUNNING]
    context = {
        "running": running,
        "drafts": [card for card in cards if card.event.status == Event.Status.DRAFT],
        "free_tasks": sum(card.lane.get("open", 0) for card in running),
        "past": events.list_past_events(viewer=viewer),
        "mine": _in_hand(mine.list_mine(viewer, now=now, current_only=True)) if viewer else [],
        "free": free_tasks.list_free_tasks(viewer=viewer, limit=6),
        "activity": activity.list_recent(events.list_visible_events(viewer=viewer), limit=8),
        "may_set_up": rights.may_set_up_events(viewer, is_staff=getattr(request.user, "is_staff", False)),
        "here": "events",
        "own_search": True,
    }
    return render(request, "portal/home.html", context)


def _in_hand(groups: Mapping[str, Sequence[MyClaim]]) -> list[MyClaim]:
    """What needs the reader first, then what waits for others, then where they wait."""
    return [claim for group in (NOW, OTHERS, LINE) for claim in groups[group]]


@login_not_required
@require_safe
def search_tasks(request: HttpRequest) -> HttpResponse:
    text = request.GET.get("q", "").strip()[:200]
    viewer = web.viewer(request)
    context = {
        "q": text,
        "found": people.search(text, viewer=viewer) if text else None,
        "free": [] if text else free_tasks.list_free_tasks(viewer=viewer, limit=50),
        "here": "tasks",
        "own_search": True,
    }
    return render(request, "portal/search.html", context)


@login_not_required
@web.page
@require_safe
def show_person(request: HttpRequest, login: str) -> HttpResponse:
    viewer = web.viewer(request)
    person = people.get_person(login)
    context = {
        "person": person,
        "claims": claims.list_claims_of(person, viewer=viewer),
        "totals": rewards.person_totals(person=person, viewer=viewer),
        "here": "me" if viewer == person else "",
    }
    return render(request, "portal/person.html", context)
