"""The organizers' list of tasks: many changed at once, one in full, new ones typed or pasted."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from claims import queries
from claims.operations import editing_tasks
from claims.operations.editing_tasks import Outcome
from claims.operations.task_desk import NewTask, TaskChange
from claims.organizing import cell_conflicts as editing
from claims.organizing import task_sheets
from claims.organizing.cell_conflicts import TaskAsk
from claims.organizing.task_edit import holds_of
from claims.task_fields import BY_KEY, LONGEST_TEXT, TASK_FIELDS
from portal.common import clock, sheets, web
from portal.common.errors import DomainError
from portal.common.refusals import REFUSED, Refusal
from tasks_board import queries as events
from tasks_board.models import Event, Task, TaskEdit, TrackingIssue

MOST_SELECTED = 5_000
_MOST_AGAIN = 900  # in one form; Django takes a thousand fields


@web.page
@require_safe
def list_tasks(request: HttpRequest, slug: str) -> HttpResponse:
    event = _event(request, slug)
    context = _context(request, event) | {
        "list": editing.list_tasks(event, read_ask(request.GET)),
        "fields": TASK_FIELDS,
        "states": Task.State.choices,
        "conflicts": editing.open_cell_conflicts(event),
        "issues": _kept_up_to_date(event),
    }
    return render(request, "claims/tasks.html", context)


def read_ask(query: QueryDict) -> TaskAsk:
    """A reading of the address: unknown values are left out, never an error."""
    direction, page = query.get("direction", ""), query.get("page", "")
    state = query.get("state", "")
    return TaskAsk(
        q=query.get("q", "").strip()[:200],
        direction=int(direction) if _is_number(direction) else None,
        state=state if state in Task.State.values else "",
        removed=query.get("removed") == "1",
        page=int(page) if _is_number(page) else 1,
    )


@web.page
@require_POST
def change_selected(request: HttpRequest, slug: str) -> HttpResponseBase:
    """One field of all tasks that are ticked, or off the board with them, or back."""
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    ticked = [int(value) for value in request.POST.getlist("task") if _is_number(value)]
    if request.POST.get("all") == "1":
        ticked = editing.wanted_tasks(event, read_ask(request.POST))
    ticked = list(dict.fromkeys(ticked))[:MOST_SELECTED]
    action, key = request.POST.get("action", ""), request.POST.get("field", "")
    if not ticked or (action == "change" and key not in BY_KEY):
        error = DomainError("not_ticked", _("Tick the tasks first, and choose what shall change."))
        return web.refuse(request, error, page=_back(request, event), field="field")
    if action in ("remove", "restore"):
        outcome = editing_tasks.remove_tasks(
            event=event, tasks=ticked, acting_user=viewer, now=now, restore=action == "restore"
        )
    else:
        value = web.posted(request, "value", longest=LONGEST_TEXT)
        outcome = editing_tasks.change_tasks(
            event=event,
            changes=[TaskChange(pk, {key: value}) for pk in ticked],
            acting_user=viewer,
            now=now,
            all_or_nothing=request.POST.get("strict") == "1",
        )
    return _answer(request, event, outcome, again=_again(request, ticked, outcome))


def _again(request: HttpRequest, ticked: list[int], outcome: Outcome) -> Refusal | None:
    """The change as it was asked for, of the tasks that it was refused for; nothing where it had no value to mend."""
    if request.POST.get("action") != "change" or not outcome.refused:
        return None
    sent = request.POST.copy()
    kept = (
        dict.fromkeys(refusal.task for refusal in outcome.refused if refusal.task)
        if outcome.is_done
        else ticked
    )
    sent.setlist("task", [str(pk) for pk in kept][:_MOST_AGAIN])
    return Refusal(request.path, sent, outcome.refused[0].message, "value")


@web.page
@require_http_methods(["GET", "HEAD", "POST"])
def edit_task(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = _event(request, slug)
    task = get_object_or_404(Task.objects.select_related("direction", "tracking_issue"), pk=pk, event=event)
    values = editing.texts_of(event).of_task(task)
    if request.method == "POST":
        viewer = queries.need_person(web.viewer(request))
        typed = _typed(request)
        before = {key: request.POST.get(f"old-{key}", values[key]) for key in typed}
        changes = {key: text for key, text in typed.items() if _same(text) != _same(before[key])}
        try:
            outcome = editing_tasks.change_tasks(
                event=event,
                changes=[TaskChange(task.pk, changes, {key: before[key] for key in changes})],
                acting_user=viewer,
                now=clock.now(),
            )
        except DomainError as error:
            messages.error(request, web.sentence(error))
            return _edit_page(request, event, task, typed, Outcome(), status=REFUSED)
        if not outcome.refused:
            messages.success(request, _("The task is changed.") if outcome.changed else _("Nothing differs."))
            return redirect("edit_task", event.slug, task.pk)
        return _edit_page(request, event, task, typed, outcome)
    return _edit_page(request, event, task, values, Outcome())


def _edit_page(
    request: HttpRequest,
    event: Event,
    task: Task,
    values: dict[str, str],
    outcome: Outcome,
    status: int = 200,
) -> HttpResponse:
    if outcome.changed:
        task = Task.objects.select_related("direction", "tracking_issue").get(pk=task.pk)
    stored = editing.texts_of(event).of_task(task)
    complaints = {refusal.field: refusal.message for refusal in outcome.refused}
    holds = holds_of(event, task)
    fields = [
        {
            "field": entry,
            "hold": holds[entry.key],
            "value": values.get(entry.key, stored[entry.key]),
            "old": stored[entry.key],
            "complaint": complaints.get(entry.key, ""),
        }
        for entry in TASK_FIELDS
    ]
    locked: dict[str, list[str]] = {}
    for entry in TASK_FIELDS:
        if holds[entry.key].reason:
            locked.setdefault(holds[entry.key].reason, []).append(str(entry.label))
    context = _context(request, event) | {
        "task": task,
        "fields": fields,
        "locked": list(locked.items()),
        "edits": list(task.edits.filter(settled_at=None, conflict_at=None).order_by("pk")),
        "is_ours": task.tracking_issue_id is None or task.row_wanted_at is not None,
        "changed": outcome.changed,
    }
    status = REFUSED if outcome.refused else status
    return render(request, "claims/task_edit.html", context, status=status)


@web.page
@require_http_methods(["GET", "HEAD", "POST"])
def add_tasks(request: HttpRequest, slug: str) -> HttpResponse:
    """One task by its fields, or many by pasted lines; with rows in an issue whose table is kept up to date, if wanted."""
    event = _event(request, slug)
    issues = _kept_up_to_date(event)
    context = _context(request, event) | {"fields": _form({}, Outcome()), "issues": issues}
    if request.method != "POST":
        return render(request, "claims/tasks_add.html", context)
    viewer = queries.need_person(web.viewer(request))
    row_in = _row_in(request, issues)
    lines = request.POST.get("lines", "")
    part = "many" if lines.strip() else "one"
    try:
        additions = _pasted(lines, row_in) if lines.strip() else [NewTask(_typed(request), row_in, 1)]
        outcome = editing_tasks.change_tasks(
            event=event,
            additions=additions,
            acting_user=viewer,
            now=clock.now(),
            all_or_nothing=request.POST.get("strict") == "1",
        )
    except DomainError as error:
        messages.error(request, web.sentence(error))
        sent = Refusal(request.path, request.POST, web.sentence(error), "lines")
        context |= {part: sent, "fields": _form(_typed(request), Outcome())}
        return render(request, "claims/tasks_add.html", context, status=REFUSED)
    if outcome.refused:
        said = " ".join(refusal.message for refusal in outcome.refused[:3])
        sent = Refusal(request.path, request.POST, said, "lines")
        context |= {part: sent, "outcome": outcome, "fields": _form(_typed(request), outcome)}
        return render(request, "claims/tasks_add.html", context, status=REFUSED)
    return _answer(request, event, outcome)


def _form(typed: Mapping[str, str], outcome: Outcome) -> list[dict[str, Any]]:
    """The fields of a new task as they were typed, each with what is wrong with it."""
    complaints = {refusal.field: refusal.message for refusal in outcome.refused} if typed else {}
    return [
        {"field": entry, "value": typed.get(entry.key, ""), "complaint": complaints.get(entry.key, "")}
        for entry in TASK_FIELDS
    ]


def _kept_up_to_date(event: Event) -> list[TrackingIssue]:
    """The issues whose tables take new rows."""
    issues = event.tracking_issues.defer("body", "agreed_body").exclude(writing="mirror")
    return list(issues.filter(retired_at=None).order_by("pk"))


@web.page
@require_POST
def settle_cell(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    edits = TaskEdit.objects.select_related("task__event").filter(conflict_at__isnull=False, settled_at=None)
    edit = get_object_or_404(edits, pk=pk, task__event=event)
    ours = request.POST.get("keep") == "ours"
    web.attempt(
        request,
        lambda: editing_tasks.settle_cell_conflict(edit=edit, keep_ours=ours, acting_user=viewer, now=now),
        _("The conflict is settled."),
    )
    return redirect(web.next_url(request, reverse("organize_tasks", args=[event.slug])))


def _pasted(text: str, row_in: int | None) -> list[NewTask]:
    """Lines with headers as in files; without, every line is a title. Raises DomainError."""
    try:
        sheet = sheets.read_pasted(text, columns=task_sheets.COLUMNS, required=["title"])
    except DomainError as error:
        if error.code != "sheet_without_headers":
            raise
        titles = [(n, line.strip()) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
        return [NewTask({"title": title}, row_in, line) for line, title in titles[: sheets.MOST_ROWS]]
    return [
        NewTask({k: v for k, v in row.cells.items() if k in BY_KEY and v}, row_in, row.line)
        for row in sheet.rows
    ]


def _row_in(request: HttpRequest, issues: list[TrackingIssue]) -> int | None:
    wanted = request.POST.get("row_in", "")
    return next((issue.pk for issue in issues if str(issue.pk) == wanted), None)


def _typed(request: HttpRequest) -> dict[str, str]:
    """The fields of a form; a field that the form has not is not changed."""
    return {
        entry.key: web.posted(request, entry.key, longest=LONGEST_TEXT + 1)
        for entry in TASK_FIELDS
        if entry.key in request.POST
    }


def _same(text: str) -> str:
    """A browser sends line breaks in its own way."""
    return sheets.as_cell(text)


def _answer(
    request: HttpRequest, event: Event, outcome: Outcome, again: Refusal | None = None
) -> HttpResponse:
    """Say what was done; what was refused gets a page of its own, line by line."""
    count = len(outcome.changed) + len(outcome.added)
    if outcome.refused:
        names = {
            pk: str(t) for pk, t in event.tasks.in_bulk([r.task for r in outcome.refused if r.task]).items()
        }
        refused = [
            {
                "refusal": refusal,
                "name": names.get(refusal.task or 0, ""),
                "label": str(BY_KEY[refusal.field].label) if refusal.field in BY_KEY else "",
            }
            for refusal in outcome.refused
        ]
        context = _context(request, event) | {"refused": refused, "count": count, "is_done": outcome.is_done}
        context |= {"again": again, "fields": TASK_FIELDS, "back": _back(request, event)}
        context |= {"again_tasks": again.typed.getlist("task") if again else ()}
        return render(request, "claims/tasks_refused.html", context, status=409)
    sentence = ngettext("%(count)d task is changed.", "%(count)d tasks are changed.", count)
    messages.success(request, sentence % {"count": count})
    return redirect(_back(request, event))


def _back(request: HttpRequest, event: Event) -> str:
    return web.next_url(request, reverse("organize_tasks", args=[event.slug]))


def _is_number(value: str) -> bool:
    return value.isascii() and value.isdigit() and len(value) < 12


def _event(request: HttpRequest, slug: str) -> Event:
    return events.get_event_to_organize(slug, viewer=web.viewer(request))


def _context(request: HttpRequest, event: Event) -> dict[str, Any]:
    head = events.describe_head(event, viewer=web.viewer(request), now=clock.now())
    return {"event": event, "head": head, "tab": "organize"}
