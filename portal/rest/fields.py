"""How values stand in the API's answers."""

from collections.abc import Sequence
from datetime import UTC
from decimal import Decimal
from operator import attrgetter
from typing import Any

from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


@extend_schema_field(
    {"type": "string", "format": "decimal", "pattern": r"^-?\d+(\.\d+)?$", "examples": ["0.025"]}
)
class Exact(serializers.Field[Decimal, Any, str, Any]):
    """A decimal as text, exact and without needless zeros."""

    def to_representation(self, value: Decimal) -> str:
        return f"{value:f}"


class Moment(serializers.DateTimeField):
    """A time in UTC as ISO 8601 has it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(default_timezone=UTC, **options)


class Choice(serializers.ChoiceField):
    """One of several words, or null for none."""

    def __init__(self, choices: Sequence[tuple[str, Any]], **options: Any) -> None:
        super().__init__(choices, allow_null=True, **options)

    def to_representation(self, value: str) -> Any:
        return value or None


@extend_schema_field(OpenApiTypes.URI)
class Page(serializers.Field[Any, Any, str, Any]):
    """The address of a page or an endpoint of ours: a route's name, and where its parts are found in the thing."""

    def __init__(self, route: str, *parts: str) -> None:
        super().__init__(source="*", read_only=True)
        self.route = route
        self.parts = [attrgetter(part) for part in parts]

    def to_representation(self, value: Any) -> str:
        address: str = self.context["request"].build_absolute_uri(
            reverse(self.route, args=[part(value) for part in self.parts])
        )
        return address
