"""Places, the line before them, and who may claim: through the operations that the button, the API and the comment use."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from claims import policy
from claims.circumstances import Asker
from claims.models import Decision
from claims.operations import claiming, deciding, editing_tasks, ruling, standings
from claims.operations.claiming import Asked, ClaimRefused
from claims.operations.task_desk import TaskChange
from portal.common.errors import DomainError, NotAllowed
from portal.models import Person
from tasks_board.models import EventMark, Task
from tasks_board.operations import marks
from tests.claims.people import (
    at,
    claim,
    make_event,
    make_organizer,
    make_person,
    make_task,
    pull_request,
    release,
    review,
    standings_of,
)

pytestmark = pytest.mark.django_db


def refused(task: Task, person: Person, days: float = 0) -> set[str]:
    """The rules that say no."""
    with pytest.raises(ClaimRefused) as refusal:
        claim(task, person, days)
    return {verdict.rule for verdict in refusal.value.ruling.failed}


def change(task: Task, organizer: Person, **values: str) -> list[str]:
    """Change the task's fields; the codes of what is refused."""
    outcome = editing_tasks.change_tasks(
        event=task.event, changes=[TaskChange(task.pk, values)], acting_user=organizer, now=at(0)
    )
    return [refusal.code for refusal in outcome.refused]


class TestPlaces:
    def test_who_finds_no_place_waits_and_moves_up_in_the_order_of_asking(self) -> None:
        task = make_task(make_event(places_per_task=2), 1)
        people = [make_person(n) for n in range(1, 6)]
        for day, person in enumerate(people):
            claim(task, person, day)
        assert list(standings_of(task).values()) == ["claimed", "claimed", "waiting", "waiting", "waiting"]
        release(task, people[1], 6)
        assert standings_of(task)["racer-3"] == "claimed"
        granted = Decision.objects.get(kind="promoted")
        assert (granted.at, granted.decided_by, granted.source) == (at(6), None, "rules")
        release(task, people[3], 7)  # from the line
        release(task, people[0], 8)
        assert list(standings_of(task).values()) == [
            "withdrawn",
            "withdrawn",
            "claimed",
            "withdrawn",
            "claimed",
        ]

    def test_the_order_is_of_asking_not_of_arrival(self) -> None:
        task = make_task(make_event(places_per_task=1), 1)
        first, late, early = make_person(1), make_person(2), make_person(3)
        claim(task, first)
        claim(task, late, 2)
        claim(task, early, 1)
        release(task, first, 3)
        assert standings_of(task) == {"racer-1": "withdrawn", "racer-2": "waiting", "racer-3": "claimed"}

    @pytest.mark.parametrize("places", [None, 3])
    def test_where_several_may_complete_it_one_who_has_takes_nothing_from_the_next(
        self, places: int | None
    ) -> None:
        task = make_task(make_event(first_merged_wins=False, places_per_task=places), 1)
        first, next_one = make_person(1), make_person(2)
        claim(task, first)
        pull_request(task, first, 1, merged=2)
        assert claim(task, next_one, 3).standing == "claimed"
        pull_request(task, next_one, 4, merged=5)
        assert list(standings_of(task).values()) == ["done", "done"]

    def test_without_a_line_they_are_refused(self) -> None:
        task = make_task(make_event(places_per_task=1, waiting_list=False), 1)
        claim(task, make_person(1))
        assert refused(task, make_person(2)) == {"place_is_free"}

    def test_a_mentor_s_no_and_the_end_of_a_limit_free_places_too(self) -> None:
        event = make_event(places_per_task=1)
        task, organizer = make_task(event, 1), make_organizer(event)
        first = claim(task, make_person(1))
        for number in (2, 3, 4):
            claim(task, make_person(number), number)
        deciding.decide(claim=first, kind=Decision.Kind.DECLINED, acting_user=organizer, key="no", now=at(5))
        assert list(standings_of(task).values()) == ["declined", "claimed", "waiting", "waiting"]
        ruling.change_rules(event=event, changes={"places_per_task": None}, acting_user=organizer, now=at(6))
        assert list(standings_of(task).values()) == ["declined", "claimed", "claimed", "claimed"]

    def test_deriving_again_and_a_repeated_wish_change_nothing(self) -> None:
        task = make_task(make_event(places_per_task=1), 1)
        first, second = make_person(1), make_person(2)
        claim(task, first)
        asked = Asked(Decision.Source.WEB, at(1), "same")
        for _click in range(2):
            claiming.claim_task(task=task, claimant=second, asked=asked, now=at(1))
        release(task, first, 2)
        before = Decision.objects.count()
        standings.recompute_task(task=task, now=at(3))
        claiming.claim_task(task=task, claimant=second, asked=asked, now=at(3))
        assert Decision.objects.count() == before
        assert standings_of(task)["racer-2"] == "claimed"

    def test_a_release_that_is_learned_of_late_frees_a_place_that_was_granted_since(self) -> None:
        task = make_task(make_event(places_per_task=1), 1)
        first, second, third = (make_person(n) for n in (1, 2, 3))
        claim(task, first)
        claim(task, second, 1)
        claim(task, third, 2)
        release(task, first, 5)
        assert standings_of(task)["racer-2"] == "claimed"
        release(task, second, 4)  # had left the line before
        assert standings_of(task) == {"racer-1": "withdrawn", "racer-2": "withdrawn", "racer-3": "claimed"}

    def test_the_others_places_stay_open_where_the_first_merge_takes_nothing_away(self) -> None:
        task = make_task(make_event(places_per_task=2, first_merged_wins=False), 1)
        winner = make_person(1)
        claim(task, winner)
        pull_request(task, winner, 1, merged=2)
        for number in (2, 3):
            claim(task, make_person(number), number)
        assert list(standings_of(task).values()) == ["done", "claimed", "waiting"]

    def test_the_first_merge_sends_the_line_home(self) -> None:
        task = make_task(make_event(places_per_task=1), 1)
        winner, waiting = make_person(1), make_person(2)
        claim(task, winner)
        claim(task, waiting, 1)
        pull_request(task, winner, 2, merged=3)
        assert standings_of(task) == {"racer-1": "done", "racer-2": "superseded"}

    def test_who_comes_later_does_not_pass_the_line(self) -> None:
        task = make_task(make_event(places_per_task=2), 1)
        for number in (1, 2, 3):
            claim(task, make_person(number), number)
        release(task, Person.objects.get(login="racer-1"), 4)
        claim(task, make_person(4), 5)
        assert list(standings_of(task).values()) == ["withdrawn", "claimed", "claimed", "waiting"]

    def test_nobody_moves_up_past_the_cap_or_a_ban(self) -> None:
        event = make_event(places_per_task=1, open_claims_per_person=1)
        task, other, organizer = make_task(event, 1), make_task(event, 2), make_organizer(event)
        holder, busy, banned, free = (make_person(n) for n in (1, 2, 3, 4))
        claim(task, holder)
        for day, person in enumerate((busy, banned, free), 1):
            claim(task, person, day)
        claim(other, busy, 4)
        marks.set_mark(
            event=event, person=banned, kind=EventMark.Kind.BANNED, acting_user=organizer, now=at(4)
        )
        release(task, holder, 5)
        assert list(standings_of(task).values()) == ["withdrawn", "waiting", "waiting", "claimed"]


