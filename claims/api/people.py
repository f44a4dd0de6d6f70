"""People and their claims, over the API."""

from typing import Any

import django_filters
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import generics, serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from claims import participants, queries
from claims.api.shapes import ClaimSerializer
from claims.models import Claim
from claims.queries import TaskClaim
from portal.models import Person
from portal.pages import people
from portal.rest import answers
from portal.rest.amounts import AmountSerializer
from portal.rest.fields import Page


class PersonSerializer(serializers.Serializer[Any]):
    """Somebody who takes part."""

    login = serializers.CharField(
        source="person.login", help_text="Or the name as it was written, where the account is not known."
    )
    github_id = serializers.IntegerField(
        source="person.github_id", allow_null=True, help_text="The numeric id of the GitHub account."
    )
    is_bot = serializers.BooleanField(source="person.is_bot")
    claims = serializers.IntegerField(
        help_text="By themselves or by a team of theirs, whatever became of them."
    )
    completions = serializers.IntegerField(help_text="Those that hold.")
    totals = AmountSerializer(many=True, help_text="What all of it earned, pool by pool.")
    url = Page("api:person", "person.login")
    claims_url = Page("api:claims", "person.login")
    html_url = Page("person", "person.login")


class ClaimedTaskSerializer(serializers.Serializer[Any]):
    """The task of a claim."""

    event = serializers.SlugField(source="event.slug")
    id = serializers.IntegerField(source="pk")
    number = serializers.CharField()
    title = serializers.CharField()
    url = Page("api:task", "event.slug", "pk")
    html_url = Page("task", "event.slug", "pk")


class ClaimOfPersonSerializer(ClaimSerializer):
    """A claim with its task."""

    task = ClaimedTaskSerializer(source="claim.task")


class PersonFilter(django_filters.FilterSet):
    """Which people."""

    q = django_filters.CharFilter(
        field_name="login", lookup_expr="icontains", max_length=100, help_text="A part of the login."
    )


@extend_schema_view(
    get=extend_schema(operation_id="list_people", summary="People who take part", tags=["people"])
)
class PersonList(generics.ListAPIView[Person]):
    """People who claim, complete or help with tasks of events that the reader may see, by login."""

    queryset = Person.objects.none()
    serializer_class = PersonSerializer
    filterset_class = PersonFilter

    def get_queryset(self) -> QuerySet[Person]:
        return participants.list_people(viewer=answers.viewer(self.request))

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        found = super().paginate_queryset(queryset) or []
        return participants.describe(found, viewer=answers.viewer(self.request))


@extend_schema(operation_id="get_person", summary="One person", tags=["people"], responses=PersonSerializer)
@api_view(["GET"])
def show_person(request: Request, login: str) -> Response:
    """Somebody by a login of theirs, in any case; of two accounts of one person, the main one."""
    viewer = answers.viewer(request)
    found = participants.get_participant(people.get_person(login), viewer=viewer)
    return answers.one(request, PersonSerializer, found)


class ClaimFilter(django_filters.FilterSet):
    """Which claims of the person."""

    event = django_filters.CharFilter(field_name="task__event__slug", help_text="The slug of an event.")
    standing = django_filters.MultipleChoiceFilter(choices=Claim.Standing.choices)


@extend_schema_view(
    get=extend_schema(operation_id="list_claims", summary="A person's claims", tags=["people"])
)
class ClaimList(generics.ListAPIView[Claim]):
    """The claims of somebody, by themselves or by a team of theirs, the latest change first."""

    queryset = Claim.objects.none()
    serializer_class = ClaimOfPersonSerializer
    filterset_class = ClaimFilter

    def get_queryset(self) -> QuerySet[Claim]:
        if getattr(self, "swagger_fake_view", False):
            return Claim.objects.none()
        viewer = answers.viewer(self.request)
        found = participants.get_participant(people.get_person(self.kwargs["login"]), viewer=viewer)
        return queries.find_claims_of(found.person, viewer=viewer)

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        return [TaskClaim(claim, "", []) for claim in super().paginate_queryset(queryset) or []]
