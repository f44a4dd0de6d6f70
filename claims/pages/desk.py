"""A mentor's desk, and the buttons on it."""

import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from claims import queries, reports
from claims.desk import credit, loading, paging, several
from claims.desk import detail as desk_detail
from claims.desk import queue as desk
from claims.desk import rows as desk_rows
from claims.desk import words as desk_words
from claims.forms.desk import ExtensionForm, number_of, read_ask
from claims.models import Claim, Decision, IssueComment, PullRequest
from claims.operations import deadlines, deciding, deciding_many, offering, seeing, undoing
from claims.operations.deciding_many import Outcome
from portal.common import clock, refusals, web
from portal.common.errors import DomainError
from portal.models import Person
from tasks_board import queries as events
from tasks_board import rights
from tasks_board.models import Event

ALL_THE_SAME = "admitted_all_the_same"  # the button that lets somebody in though the rules say no


@never_cache
@vary_on_headers("HX-Request", "HX-Target")
@web.page
@require_safe
def show_desk(request: HttpRequest, slug: str) -> HttpResponse:
    viewer, now = queries.need_person(web.viewer(request)), clock.now()
    event = events.get_event(slug, viewer=viewer)
    head = events.describe_head(event, viewer=viewer, now=now)
    if not head.rights.may_decide:
        rights.check_may_mentor(event, viewer)
    if web.is_visit(request):
        seeing.see_page(person=viewer, page="desk", event=event, now=now)
    context = {
        "event": event,
        "head": head,
        "tab": "desk",
        "home_repository": event.repositories[0] if event.repositories else "",
        **_contents(event, viewer, read_ask(request.GET), head.rights, now),
    }
    if request.headers.get("HX-Target") != "desk":
        return render(request, "claims/desk.html", context)
    response = render(request, "claims/partials/_desk_answer.html", context)
    response["X-Regatta-Partial"] = "desk"
    return response


def _contents(
    event: Event, viewer: Person, ask: paging.DeskAsk, held: rights.Rights, now: datetime
) -> Mapping[str, object]:
    rows = loading.load_rows(event, viewer=viewer, rights=held)
    rules = event.rule_set
    items = desk.list_items(
        rows, viewer=viewer, silent_days=ask.days, reminder_days=rules.reminder_days, now=now
    )
    whole = rows.own is None
    mine = loading.list_own_tasks(event, viewer) if whole and ask.mine else rows.own or frozenset()
    page = paging.arrange(items, ask, mine, desk.find_claim(rows, ask.item, viewer=viewer))
    contents: dict[str, object] = {
        "page": page,
        "unsettled": credit.list_unsettled(rows, viewer),
        "whole": whole,
        "directions": desk_rows.list_directions(rows),
        "silent_days": desk.SILENT_DAYS,
        "categories": [
            (code, word, page.counts.get(code, 0)) for code, word in desk_words.CATEGORIES.items()
        ],
        "actions": [(action.value, desk_words.action(action)) for action in several.list_actions(page)],
        "action_chosen": several.action_chosen(page),
    }
    if ask.show == "handled":
        contents["handled"] = desk_detail.list_handled(
            event, viewer=viewer, organizes=held.organizes, now=now
        )
        contents["put_off"] = desk_detail.list_put_off(
            event, viewer=viewer, organizes=held.organizes, now=now
        )
    elif page.open is not None:
        admission = desk_detail.rule_on_item(page.open, rows, event, now)
        if admission is not None:
            contents["admission"] = admission
            contents["admission_rules"] = queries.describe_rules(admission)
        contents["detail"] = desk_detail.describe_item(
            page.open, rows, event, viewer=viewer, organizes=held.organizes, now=now
        )
        contents["offers"] = [
            (task, ruling.allowed, queries.describe_rules(ruling))
            for task, ruling in desk_detail.rule_on_candidates(page.open, rows, event)
        ]
    return contents


