"""Events over the API."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import django_filters
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_field, extend_schema_view
from rest_framework import generics, serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from portal.rest import answers
from portal.rest.fields import Moment, Page
from portal.rest.shapes import IssueSerializer
from tasks_board import queries
from tasks_board.models import Direction, Event


class EventSerializer(serializers.Serializer[Any]):
    """An event, short."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=Event.Kind.choices)
    status = serializers.ChoiceField(choices=Event.Status.choices)
    language = serializers.CharField(help_text="Of the event's own texts.")
    time_zone = serializers.CharField(help_text="Whose days its dates mean.")
    opens_at = Moment(allow_null=True)
    closes_at = Moment(allow_null=True, help_text="Inclusive.")
    task_count = serializers.SerializerMethodField(help_text="The tasks on its board.")
    url = Page("api:event", "slug")
    tasks_url = Page("api:tasks", "slug")
    figures_url = Page("api:figures", "slug")
    leaderboard_url = Page("api:leaderboard", "slug")
    html_url = Page("event", "slug")

    def get_task_count(self, event: Event) -> int:
        counted: int | None = getattr(event, "task_count", None)  # in a list it is there already
        return event.tasks.filter(is_removed=False).count() if counted is None else counted


class PhaseSerializer(serializers.Serializer[Any]):
    """A named stretch of an event's time."""

    name = serializers.CharField()
    starts_at = Moment(allow_null=True)
    ends_at = Moment(allow_null=True, help_text="Inclusive.")
    claims_open = serializers.BooleanField()


class DirectionSerializer(serializers.Serializer[Any]):
    """A group of tasks: a section of the table, or a value of its direction column."""

    id = serializers.IntegerField(source="direction.pk")
    name = serializers.CharField(source="direction.name")
    written_as = serializers.ChoiceField(
        choices=Direction.Source.choices,
        source="direction.source",
        help_text="In what way the tables name it.",
    )
    parent_id = serializers.IntegerField(source="direction.parent_id", allow_null=True)
    task_count = serializers.IntegerField()


class TrackingIssueSerializer(IssueSerializer):
    """A GitHub issue that carries the event's tables; without a number it is a text pasted from elsewhere."""

    title = serializers.CharField()
    read_at = Moment(allow_null=True, help_text="When it was last read from GitHub.")


class EventDetailSerializer(EventSerializer):
    """An event with its phases, directions and tracking issues."""

    summary = serializers.CharField(help_text="Markdown.")
    title_prefix = serializers.CharField(help_text="What titles of pull requests begin with.")
    title_aliases = serializers.ListField(child=serializers.CharField())
    repositories = serializers.ListField(
        child=serializers.CharField(), help_text="Watched for pull requests: owner/name."
    )
    phases = serializers.SerializerMethodField()
    directions = serializers.SerializerMethodField()
    tracking_issues = serializers.SerializerMethodField()

    @extend_schema_field(PhaseSerializer(many=True))
    def get_phases(self, event: Event) -> Any:
        return PhaseSerializer(event.phases.order_by("position", "pk"), many=True).data

    @extend_schema_field(DirectionSerializer(many=True))
    def get_directions(self, event: Event) -> Any:
        sections = [
            _Counted(row.direction, row.total) for row in queries.list_directions(event) if row.direction
        ]
        found: Iterable[Any] = queries.list_areas(event)
        areas = [_Counted(area, area.task_count) for area in found]
        return DirectionSerializer([*sections, *areas], many=True).data

    @extend_schema_field(TrackingIssueSerializer(many=True))
    def get_tracking_issues(self, event: Event) -> Any:
        issues = event.tracking_issues.defer("body", "agreed_body").order_by("pk")
        return TrackingIssueSerializer(issues, many=True).data


class _Counted(NamedTuple):
    direction: Direction
    task_count: int


class EventFilter(django_filters.FilterSet):
    """Which events."""

    status = django_filters.MultipleChoiceFilter(choices=Event.Status.choices)
    kind = django_filters.MultipleChoiceFilter(choices=Event.Kind.choices)


@extend_schema_view(get=extend_schema(operation_id="list_events", summary="Events", tags=["events"]))
class EventList(generics.ListAPIView[Event]):
    """Events that the reader may see, the latest first; drafts are for their own people."""

    queryset = Event.objects.none()
    serializer_class = EventSerializer
    filterset_class = EventFilter

    def get_queryset(self) -> QuerySet[Event]:
        return queries.with_task_counts(queries.list_visible_events(viewer=answers.viewer(self.request)))


@extend_schema(
    operation_id="get_event", summary="One event", tags=["events"], responses=EventDetailSerializer
)
@api_view(["GET"])
def show_event(request: Request, slug: str) -> Response:
    """An event with its phases, directions and tracking issues."""
    event = queries.get_event(slug, viewer=answers.viewer(request))
    return answers.one(request, EventDetailSerializer, event)
