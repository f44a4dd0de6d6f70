"""All tasks as a file, and such a file back: first what it would change, then exactly that."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from claims import queries
from claims.operations import editing_tasks
from claims.organizing import cell_conflicts as editing
from claims.organizing import task_sheets
from claims.task_fields import BY_KEY
from portal.common import clock, downloads, sheets, web
from portal.common.errors import DomainError
from tasks_board import queries as events
from tasks_board.models import Event


@web.page
@require_safe
def download_csv(request: HttpRequest, slug: str) -> HttpResponseBase:
    event = _event(request, slug)
    rows = task_sheets.rows_of(editing.texts_of(event))
    return downloads.csv_file(f"{event.slug}-tasks", task_sheets.HEADERS, rows)


@web.page
@require_safe
def download_xlsx(request: HttpRequest, slug: str) -> HttpResponseBase:
    event = _event(request, slug)
    rows = task_sheets.rows_of(editing.texts_of(event))
    return downloads.xlsx_file(f"{event.slug}-tasks", event.name, task_sheets.HEADERS, rows)


@web.page
@require_POST
def preview_file(request: HttpRequest, slug: str) -> HttpResponseBase:
    event, viewer = _event(request, slug), queries.need_person(web.viewer(request))
    file = request.FILES.get("file")
    try:
        if file is None:
            raise DomainError("no_file", _("Choose a file first."))
        data = file.read(sheets.MOST_BYTES + 1)
        sheet = sheets.read_sheet(file.name or "", data, columns=task_sheets.COLUMNS)
    except DomainError as error:
        return web.refuse(request, error, page=reverse("organize_tasks", args=[event.slug]), field="file")
    row_in = _row_in(request, event)
    texts = editing.texts_of(event)
    meaning = task_sheets.understand(texts, sheet, row_in=row_in)
    refused = editing_tasks.try_changes(
        event=event, changes=meaning.changes, additions=meaning.additions, acting_user=viewer
    )
    preview = task_sheets.preview(
        texts, meaning, refused, acting_user=viewer, row_in=row_in, unknown=sheet.unknown
    )
    return render(request, "claims/tasks_preview.html", _context(request, event) | {"preview": preview})


@web.page
@require_POST
def apply_file(request: HttpRequest, slug: str) -> HttpResponse:
    event, viewer = _event(request, slug), queries.need_person(web.viewer(request))
    try:
        changes, additions, newest = task_sheets.read_token(request.POST.get("token", ""), event, viewer)
        outcome = editing_tasks.change_tasks(
            event=event,
            changes=changes,
            additions=additions,
            acting_user=viewer,
            now=clock.now(),
            all_or_nothing=True,
            newest_known=newest,
        )
    except DomainError as error:
        messages.error(request, str(error.message))
        return redirect("organize_tasks", event.slug)
    if outcome.refused:
        refused = [
            {"refusal": r, "label": str(BY_KEY[r.field].label) if r.field in BY_KEY else ""}
            for r in outcome.refused
        ]
        context = _context(request, event) | {"refused": refused, "count": 0, "is_done": False}
        return render(request, "claims/tasks_refused.html", context, status=409)
    count = len(outcome.changed) + len(outcome.added)
    sentence = ngettext("%(count)d task is changed.", "%(count)d tasks are changed.", count)
    messages.success(request, sentence % {"count": count})
    return redirect("organize_tasks", event.slug)


def _row_in(request: HttpRequest, event: Event) -> int | None:
    wanted = request.POST.get("row_in", "")
    found = event.tracking_issues.exclude(writing="mirror").values_list("pk", flat=True)
    return next((pk for pk in found if str(pk) == wanted), None)


def _event(request: HttpRequest, slug: str) -> Event:
    return events.get_event_to_organize(slug, viewer=web.viewer(request))


def _context(request: HttpRequest, event: Event) -> dict[str, Any]:
    head = events.describe_head(event, viewer=web.viewer(request), now=clock.now())
    return {"event": event, "head": head, "tab": "organize"}
