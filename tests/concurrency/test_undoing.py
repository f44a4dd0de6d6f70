"""A decision taken back by two at once, or while the next one is made."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from claims.models import Claim, Decision
from claims.operations import claiming, deciding, undoing
from claims.operations.claiming import Asked
from portal.common.errors import DomainError
from portal.models import Person
from rewards.models import Completion
from tasks_board.models import Event, EventRole
from tests.concurrency.test_claims import NOON, at_once, event, person, press, task

LATER = NOON + timedelta(minutes=5)


def mentor(of: Event, number: int) -> Person:
    found = person(number)
    EventRole.objects.create(event=of, person=found, role="organizer", granted_at=NOON)
    return found


def decide(claim: Claim, by: Person, kind: str, key: str) -> Callable[[], object]:
    return lambda: deciding.decide(
        claim=Claim.objects.select_related("task__event", "person").get(pk=claim.pk),
        kind=Decision.Kind(kind),
        acting_user=by,
        key=key,
        now=LATER,
    )


def undo(of: Event, key: str, by: Person) -> Callable[[], object]:
    def act() -> object:
        decision = undoing.get_decisions(of, [Decision.objects.values_list("pk", flat=True).get(key=key)])[0]
        return undoing.undo_decision(decision=decision, acting_user=by, now=LATER)

    return act


@pytest.mark.django_db(transaction=True)
class TestRaces:
    def test_two_take_the_same_decision_back(self) -> None:
        of = event()
        wanted, olga, oscar = task(of, 1), mentor(of, 90), mentor(of, 91)
        press(wanted, person(1))()
        decide(Claim.objects.get(), olga, "accepted", "a")()
        results = at_once(*(undo(of, "a", by) for by in (olga, oscar, olga, oscar)))
        assert all(isinstance(result, Claim) for result in results)
        assert Decision.objects.filter(kind="undone").count() == 1
        assert Completion.objects.active().count() == 0
        assert Claim.objects.get().standing == "claimed"

    def test_one_takes_back_while_another_decides(self) -> None:
        of = event()
        wanted, olga, oscar = task(of, 1), mentor(of, 90), mentor(of, 91)
        press(wanted, person(1))()
        claim = Claim.objects.get()
        decide(claim, olga, "released", "r")()
        taken_back, _accepted = at_once(undo(of, "r", olga), decide(claim, oscar, "accepted", "a"))
        assert Decision.objects.filter(kind="accepted").exists()
        is_refused = isinstance(taken_back, DomainError)
        assert Decision.objects.filter(kind="undone").exists() is not is_refused
        assert Claim.objects.get().standing == "done"
        assert Completion.objects.active().count() == 1

    def test_one_takes_back_a_release_while_another_takes_the_place(self) -> None:
        of = event(places_per_task=1)
        wanted, olga = task(of, 1), mentor(of, 90)
        press(wanted, person(1))()
        decide(Claim.objects.get(), olga, "released", "r")()
        at_once(undo(of, "r", olga), press(wanted, person(2)))
        assert Claim.objects.get(person__login="racer-1").standing == "claimed"
        assert Claim.objects.get(person__login="racer-2").standing in ("claimed", "waiting")

    def test_a_mentor_takes_back_while_the_claimant_speaks(self) -> None:
        of = event()
        wanted, olga, racer = task(of, 1), mentor(of, 90), person(1)
        press(wanted, racer)()
        decide(Claim.objects.get(), olga, "rejected", "n")()
        asked = Asked(Decision.Source.WEB, LATER, "web:gone")
        at_once(
            undo(of, "n", olga),
            lambda: claiming.release_task(task=wanted, claimant=racer, asked=asked, now=LATER),
        )
        assert Claim.objects.get().standing == "withdrawn"
