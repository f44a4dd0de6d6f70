"""What views share: who asks, refusals as HTTP, and where to go back to."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme

from portal.common import refusals
from portal.common.errors import DomainError, Elsewhere, NotAllowed, NotFound
from portal.models import Person

P = ParamSpec("P")
T = TypeVar("T")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def viewer(request: HttpRequest) -> Person | None:
    """The person who asks, if signed in as one."""
    return getattr(request.user, "person", None)


def is_visit(request: HttpRequest) -> bool:
    """Whether somebody opens the page, and no browser fetches it in case they might."""
    return request.method == "GET" and "prefetch" not in request.headers.get("Sec-Purpose", "")


def page(view: View[P]) -> View[P]:
    """A view whose refusals become HTTP: what is not there (or not for these eyes) 404, what is not allowed 403.

    What is gone on with elsewhere leads there. Any other refusal of a form is said on the page that it came from.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except NotFound as error:
            raise Http404(str(error.message)) from error
        except NotAllowed as error:
            raise PermissionDenied(str(error.message)) from error
        except Elsewhere as error:
            if error.is_lost:
                messages.error(request, sentence(error))
            elif request.method == "POST":
                messages.info(request, sentence(error))
            return redirect(error.address)
        except DomainError as error:
            if request.method in ("GET", "HEAD"):
                raise
            return refuse(request, error, page=_page_of_the_form(request))

    return wrapped


def _page_of_the_form(request: HttpRequest) -> str:
    """Where the form stood, if that is a place of ours."""
    page = request.headers.get("Referer", "")
    is_ours = url_has_allowed_host_and_scheme(
        page, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return page if is_ours else ""


def refuse(
    request: HttpRequest, error: DomainError, *, page: str, field: str = "", said: str = ""
) -> HttpResponseBase:
    """Say why, on the page that the form stood on, with what was typed; beside the field that the error is about, if it knows.

    Where no page is known, on our first one.
    """
    complaint = said or sentence(error)
    messages.error(request, complaint)
    if not page:
        return redirect("/")
    return refusals.show_again(request, page, complaint, str(error.extra.get("field", field)))


def status_of(error: DomainError) -> int:
    """The HTTP status that says what kind of refusal it was."""
    if isinstance(error, NotFound):
        return 404
    return 403 if isinstance(error, NotAllowed) else 409


def sentence(error: DomainError) -> str:
    """What a refusal says."""
    return str(error.message)


def attempt(
    request: HttpRequest,
    action: Callable[[], T],
    success: str | Callable[[T], str],
    explain: Callable[[DomainError], str] = sentence,
) -> int:
    """Run one operation and say what came of it as a message; returns the HTTP status that fits."""
    try:
        result = action()
    except DomainError as error:
        messages.error(request, explain(error))
        return status_of(error)
    messages.success(request, success if isinstance(success, str) else success(result))
    return 200


def settle(
    request: HttpRequest,
    action: Callable[[], T],
    success: str | Callable[[T], str],
    *,
    page: str,
    field: str = "",
    explain: Callable[[DomainError], str] = sentence,
) -> HttpResponseBase:
    """Run one operation of a form, then go on to the page; a refusal shows the page of the form, with what was sent.

    That is the same page, unless the form says (in `stay`) that it stands elsewhere. `field` is the one that a refusal is
    about, if it does not name another.
    """
    try:
        result = action()
    except DomainError as error:
        stay = next_url(request, page, field="stay")
        return refuse(request, error, page=stay, field=field, said=explain(error))
    messages.success(request, success if isinstance(success, str) else success(result))
    return redirect(page)


def posted(request: HttpRequest, name: str, *, longest: int) -> str:
    """A field of a form as plain text: without NUL characters, which no database text holds, and not longer than this."""
    return request.POST.get(name, "").replace("\x00", "").strip()[:longest]


def next_url(request: HttpRequest, default: str, field: str = "next") -> str:
    """Where the form wants to go back to (in that field of it), if that is a place of ours."""
    wanted = request.POST.get(field) or request.GET.get(field) or ""
    if url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        return wanted
    return default
