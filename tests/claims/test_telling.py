"""The bell: everybody hears once of what others did for them, and never of their own act."""

from datetime import timedelta
from decimal import Decimal

import pytest

from claims.mine import notices
from claims.models import Claim, Decision, Notice
from claims.operations import deadlines, deciding, seeing, standings, teaming
from portal.models import Person
from tasks_board.models import Event, EventRole, Task
from tests.claims.people import (
    NOON,
    at,
    claim,
    event_of_two,
    make_event,
    make_organizer,
    make_person,
    make_task,
    make_team,
    pull_request,
    release,
)
from tests.rewards.scenes import pay, points

pytestmark = pytest.mark.django_db


def told(person: Person) -> list[str]:
    return list(Notice.objects.filter(person=person).order_by("pk").values_list("kind", flat=True))


def decide(found: Claim, kind: str, by: Person, days: float = 1, key: str = "d") -> None:
    deciding.decide(
        claim=found, kind=Decision.Kind(kind), acting_user=by, key=f"{key}:{kind}", now=at(days), note="So."
    )


class TestDecisions:
    @pytest.mark.parametrize("kind", ["released", "rejected", "deferred", "blocked", "declined"])
    def test_a_mentors_word_is_told_once(self, kind: str) -> None:
        event = make_event()
        task, ann, organizer = make_task(event, 1), make_person(1), make_organizer(event)
        found = claim(task, ann)
        for _twice in range(2):
            decide(found, kind, organizer)
        standings.recompute_task(task=task, now=at(3))
        assert told(ann) == [kind]
        line = notices.list_notices(ann)[0]
        assert organizer.login in line.text
        assert line.notice.data["note"] == "So."
        assert told(organizer) == []

    def test_nobody_hears_of_their_own_act(self) -> None:
        task, ann = make_task(make_event(), 1), make_person(1)
        claim(task, ann)
        release(task, ann, 1)
        assert not Notice.objects.exists()

    def test_asking_tells_the_deciders_in_one_notice_until_they_have_seen_it(self) -> None:
        event = make_event(who_may_claim="mentor_approves")
        organizer, ann = make_organizer(event), make_person(1)
        tasks = [make_task(event, number) for number in range(1, 5)]
        for task in tasks[:3]:
            claim(task, ann)
        assert told(organizer) == ["desk"]
        assert told(ann) == []
        seeing.mark_seen(person=organizer, notice=None, now=at(1))
        claim(tasks[3], ann, 2)
        assert told(organizer) == ["desk", "desk"]
        decide(Claim.objects.get(task=tasks[0]), "admitted", organizer, 3)
        assert told(ann) == ["admitted"]

    def test_who_is_in_already_is_not_let_in_again(self) -> None:
        event = make_event()
        ann, organizer = make_person(1), make_organizer(event)
        decide(claim(make_task(event, 1), ann), "admitted", organizer)
        assert told(ann) == []

    def test_an_organizer_who_asks_hears_nothing_of_it(self) -> None:
        event = make_event(who_may_claim="mentor_approves")
        organizer = make_organizer(event)
        claim(make_task(event, 1), organizer)
        assert told(organizer) == []

    @pytest.mark.parametrize("status", ["draft", "archived"])
    def test_a_draft_and_an_archive_tell_nobody(self, status: str) -> None:
        event = make_event()
        ann, organizer = make_person(1), make_organizer(event)
        found = claim(make_task(event, 1), ann)
        Event.objects.update(status=status)
        decide(Claim.objects.get(pk=found.pk), "released", organizer)
        assert told(ann) == []

    def test_what_happened_before_the_event_came_to_us_tells_nobody(self) -> None:
        task, ann, ben = make_task(make_event(), 1), make_person(1), make_person(2)
        claim(task, ann)
        claim(task, ben)
        pull_request(task, ann, -3, merged=-2)
        assert not Notice.objects.exists()


class TestPlacesAndTime:
    def test_who_moves_up_hears_of_it(self) -> None:
        task, ann, ben = make_task(make_event(places_per_task=1), 1), make_person(1), make_person(2)
        claim(task, ann)
        claim(task, ben)
        release(task, ann, 1)
        assert (told(ann), told(ben)) == ([], ["promoted"])

    def test_time_is_told_of_as_it_passes(self) -> None:
        event = make_event(days_to_pull_request=10, reminder_days=3, grace_days=2)
        task, ann, organizer = make_task(event, 1), make_person(1), make_organizer(event)
        claim(task, ann)
        for days in (7, 7.1, 8):
            for found in deadlines.list_due(at(days)):
                deadlines.settle_deadline(claim=found, now=at(days))
        assert told(ann) == ["reminded"]
        assert notices.list_notices(ann)[0].until == at(10)
        found = Claim.objects.select_related("task__event", "person").get()
        deadlines.extend_claim(claim=found, until=at(20), acting_user=organizer, key="e", now=at(9))
        deadlines.renew_own_claim(task=task, acting_user=ann, key="r", now=at(10))
        assert told(ann) == ["reminded", "extended"]
        for days in (17, 20, 60):
            for found in deadlines.list_due(at(days)):
                deadlines.settle_deadline(claim=found, now=at(days))
        assert told(ann)[-2:] == ["reminded", "expired"]


