"""A refused form on the page that it stood on: what was typed stands in it, and the complaint beside its field."""

import copy
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseNotAllowed, QueryDict
from django.shortcuts import redirect
from django.urls import Resolver404, resolve
from django.utils.datastructures import MultiValueDict

REFUSED = 409


@dataclass(frozen=True, slots=True)
class Refusal:
    """What was sent to the address of a form, why it is refused, and which of its fields that is about, if one."""

    address: str
    typed: QueryDict
    complaint: str
    field: str = ""


def refusal_of(request: HttpRequest) -> Refusal | None:
    """The refused form that the page is shown for again."""
    return getattr(request, "refusal", None)


def show_again(request: HttpRequest, page: str, complaint: str, field: str = "") -> HttpResponseBase:
    """The page of ours at this address, as its reader would open it, with the refused form; a bare visit if it has no page."""
    parts = urlsplit(page)
    try:
        found = resolve(parts.path)
    except Resolver404:
        return redirect(page)
    visit = _visit(request, parts.path, parts.query)
    visit.resolver_match = found
    visit.refusal = Refusal(request.path, request.POST, complaint, field)  # type: ignore[attr-defined]  # ours alone
    try:
        response = found.func(visit, *found.args, **found.kwargs)
    except (Http404, PermissionDenied):
        return redirect(page)
    if isinstance(response, HttpResponseNotAllowed):
        return redirect("/")
    if response.status_code == 200:
        response.status_code = REFUSED
    return response  # type: ignore[no-any-return]  # a view's answer


def _visit(request: HttpRequest, path: str, query: str) -> HttpRequest:
    """The same reader, opening that page."""
    visit = copy.copy(request)
    visit.method = "GET"
    visit.path = visit.path_info = path
    visit.META = {**request.META, "REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": query}
    visit.GET = QueryDict(query)
    visit.POST = QueryDict()
    visit._files = MultiValueDict()  # type: ignore[attr-defined]
    return visit
