"""Whom the logins in texts mean: under their login of today or of before, under any of their accounts."""

from collections.abc import Iterable

from django.db.models.functions import Lower

from portal.accounts import people
from portal.models import LoginHistory, Person


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