class TestWork:
    def test_a_completion_is_told_with_what_it_earns_and_taken_back_the_same_way(self) -> None:
        event = make_event()
        pay(event, points(), "2")
        task, ann = make_task(event, 1), make_person(1)
        claim(task, ann)
        merged = pull_request(task, ann, 1, merged=2)
        standings.recompute_task(task=task, now=at(3))
        assert told(ann) == ["completed"]
        (line,) = notices.list_notices(ann)
        assert [(pool.name, amount) for pool, amount in line.amounts] == [("Happy open source", Decimal(2))]
        merged.links.all().delete()
        standings.recompute_task(task=task, now=at(4))
        assert told(ann) == ["completed", "revoked"]

    def test_who_is_overtaken_is_told_kindly_and_with_what_is_free(self) -> None:
        event = make_event()
        task, ann, ben = make_task(event, 1), make_person(1), make_person(2)
        make_task(event, 2, state="open")
        claim(task, ann)
        claim(task, ben)
        merged = pull_request(task, ann, 1, merged=2)
        standings.recompute_task(task=task, now=at(3))
        assert (told(ann), told(ben)) == (["completed"], ["superseded"])
        (line,) = notices.list_notices(ben)
        assert "racer-1’s work on No.1 Task 1 was merged first" in line.text
        assert [task.number for task in line.free] == ["2"]
        merged.links.all().delete()
        standings.recompute_task(task=task, now=at(4))
        assert told(ben) == ["superseded", "restored"]

    def test_who_had_only_asked_is_told_too_and_asks_nobody_any_more(self) -> None:
        event = make_event(who_may_claim="mentor_approves")
        organizer, ann, ben = make_organizer(event), make_person(1), make_person(2)
        task = make_task(event, 1)
        winner, asking = claim(task, ann), claim(task, ben)
        decide(winner, "admitted", organizer)
        merged = pull_request(task, ann, 1, merged=2)
        standings.recompute_task(task=task, now=at(3))
        asking.refresh_from_db()
        assert (asking.standing, told(ben)) == ("superseded", ["superseded"])
        merged.links.all().delete()
        standings.recompute_task(task=task, now=at(4))
        asking.refresh_from_db()
        assert (asking.standing, told(ben)) == ("requested", ["superseded", "restored"])

    def test_a_closed_pull_request_is_told_unless_its_author_closed_it(self) -> None:
        event = make_event()
        closer = make_person(9)
        for number, closed_by in ((1, None), (2, closer), (3, "author")):
            task, person = make_task(event, number), make_person(number)
            claim(task, person)
            made = pull_request(task, person, 1)
            made.state, made.closed_at = "closed", at(2)
            made.closed_by = person if closed_by == "author" else closed_by  # type: ignore[assignment]
            made.save()
            standings.recompute_task(task=task, now=at(2))
            assert told(person) == ([] if closed_by == "author" else ["closed"])


class TestTeams:
    def test_an_invitation_and_its_answer_are_told_to_the_other_side(self) -> None:
        event, ann, ben = event_of_two()
        team = make_team(event, ann)
        for _twice in range(2):
            teaming.invite_to_team(team=team, login="racer-2", acting_user=ann, now=at(1))
        teaming.accept_invitation(team=team, person=ben, now=at(2))
        assert (told(ann), told(ben)) == (["joined"], ["invited"])
        assert "Oars" in notices.list_notices(ben)[0].text

    def test_members_hear_of_what_one_of_them_does_for_the_team(self) -> None:
        event, ann, ben = event_of_two()
        task, team = make_task(event, 1), make_team(event, ann, ben)
        claim(task, ann, 1, team=team)
        pull_request(task, ben, 2, merged=3)
        assert told(ann)[-1:] == ["completed"]
        assert told(ben) == ["mate_claimed", "completed"]

    def test_a_person_is_told_under_the_account_that_counts(self) -> None:
        event = make_event()
        ann, second, organizer = make_person(1), make_person(2), make_organizer(event)
        found = claim(make_task(event, 1), second)
        Person.objects.filter(pk=second.pk).update(canonical=ann)
        decide(Claim.objects.get(pk=found.pk), "released", organizer)
        assert (told(ann), told(second)) == (["released"], [])
        second.refresh_from_db()
        assert notices.count_unseen(second) == 1


class TestSeeing:
    def make(self, person: Person, event: Event, number: int, **values: object) -> Notice:
        values.setdefault("at", NOON)
        return Notice.objects.create(person=person, event=event, kind="desk", key=f"k{number}", **values)

    def test_one_or_all_are_marked_and_others_stay(self) -> None:
        event, ann, ben = event_of_two()
        first, *_more = (self.make(ann, event, number) for number in range(3))
        self.make(ben, event, 9)
        assert seeing.mark_seen(person=ann, notice=first, now=at(1)) == 1
        assert seeing.mark_seen(person=ann, notice=first, now=at(1)) == 0
        assert notices.count_unseen(ann) == 2
        assert seeing.mark_seen(person=ann, notice=None, now=at(1)) == 2
        assert (notices.count_unseen(ann), notices.count_unseen(ben)) == (0, 1)

    def test_what_was_seen_long_ago_is_forgotten_and_nothing_else(self) -> None:
        event, ann = make_event(), make_person(1)
        self.make(ann, event, 1, seen_at=at(1))
        self.make(ann, event, 2)
        self.make(ann, event, 3, at=at(100), seen_at=at(101))
        assert seeing.forget_old_notices(at(181)) == 1
        assert sorted(Notice.objects.values_list("key", flat=True)) == ["k2", "k3"]
        assert seeing.forget_old_notices(NOON + timedelta(days=180)) == 0


def test_roles_are_told_once_though_somebody_has_several(db: None) -> None:
    event = make_event(who_may_claim="mentor_approves")
    organizer = make_organizer(event)
    EventRole.objects.create(event=event, person=organizer, role="mentor", granted_at=NOON)
    claim(make_task(event, 1), make_person(1))
    assert told(organizer) == ["desk"]
    assert Task.objects.count() == 1
