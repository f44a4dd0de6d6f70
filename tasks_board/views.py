"""The page of an event."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from portal.common import clock, web
from tasks_board import queries, rule_words
from tasks_board.models import EventLink
from tasks_board.title_starts import title_start

_LINKS = [*EventLink.Kind]  # in this order: whose pool, what came before, what comes after


@login_not_required
@web.page
@require_safe
def show_event(request: HttpRequest, slug: str) -> HttpResponse:
    now, viewer = clock.now(), web.viewer(request)
    event = queries.get_event(slug, viewer=viewer)
    directions = queries.list_directions(event)
    whole = queries.add_up(directions)
    example = queries.find_example_task(event)
    context = {
        "event": event,
        "head": queries.describe_head(event, viewer=viewer, now=now),
        "rules": event.rule_set,
        "rules_in_words": rule_words.list_rules(event.rule_set),
        "directions": directions,
        "whole": whole,
        "lane": whole.lane,
        "areas": queries.list_areas(event),
        "phases": queries.list_phases(event, now=now),
        "links": sorted(queries.list_links(event, viewer=viewer), key=lambda link: _LINKS.index(link.kind)),
        "helpers": queries.list_helpers(event),
        "roles": queries.list_roles(event),
        "example": example,
        "title_start": title_start(event.title_prefix, (example and example.number) or "1"),
        "tab": "overview",
        "here": "events",
    }
    return render(request, "tasks_board/event.html", context)
