"""Races with real threads and real commits."""

import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from django.db import connection, transaction

from claims.models import Claim, Decision
from claims.operations import claiming, comments, places, standings
from claims.operations.claiming import Asked, ClaimRefused
from claims.operations.speaking import Written
from portal import locks
from portal.common.errors import DomainError
from portal.github import types
from portal.models import Person
from rewards.models import Completion
from tasks_board.models import Event, Task, Team, TrackingIssue
from tasks_board.operations import teams

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def at_once(*calls: Callable[[], object]) -> list[object]:
    """Run the calls in threads that all start together; each one's result, or the error it raised."""
    barrier = threading.Barrier(len(calls))

    def run(call: Callable[[], object]) -> object:
        barrier.wait()
        try:
            return call()
        except DomainError as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(run, calls))


def event(**rules: object) -> Event:
    return Event.objects.create(
        slug="race", name="Race", kind="happy_open_source", status="running", rules=rules, created_at=NOON
    )


def task(of: Event, number: int) -> Task:
    return Task.objects.create(event=of, number=str(number), title=f"Task {number}", created_at=NOON)


def person(number: int) -> Person:
    return Person.objects.create(github_id=number, login=f"racer-{number}")


def press(wanted: Task, racer: Person) -> Callable[[], object]:
    """The button of one person for one task."""
    asked = Asked(Decision.Source.WEB, NOON, f"web:{racer.pk}:{wanted.pk}")
    return lambda: claiming.claim_task(task=wanted, claimant=racer, asked=asked, now=NOON)


def release(wanted: Task, racer: Person) -> Callable[[], object]:
    later = NOON.replace(hour=13)
    asked = Asked(Decision.Source.WEB, later, f"release:{racer.pk}:{wanted.pk}")
    return lambda: claiming.release_task(task=wanted, claimant=racer, asked=asked, now=later)


