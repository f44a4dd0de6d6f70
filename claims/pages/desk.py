"""A mentor's desk, and the buttons on it."""

import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from claims import queries, words
from claims.desk import detail as desk_detail
from claims.desk import queue as desk
from claims.desk import rows as desk_rows
from claims.desk import words as desk_words
from claims.forms.desk import ExtensionForm
from claims.models import Claim, Decision, IssueComment, PullRequest
from claims.operations import deadlines, deciding, deciding_many, offering, undoing
from claims.operations.claiming import ClaimRefused
from claims.operations.deciding_many import Outcome
from portal.common import clock, web
from portal.common.errors import DomainError
from portal.models import Person
from tasks_board import queries as events
from tasks_board import rights
from tasks_board.models import Event

_MOST_AT_ONCE = 100


@vary_on_headers("HX-Request", "HX-Target")
@web.page
@require_safe
def show_desk(request: HttpRequest, slug: str) -> HttpResponse:
    viewer, now = queries.need_person(web.viewer(request)), clock.now()
    event = events.get_event(slug, viewer=viewer)
    head = events.describe_head(event, viewer=viewer, now=now)
    if not head.rights.may_decide:
        rights.check_may_mentor(event, viewer)
    context = {
        "event": event,
        "head": head,
        "tab": "desk",
        "home_repository": event.repositories[0] if event.repositories else "",
        **_contents(event, viewer, read_ask(request.GET), head.rights, now),
    }
    is_part = request.headers.get("HX-Target") == "desk"
    return render(request, "claims/partials/_desk_answer.html" if is_part else "claims/desk.html", context)


def _contents(
    event: Event, viewer: Person, ask: desk.DeskAsk, held: rights.Rights, now: datetime
) -> Mapping[str, object]:
    rows = desk_rows.load_rows(event, viewer=viewer, rights=held)
    rules = event.rule_set
    items = desk.list_items(
        rows, viewer=viewer, silent_days=ask.days, reminder_days=rules.reminder_days, now=now
    )
    whole = rows.own is None
    mine = desk_rows.list_own_tasks(event, viewer) if whole and ask.mine else rows.own or frozenset()
    page = desk.arrange(items, ask, mine)
    contents: dict[str, object] = {
        "page": page,
        "whole": whole,
        "directions": desk_rows.list_directions(rows),
        "silent_days": desk.SILENT_DAYS,
        "categories": [
            (code, word, page.counts.get(code, 0)) for code, word in desk_words.CATEGORIES.items()
        ],
        "kinds": [(kind.value, kind.label) for kind in _AT_ONCE],
    }
    if ask.show == "handled":
        contents["handled"] = desk_detail.list_handled(
            event, viewer=viewer, organizes=held.organizes, now=now
        )
    elif page.open is not None:
        contents["detail"] = desk_detail.describe_item(
            page.open, rows, event, viewer=viewer, organizes=held.organizes, now=now
        )
        contents["offers"] = [
            (task, ruling.allowed, queries.describe_rules(ruling))
            for task, ruling in desk_detail.rule_on_candidates(page.open, rows, event)
        ]
    return contents


def read_ask(query: QueryDict) -> desk.DeskAsk:
    """A reading of the address: unknown values are left out, never an error."""
    show, days = query.get("show", ""), query.get("days", "")
    return desk.DeskAsk(
        show=show if show in (*desk.CATEGORIES, "handled") else "",
        direction=_number(query.get("direction", "")),
        mine=query.get("mine") == "1",
        q=query.get("q", "").strip()[:200],
        days=int(days) if days in map(str, desk.SILENT_DAYS) else 14,
        page=_number(query.get("page", "")) or 1,
        item=query.get("item", "")[:60],
    )


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


