"""Where parts meet: taking back, teams, shares of credit, marks and places, and what is credited after it."""

import pytest

from claims.models import Claim, Decision
from claims.operations import claiming, comments, crediting, deciding, teaming, undoing
from claims.operations.claiming import Asked
from claims.operations.speaking import Written
from portal.common.errors import DomainError
from portal.github import types
from portal.models import Person
from rewards.models import Completion
from tasks_board.models import EventMark, TrackingIssue
from tasks_board.operations import teams
from tests.claims.people import (
    at,
    claim,
    make_task,
    make_team,
    pull_request,
    release,
    standings_of,
)
from tests.claims.test_crediting import Crew, all_is_well, held

pytestmark = pytest.mark.django_db


class Shared(Crew):
    """Somebody else, perhaps in a team, was on the task before its merge."""

    def __init__(self, *others: int, **rules: object) -> None:
        super().__init__(**rules)
        self.task = make_task(self.event, 5)
        claim(self.task, self.ann)
        for other in others:
            claim(self.task, Person.objects.get(github_id=other))

    def merge(self, days: float = 2) -> None:
        self.pr = pull_request(self.task, self.ann, 1, merged=days)


def undo_last(crew: Crew, days: float) -> Claim:
    last = Decision.objects.filter(decided_by=crew.olga).latest("pk")
    decision = undoing.get_decisions(crew.event, [last.pk])[0]
    return undoing.undo_decision(decision=decision, acting_user=crew.olga, now=at(days))


class TestTakingBack:
    def test_who_was_taken_in_with_a_merge_loses_the_award_with_the_admission(self) -> None:
        crew = Crew()
        other = make_task(crew.event, 7)
        pr = pull_request(other, crew.ben, 1, merged=2)
        deciding.admit_author(task=other, pull_request=pr, acting_user=crew.olga, now=at(3))
        assert held(crew.pool, crew.ben) == [100]
        assert undo_last(crew, 3.1).shown is False
        assert held(crew.pool, crew.ben) == [0]
        assert all_is_well()
        deciding.admit_author(task=other, pull_request=pr, acting_user=crew.olga, now=at(3.2))
        assert standings_of(other) == {"racer-2": "done"}
        assert held(crew.pool, crew.ben) == [100]

    def test_a_release_is_not_taken_back_beside_the_team_that_they_joined_since(self) -> None:
        crew = Crew()
        task = make_task(crew.event, 8)
        team = make_team(crew.event, crew.cy)
        claim(task, crew.ben)
        deciding.decide(
            claim=Claim.objects.get(person=crew.ben),
            kind=Decision.Kind.RELEASED,
            acting_user=crew.olga,
            key="r",
            now=at(3),
        )
        claim(task, crew.cy, 3, team=team)
        teams.invite(team=team, login=crew.ben.login, acting_user=crew.cy, now=at(3))
        teaming.accept_invitation(team=team, person=crew.ben, now=at(3))
        with pytest.raises(DomainError) as refused:
            undo_last(crew, 3.1)
        assert refused.value.code == "in_team_too"
        with pytest.raises(DomainError) as refused:
            crediting.accept_without_pull_request(
                claim=Claim.objects.get(person=crew.ben),
                note="seen",
                acting_user=crew.olga,
                key="a",
                now=at(3),
            )
        assert refused.value.code == "in_team_too"
        assert standings_of(task) == {"racer-2": "withdrawn", "Oars": "claimed"}

    def test_an_admission_that_came_with_credit_is_settled_with_the_credit(self) -> None:
        crew = Crew()
        crew.split({crew.ben.pk: 5000})
        with pytest.raises(DomainError) as refused:
            undo_last(crew, 3.1)
        assert refused.value.code == "not_undoable"
        assert held(crew.pool, crew.ann, crew.ben) == [50, 50]

    def test_a_place_granted_after_a_mentor_s_word_goes_with_the_word(self) -> None:
        crew = Crew()
        task = make_task(crew.event, 9, places=1)
        claim(task, crew.ben)
        asked = Asked(Decision.Source.COMMENT, at(0.5), "offer")
        claiming.claim_task(task=task, claimant=crew.cy, asked=asked, now=at(0.5), admitted_by=crew.olga)
        release(task, crew.ben, 1)
        assert standings_of(task) == {"racer-2": "withdrawn", "racer-3": "claimed"}
        assert undo_last(crew, 0.6).shown is False
        assert Claim.objects.get(task=task, person=crew.cy).standing == "withdrawn"
        assert all_is_well()


