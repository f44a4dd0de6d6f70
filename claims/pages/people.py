"""The organizers' pages about people: roles and marks, and names that nobody has linked."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from claims import queries
from claims.forms.complaining import ComplainingForm
from claims.forms.people import MarkForm, RoleForm
from claims.operations import eligibility, naming, teaming
from claims.operations.eligibility import Outcome, split_logins
from claims.organizing import eligibility as page
from claims.organizing import unlinked
from portal.accounts import lookup, people
from portal.common import clock, web
from portal.common.errors import DomainError
from portal.models import Person
from tasks_board import queries as events
from tasks_board.models import Event, EventMark, EventRole, Task, TaskHelper, Team

_MARK_IDS, _ROLE_IDS = "id_mark_%s", "id_role_%s"  # two forms on one page


@web.page
@require_safe
def show_people(request: HttpRequest, slug: str) -> HttpResponse:
    return _render(request, _event(request, slug))


def _render(
    request: HttpRequest, event: Event, *, marks: MarkForm | None = None, roles: RoleForm | None = None
) -> HttpResponse:
    """With what somebody typed and could not be read."""
    context = _context(request, event) | {
        "people": page.describe(event),
        "mark_form": marks or MarkForm(auto_id=_MARK_IDS),
        "role_form": roles or RoleForm(auto_id=_ROLE_IDS),
    }
    return render(request, "claims/people.html", context, status=409 if marks or roles else 200)


@web.page
@require_POST
def mark_people(request: HttpRequest, slug: str) -> HttpResponse:
    event, viewer = _event(request, slug), queries.need_person(web.viewer(request))

    def mark(logins: Sequence[str], values: Mapping[str, Any]) -> Outcome:
        return eligibility.mark_people(
            event=event,
            logins=logins,
            kind=EventMark.Kind(values["kind"]),
            note=values["note"],
            acting_user=viewer,
            now=clock.now(),
        )

    form = MarkForm(request.POST, auto_id=_MARK_IDS)
    is_done = _for_each(request, form, mark)
    return redirect("people", event.slug) if is_done else _render(request, event, marks=form)


@web.page
@require_POST
def lift_mark(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event, viewer = _event(request, slug), queries.need_person(web.viewer(request))
    mark = get_object_or_404(EventMark.objects.select_related("person"), pk=pk, event=event)
    web.attempt(
        request,
        lambda: eligibility.lift_mark(event=event, mark=mark, acting_user=viewer, now=clock.now()),
        _("The mark is lifted."),
    )
    return redirect("people", event.slug)


@web.page
@require_POST
def grant_role(request: HttpRequest, slug: str) -> HttpResponse:
    event, viewer = _event(request, slug), queries.need_person(web.viewer(request))

    def grant(logins: Sequence[str], values: Mapping[str, Any]) -> Outcome:
        return eligibility.grant_role(
            event=event,
            logins=logins,
            role=EventRole.Role(values["role"]),
            tasks=_tasks(event, values["tasks"]),
            acting_user=viewer,
            now=clock.now(),
        )

    form = RoleForm(request.POST, auto_id=_ROLE_IDS)
    is_done = _for_each(request, form, grant)
    return redirect("people", event.slug) if is_done else _render(request, event, roles=form)


@web.page
@require_POST
def revoke_role(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event, viewer = _event(request, slug), queries.need_person(web.viewer(request))
    granted = get_object_or_404(EventRole.objects.select_related("person"), pk=pk, event=event)
    status = web.attempt(
        request,
        lambda: eligibility.revoke_role(event=event, granted=granted, acting_user=viewer, now=clock.now()),
        _("%(login)s has this role no longer.") % {"login": granted.person.login},
    )
    if status == 200 and granted.person == viewer and granted.role == EventRole.Role.ORGANIZER:
        return redirect("event", event.slug)
    return redirect("people", event.slug)


@web.page
@require_POST
def revoke_tasks(request: HttpRequest, slug: str) -> HttpResponse:
    event, viewer = _event(request, slug), queries.need_person(web.viewer(request))
    person, role = _person(request), request.POST.get("role", "")
    if role not in TaskHelper.Role.values:
        raise Http404
    web.attempt(
        request,
        lambda: eligibility.revoke_tasks(
            event=event, person=person, role=TaskHelper.Role(role), acting_user=viewer, now=clock.now()
        ),
        _("%(login)s has this role no longer.") % {"login": person.login},
    )
    return redirect("people", event.slug)


@web.page
@require_safe
def show_names(request: HttpRequest, slug: str) -> HttpResponse:
    event = _event(request, slug)
    context = _context(request, event) | {"names": unlinked.list_names(event)}
    return render(request, "claims/names.html", context)


@web.page
@require_POST
def link_team(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """To a team that is chosen, or else to the people whose logins are written; the first one leads."""
    event, viewer = _event(request, slug), queries.need_person(web.viewer(request))
    name = get_object_or_404(Team, pk=pk, event=event)

    def link() -> Team:
        chosen = request.POST.get("team", "")
        if chosen:
            team = _known_team(event, chosen)
            return teaming.point_team_name(name=name, team=team, acting_user=viewer, now=clock.now())
        logins = split_logins(web.posted(request, "logins", longest=2_000))
        lookup.meet(logins, now=clock.now())
        members = [people.need_account(login) for login in logins]
        return teaming.link_team_name(team=name, members=members, acting_user=viewer, now=clock.now())

    return web.settle(
        request,
        link,
        _("“%(name)s” is linked.") % {"name": name.name},
        page=reverse("names", args=[event.slug]),
        field="team" if "team" in request.POST else "logins",
    )


@web.page
@require_POST
def link_person(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    event, viewer = _event(request, slug), queries.need_person(web.viewer(request))
    name = get_object_or_404(Person.objects.filter(pk__in=unlinked.named_in(event)), pk=pk)
    login = web.posted(request, "login", longest=100)
    return web.settle(
        request,
        lambda: naming.link_name(
            event=event,
            name=name,
            person=lookup.meet_one(login, now=clock.now()),
            acting_user=viewer,
            now=clock.now(),
        ),
        _("“%(name)s” is linked.") % {"name": name.login},
        page=reverse("names", args=[event.slug]),
        field="login",
    )


def _for_each(
    request: HttpRequest, form: ComplainingForm, act: Callable[[Sequence[str], Mapping[str, Any]], Outcome]
) -> bool:
    """Do it for the people whom the form names: one message for those it was done to, one for each of the others.

    Says whether it was done to all of them; if not, the form keeps those to whom it was not.
    """
    if not form.is_valid():
        messages.error(request, form.list_complaints())
        return False
    named = split_logins(form.cleaned_data["logins"])
    try:
        lookup.meet(named, now=clock.now())
        outcome = act(named, form.cleaned_data)
    except DomainError as error:
        form.refuse(error, "logins")
        messages.error(request, web.sentence(error))
        return False
    if outcome.done:
        count = len(outcome.done)
        said = ngettext(
            "Done for %(count)d person: %(logins)s", "Done for %(count)d people: %(logins)s", count
        )
        logins = ", ".join(person.login for person in outcome.done[:20])
        messages.success(request, said % {"count": count, "logins": logins + (" …" if count > 20 else "")})
    for sentence in outcome.refused[:20]:
        messages.warning(request, sentence)
    if len(outcome.refused) > 20:
        messages.warning(request, _("… and %(count)d more.") % {"count": len(outcome.refused) - 20})
    if not outcome.done and not outcome.refused:
        form.add_error("logins", _("Name at least one person."))
        messages.error(request, form.list_complaints())
    if outcome.refused:
        form.data = request.POST.copy()
        form.data["logins"] = "\n".join(outcome.left)
        form.add_error("logins", list(outcome.refused[:20]))
    return form.is_valid()


def _tasks(event: Event, text: str) -> list[Task]:
    """The tasks with these numbers. Raises DomainError: no_such_task."""
    numbers = split_logins(text)
    tasks = list(Task.objects.filter(event=event, is_removed=False, number__in=numbers))
    missing = [number for number in numbers if number not in {task.number for task in tasks}]
    if missing:
        raise DomainError(
            "no_such_task",
            _("There is no task No.%(number)s in this event.") % {"number": missing[0][:40]},
            field="tasks",
        )
    return tasks


def _known_team(event: Event, key: str) -> Team:
    found = (
        Team.objects.filter(pk=int(key), event=event).first()
        if key.isascii() and key.isdigit() and len(key) < 12
        else None
    )
    if found is None:
        raise DomainError("no_such_team", _("Choose another team of the same event."))
    return found


def _person(request: HttpRequest) -> Person:
    key = request.POST.get("person", "")
    if not (key.isascii() and key.isdigit() and len(key) < 12):
        raise Http404
    return get_object_or_404(Person, pk=int(key))


def _event(request: HttpRequest, slug: str) -> Event:
    return events.get_event_to_organize(slug, viewer=web.viewer(request))


def _context(request: HttpRequest, event: Event) -> dict[str, Any]:
    head = events.describe_head(event, viewer=web.viewer(request), now=clock.now())
    return {"event": event, "head": head, "tab": "organize"}
