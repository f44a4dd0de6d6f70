"""Shapes that stand in several answers of the API."""

from typing import Any, Literal, NamedTuple

from django.conf import settings
from rest_framework import serializers

from portal.models import Person


class Claimant(NamedTuple):
    """A person or a team, as others see it."""

    kind: Literal["person", "team"]
    name: str
    github_id: int | None

    @classmethod
    def of(cls, claimant: object) -> "Claimant":
        """Who took a task: a Person or a Team."""
        if isinstance(claimant, Person):
            return cls("person", claimant.login, claimant.github_id)
        return cls("team", str(claimant), None)


class ClaimantSerializer(serializers.Serializer[Any]):
    """A person or a team."""

    kind = serializers.ChoiceField(choices=[("person", "a person"), ("team", "a team")])
    name = serializers.CharField(
        help_text="The login of a person, or the name as it was written where the account is not known; the name of a team."
    )
    github_id = serializers.IntegerField(
        allow_null=True, help_text="The numeric id of the person's GitHub account."
    )


class IssueSerializer(serializers.Serializer[Any]):
    """A tracking issue: a GitHub issue, or without a number a text that stands in none."""

    repository = serializers.CharField(help_text="owner/name")
    number = serializers.IntegerField(allow_null=True)
    html_url = serializers.SerializerMethodField()

    def get_html_url(self, issue: Any) -> str | None:
        return f"{settings.GITHUB_WEB_URL}/{issue.repository}/issues/{issue.number}" if issue.number else None
