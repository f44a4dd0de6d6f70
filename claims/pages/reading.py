"""How a tracking issue's text is read, for its organizers: look, correct, see what would change, apply."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from claims import github_reading
from claims.births import comparing
from claims.births import preview as previewing
from claims.forms.choices import list_complaints, read_choices, stands_for
from claims.operations import correcting
from claims.operations.tables import digest
from portal.common import clock, web
from portal.github import connect
from tasks_board import queries as events
from tasks_board.documents.choices import ReadingChoices
from tasks_board.documents.reading import read_body
from tasks_board.models import TrackingIssue
from tasks_board.tracking import choices_of, read_issue


@web.page
@require_http_methods(["GET", "HEAD", "POST"])
def review_reading(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """GET shows the reading that holds; POST the one with the corrections sent, and applies it if asked to."""
    issue = _issue(request, slug, pk)
    if request.method != "POST":
        return _show(request, issue, choices_of(issue))
    choices = read_choices(request.POST)
    for complaint in list_complaints(choices):
        messages.error(request, complaint)
    wants_it = request.POST.get("action") == "apply" and not choices.unusable
    if wants_it and web.posted(request, "shown", longest=64) != stands_for(choices):
        messages.error(
            request, _("You chose something else since. Look at what would change, then apply it.")
        )
        wants_it = False
    if not wants_it:
        return _show(request, issue, choices, status=409 if choices.unusable else 200)
    status = web.attempt(
        request,
        lambda: correcting.correct_reading(
            tracking_issue=issue,
            choices=choices,
            acting_user=web.viewer(request),
            now=clock.now(),
            seen=web.posted(request, "seen", longest=64) or None,
        ),
        lambda changed: (
            _("The text is read like this from now on.") if changed else _("Nothing was to change.")
        ),
    )
    if status != 200:
        return _show(request, _issue(request, slug, pk), choices, status=status)
    return redirect("review_reading", slug, pk)


@web.page
@require_POST
def fetch_text(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take in the issue's text as GitHub has it now, of a draft too."""
    issue, now = _issue(request, slug, pk), clock.now()
    web.attempt(
        request,
        lambda: github_reading.poll_tracking_issue(tracking_issue=issue, gateway=connect.connect(), now=now),
        _("The text is the one that GitHub has now."),
    )
    return redirect("review_reading", slug, pk)


@web.page
@require_safe
def list_readings(request: HttpRequest, slug: str) -> HttpResponse:
    """The reading of the event's first text; the others are linked there."""
    event = events.get_event_to_organize(slug, viewer=web.viewer(request))
    first = event.tracking_issues.order_by("pk").first()
    if first is None:
        messages.error(request, _("This event has no tracking issue."))
        return redirect("organize", slug)
    return redirect("review_reading", slug, first.pk)


def _issue(request: HttpRequest, slug: str, pk: int) -> TrackingIssue:
    event = events.get_event_to_organize(slug, viewer=web.viewer(request))
    return get_object_or_404(TrackingIssue.objects.select_related("event"), pk=pk, event=event)


def _show(
    request: HttpRequest, issue: TrackingIssue, choices: ReadingChoices, status: int = 200
) -> HttpResponse:
    event, body = issue.event, issue.agreed_body
    holds = choices_of(issue)
    changes = []
    if choices != holds:
        after = read_body(body, repository=issue.repository, choices=choices)
        changes = comparing.compare(issue, read_issue(issue, body), after, is_same_text=True, now=clock.now())
    only_doubtful = (request.POST.get("show") or request.GET.get("show")) == "doubtful"
    context = {
        "event": event,
        "head": events.describe_head(event, viewer=web.viewer(request), now=clock.now()),
        "tab": "organize",
        "issue": issue,
        "issues": list(event.tracking_issues.only("repository", "number", "event").order_by("pk")),
        "seen": digest(body),
        "shown": stands_for(choices),
        "reading": previewing.preview(
            body, repository=issue.repository, choices=choices, only_doubtful=only_doubtful
        ),
        "only_doubtful": only_doubtful,
        "roles": previewing.role_choices(),
        "states": previewing.state_choices(),
        "is_changed": choices != holds,
        "changes": changes,
    }
    return render(request, "claims/reading.html", context, status=status)