@web.page
@require_POST
def decide(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    claim, (kind, despite) = _claim(event, pk), _kind(request)
    key = _key(request, "desk", viewer, claim.pk)
    note = web.posted(request, "note", longest=2_000)
    return _settle(
        request,
        event,
        lambda: deciding.decide(
            claim=claim,
            kind=kind,
            acting_user=viewer,
            key=key,
            now=now,
            note=note,
            despite_rules=despite,
        ),
        lambda made: (
            _("Decided: %(claimant)s, No.%(number)s: %(decision)s.")
            % {
                "claimant": claim.claimant,
                "number": claim.task.number,
                "decision": made.get_kind_display() if made else kind.label,
            }
        ),
        key,
        field="note",
    )


@web.page
@require_POST
def decide_many(request: HttpRequest, slug: str) -> HttpResponseBase:
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    texts = list(dict.fromkeys(request.POST.getlist("chosen")))
    if not texts or len(texts) > several.MOST_AT_ONCE:
        most = _("Select at most %(n)d things at once.") % {"n": several.MOST_AT_ONCE}
        return _refuse(
            request,
            event,
            DomainError("not_chosen", most if texts else _("Select something first.")),
            "chosen",
        )
    chosen, ask = several.find_chosen(event, texts), _ask(request, event, viewer, now)
    outcomes = deciding_many.settle_many(chosen=chosen, ask=ask)
    done = [outcome for outcome in outcomes if outcome.refusal is None]
    made = [outcome.decision for outcome in done if outcome.decision is not None]
    put_off = [outcome.comment for outcome in done if outcome.comment is not None]
    if done:
        said = _("%(action)s (%(n)d): %(things)s") % {
            "action": desk_words.action(ask.action),
            "n": len(done),
            "things": reports.list_things(done),
        }
        tag = _undo_tag(event, made) if made else ""
        messages.success(
            request, said, extra_tags=_undo_tag(event, put_off, "reopen_comment") if put_off else tag
        )
    _say_refused(request, outcomes)
    if gone := len(texts) - len(chosen):
        said = ngettext(
            "%(n)d of what was selected is not here any more.",
            "%(n)d of what was selected are not here any more.",
            gone,
        )
        messages.warning(request, said % {"n": gone})
    if done:
        return _back(request, event)
    return refusals.show_again(request, _form_page(request, event), "", "")


def _ask(request: HttpRequest, event: Event, viewer: Person, now: datetime) -> deciding_many.Ask:
    """What the form of several things asks for. Raises DomainError where it is not filled in."""
    try:
        action = several.Action(request.POST.get("kind", ""))
    except ValueError as error:
        raise DomainError(
            "no_action", _("Choose what is to be done about what is selected."), field="kind"
        ) from error
    form = ExtensionForm(request.POST)
    if action is several.Action.EXTENDED and not form.is_valid():
        raise DomainError("bad_time", form.list_complaints(), field="days")
    note = web.posted(request, "note", longest=2_000)
    if note and action in (several.Action.LINKED, several.Action.SEEN):
        raise DomainError(
            "no_reason", _("A reason is kept with decisions alone. Leave it empty for this."), field="note"
        )
    return deciding_many.Ask(
        action=action,
        acting_user=viewer,
        key=_key(request, "desk", viewer, 0),
        now=now,
        note=note,
        until=lambda claim: form.moment(due_at=claim.due_at, now=now, time_zone=event.time_zone),
    )


@web.page
@require_POST
def admit_author(request: HttpRequest, slug: str, pk: int, pull_request: int) -> HttpResponseBase:
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    task = events.get_task(event, pk)
    pr = get_object_or_404(PullRequest.objects.select_related("author"), pk=pull_request)
    despite = request.POST.get("kind") == ALL_THE_SAME
    return _settle(
        request,
        event,
        lambda: deciding.admit_author(
            task=task, pull_request=pr, acting_user=viewer, now=now, despite_rules=despite
        ),
        _("%(login)s is now a claimant of No.%(number)s.") % {"login": pr.author, "number": task.number},
    )


@web.page
@require_POST
def take_comment(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    comment = _comment(event, pk)
    task = events.get_task(event, number_of(request.POST.get("task", "")) or 0)
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
    deciding.mark_handled(comment=comment, acting_user=viewer, now=now)
    tag = _undo_tag(event, [comment.pk], "reopen_comment")
    messages.success(request, _("The comment is off the list."), extra_tags=tag)
    return _back(request, event)


@web.page
@require_POST
def reopen_comment(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    comments = [_comment(event, pk), *several.find_comments(event, _also(request)).values()]
    outcomes = deciding_many.reopen_many(comments=comments, acting_user=viewer, now=now)
    if done := [outcome for outcome in outcomes if outcome.refusal is None]:
        messages.success(request, _("Back on the list: %(things)s") % {"things": reports.list_things(done)})
    _say_refused(request, outcomes)
    return _back(request, event)


@web.page
@require_POST
def extend(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    claim, form = _claim(event, pk), ExtensionForm(request.POST)
    if not form.is_valid():
        field = "until" if "until" in form.errors else "days"
        return _refuse(request, event, DomainError("bad_time", form.list_complaints(), field=field))
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
        field="days",
    )


@web.page
@require_POST
def undo(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event, viewer, now = _event(request, slug), queries.need_person(web.viewer(request)), clock.now()
    decisions = undoing.get_decisions(event, [pk, *_also(request)])
    outcomes = deciding_many.undo_many(decisions=decisions, acting_user=viewer, now=now)
    claims = [outcome.claim for outcome in outcomes if outcome.claim is not None]
    for claim in claims:
        messages.success(request, reports.taken_back(claim))
    _say_refused(request, outcomes)
    back = web.next_url(request, reverse("desk", args=[event.slug]))
    return redirect(_opened(back, event, claims[0]) if len(claims) == 1 else back)


def _opened(address: str, event: Event, claim: Claim) -> str:
    """The desk with that claim open; any other address as it is."""
    parts = urlsplit(address)
    if parts.path != reverse("desk", args=[event.slug]):
        return address
    query = QueryDict(parts.query, mutable=True)
    query["item"] = f"claim-{claim.pk}"
    return f"{parts.path}?{query.urlencode()}"


def _event(request: HttpRequest, slug: str) -> Event:
    return events.get_event_to_decide(slug, viewer=web.viewer(request))


def _claim(event: Event, pk: int) -> Claim:
    return get_object_or_404(
        Claim.objects.select_related("task__event", "person", "team"), pk=pk, task__event=event
    )


def _comment(event: Event, pk: int) -> IssueComment:
    related = IssueComment.objects.select_related("tracking_issue__event", "author__canonical")
    return get_object_or_404(related, pk=pk, tracking_issue__event=event)


def _kind(request: HttpRequest) -> tuple[Decision.Kind, bool]:
    """What is decided, and whether it is an admission that overrules the rules."""
    if request.POST.get("kind") == ALL_THE_SAME:
        return Decision.Kind.ADMITTED, True
    if request.POST.get("kind") not in Decision.Kind.values:
        raise Http404
    return Decision.Kind(request.POST["kind"]), False


def _key(request: HttpRequest, prefix: str, viewer: Person, pk: int) -> str:
    """The form's `once` makes two clicks on one form one decision."""
    return f"{prefix}:{viewer.pk}:{pk}:{web.posted(request, 'once', longest=40) or uuid.uuid4().hex}"


def _settle(
    request: HttpRequest,
    event: Event,
    act: Callable[[], Claim],
    said: str | Callable[[Decision | None], str],
    key: str = "",
    field: str = "",
) -> HttpResponseBase:
    """Run one decision and say what came of it, with the button that takes it back."""
    try:
        claim = act()
    except DomainError as error:
        return _refuse(request, event, error, field)
    made = Decision.objects.filter(claim=claim, **({"key": key} if key else {})).order_by("pk").last()
    text = said if isinstance(said, str) else said(made)
    messages.success(request, text, extra_tags=_undo_tag(event, [made.pk]) if made else "")
    return _back(request, event)


def _undo_tag(event: Event, ids: Sequence[int], route: str = "undo") -> str:
    """How a message says which address takes back what it tells of: decisions, or comments put off the list."""
    first, *others = ids
    query = "&".join(f"also={pk}" for pk in others)
    return f"undo:{reverse(route, args=[event.slug, first])}{'?' if query else ''}{query}"


def _also(request: HttpRequest) -> list[int]:
    """What the address takes back beside the first."""
    found = [number for text in request.GET.getlist("also") if (number := number_of(text)) is not None]
    return found[: several.MOST_AT_ONCE - 1]


def _say_refused(request: HttpRequest, outcomes: Sequence[Outcome]) -> None:
    for sentence in reports.refused(outcomes):
        messages.error(request, sentence)


def _back(request: HttpRequest, event: Event) -> HttpResponse:
    """To where the form wants: on to the next item."""
    return redirect(web.next_url(request, reverse("desk", args=[event.slug])))


def _form_page(request: HttpRequest, event: Event) -> str:
    """The item that the form was about."""
    default = web.next_url(request, reverse("desk", args=[event.slug]))
    return web.next_url(request, default, field="stay")


def _refuse(request: HttpRequest, event: Event, error: DomainError, field: str = "") -> HttpResponseBase:
    page = _form_page(request, event)
    return web.refuse(request, error, page=page, field=field, said=reports.explain(error))
