"""Answers of the API: who asks, one thing or a page of things, and refusals as `{"code", "message"}`.

Everybody may ask for everything; what is for whose eyes only, the domain's queries decide from `viewer`.
The API only reads: no view has a method but GET.
"""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import exception_handler

from portal.common import web
from portal.common.errors import DomainError
from portal.models import Person


class Pages(PageNumberPagination):
    """Results in pages of fifty, or as many as asked for up to a hundred."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 100
    page_query_description = "Which page, from 1."
    page_size_query_description = "How many results on a page: at most 100, else 50."

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """A page in the schema."""
        neighbour = {"type": ["string", "null"], "format": "uri"}
        pages = {"count": {"type": "integer"}, "next": neighbour, "previous": neighbour, "results": schema}
        return {"type": "object", "required": [*pages], "properties": pages}


def viewer(request: Request) -> Person | None:
    """The person who asks, if signed in as one."""
    return getattr(request.user, "person", None)


def one(request: Request, serializer: type[Serializer[Any]], thing: object) -> Response:
    """An answer that is one thing."""
    return Response(serializer(thing, context={"request": request}).data)


def explain(error: Exception, context: dict[str, Any]) -> Response | None:
    """Every refusal in one shape: a stable code, and a sentence in the language asked for."""
    if isinstance(error, DomainError):
        return Response({"code": error.code, "message": str(error.message)}, status=web.status_of(error))
    response = exception_handler(error, context)
    if response is None:
        return None
    if isinstance(error, ValidationError):
        response.data = {"code": "invalid_query", "message": " ".join(_sentences(response.data))}
    else:
        detail = response.data["detail"]
        response.data = {"code": detail.code, "message": str(detail)}
    return response


def _sentences(problems: Any) -> Iterable[str]:
    """`name: what is wrong with it` for each parameter."""
    fields = problems.items() if isinstance(problems, dict) else [("", problems)]
    for name, errors in fields:
        words = " ".join(str(error) for error in errors if isinstance(error, ErrorDetail))
        yield _("%(name)s: %(problem)s") % {"name": name, "problem": words} if name else words
