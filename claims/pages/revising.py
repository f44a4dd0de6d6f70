"""Bringing an event up to date from a draft: what would change of it is looked at, then confirmed exactly so."""

from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from claims import github_reading
from claims.births import opening, revising, sources
from claims.births import preview as previewing
from claims.births.revising import Revision
from claims.forms.choices import list_complaints, read_choices, stands_for
from claims.models import ImportDraft
from claims.operations import drafting
from claims.operations.drafting import Maker
from claims.operations.revising import is_older
from portal.common import clock, web
from portal.common.errors import DomainError, NotAllowed, NotFound
from portal.github import connect
from tasks_board import rights
from tasks_board.documents.choices import ReadingChoices
from tasks_board.models import TrackingIssue


@web.page
@require_http_methods(["GET", "HEAD", "POST"])
def revise_event(request: HttpRequest, pk: int, slug: str) -> HttpResponse:
    """GET shows what the draft would change of this event; POST corrects the reading, reads GitHub again, or confirms."""
    maker, now = Maker.of(request.user, web.viewer(request)), clock.now()
    draft = opening.open_draft(pk, maker=maker, now=now)
    try:
        issue = drafting.find_text(draft, slug=slug, viewer=maker.person)
        rights.check_may_organize(issue.event, maker.person)
    except NotFound as error:
        messages.error(request, web.sentence(error))
        return redirect("event_draft", pk)
    except NotAllowed:
        messages.error(
            request,
            _(
                "Only organizers of %(name)s bring it up to date. Ask one of them; here you can make another event."
            )
            % {"name": issue.event.name},
        )
        return redirect(reverse("event_draft", args=[pk], query={"as": "new"}))
    if request.method != "POST":
        return _show(request, draft, issue, drafting.choices_for(draft, issue), maker)
    return _change(request, draft, issue, maker, now)


def _change(
    request: HttpRequest, draft: ImportDraft, issue: TrackingIssue, maker: Maker, now: datetime
) -> HttpResponse:
    choices = read_choices(request.POST)
    offered, taken = request.POST.getlist("setting"), request.POST.getlist("take")
    left = frozenset(name for name in revising.LEAVABLE if name in offered and name not in taken)
    drafting.keep_corrections(
        draft=draft, maker=maker, event=issue.event, choices=choices, left=left, now=now
    )
    for complaint in list_complaints(choices):
        messages.error(request, complaint)
    action = request.POST.get("action", "")
    if action == "fetch":
        return _fetch_again(request, draft, issue, maker, now)
    is_seen = web.posted(request, "shown", longest=64) == stands_for(choices)
    if action == "revise" and not is_seen:
        messages.error(
            request, _("You chose something else since. Look at what would change, then confirm it.")
        )
    elif action == "revise" and not choices.unusable:
        return _confirm(request, draft, issue, choices, maker, now)
    query = {"show": "doubtful"} if request.POST.get("show") == "doubtful" else None
    return redirect(reverse("revise_event", args=[draft.pk, issue.event.slug], query=query))


def _confirm(
    request: HttpRequest,
    draft: ImportDraft,
    issue: TrackingIssue,
    choices: ReadingChoices,
    maker: Maker,
    now: datetime,
) -> HttpResponse:
    """People are looked up at GitHub first, outside of any transaction; then all of it happens, or nothing."""
    try:
        github_reading.look_some_up(drafting.update_of(draft, choices, now).reading, now=now)
        foreseen = _foresee(draft, issue, choices, maker, now)
        event = drafting.revise_event(
            draft=draft,
            maker=maker,
            slug=issue.event.slug,
            choices=choices,
            seen=web.posted(request, "seen", longest=64),
            now=now,
        )
    except DomainError as error:
        messages.error(request, web.sentence(error))
        if error.code == "changed_meanwhile" and not draft.plan.get(drafting.PASTED):
            _refresh(request, draft, maker, now)
        fresh = drafting.find_text(draft, slug=issue.event.slug, viewer=maker.person)
        return _show(request, draft, fresh, choices, maker, status=web.status_of(error))
    messages.success(request, _what_came_of_it(event.name, foreseen))
    return redirect(opening.address_after(draft, event, maker=maker, now=now))


def _what_came_of_it(name: str, revision: Revision) -> str:
    counts = revision.counts
    said = _(
        "%(name)s is up to date: %(new)d new, %(changed)d changed, %(gone)d off the board. All claims and their history stay."
    ) % {
        "name": name,
        "new": counts["new"],
        "changed": counts["changed"] + counts["back"],
        "gone": counts["gone"],
    }
    between = counts["moved"] + counts["came"]
    if between:
        said += " " + ngettext(
            "%(count)d row went from one text to another.",
            "%(count)d rows went from one text to another.",
            between,
        ) % {"count": between}
    return said


def _fetch_again(
    request: HttpRequest, draft: ImportDraft, issue: TrackingIssue, maker: Maker, now: datetime
) -> HttpResponse:
    if _refresh(request, draft, maker, now):
        messages.success(request, _("The text is the one that GitHub has now."))
        if is_older(issue, drafting.update_of(draft, drafting.choices_for(draft, issue), now)):
            messages.info(
                request,
                _(
                    "A text that was given by hand after it counts for this event, until the issue is edited at GitHub."
                ),
            )
    return redirect("revise_event", draft.pk, issue.event.slug)


def _refresh(request: HttpRequest, draft: ImportDraft, maker: Maker, now: datetime) -> bool:
    """Take the issue's text as GitHub has it now; whether that could be had."""
    if draft.number is None:
        return False
    address = sources.Address(draft.repository, draft.number)
    try:
        text = sources.fetch_issue(address, gateway=connect.connect(), may_see_private=maker.user.is_staff)
        drafting.take_text(draft=draft, maker=maker, text=text, now=now)
    except DomainError as error:
        messages.error(request, web.sentence(error))
        return False
    draft.refresh_from_db()
    return True


def _foresee(
    draft: ImportDraft, issue: TrackingIssue, choices: ReadingChoices, maker: Maker, now: datetime
) -> Revision:
    update = drafting.update_of(draft, choices, now, about=issue)
    return revising.foresee(issue, update, viewer=maker.person, now=now)


def _show(
    request: HttpRequest,
    draft: ImportDraft,
    issue: TrackingIssue,
    choices: ReadingChoices,
    maker: Maker,
    status: int = 200,
) -> HttpResponse:
    only_doubtful = (request.POST.get("show") or request.GET.get("show")) == "doubtful"
    context = {
        "here": "events",
        "draft": draft,
        "file": drafting.find_file(draft, now=clock.now()),
        "event": issue.event,
        "issue": issue,
        "is_pasted": draft.number is not None and bool(draft.plan.get(drafting.PASTED)),
        "revision": _foresee(draft, issue, choices, maker, clock.now()),
        "reading": previewing.preview(
            draft.body, repository=draft.repository, choices=choices, only_doubtful=only_doubtful
        ),
        "shown": stands_for(choices),
        "only_doubtful": only_doubtful,
        "roles": previewing.role_choices(),
        "states": previewing.state_choices(),
    }
    return render(request, "claims/wizard_revise.html", context, status=status)
