"""How claims and pull requests stand in the API's answers."""

from typing import Any, Protocol

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from claims import words
from claims.models import Claim, PullRequestLink
from portal.rest.fields import Choice, Moment
from portal.rest.shapes import Claimant, ClaimantSerializer

PULL_REQUEST_STATES = [
    ("open", "Open"),
    ("draft", "Open as a draft"),
    ("merged", "Merged"),
    ("closed", "Closed unmerged"),
    ("named", "Named in the table; GitHub has not told us yet"),
]
REVIEWS = [
    ("approved", "Approved by somebody whose review counts"),
    ("changes_requested", "Changes requested"),
]


class ReasonSerializer(serializers.Serializer[Any]):
    """Why a claim stands as it does."""

    code = serializers.CharField(help_text="Stable, for programs.")
    about = serializers.CharField(
        help_text="The pull request that decides it, as owner/name#number; may be empty."
    )
    message = serializers.CharField(help_text="For people, in the language asked for.")


class HasClaim(Protocol):
    """A claim with what is told beside it."""

    @property
    def claim(self) -> Claim: ...


class ClaimSerializer(serializers.Serializer[Any]):
    """A claim and where it stands."""

    id = serializers.IntegerField(source="claim.pk")
    claimant = serializers.SerializerMethodField()
    standing = serializers.ChoiceField(choices=Claim.Standing.choices, source="claim.standing")
    since = Moment(source="claim.standing_at")
    basis = serializers.ChoiceField(
        choices=Claim.Basis.choices, source="claim.basis", help_text="What the standing rests on."
    )
    reason = serializers.SerializerMethodField()

    @extend_schema_field(ClaimantSerializer)
    def get_claimant(self, told: HasClaim) -> Any:
        return ClaimantSerializer(Claimant.of(told.claim.claimant)).data

    @extend_schema_field(ReasonSerializer)
    def get_reason(self, told: HasClaim) -> Any:
        code, about = (str(told.claim.reason.get(name, "")) for name in ("code", "about"))
        return ReasonSerializer({"code": code, "about": about, "message": words.why(told.claim)}).data


class PullRequestSerializer(serializers.Serializer[Any]):
    """A pull request that has to do with a task, as GitHub last told us of it."""

    repository = serializers.CharField(help_text="owner/name")
    number = serializers.IntegerField()
    title = serializers.CharField()
    author = serializers.CharField(help_text="A login; empty for one that only the table names.")
    state = serializers.ChoiceField(choices=PULL_REQUEST_STATES)
    review = Choice(REVIEWS)
    reason = Choice(PullRequestLink.Reason.choices, help_text="Why it has to do with the task.")
    is_proposal = serializers.BooleanField()
    is_partial = serializers.BooleanField(help_text="Marked as one part of the task.")
    is_revert = serializers.BooleanField()
    opened_at = Moment(allow_null=True)
    merged_at = Moment(allow_null=True)
    closed_at = Moment(allow_null=True)
    html_url = serializers.URLField(source="url")
