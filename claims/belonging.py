"""Whose a claim is, under whichever account."""

from claims.models import Claim
from portal.models import Person


def is_own(claim: Claim, person: Person) -> bool:
    """Whether the claim is the person's own or that of a team they are or were in, under any of their accounts."""
    own = person.whole_id
    if claim.person is not None:
        return claim.person.whole_id == own
    assert claim.team is not None  # noqa: S101 (a constraint says so)
    members = claim.team.members.filter(accepted_at__isnull=False).select_related("person")
    return any(member.person.whole_id == own for member in members)