@pytest.mark.django_db(transaction=True)
class TestRaces:
    def test_one_person_claims_one_task_once(self) -> None:
        wanted, racer = task(event(), 1), person(1)

        def claim(key: str) -> Callable[[], object]:
            return lambda: claiming.claim_task(
                task=wanted, claimant=racer, asked=Asked(Decision.Source.WEB, NOON, key), now=NOON
            )

        results = at_once(*(claim(f"web:{n}") for n in range(8)))
        assert sum(isinstance(result, Claim) for result in results) == 1
        refusals = [result for result in results if isinstance(result, ClaimRefused)]
        assert {v.rule for refusal in refusals for v in refusal.ruling.failed} == {"not_claimed_by_you"}
        assert Decision.objects.count() == 1

    def test_a_cap_of_three_holds_over_ten_tasks_at_once(self) -> None:
        of = event(open_claims_per_person=3)
        tasks, racer = [task(of, n) for n in range(10)], person(1)

        def claim(wanted: Task) -> Callable[[], object]:
            return lambda: claiming.claim_task(
                task=wanted,
                claimant=racer,
                asked=Asked(Decision.Source.WEB, NOON, f"web:{wanted.pk}"),
                now=NOON,
            )

        results = at_once(*(claim(wanted) for wanted in tasks))
        assert sum(isinstance(result, Claim) for result in results) == 3
        assert Claim.objects.in_hand().count() == 3

    def test_many_people_may_claim_one_task_together(self) -> None:
        wanted = task(event(), 1)
        racers = [person(n) for n in range(1, 9)]

        def claim(racer: Person) -> Callable[[], object]:
            return lambda: claiming.claim_task(
                task=wanted,
                claimant=racer,
                asked=Asked(Decision.Source.WEB, NOON, f"web:{racer.pk}"),
                now=NOON,
            )

        results = at_once(*(claim(racer) for racer in racers))
        assert all(isinstance(result, Claim) for result in results)
        wanted.refresh_from_db()
        assert wanted.state == "claimed"
        assert not Completion.objects.exists()

    def test_twenty_people_for_the_last_place(self) -> None:
        wanted = task(event(places_per_task=1), 1)
        results = at_once(*(press(wanted, person(n)) for n in range(1, 21)))
        assert all(isinstance(result, Claim) for result in results)
        counts = Counter(Claim.objects.values_list("standing", flat=True))
        assert counts == {"claimed": 1, "waiting": 19}

    def test_without_a_line_nineteen_are_told_why(self) -> None:
        wanted = task(event(places_per_task=1, waiting_list=False), 1)
        results = at_once(*(press(wanted, person(n)) for n in range(1, 21)))
        assert sum(isinstance(result, Claim) for result in results) == 1
        refusals = [result for result in results if isinstance(result, ClaimRefused)]
        assert [[v.rule for v in refusal.ruling.failed] for refusal in refusals] == [["place_is_free"]] * 19

    def test_two_releases_let_exactly_two_move_up(self) -> None:
        wanted = task(event(places_per_task=2), 1)
        racers = [person(n) for n in range(1, 7)]
        for racer in racers:
            press(wanted, racer)()
        at_once(*(release(wanted, racer) for racer in racers[:2]))
        stand = list(Claim.objects.order_by("pk").values_list("standing", flat=True))
        assert stand == ["withdrawn"] * 2 + ["claimed"] * 2 + ["waiting"] * 2
        assert Decision.objects.filter(kind="promoted").count() == 2

    def test_moving_up_and_claiming_elsewhere_never_pass_the_cap(self) -> None:
        of = event(places_per_task=1, open_claims_per_person=1)
        racer, holders = person(1), [person(n) for n in range(2, 6)]
        tasks = [task(of, n) for n in range(5)]
        for wanted, holder in zip(tasks, holders, strict=False):
            press(wanted, holder)()
            press(wanted, racer)()
        at_once(
            *(release(wanted, holder) for wanted, holder in zip(tasks, holders, strict=False)),
            press(tasks[4], racer),
        )
        assert Claim.objects.filter(person=racer).in_hand().count() <= 1
        for wanted in places.list_tasks_with_line():
            with transaction.atomic():
                standings.recompute_task(task=wanted, now=NOON)
        assert Claim.objects.filter(person=racer).in_hand().count() == 1

    def test_a_button_against_a_comment(self) -> None:
        of = event(places_per_task=1)
        wanted = task(of, 1)
        issue = TrackingIssue.objects.create(event=of, repository="o/r", number=7)
        writer = types.Account(id=50, login="writer")
        fact = types.Comment(1, "o/r", 7, "/claim 1", writer, NOON, NOON)
        at_once(
            press(wanted, person(1)),
            lambda: comments.record_comment(tracking_issue=issue, written=Written(fact), now=NOON),
        )
        assert sorted(Claim.objects.values_list("standing", flat=True)) == ["claimed", "waiting"]

    def test_one_person_joins_one_of_two_teams(self) -> None:
        of, joiner = event(), person(9)
        made = [teams.create_team(event=of, name=f"T{n}", captain=person(n), now=NOON) for n in (1, 2)]
        for team in made:
            teams.invite(team=team, login=joiner.login, acting_user=team.captain, now=NOON)  # type: ignore[arg-type]

        def accept(team: Team) -> Callable[[], object]:
            return lambda: teams.accept(team=team, person=joiner, now=NOON)

        results = at_once(*(accept(team) for team in made))
        assert sorted(type(result).__name__ for result in results) == ["DomainError", "TeamMember"]

    def test_who_waited_for_a_change_of_the_rules_is_judged_by_the_new_ones(self) -> None:
        if connection.vendor != "postgresql":
            pytest.skip("SQLite has one writer at a time.")
        of, racer = event(), person(1)
        wanted = task(of, 1)

        def claim() -> object:
            try:
                return press(wanted, racer)()
            except ClaimRefused as refusal:
                return refusal
            finally:
                connection.close()

        with ThreadPoolExecutor(1) as threads:
            with transaction.atomic():
                locks.lock_rows(Task.objects.filter(pk=wanted.pk))
                waiting = threads.submit(claim)
                time.sleep(0.7)  # it has come as far as it can
                Event.objects.update(rules={"who_may_claim": "invitation"})
            assert isinstance(waiting.result(timeout=10), ClaimRefused)
