"""Two mentors at the same moment: nothing is decided twice, and no rule is met twice for one place of it."""

from collections.abc import Callable

import pytest

from claims.models import Claim, Decision
from claims.operations import deciding
from claims.operations.claiming import ClaimRefused
from portal.common.errors import DomainError
from portal.models import Person
from tasks_board.models import Event, EventRole
from tests.concurrency.test_claims import NOON, at_once, event, person, press, task

pytestmark = pytest.mark.django_db(transaction=True)


def mentors(of: Event) -> list[Person]:
    found = [person(number) for number in (901, 902)]
    for each in found:
        EventRole.objects.create(event=of, person=each, role="mentor", granted_at=NOON)
    return found


def decide(claim: Claim, mentor: Person, kind: Decision.Kind) -> Callable[[], object]:
    later = NOON.replace(hour=13)
    key = f"desk:{mentor.pk}:{claim.pk}"
    return lambda: deciding.decide(
        claim=Claim.objects.select_related("task__event", "person").get(pk=claim.pk),
        kind=kind,
        acting_user=mentor,
        key=key,
        now=later,
    )


@pytest.mark.parametrize("kind", [Decision.Kind.ADMITTED, Decision.Kind.ACCEPTED, Decision.Kind.DECLINED])
def test_what_both_decide_is_decided_once(kind: Decision.Kind) -> None:
    race = event(who_may_claim="mentor_approves")
    first, second = mentors(race)
    press(task(race, 1), person(1))()
    claim = Claim.objects.get()
    results = at_once(decide(claim, first, kind), decide(claim, second, kind))
    refusals = [result for result in results if isinstance(result, DomainError)]
    assert [refusal.code for refusal in refusals] == ["decided_already"]
    assert Decision.objects.filter(claim=claim, kind=kind).count() == 1


def test_the_cap_is_met_once_by_two_who_let_one_person_in() -> None:
    race = event(who_may_claim="mentor_approves", open_claims_per_person=1)
    mentor_of = mentors(race)
    racer = person(1)
    for number in (1, 2):
        press(task(race, number), racer)()
    claims = list(Claim.objects.order_by("pk"))
    calls = [
        decide(claim, mentor, Decision.Kind.ADMITTED) for claim, mentor in zip(claims, mentor_of, strict=True)
    ]
    results = at_once(*calls)
    assert sum(isinstance(result, ClaimRefused) for result in results) == 1
    assert sorted(Claim.objects.values_list("standing", flat=True)) == ["claimed", "requested"]
