"""The bell with real threads and real commits: nobody waits for another's notice, and everything is told once."""

from collections.abc import Callable

import pytest

from claims.models import Notice
from claims.operations import deadlines, standings
from portal.common.errors import DomainError
from tasks_board.models import EventRole
from tests.claims.people import at, claim, make_event, make_person, make_task, pull_request
from tests.concurrency.test_claims import NOON, at_once, event, person, press, task


@pytest.mark.django_db(transaction=True)
class TestNotices:
    def test_twenty_who_ask_at_once_hold_each_other_up_nowhere(self) -> None:
        asked = event(who_may_claim="mentor_approves")
        organizer = person(900)
        EventRole.objects.create(event=asked, person=organizer, role="organizer", granted_at=NOON)
        presses = [press(task(asked, number), person(number)) for number in range(1, 21)]
        assert [r for r in at_once(*presses) if isinstance(r, DomainError)] == []
        told = Notice.objects.filter(person=organizer).values_list("kind", flat=True)
        assert set(told) == {"desk"}
        assert Notice.objects.exclude(person=organizer).count() == 0

    def test_one_merge_that_many_hear_of_is_told_once(self) -> None:
        made = make_task(make_event(), 1)
        ann, ben = make_person(1), make_person(2)
        claim(made, ann)
        claim(made, ben)
        merged = pull_request(made, ann, 1)
        merged.state, merged.merged_at = "merged", at(2)
        merged.save()
        recompute: Callable[[], object] = lambda: standings.recompute_task(task=made, now=at(2))  # noqa: E731
        at_once(*[recompute] * 6)
        told = Notice.objects.values_list("person__login", "kind")
        assert sorted(told) == [("racer-1", "completed"), ("racer-2", "superseded")]

    def test_two_clicks_begin_the_time_anew_once(self) -> None:
        made, ann = make_task(make_event(days_to_pull_request=10), 1), make_person(1)
        claim(made, ann)

        def renew() -> object:
            return deadlines.renew_own_claim(task=made, acting_user=ann, key="one", now=at(1))

        assert [r for r in at_once(*[renew] * 6) if isinstance(r, DomainError)] == []
        assert made.claims.get().decisions.filter(kind="renewed").count() == 1