class TestReleases:
    def say(self, crew: Crew, person: Person, body: str, days: float) -> None:
        issue, _created = TrackingIssue.objects.get_or_create(event=crew.event, repository="o/r", number=7)
        assert person.github_id is not None
        author = types.Account(id=person.github_id, login=person.login)
        fact = types.Comment(int(days * 100), "o/r", 7, body, author, at(days), at(days))
        comments.record_comment(tracking_issue=issue, written=Written(fact), now=at(days))

    def test_who_was_merged_second_gains_nothing_by_a_release(self) -> None:
        crew = Shared(2, first_merged_wins=True)
        crew.merge()
        pull_request(crew.task, crew.ben, 1, merged=3)
        assert standings_of(crew.task) == {"racer-1": "done", "racer-2": "superseded"}
        self.say(crew, crew.ben, "/release 5", 4)
        assert Decision.objects.filter(kind="released").count() == 1
        assert standings_of(crew.task) == {"racer-1": "done", "racer-2": "superseded"}
        assert held(crew.pool, crew.ben) == [0]

    def test_who_never_claimed_gains_nothing_by_a_release(self) -> None:
        crew = Crew()
        task = make_task(crew.event, 7)
        pull_request(task, crew.ben, 1, merged=2)
        self.say(crew, crew.ben, "/release 7", 4)
        assert Claim.objects.get(task=task).shown is False
        assert not Completion.objects.active().filter(person=crew.ben).exists()


class TestAccounts:
    def second(self, crew: Crew) -> Person:
        return Person.objects.create(github_id=50, login="racer-50", canonical=crew.ben)

    def test_credit_goes_to_the_account_that_counts(self) -> None:
        crew = Shared(2)
        crew.merge()
        crew.split({self.second(crew).pk: 4000})
        assert standings_of(crew.task) == {"racer-1": "done", "racer-2": "done"}
        assert held(crew.pool, crew.ann, crew.ben) == [160, 40]

    def test_a_proposed_account_that_became_a_second_one_makes_no_second_claim(self) -> None:
        crew = Crew()
        second = self.second(crew)
        crew.pr.co_authors.create(person=second, proposed_at=at(2))
        crew.split({crew.ben.pk: 4000})
        assert standings_of(crew.task) == {"racer-1": "done", "racer-2": "done"}
        assert held(crew.pool, crew.ann, crew.ben) == [60, 40]

    def test_one_person_is_named_once(self) -> None:
        crew = Crew()
        with pytest.raises(DomainError) as refused:
            crew.split({self.second(crew).pk: 4000, crew.ben.pk: 1000})
        assert refused.value.code == "bad_split"

    def test_a_team_s_old_claim_does_not_take_a_member_s_place(self) -> None:
        crew = Shared()
        team = make_team(crew.event, crew.cy, crew.ben)
        claim(crew.task, crew.cy, team=team)
        release(crew.task, crew.cy, 0.5)
        claim(crew.task, crew.ben, 0.6)
        crew.merge()
        crew.split({crew.ben.pk: 4000})
        assert standings_of(crew.task) == {"racer-1": "done", "Oars": "withdrawn", "racer-2": "done"}
        assert all_is_well()


def test_unpaid_marks_of_a_second_account_settle_awards() -> None:
    crew = Crew()
    Person.objects.create(github_id=51, login="racer-51", canonical=crew.ann)
    crew.mark_unpaid(Person.objects.get(login="racer-51"), 3)
    assert held(crew.pool, crew.ann) == [0]
    assert EventMark.objects.get().person == crew.ann
    assert all_is_well()
