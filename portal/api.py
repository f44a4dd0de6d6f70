"""The API's front door: where to begin, the schema, and pages to try it out."""

from functools import cache
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from portal.common.errors import NotFound
from portal.rest import answers
from portal.rest.fields import Page


class IndexSerializer(serializers.Serializer[Any]):
    """Where to begin."""

    events_url = Page("api:events")
    people_url = Page("api:people")
    notices_url = Page("api:notices")
    schema_url = Page("api:schema")
    docs_url = Page("api:docs")


@extend_schema(operation_id="get_index", summary="Where to begin", tags=["index"], responses=IndexSerializer)
@api_view(["GET"])
def show_index(request: Request) -> Response:
    """The addresses to begin with."""
    return answers.one(request, IndexSerializer, {})


@extend_schema(exclude=True)
@api_view(["GET"])
def refuse(request: Request, rest: str) -> Response:
    """Any other address below the API: a refusal of the same shape as all of them."""
    raise NotFound("no_such_address", _("The API has no such address."), rest=rest)


@login_not_required
@require_safe
def show_schema(request: HttpRequest) -> HttpResponse:
    """The schema as docs/api/openapi.yaml has it, in English whatever language is asked for."""
    return HttpResponse(_schema(), content_type="application/yaml")


@cache
def _schema() -> bytes:
    with translation.override("en"):
        schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    text: bytes = OpenApiYamlRenderer().render(schema, renderer_context={})  # type: ignore[no-untyped-call]
    return text


@login_not_required
@require_safe
def show_docs(request: HttpRequest) -> HttpResponse:
    """Every endpoint, to read about and to try out."""
    return render(request, "portal/api_docs.html")
