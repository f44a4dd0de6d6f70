"""A contributor's own page, the bell, and beginning a claim's time anew."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from claims import queries
from claims.mine import notices
from claims.mine import overview as mine
from claims.operations import deadlines, seeing
from portal.common import clock, web
from rewards import queries as rewards
from tasks_board import queries as events


@never_cache
@web.page
@require_safe
def show_me(request: HttpRequest) -> HttpResponse:
    now, person = clock.now(), queries.need_person(web.viewer(request))
    if web.is_visit(request):
        seeing.see_page(person=person, page="me", now=now)
    groups = mine.list_mine(person, now=now)
    context = {
        "groups": groups,
        "count": sum(map(len, groups.values())),
        "invitations": mine.list_invitations(person),
        "missed": mine.list_missed(person),
        "totals": rewards.person_totals(person=person, viewer=person),
        "here": "me",
    }
    return render(request, "claims/me.html", context)


@never_cache
@web.page
@require_safe
def show_notices(request: HttpRequest) -> HttpResponse:
    person = queries.need_person(web.viewer(request))
    context = {"lines": notices.list_notices(person), "here": "notices"}
    return render(request, "claims/notices.html", context)


@web.page
@require_POST
def mark_all_seen(request: HttpRequest) -> HttpResponse:
    person, now = queries.need_person(web.viewer(request)), clock.now()
    web.attempt(request, lambda: seeing.mark_seen(person=person, notice=None, now=now), _seen)
    return redirect(web.next_url(request, reverse("notices")))


def _seen(count: int) -> str:
    return ngettext("%(count)d notice is seen.", "%(count)d notices are seen.", count) % {"count": count}


@web.page
@require_POST
def mark_seen(request: HttpRequest, notice: int) -> HttpResponse:
    person, now = queries.need_person(web.viewer(request)), clock.now()
    own = get_object_or_404(notices.notices_of(person), pk=notice)
    seeing.mark_seen(person=person, notice=own, now=now)
    return redirect(web.next_url(request, reverse("notices")))


@web.page
@require_POST
def renew(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    now, person = clock.now(), queries.need_person(web.viewer(request))
    task = events.get_task(events.get_event(slug, viewer=person), pk)
    key = f"web:{person.pk}:renew:{task.pk}:{web.posted(request, 'once', longest=40) or uuid.uuid4().hex}"
    web.attempt(
        request,
        lambda: deadlines.renew_own_claim(task=task, acting_user=person, key=key, now=now),
        _("The time for No.%(number)s has begun anew.") % {"number": task.number},
    )
    return redirect(web.next_url(request, reverse("task", args=[slug, task.pk])))
