"""Setting an event up on the web: a text comes in, is looked at, corrected, and becomes a draft of an event."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from claims import github_reading
from claims.births import files, opening, sources, targets
from claims.births import preview as previewing
from claims.births.proposing import Proposal, propose
from claims.births.targets import Targets
from claims.forms.choices import list_complaints, read_choices
from claims.forms.new_event import ZONES, EventForm, plan_of
from claims.models import ImportDraft
from claims.operations import drafting
from claims.operations.drafting import Maker
from claims.operations.importing import IssueText
from claims.operations.tables import LONGEST_BODY
from claims.organizing.shared_names import as_typed, list_sharing
from portal.accounts import lookup, people
from portal.common import clock, web
from portal.common.errors import DomainError, NotAllowed, NotFound
from portal.common.refusals import Refusal
from portal.github import connect
from portal.models import Person
from tasks_board.configurations.hackathonbot import read_entry
from tasks_board.configurations.model import Configuration
from tasks_board.documents.choices import ReadingChoices
from tasks_board.models import Event

LONGEST_FILE = 4 * sources.LONGEST_CONFIGURATION  # bytes


@web.page
@require_http_methods(["GET", "HEAD", "POST"])
def new_event(request: HttpRequest) -> HttpResponse:
    """The first step: where the event comes from. Who may not set one up is told who may."""
    maker = _maker(request)
    try:
        maker.check()
    except NotAllowed:
        if request.method == "POST":
            raise
        return render(request, "claims/wizard_closed.html", {"here": "events"}, status=403)
    if request.method != "POST":
        return _start(request, maker)
    try:
        draft = _begin(request, maker, clock.now())
    except DomainError as error:
        messages.error(request, web.sentence(error))
        return _start(request, maker, error)
    return redirect("event_draft", draft.pk)


@web.page
@require_http_methods(["GET", "HEAD", "POST"])
def event_draft(request: HttpRequest, pk: int) -> HttpResponse:
    """The further steps: the entries of a configuration, or the preview with all that can be corrected."""
    maker, now = _maker(request), clock.now()
    draft = opening.open_draft(pk, maker=maker, now=now)
    if draft.entries:
        return _change_file(request, draft, maker, now)
    if request.method != "POST":
        return _show(request, draft, maker)
    action = _ACTIONS.get(request.POST.get("action", ""), _read_again)
    return action(request, draft, maker, now)


def _show(request: HttpRequest, draft: ImportDraft, maker: Maker) -> HttpResponse:
    """The question which event it is about, that event, or the preview of a new one."""
    found = _targets(draft, maker)
    if request.GET.get("as") != "new":
        if found.match is not None:
            return redirect("revise_event", draft.pk, found.match.event.slug)
        if found.is_open:
            context = {"here": "events", "draft": draft, "targets": found, "file": _file(draft)}
            return render(request, "claims/wizard_which.html", context)
    initial = {**_proposal(draft).values, **draft.plan}
    return _preview(request, draft, EventForm(initial=initial, needs_organizer=maker.person is None))


# ------------------------------------------------------------------------------------------- the first step


def _start(request: HttpRequest, maker: Maker, error: DomainError | None = None) -> HttpResponse:
    """What was typed stands there again, and the text of a file, which a browser does not keep."""
    field = "issue" if request.POST.get("issue") else "text"
    kept = ImportDraft.objects.filter(
        owner=maker.user, event=None, created_at__gte=clock.now() - drafting.KEPT_FOR
    )
    context = {
        "here": "events",
        "issue": web.posted(request, "issue", longest=300),
        "repository": web.posted(request, "repository", longest=140),
        "text": _text(request) or _uploaded_again(request),
        "drafts": list(kept.defer("body", "entries").order_by("-created_at", "-pk")),
        "longest": LONGEST_BODY,
        "again": error and Refusal(request.path, request.POST, web.sentence(error), field),
    }
    status = web.status_of(error) if error else 200
    return render(request, "claims/wizard.html", context, status=status)


def _begin(request: HttpRequest, maker: Maker, now: datetime) -> ImportDraft:
    """A draft of what was given: a file, a pasted text, or an issue's address."""
    text, file = _text(request), _uploaded(request)
    if text.strip() and file.strip():
        raise DomainError("text_and_file", _("Give the text or the file, not both."))
    text = file or text
    written = web.posted(request, "issue", longest=300)
    address = sources.need_address(written) if written else None
    if sources.looks_like_configuration(text):
        return _begin_configured(request, text, address, maker, now)
    if text.strip():
        return _begin_pasted(request, text, address, maker, now)
    if address is None:
        raise DomainError("nothing_given", _("Give the address of an issue, or paste a text."))
    found = _fetch(address, maker)
    if sources.names_a_comment(written):
        messages.info(
            request,
            _(
                "The address leads to a comment. The issue’s own text is read; tables in comments are offered on the event’s page “Issues”."
            ),
        )
    return _begin_with(request, maker, found, now)


