"""Whom the logins in texts mean: under their login of today or of before, under any of their accounts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models.functions import Lower

from claims.models import Claim
from claims.operations.team_names import Called, Names, team_names
from portal.accounts import people
from portal.models import LoginHistory, Person
from tasks_board.documents.model import ReadClaimant, ReadTask

Spoken = tuple[str, tuple[str, ...]]  # the state and the pull requests that a row gives a claimant


def find_people(logins: Iterable[str]) -> dict[str, Person]:
    """The people whom logins mean, keys in lower case: who carries the login now, else who carried it last.

    Of a person with several accounts it is the one that the others point to.
    """
    wanted = {login.lower() for login in logins}
    found = people.find_by_logins(wanted)
    carried = LoginHistory.objects.alias(lower=Lower("login")).filter(lower__in=wanted - found.keys())
    former = {
        row.login.lower(): row.person
        for row in carried.select_related("person").order_by("last_seen_at", "pk")
    }
    everybody = {**former, **found}
    canonical = Person.objects.in_bulk({p.canonical_id for p in everybody.values() if p.canonical_id})
    return {login: canonical.get(p.canonical_id or 0, p) for login, p in everybody.items()}


@dataclass(frozen=True, slots=True)
class NamesInRows:
    """By task and person, the login that the row uses for them: a former one, or that of another account, may stand there.

    And what the row calls teams by, where it is not their name.
    """

    logins: Mapping[tuple[int, int], str]
    teams: Names

    def of(self, claim: Claim) -> tuple[str | None, str | None]:
        """The login and the team's name that stand, or shall stand, for a claimant; one of them is None."""
        if claim.team is None:
            return self.login_of(claim), None
        called = self.teams.get((claim.task_id, claim.team.pk)) or Called(None, claim.team.name)
        return (called.login, None) if called.login else (None, called.name)

    def login_of(self, claim: Claim) -> str:
        """How the table calls the person of a claim, or shall call them."""
        assert claim.person is not None  # noqa: S101 (the caller asked)
        own = claim.person.whole_id
        return self.logins.get((claim.task_id, own), claim.person.login)


def names_in_rows(rows: Mapping[int, ReadTask]) -> NamesInRows:
    """How rows (by the key of their task) call people and teams. At most seven queries."""
    named = [(pk, c.login) for pk, row in rows.items() for c in row.claimants if c.login]
    found = find_people(login for _, login in named)
    logins: dict[tuple[int, int], str] = {}
    for pk, login in named:
        if login.lower() in found:
            logins.setdefault((pk, found[login.lower()].pk), login)
    return NamesInRows(logins, team_names(rows, found))


def said(claimants: Iterable[ReadClaimant]) -> dict[str, tuple[ReadClaimant, Spoken]]:
    """What a row says of each of its claimants, by a key that is the same in any spelling."""
    found = {}
    for name in claimants:
        key = f"@{name.login.lower()}" if name.login is not None else f"team {name.name.lower()}"
        found[key] = (name, (name.state.value, tuple(str(ref) for ref in name.pull_requests)))
    return found