@web.page
@require_POST
def decide(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    claim, kind = _claim(event, pk), _kind(request)
    key = _key(request, "desk", viewer, claim.pk)
    note = web.posted(request, "note", longest=2_000)
    return _settle(
        request,
        event,
        lambda: deciding.decide(claim=claim, kind=kind, acting_user=viewer, key=key, now=now, note=note),
        _("Decided: %(claimant)s, No.%(number)s: %(decision)s.")
        % {"claimant": claim.claimant, "number": claim.task.number, "decision": kind.label},
        key,
    )


_AT_ONCE = (
    Decision.Kind.ADMITTED,
    Decision.Kind.DECLINED,
    Decision.Kind.ACCEPTED,
    Decision.Kind.PARTIAL,
    Decision.Kind.REJECTED,
    Decision.Kind.FOLLOWS_FACTS,
    Decision.Kind.RELEASED,
)


@web.page
@require_POST
def decide_many(request: HttpRequest, slug: str) -> HttpResponse:
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    chosen = {number for text in request.POST.getlist("claim") if (number := _number(text)) is not None}
    found = Claim.objects.filter(pk__in=chosen, task__event=event).select_related(
        "task__event", "person", "team"
    )
    claims, kind = list(found.order_by("task_id", "pk")[:_MOST_AT_ONCE]), _kind(request)
    if not claims:
        messages.error(request, _("Select something first."))
        return _back(request, event, refused=True)
    outcomes = deciding_many.decide_many(
        claims=claims,
        kind=kind,
        acting_user=viewer,
        key=_key(request, "desk", viewer, 0),
        now=now,
        note=web.posted(request, "note", longest=2_000),
    )
    done = [outcome.decision for outcome in outcomes if outcome.decision is not None]
    said = ngettext(
        "Decided about %(n)d claim: %(decision)s.", "Decided about %(n)d claims: %(decision)s.", len(done)
    )
    if done:
        messages.success(
            request,
            said % {"n": len(done), "decision": kind.label},
            extra_tags=_undo_tag(event, done),
        )
    _say_refused(request, outcomes)
    return _back(request, event, refused=not done)


@web.page
@require_POST
def admit_author(request: HttpRequest, slug: str, pk: int, pull_request: int) -> HttpResponse:
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    task = events.get_task(event, pk)
    pr = get_object_or_404(PullRequest.objects.select_related("author"), pk=pull_request)
    return _settle(
        request,
        event,
        lambda: deciding.admit_author(task=task, pull_request=pr, acting_user=viewer, now=now),
        _("%(login)s is now a claimant of No.%(number)s.") % {"login": pr.author, "number": task.number},
    )


@web.page
@require_POST
def take_comment(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    comment = _comment(event, pk)
    task = events.get_task(event, _number(request.POST.get("task", "")) or 0)
    key = _key(request, "offer", viewer, comment.pk)
    said = _("%(login)s’s comment is taken as a claim of No.%(number)s.")
    return _settle(
        request,
        event,
        lambda: offering.take_as_claim(comment=comment, task=task, acting_user=viewer, key=key, now=now),
        said % {"login": comment.author, "number": task.number},
        key,
    )


@web.page
@require_POST
def settle_comment(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    comment = _comment(event, pk)
    status = web.attempt(
        request,
        lambda: deciding.mark_handled(comment=comment, acting_user=viewer, now=now),
        _("The comment is off the list."),
    )
    return _back(request, event, refused=status != 200)


@web.page
@require_POST
def extend(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    claim, form = _claim(event, pk), ExtensionForm(request.POST)
    if not form.is_valid():
        messages.error(request, form.complaints())
        return _back(request, event, refused=True)
    until = form.moment(due_at=claim.due_at, now=now, time_zone=event.time_zone)
    key = _key(request, "extend", viewer, claim.pk)
    note = web.posted(request, "note", longest=2_000)
    return _settle(
        request,
        event,
        lambda: deadlines.extend_claim(
            claim=claim, until=until, acting_user=viewer, key=key, now=now, note=note
        ),
        _("%(claimant)s has more time for No.%(number)s.")
        % {"claimant": claim.claimant, "number": claim.task.number},
        key,
    )


@web.page
@require_POST
def undo(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    others = [number for text in request.GET.getlist("also") if (number := _number(text)) is not None]
    decisions = [undoing.get_decision(event, number) for number in [pk, *others[: _MOST_AT_ONCE - 1]]]
    outcomes = deciding_many.undo_many(decisions=decisions, acting_user=viewer, now=now)
    done = [outcome for outcome in outcomes if outcome.refusal is None]
    for outcome in done:
        messages.success(request, _taken_back(outcome.claim))
    _say_refused(request, outcomes)
    back = web.next_url(request, reverse("desk", args=[event.slug]))
    return redirect(_opened(back, event, done[0].claim) if len(done) == 1 else back)


def _opened(address: str, event: Event, claim: Claim) -> str:
    """The desk with that claim open; any other address as it is."""
    parts = urlsplit(address)
    if parts.path != reverse("desk", args=[event.slug]):
        return address
    query = QueryDict(parts.query, mutable=True)
    query["item"] = f"claim-{claim.pk}"
    return f"{parts.path}?{query.urlencode()}"


def _taken_back(claim: Claim) -> str:
    said = _("Taken back: %(claimant)s, No.%(number)s stands as before (%(state)s).") % {
        "claimant": claim.claimant,
        "number": claim.task.number,
        "state": words.state_word(claim.standing),
    }
    over = undoing.count_over_capacity(claim)
    if not over:
        return said
    more = ngettext(
        "The place had gone to somebody else meanwhile, who keeps it: the task has %(n)d claimant more than places.",
        "The places had gone to others meanwhile, who keep them: the task has %(n)d claimants more than places.",
        over,
    )
    return f"{said} {more % {'n': over}}"


def _event(request: HttpRequest, slug: str) -> Event:
    return events.get_event_to_decide(slug, viewer=web.viewer(request))


def _claim(event: Event, pk: int) -> Claim:
    return get_object_or_404(
        Claim.objects.select_related("task__event", "person", "team"), pk=pk, task__event=event
    )


def _comment(event: Event, pk: int) -> IssueComment:
    related = IssueComment.objects.select_related("tracking_issue__event", "author__canonical")
    return get_object_or_404(related, pk=pk, tracking_issue__event=event)


def _kind(request: HttpRequest) -> Decision.Kind:
    if request.POST.get("kind") not in Decision.Kind.values:
        raise Http404
    return Decision.Kind(request.POST["kind"])


def _key(request: HttpRequest, prefix: str, viewer: Person, pk: int) -> str:
    """The form's `once` makes two clicks on one form one decision."""
    return f"{prefix}:{viewer.pk}:{pk}:{web.posted(request, 'once', longest=40) or uuid.uuid4().hex}"


def _settle(
    request: HttpRequest, event: Event, act: Callable[[], Claim], said: str, key: str = ""
) -> HttpResponse:
    """Run one decision and say what came of it, with the button that takes it back."""
    try:
        claim = act()
    except DomainError as error:
        messages.error(request, _explain(error))
        return _back(request, event, refused=True)
    made = Decision.objects.filter(claim=claim, **({"key": key} if key else {})).order_by("pk").last()
    messages.success(request, said, extra_tags=_undo_tag(event, [made.pk]) if made else "")
    return _back(request, event)


def _undo_tag(event: Event, decisions: Sequence[int]) -> str:
    """How a message says which address takes back what it tells of."""
    first, *others = decisions
    query = "&".join(f"also={pk}" for pk in others)
    return f"undo:{reverse('undo', args=[event.slug, first])}{'?' if query else ''}{query}"


def _say_refused(request: HttpRequest, outcomes: Sequence[Outcome]) -> None:
    for outcome in outcomes:
        if outcome.refusal is not None:
            said = _("%(claimant)s, No.%(number)s: %(reason)s") % {
                "claimant": outcome.claim.claimant,
                "number": outcome.claim.task.number,
                "reason": outcome.refusal.message,
            }
            messages.error(request, said)


def _explain(error: DomainError) -> str:
    """A refusal in words: of a claim, each rule that said no."""
    if not isinstance(error, ClaimRefused):
        return str(error.message)
    failed = [words.rule(verdict) for verdict in error.ruling.failed]
    reasons = [_("%(rule)s: %(answer)s") % {"rule": rule, "answer": answer} for rule, answer in failed]
    return _("This task cannot be claimed now. %(rules)s") % {"rules": _("; ").join(reasons)}


def _back(request: HttpRequest, event: Event, *, refused: bool = False) -> HttpResponse:
    """To where the form wants: on to the next item, or, after a refusal, to the one that it was about."""
    default = web.next_url(request, reverse("desk", args=[event.slug]))
    return redirect(web.next_url(request, default, field="stay") if refused else default)