def _begin_with(
    request: HttpRequest, maker: Maker, text: IssueText, now: datetime, *, is_pasted: bool = False
) -> ImportDraft:
    if text.is_closed:
        messages.info(request, _("This issue is closed at GitHub. Its tables are read all the same."))
    return drafting.begin_draft(maker=maker, text=text, now=now, is_pasted=is_pasted)


def _begin_pasted(
    request: HttpRequest, text: str, address: sources.Address | None, maker: Maker, now: datetime
) -> ImportDraft:
    """A text alone; with an address it is that issue's, as GitHub has it or not."""
    repository = web.posted(request, "repository", longest=140)
    if address is None:
        return _begin_with(request, maker, sources.pasted(text, repository, at=now), now, is_pasted=True)
    if repository and repository.lower() != address.repository.lower():
        raise DomainError(
            "two_repositories",
            _("The issue stands in %(one)s, and #n shall mean %(other)s. Leave one of the two out.")
            % {"one": address.repository, "other": repository},
        )
    stands = _fetch(address, maker)
    if stands.body.replace("\r\n", "\n").strip() == text.strip():
        return _begin_with(request, maker, stands, now)
    return _begin_with(request, maker, replace(stands, body=text, at=now), now, is_pasted=True)


def _begin_configured(
    request: HttpRequest, text: str, address: sources.Address | None, maker: Maker, now: datetime
) -> ImportDraft:
    """A single entry is read at once; several are kept, and listed on the next page."""
    read = sources.configured(text)
    if address is not None:
        read = sources.about(read, address)
    written = sources.written_entries(text)
    entries = [written[entry.place - 1] for entry in read]
    if len(read) > 1:
        file = request.FILES.get("file")
        return drafting.keep_file(maker=maker, entries=entries, name=file.name or "" if file else "", now=now)
    found = _fetch(sources.address_of(read[0]), maker)
    return drafting.begin_draft(maker=maker, text=found, entry=entries[0], now=now)


def _fetch(address: sources.Address, maker: Maker) -> IssueText:
    """The issue as GitHub has it; events that know it under an earlier address follow it."""
    gateway = connect.connect()
    found = sources.fetch_issue(address, gateway=gateway, may_see_private=maker.user.is_staff)
    github_reading.follow_moved(
        asked=(address.repository, address.number), found=found, gateway=gateway, now=clock.now()
    )
    return found


def _text(request: HttpRequest) -> str:
    return request.POST.get("text", "").replace("\x00", "").replace("\r\n", "\n")


def _uploaded(request: HttpRequest, *, tells: bool = True) -> str:
    file = request.FILES.get("file")
    if file is None or not file.size:
        return ""
    if file.size > LONGEST_FILE:
        raise DomainError("file_too_long", _("The file is too long: at most 4 MB are read."))
    file.seek(0)
    text, is_converted = sources.read_file(file.name or "", file.read())
    if is_converted and tells:
        messages.info(
            request, _("The file is not in UTF-8; it was converted. Look whether its words are right.")
        )
    return text


def _uploaded_again(request: HttpRequest) -> str:
    try:
        return _uploaded(request, tells=False)
    except DomainError:
        return ""  # that is what the page says


# ------------------------------------------------------------------------------------- several entries in a file


def _change_file(request: HttpRequest, file: ImportDraft, maker: Maker, now: datetime) -> HttpResponse:
    if request.method != "POST":
        return _list_entries(request, file, maker)
    if request.POST.get("action") == "discard":
        return _discard(request, file, maker, now)
    return _take_entry(request, file, maker, now)


def _list_entries(request: HttpRequest, file: ImportDraft, maker: Maker) -> HttpResponse:
    found = files.list_entries(file, viewer=maker.person)
    context = {
        "here": "events",
        "file": file,
        "found": found,
        "after": found.find_event(request.GET.get("after", "")),
        "kept_for": drafting.KEPT_FOR.days,
        "organizes": maker.person is not None,
    }
    return render(request, "claims/wizard_entries.html", context)


def _take_entry(request: HttpRequest, file: ImportDraft, maker: Maker, now: datetime) -> HttpResponse:
    """Go on with one entry, in a draft of its own; GitHub is asked for its issue's text if that is not begun."""
    written = web.posted(request, "entry", longest=6)
    place = int(written) if written.isascii() and written.isdigit() else 0
    if not 1 <= place <= len(file.entries):
        messages.error(request, _("Choose one of the entries."))
        return redirect("event_draft", file.pk)
    try:
        draft = drafting.find_begun(file, place)
        if draft is None:
            text = _fetch(sources.address_of(read_entry(file.entries[place - 1], place)), maker)
            draft = drafting.take_entry(file=file, maker=maker, place=place, text=text, now=now)
    except DomainError as error:
        messages.error(request, web.sentence(error))
        return redirect("event_draft", file.pk)
    return redirect("event_draft", draft.pk)


