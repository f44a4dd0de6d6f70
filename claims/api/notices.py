"""What changed for the person who is signed in, over the API. Reading marks nothing as seen."""

from typing import Any

import django_filters
from django.db.models import QuerySet
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field, extend_schema_view
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from claims import queries
from claims.api.people import ClaimedTaskSerializer
from claims.mine import notices
from claims.mine.notices import NoticeLine
from claims.models import Notice
from portal.common.errors import NotAllowed
from portal.models import Person
from portal.rest import answers
from portal.rest.amounts import AmountSerializer
from portal.rest.fields import Moment
from rewards.queries import PoolAmount

KINDS = [(kind, lazy(notices.describe_kind, str)(kind)) for kind in notices.KINDS]


class NoticeSerializer(serializers.Serializer[Any]):
    """Something that changed for the reader."""

    id = serializers.IntegerField(source="notice.pk")
    kind = serializers.ChoiceField(choices=KINDS, source="notice.kind", help_text="Stable, for programs.")
    message = serializers.CharField(source="text", help_text="For people, in the language asked for.")
    at = Moment(source="notice.at")
    seen_at = Moment(source="notice.seen_at", allow_null=True, help_text="Null as long as it is new.")
    event = serializers.SlugField(source="notice.event.slug")
    task = ClaimedTaskSerializer(source="notice.task", allow_null=True)
    team = serializers.CharField(allow_null=True, help_text="The name of the team that it is about.")
    pull_request = serializers.CharField(
        source="about", allow_null=True, help_text="The one that it is about, as owner/name#number."
    )
    until = Moment(allow_null=True, help_text="The end of the time that it speaks of.")
    amounts = serializers.SerializerMethodField(help_text="What was credited, pool by pool.")
    html_url = serializers.SerializerMethodField(help_text="Where the bell leads.")

    @extend_schema_field(AmountSerializer(many=True))
    def get_amounts(self, line: NoticeLine) -> Any:
        return AmountSerializer([PoolAmount(*pair) for pair in line.amounts], many=True).data

    @extend_schema_field(OpenApiTypes.URI)
    def get_html_url(self, line: NoticeLine) -> str:
        address: str = self.context["request"].build_absolute_uri(line.url)
        return address


class NoticeFilter(django_filters.FilterSet):
    """Which notices."""

    unread = django_filters.BooleanFilter(
        field_name="seen_at", lookup_expr="isnull", help_text="Whether it is new, or was seen."
    )
    event = django_filters.CharFilter(field_name="event__slug", help_text="The slug of an event.")
    kind = django_filters.MultipleChoiceFilter(choices=KINDS)
    since = django_filters.IsoDateTimeFilter(
        field_name="at", lookup_expr="gte", help_text="From this moment on, as ISO 8601 with its zone."
    )


class NoticePages(answers.Pages):
    """Pages that say how many of all are new, whatever the filter."""

    unread = 0

    def get_paginated_response(self, data: Any) -> Response:
        response = super().get_paginated_response(data)
        response.data = {"unread": self.unread, **response.data}
        return response

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        page = super().get_paginated_response_schema(schema)
        page["required"] = ["unread", *page["required"]]
        about = "How many of all the reader's notices are new."
        page["properties"] = {"unread": {"type": "integer", "description": about}, **page["properties"]}
        return page


@extend_schema_view(
    get=extend_schema(operation_id="list_notices", summary="What changed for the reader", tags=["notices"])
)
class NoticeList(generics.ListAPIView[Notice]):
    """What others and the rules did to the reader's claims, pull requests, teams and points, the latest first.

    It is for who is signed in, in this browser; anybody else is refused with 403. Reading marks nothing as seen.
    """

    queryset = Notice.objects.none()
    serializer_class = NoticeSerializer
    filterset_class = NoticeFilter
    pagination_class = NoticePages

    def get_queryset(self) -> QuerySet[Notice]:
        if getattr(self, "swagger_fake_view", False):
            return Notice.objects.none()
        return notices.latest_of(reader_of(self.request))

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        reader = reader_of(self.request)
        if isinstance(self.paginator, NoticePages):
            self.paginator.unread = notices.notices_of(reader).filter(seen_at=None).count()
        return notices.describe(super().paginate_queryset(queryset) or [], reader)


def reader_of(request: Request) -> Person:
    """The person who is signed in. Raises NotAllowed (sign_in_first, no_person)."""
    if not request.user.is_authenticated:
        raise NotAllowed("sign_in_first", _("Sign in first: this is about who asks."))
    return queries.need_person(answers.viewer(request))