class TestCap:
    def test_it_counts_what_is_in_the_person_s_hands(self) -> None:
        event = make_event(open_claims_per_person=1)
        first, second, third = (make_task(event, n) for n in (1, 2, 3))
        racer = make_person(1)
        claim(first, racer)
        assert refused(second, racer) == {"open_claims_within_cap"}
        pr = pull_request(first, racer, 1)  # waits for a review
        claim(second, racer, 2)
        assert refused(third, racer, 2) == {"open_claims_within_cap"}
        release(second, racer, 3)
        review(pr, first, "changes_requested", 4)  # it is the author's turn again
        assert refused(third, racer, 5) == {"open_claims_within_cap"}

    def test_a_draft_is_in_the_person_s_hands(self) -> None:
        event = make_event(open_claims_per_person=1)
        first, second, racer = make_task(event, 1), make_task(event, 2), make_person(1)
        claim(first, racer)
        pull_request(first, racer, 1, is_draft=True)
        assert refused(second, racer, 2) == {"open_claims_within_cap"}


class TestWhoAndWhen:
    def test_by_invitation(self) -> None:
        event = make_event(who_may_claim="invitation")
        task, organizer, racer = make_task(event, 1), make_organizer(event), make_person(1)
        assert refused(task, racer) == {"claimant_is_invited"}
        marks.set_mark(
            event=event, person=racer, kind=EventMark.Kind.INVITED, acting_user=organizer, now=at(0)
        )
        assert claim(task, racer).standing == "claimed"

    def test_a_ban_holds_until_it_is_lifted_under_any_account(self) -> None:
        event = make_event()
        task, organizer, racer, second = (
            make_task(event, 1),
            make_organizer(event),
            make_person(1),
            make_person(2),
        )
        second.canonical = racer
        second.save()
        ban = {"event": event, "person": second, "kind": EventMark.Kind.BANNED, "acting_user": organizer}
        marks.set_mark(**ban, now=at(0))  # type: ignore[arg-type]
        assert refused(task, racer) == refused(task, second) == {"claimant_is_not_banned"}
        marks.lift_mark(**ban, now=at(1))  # type: ignore[arg-type]
        assert claim(task, racer, 2).standing == "claimed"

    def test_only_organizers_mark_and_nobody_themselves(self) -> None:
        event = make_event()
        organizer, racer = make_organizer(event), make_person(1)
        for person, acting in ((organizer, racer), (organizer, organizer)):
            with pytest.raises(NotAllowed):
                marks.set_mark(
                    event=event, person=person, kind=EventMark.Kind.INVITED, acting_user=acting, now=at(0)
                )

    def test_who_takes_part_unpaid_is_told_so_and_may_claim(self) -> None:
        event = make_event()
        task, organizer, staff = make_task(event, 1), make_organizer(event), make_person(1)
        marks.set_mark(
            event=event, person=staff, kind=EventMark.Kind.UNPAID, acting_user=organizer, now=at(0)
        )
        asker = Asker(event, staff, at(0))
        verdicts = policy.judge(asker.rules, asker.on(task, asker.look_at(task))).verdicts
        assert [v.passed for v in verdicts if v.rule == "takes_part_unpaid"] == [True]
        assert claim(task, staff).standing == "claimed"

    def test_a_task_has_a_window_of_its_own(self) -> None:
        task = make_task(make_event(), 1, claims_open_at=at(1), claims_close_at=at(2))
        racer = make_person(1)
        assert refused(task, racer, 0.5) == {"task_has_opened"}
        assert refused(task, racer, 2.5) == {"task_has_not_closed"}
        assert claim(task, racer, 2).standing == "claimed"

    def test_between_two_phases_nobody_claims(self) -> None:
        event = make_event()
        event.phases.create(name="One", starts_at=at(0), ends_at=at(1))
        event.phases.create(name="Two", starts_at=at(3), ends_at=at(4))
        task, racer = make_task(event, 1), make_person(1)
        assert refused(task, racer, -1) == refused(task, racer, 2) == {"event_has_opened"}
        assert refused(task, racer, 5) == {"event_has_not_closed"}
        assert claim(task, racer, 3).standing == "claimed"

    def test_a_phase_without_claims_closes_the_event_while_it_lasts(self) -> None:
        event = make_event()
        event.phases.create(name="Judging", starts_at=at(1), ends_at=at(2), claims_open=False)
        task, racer = make_task(event, 1), make_person(1)
        assert refused(task, racer, 1.5) == {"event_has_opened"}
        assert claim(task, racer, 0.5).standing == "claimed"
        assert claim(task, make_person(2), 2.5).standing == "claimed"

    @pytest.mark.parametrize("ends", [None, 9, 10])
    def test_a_phase_without_claims_that_is_the_last_closes_it_for_good(self, ends: int | None) -> None:
        event = make_event()
        event.closes_at = at(9)
        event.save()
        ends_at = None if ends is None else at(ends)
        event.phases.create(name="Judging", starts_at=at(1), ends_at=ends_at, claims_open=False)
        assert refused(make_task(event, 1), make_person(1), 1.5) == {"event_has_not_closed"}

    def test_what_one_phase_opens_another_one_beside_it_does_not_close(self) -> None:
        event = make_event()
        event.phases.create(name="Signing up", starts_at=at(0), ends_at=at(2))
        event.phases.create(name="Building", starts_at=at(1), ends_at=at(9), claims_open=False)
        task = make_task(event, 1)
        assert claim(task, make_person(1), 1.5).standing == "claimed"
        assert refused(task, make_person(2), 2.5) == {"event_has_not_closed"}

    def test_tasks_that_come_before_have_to_be_done(self) -> None:
        event = make_event()
        before, after = make_task(event, 1), make_task(event, 2)
        organizer, racer = make_organizer(event), make_person(1)
        change(after, organizer, requires="1")
        assert refused(after, racer) == {"required_tasks_are_done"}
        claim(before, racer)
        pull_request(before, racer, 1, merged=2)
        assert claim(after, racer, 3).standing == "claimed"

    def test_tasks_never_wait_for_each_other(self) -> None:
        event = make_event()
        tasks, organizer = [make_task(event, n) for n in (1, 2, 3)], make_organizer(event)
        for task, needed in ((tasks[0], "2"), (tasks[1], "3")):
            assert change(task, organizer, requires=needed) == []
        for needed in ("1", "3"):
            assert change(tasks[2], organizer, requires=needed) == ["circular"]

    @pytest.mark.parametrize(
        "changes",
        [{"places_per_task": 0}, {"open_claims_per_person": "many"}, {"who_may_claim": "nobody"}, {"grace_days": None},
         {"waiting_list": 1}],
    )  # fmt: skip
    def test_rules_that_make_no_sense_are_refused(self, changes: dict[str, object]) -> None:
        event = make_event()
        with pytest.raises(DomainError) as refusal:
            ruling.change_rules(event=event, changes=changes, acting_user=make_organizer(event), now=at(0))
        assert refusal.value.code == "bad_rule"
        event.refresh_from_db()
        assert event.rules == {}

    def test_only_organizers_change_rules(self) -> None:
        event = make_event()
        with pytest.raises(NotAllowed):
            ruling.change_rules(event=event, changes={}, acting_user=make_person(1), now=at(0))


def test_rules_that_change_weigh_all_tasks_together() -> None:
    event = make_event()
    organizer, racer = make_organizer(event), make_person(1)
    asked = []
    for first in (1, 11):
        for number in range(first, first + 10):
            claim(make_task(event, number), racer)
        with CaptureQueriesContext(connection) as found:
            ruling.change_rules(event=event, changes={"grace_days": first}, acting_user=organizer, now=at(1))
        asked.append(len(found))
    assert asked[1] - asked[0] <= 20, asked