def _file(draft: ImportDraft) -> ImportDraft | None:
    return drafting.find_file(draft, now=clock.now())


# ------------------------------------------------------------------------------------------------- the preview


def _preview(request: HttpRequest, draft: ImportDraft, form: EventForm, status: int = 200) -> HttpResponse:
    choices = ReadingChoices.from_json(draft.reading_choices)
    only_doubtful = request.GET.get("show") == "doubtful"
    context = {
        "here": "events",
        "draft": draft,
        "form": form,
        "zones": ZONES,
        "sharing": list_sharing(_as_typed(form), viewer=web.viewer(request)),
        "proposal": _proposal(draft),
        "reading": previewing.preview(
            draft.body, repository=draft.repository, choices=choices, only_doubtful=only_doubtful
        ),
        "only_doubtful": only_doubtful,
        "roles": previewing.role_choices(),
        "states": previewing.state_choices(),
        "targets": _targets(draft, Maker.of(request.user, web.viewer(request))),
        "file": _file(draft),
    }
    return render(request, "claims/wizard_preview.html", context, status=status)


def _as_typed(form: EventForm) -> Event:
    """How titles would name the event."""
    names = ("title_prefix", "title_aliases", "repositories", "proposal_repositories")
    prefix, aliases, *repositories = (str(form[name].value() or "") for name in names)
    return as_typed(prefix=prefix, aliases=aliases, repositories=repositories)


def _configuration(draft: ImportDraft) -> Configuration | None:
    return read_entry(draft.entry).configuration if draft.entry else None


def _proposal(draft: ImportDraft) -> Proposal:
    return propose(draft, _configuration(draft))


def _targets(draft: ImportDraft, maker: Maker) -> Targets:
    return targets.find_targets(draft, viewer=maker.person, configuration=_configuration(draft))


def _read_again(request: HttpRequest, draft: ImportDraft, maker: Maker, now: datetime) -> HttpResponse:
    choices = _keep(request, draft, maker, now)
    _tell_unusable(request, choices)
    query = {"as": "new"} | ({"show": "doubtful"} if request.POST.get("show") == "doubtful" else {})
    return redirect(reverse("event_draft", args=[draft.pk], query=query) + "#rows")


def _keep(request: HttpRequest, draft: ImportDraft, maker: Maker, now: datetime) -> ReadingChoices:
    choices = read_choices(request.POST)
    plan = {
        name: request.POST.get(name, "")[:4_000] for name in EventForm.base_fields if name in request.POST
    }
    drafting.keep_choices(draft=draft, maker=maker, choices=choices, plan=plan, now=now)
    return choices


def _tell_unusable(request: HttpRequest, choices: ReadingChoices) -> None:
    for complaint in list_complaints(choices):
        messages.error(request, complaint)


def _discard(request: HttpRequest, draft: ImportDraft, maker: Maker, now: datetime) -> HttpResponse:
    drafting.discard(draft=draft, maker=maker, now=now)
    messages.success(request, _("The draft is forgotten."))
    return redirect(opening.address_after(draft, None, maker=maker, now=now))


def _create(request: HttpRequest, draft: ImportDraft, maker: Maker, now: datetime) -> HttpResponse:
    """Look people up at GitHub first, outside of any transaction; then one operation makes everything, or nothing."""
    choices = _keep(request, draft, maker, now)
    form = EventForm(request.POST, needs_organizer=maker.person is None)
    _tell_unusable(request, choices)
    if not form.is_valid() or choices.unusable:
        for complaint in form.complaints:
            messages.error(request, complaint)
        return _preview(request, draft, form, status=409)
    try:
        organizers = _organizers(form.cleaned_data["organizers"], now)
        github_reading.look_some_up(drafting.update_of(draft, choices, now).reading, now=now)
        proposal = _proposal(draft)
        plan = plan_of(
            form.cleaned_data,
            since=proposal.since,
            choices=choices,
            configuration=proposal.configuration,
            organizers=organizers,
        )
        event = drafting.create_event(draft=draft, maker=maker, plan=plan, now=now)
    except NotFound:
        raise
    except DomainError as error:
        form.refuse(error)
        messages.error(request, web.sentence(error))
        return _preview(request, draft, form, status=web.status_of(error))
    messages.success(
        request,
        _("The event stands as a draft: only its own people see it, and nothing was written to GitHub."),
    )
    return redirect(opening.address_after(draft, event, maker=maker, now=now))


def _organizers(logins: Sequence[str], now: datetime) -> tuple[Person, ...]:
    try:
        lookup.meet(logins, now=now)
        return tuple(people.need_account(login) for login in logins)
    except DomainError as error:
        raise DomainError(error.code, error.message, field="organizers") from error


_ACTIONS = {"read": _read_again, "create": _create, "discard": _discard}


def _maker(request: HttpRequest) -> Maker:
    return Maker.of(request.user, web.viewer(request))
