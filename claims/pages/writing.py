"""The organizers' page about what is written into issues: alarms, switches, differences, conflicts, figures."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from claims import queries
from claims.models import TableConflict
from claims.operations import conflicts, deciding, writing
from claims.organizing import probing
from claims.organizing import writing as written
from portal.common import clock, web
from tasks_board import queries as events
from tasks_board.models import Event, IssueRevision, TrackingIssue
from tasks_board.operations import events as event_operations


@web.page
@require_safe
def show_writing(request: HttpRequest, slug: str) -> HttpResponse:
    event = _event(request, slug)
    context = _context(request, event) | {
        "conflicts": written.list_conflicts(event, viewer=web.viewer(request)),
        "stated": written.list_figures(event),
        "holds": written.list_holds(),
    }
    return render(request, "claims/writing_overview.html", context)


@web.page
@require_safe
def review_writing(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = _event(request, slug)
    issue = get_object_or_404(TrackingIssue, pk=pk, event=event)
    probe, with_column = probing.probe_issue(issue), request.GET.get("column") == "1" and issue.lacks_column
    preview = (
        written.preview_writing(issue, body_at_github=probe.body, with_column=with_column)
        if probe.body is not None
        else None
    )
    more = {"issue": issue, "probe": probe, "preview": preview, "with_column": with_column}
    return render(request, "claims/writing.html", _context(request, event) | more)


@web.page
@require_POST
def set_writing(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event, now = _event(request, slug), clock.now()
    issue = get_object_or_404(TrackingIssue, pk=pk, event=event)
    on = request.POST.get("on") == "1"
    if on and not _is_let(request, issue):
        return redirect("review_writing", event.slug, issue.pk)
    words = _("%(issue)s is kept up to date from now on.") if on else _("%(issue)s is read only from now on.")
    web.attempt(
        request,
        lambda: writing.switch_writing(tracking_issue=issue, on=on, acting_user=web.viewer(request), now=now),
        words % {"issue": issue},
    )
    return redirect("writing", event.slug)


@web.page
@require_POST
def add_column(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event, now = _event(request, slug), clock.now()
    issue = get_object_or_404(TrackingIssue, pk=pk, event=event)
    if not _is_let(request, issue):
        return redirect("review_writing", event.slug, issue.pk)
    web.attempt(
        request,
        lambda: writing.add_column(tracking_issue=issue, acting_user=web.viewer(request), now=now),
        _("The column for claimants is on its way into %(issue)s.") % {"issue": issue},
    )
    return redirect("writing", event.slug)


def _is_let(request: HttpRequest, issue: TrackingIssue) -> bool:
    if probing.probe_issue(issue).may_write:
        return True
    messages.error(request, _("GitHub does not let us write there. Nothing was switched on."))
    return False


@web.page
@require_POST
def dismiss_alarm(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event, now = _event(request, slug), clock.now()
    issue = get_object_or_404(TrackingIssue, pk=pk, event=event)
    web.attempt(
        request,
        lambda: event_operations.dismiss_alarm(
            tracking_issue=issue, acting_user=web.viewer(request), now=now
        ),
        _("The alarm is off. What it held back stays off until you switch it on."),
    )
    return redirect("writing", event.slug)


@web.page
@require_POST
def hold_writing(request: HttpRequest, slug: str) -> HttpResponse:
    event, now = _event(request, slug), clock.now()
    held = request.POST.get("held") == "1"
    words = (
        _("Nothing is written into this event’s issues until you release it; everything is read on.")
        if held
        else _("Writing is released. What differs goes out at once.")
    )
    web.attempt(
        request,
        lambda: writing.hold_event(event=event, held=held, acting_user=web.viewer(request), now=now),
        words,
    )
    return redirect("writing", event.slug)


@web.page
@require_safe
def show_revision(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = _event(request, slug)
    found = IssueRevision.objects.select_related("tracking_issue", "editor")
    revision = get_object_or_404(found, pk=pk, tracking_issue__event=event)
    before = written.revision_before(revision)
    lines = written.diff_lines(before.body if before else "", revision.body)
    more = {"revision": revision, "issue": revision.tracking_issue, "lines": lines}
    return render(request, "claims/revision.html", _context(request, event) | more)


@web.page
@require_POST
def settle_conflict(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    conflict = get_object_or_404(TableConflict, pk=pk, claim__task__event=event, settled_at=None)
    ours = request.POST.get("keep") == "ours"
    web.attempt(
        request,
        lambda: deciding.settle_conflict(conflict=conflict, keep_ours=ours, acting_user=viewer, now=now),
        _("The conflict is settled."),
    )
    return redirect("writing", event.slug)


@web.page
@require_POST
def settle_conflicts(request: HttpRequest, slug: str) -> HttpResponse:
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    keep = request.POST.get("keep")
    if keep not in ("ours", "theirs") or request.POST.get("sure") != "1":
        messages.error(request, _("Tick that you mean all of them, then choose whose value holds."))
        return redirect("writing", event.slug)
    web.attempt(
        request,
        lambda: conflicts.settle_all(event=event, keep_ours=keep == "ours", acting_user=viewer, now=now),
        _settled,
    )
    return redirect("writing", event.slug)


def _settled(counts: tuple[int, int]) -> str:
    settled, left = counts
    done = ngettext("%(count)d conflict is settled.", "%(count)d conflicts are settled.", settled)
    words = done % {"count": settled}
    if not left:
        return words
    rest = ngettext(
        "%(count)d is about a claim of your own and left for another organizer.",
        "%(count)d are about claims of your own and left for another organizer.",
        left,
    )
    return f"{words} {rest % {'count': left}}"


def _event(request: HttpRequest, slug: str) -> Event:
    return events.get_event_to_organize(slug, viewer=web.viewer(request))


def _context(request: HttpRequest, event: Event) -> dict[str, Any]:
    head = events.describe_head(event, viewer=web.viewer(request), now=clock.now())
    return {"event": event, "head": head, "tab": "organize"}
