"""Time limits: the clock runs while it is the claimant's turn; reminded, renewed, extended, and then at an end."""

import io

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from claims import github_reading
from claims.models import Claim, Decision
from claims.operations import deadlines, ruling
from portal.common.errors import DomainError, NotAllowed
from portal.github.errors import GitHubUnavailable
from tasks_board.models import Task
from tests.claims.people import (
    at,
    claim,
    make_event,
    make_organizer,
    make_person,
    make_task,
    pull_request,
    review,
    standings_of,
)

pytestmark = pytest.mark.django_db
LIMITS = {"days_to_pull_request": 10, "reminder_days": 3, "grace_days": 2, "places_per_task": 1}


def settle(days: float) -> list[str]:
    """What the rules decide on that day."""
    due = deadlines.list_due(at(days))
    kinds = [deadlines.settle_deadline(claim=found, now=at(days)) for found in due]
    return [kind.value for kind in kinds if kind]


def due(task: Task) -> object:
    return Claim.objects.get(task=task, person__login="racer-1").due_at


class TestTheCourse:
    def test_reminded_and_then_at_an_end_and_the_next_one_moves_up(self) -> None:
        task = make_task(make_event(**LIMITS), 1)
        claim(task, make_person(1))
        claim(task, make_person(2), 1)
        assert due(task) == at(10)
        assert settle(6.9) == []
        assert settle(7) == ["reminded"]
        assert settle(7.1) == settle(11.9) == []
        assert settle(12) == ["expired"]
        assert standings_of(task) == {"racer-1": "expired", "racer-2": "claimed"}
        assert settle(12) == []

    def test_nobody_loses_a_claim_unreminded(self) -> None:
        event = make_event()
        task = make_task(event, 1)
        claim(task, make_person(1))
        ruling.change_rules(event=event, changes=LIMITS, acting_user=make_organizer(event), now=at(100))
        assert settle(100) == ["reminded"]
        assert settle(104.9) == []
        assert settle(105) == ["expired"]

    def test_off_by_default(self) -> None:
        task = make_task(make_event(), 1)
        claim(task, make_person(1))
        assert due(task) is None
        assert settle(1000) == []

    def test_who_waits_for_a_review_has_all_the_time(self) -> None:
        task = make_task(make_event(**LIMITS, days_of_silence=5), 1)
        racer = make_person(1)
        claim(task, racer)
        pr = pull_request(task, racer, 4)
        assert due(task) is None
        assert settle(300) == []
        review(pr, task, "changes_requested", 300)
        assert due(task) == at(305)

    def test_a_pull_request_that_comes_after_the_reminder_stops_the_clock(self) -> None:
        task = make_task(make_event(**LIMITS), 1)
        racer = make_person(1)
        claim(task, racer)
        assert settle(8) == ["reminded"]
        pull_request(task, racer, 9)
        assert settle(50) == []
        assert standings_of(task) == {"racer-1": "pr_open"}


class TestMoreTime:
    def test_a_claimant_renews_as_often_as_the_event_allows(self) -> None:
        task = make_task(make_event(**LIMITS), 1)
        racer = make_person(1)
        held = claim(task, racer)
        with pytest.raises(NotAllowed):
            deadlines.renew_claim(claim=held, acting_user=make_person(2), key="theirs", now=at(9))
        for _click in range(2):
            renewed = deadlines.renew_claim(claim=held, acting_user=racer, key="once", now=at(9))
            assert renewed.due_at == at(19)
        with pytest.raises(DomainError) as refusal:
            deadlines.renew_claim(claim=held, acting_user=racer, key="again", now=at(10))
        assert refusal.value.code == "no_renewal_left"

    def test_a_mentor_extends_but_not_for_themselves(self) -> None:
        event = make_event(**LIMITS)
        task, organizer = make_task(event, 1), make_organizer(event)
        held = claim(task, make_person(1))
        extended = deadlines.extend_claim(
            claim=held, until=at(30), acting_user=organizer, key="more", now=at(9)
        )
        assert extended.due_at == at(30)
        assert settle(12) == []
        other = claim(make_task(event, 2), organizer)
        for person, claimed in ((organizer, other), (make_person(2), held)):
            with pytest.raises(NotAllowed):
                deadlines.extend_claim(claim=claimed, until=at(30), acting_user=person, key="mine", now=at(9))

    def test_without_a_limit_there_is_nothing_to_renew(self) -> None:
        task, racer = make_task(make_event(), 1), make_person(1)
        with pytest.raises(DomainError) as refusal:
            deadlines.renew_claim(claim=claim(task, racer), acting_user=racer, key="k", now=at(1))
        assert refusal.value.code == "no_deadline"


class Gateway:
    """A GitHub with nothing new, or that does not answer."""

    def __init__(self, *, is_down: bool = False) -> None:
        self.is_down, self.asked = is_down, 0

    def list_pull_requests(self, repository: str, *, since: object) -> list[object]:
        self.asked += 1
        if self.is_down:
            raise GitHubUnavailable()
        return []


class TestTheJob:
    def test_it_reads_the_facts_anew_before_anybody_loses_a_claim(self) -> None:
        task = make_task(make_event(**LIMITS), 1)
        claim(task, make_person(1))
        for day in (7, 20):
            github_reading.settle_deadlines(gateway=Gateway(is_down=True), now=at(day))  # type: ignore[arg-type]
            assert not Decision.objects.filter(source="rules").exists()
        there = Gateway()
        for day in (20, 21, 26):
            github_reading.settle_deadlines(gateway=there, now=at(day))  # type: ignore[arg-type]
        assert there.asked == 2
        assert standings_of(task) == {"racer-1": "expired"}


class TestRecomputeStandings:
    def test_a_healthy_database_stays_as_it_is(self) -> None:
        event = make_event(**LIMITS)
        task, racer = make_task(event, 1), make_person(1)
        claim(task, racer)
        claim(task, make_person(2))
        pull_request(task, racer, 1)
        call_command("recompute_standings", stdout=io.StringIO())

    def test_it_says_what_it_would_change_and_does_so_when_asked(self) -> None:
        task = make_task(make_event(), 1)
        claim(task, make_person(1))
        Claim.objects.update(standing="done")
        Task.objects.update(state="done")
        said = io.StringIO()
        with pytest.raises(CommandError):
            call_command("recompute_standings", stdout=said)
        assert "race No.1 @racer-1: standing done -> claimed" in said.getvalue()
        assert standings_of(task) == {"racer-1": "done"}
        call_command("recompute_standings", "--fix", stdout=io.StringIO())
        assert standings_of(task) == {"racer-1": "claimed"}
        call_command("recompute_standings", stdout=io.StringIO())
