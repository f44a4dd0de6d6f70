"""Teams: made, joined by invitation, led and left; they claim as one, and each member's work counts once."""

import pytest

from claims.models import Claim, Decision
from claims.operations import deciding, teaming
from claims.operations.claiming import ClaimRefused
from portal.common.errors import DomainError, NotAllowed
from rewards.models import Completion
from tasks_board.models import Team
from tasks_board.operations import teams
from tests.claims.people import (
    at,
    claim,
    code_of,
    event_of_two,
    make_event,
    make_organizer,
    make_person,
    make_task,
    make_team,
    pull_request,
    release,
    standings_of,
)

pytestmark = pytest.mark.django_db


class TestMembers:
    def test_one_team_for_each_person_and_event(self) -> None:
        event, ann, ben = event_of_two()
        make_team(event, ann, ben)
        for person in (ann, ben):
            values = {"event": event, "name": "Another", "captain": person, "now": at(1)}
            assert code_of(DomainError, teams.create_team, **values) == "in_a_team"
        other = make_team(event, make_person(3), name="Other")
        teams.invite(team=other, login="racer-2", acting_user=other.captain, now=at(1))  # type: ignore[arg-type]
        assert code_of(DomainError, teams.accept, team=other, person=ben, now=at(1)) == "in_a_team"

    def test_an_invitation_makes_nobody_a_member(self) -> None:
        event, ann, ben = event_of_two()
        task = make_task(event, 1)
        team = make_team(event, ann)
        teams.invite(team=team, login="@RACER-2", acting_user=ann, now=at(0))
        claim(task, ann, team=team)
        pull_request(task, ben, 1, merged=2)
        assert standings_of(task) == {"Oars": "claimed"}
        with pytest.raises(NotAllowed):
            claim(make_task(event, 2), ben, team=team)
        teams.decline(team=team, person=ben, now=at(3))
        assert code_of(DomainError, teams.accept, team=team, person=ben, now=at(4)) == "not_invited"

    def test_only_the_captain_invites_and_hands_over(self) -> None:
        event, ann, ben, eve = make_event(), make_person(1), make_person(2), make_person(3)
        team = make_team(event, ann, ben)
        values = {"team": team, "login": "racer-3", "now": at(1)}
        assert code_of(NotAllowed, teams.invite, acting_user=ben, **values) == "captain_only"
        assert (
            code_of(DomainError, teams.hand_over, team=team, to=eve, acting_user=ann, now=at(1))
            == "not_a_member"
        )
        teams.hand_over(team=team, to=ben, acting_user=ann, now=at(1))
        assert code_of(NotAllowed, teams.invite, acting_user=ann, **values) == "captain_only"
        teams.invite(acting_user=ben, **values)  # type: ignore[arg-type]

    def test_as_large_as_the_event_allows(self) -> None:
        event = make_event(people_per_team=2)
        ann, ben, eve = make_person(1), make_person(2), make_person(3)
        team = make_team(event, ann)
        for person in (ben, eve):
            teams.invite(team=team, login=person.login, acting_user=ann, now=at(0))
        teams.accept(team=team, person=ben, now=at(1))
        assert code_of(DomainError, teams.accept, team=team, person=eve, now=at(1)) == "team_is_full"

    def test_a_name_that_a_table_uses_is_nobody_s_to_take(self) -> None:
        event = make_event()
        Team.objects.create(event=event, name="Old Boat", created_at=at(0))
        values = {"event": event, "name": " old  boat ", "captain": make_person(1), "now": at(1)}
        assert code_of(DomainError, teams.create_team, **values) == "name_taken"

    def test_who_leaves_hands_over_and_the_last_one_releases(self) -> None:
        event, ann, ben = event_of_two()
        task, team = make_task(event, 1), make_team(event, ann, ben)
        claim(task, ann, team=team)
        assert teaming.leave_team(team=team, person=ann, now=at(1)).captain == ben
        assert standings_of(task) == {"Oars": "claimed"}
        assert teaming.leave_team(team=team, person=ben, now=at(2)).captain is None
        assert standings_of(task) == {"Oars": "withdrawn"}


class TestClaims:
    def test_each_member_s_work_counts_for_the_team_once(self) -> None:
        event, ann, ben = event_of_two()
        task, team = make_task(event, 1), make_team(event, ann, ben)
        claim(task, ann, team=team)
        pull_request(task, ben, 1, merged=2)
        assert standings_of(task) == {"Oars": "done"}
        assert [(c.person, c.team) for c in Completion.objects.active()] == [(None, team)]

    def test_what_a_member_did_stays_the_team_s(self) -> None:
        event, ann, ben = event_of_two()
        task, team = make_task(event, 1), make_team(event, ann, ben)
        claim(task, ann, team=team)
        pull_request(task, ben, 1, merged=2)
        teaming.leave_team(team=team, person=ben, now=at(3))
        assert standings_of(task) == {"Oars": "done"}
        other = make_task(event, 2)
        claim(other, ann, 4, team=team)
        pull_request(other, ben, 5, merged=6)
        assert standings_of(other) == {"Oars": "claimed"}

    def test_nobody_is_on_a_task_alone_and_in_a_team(self) -> None:
        event, ann, ben = event_of_two()
        task, other, team = make_task(event, 1), make_task(event, 2), make_team(event, ann)
        claim(task, ann, team=team)
        with pytest.raises(ClaimRefused):
            claim(task, ann)
        claim(task, ben)
        teams.invite(team=team, login="racer-2", acting_user=ann, now=at(1))
        values = {"team": team, "person": ben, "now": at(1)}
        assert code_of(DomainError, teaming.accept_invitation, **values) == "claims_overlap"
        assert teams.team_of(event, ben) is None
        release(task, ben, 2)
        teaming.accept_invitation(team=team, person=ben, now=at(3))
        claim(other, ben, 4)
        with pytest.raises(ClaimRefused):
            claim(other, ann, 4, team=team)

    def test_any_member_releases_and_the_line_moves(self) -> None:
        event, ann, ben, eve = make_event(places_per_task=1), make_person(1), make_person(2), make_person(3)
        task, team = make_task(event, 1), make_team(event, ann, ben)
        claim(task, eve)
        claim(task, ann, 1, team=team)
        assert standings_of(task) == {"racer-3": "claimed", "Oars": "waiting"}
        release(task, eve, 2)
        assert standings_of(task)["Oars"] == "claimed"
        release(task, ben, 3)
        assert standings_of(task)["Oars"] == "withdrawn"

    def test_the_team_s_claims_are_in_every_member_s_hands(self) -> None:
        event, ann, ben = make_event(open_claims_per_person=1), make_person(1), make_person(2)
        team = make_team(event, ann, ben)
        claim(make_task(event, 1), ann, team=team)
        for as_team in (None, team):
            with pytest.raises(ClaimRefused):
                claim(make_task(event, 2 + (as_team is None)), ben, team=as_team)

    def test_no_member_decides_on_the_team_s_claim_not_even_a_former_one(self) -> None:
        event, ann = make_event(), make_person(1)
        organizer, other = make_organizer(event), make_organizer(event, 901)
        team = make_team(event, ann, organizer)
        teams.invite(team=team, login=other.login, acting_user=ann, now=at(0))
        held = claim(make_task(event, 1), ann, team=team)
        teaming.leave_team(team=team, person=organizer, now=at(1))
        with pytest.raises(NotAllowed):
            deciding.check_may_decide(held, organizer)
        deciding.check_may_decide(held, other)  # an invitation takes no right away


class TestNames:
    def test_a_name_of_an_old_table_stays_one_until_an_organizer_links_it(self) -> None:
        event, ann, ben = event_of_two()
        task, organizer = make_task(event, 1), make_organizer(event)
        team = Team.objects.create(event=event, name="Old Boat", created_at=at(0))
        named = Claim.objects.create(task=task, team=team, standing_at=at(0), created_at=at(0))
        Decision.objects.create(claim=named, kind="admitted", at=at(0), source="import", key="import")
        pull_request(task, ben, 1, merged=2)
        assert standings_of(task) == {"Old Boat": "claimed"}
        values = {"team": team, "members": [ann, ben], "now": at(3)}
        assert code_of(NotAllowed, teaming.link_team_name, acting_user=ann, **values) == "organizers_only"
        teaming.link_team_name(acting_user=organizer, **values)  # type: ignore[arg-type]
        assert standings_of(task) == {"Old Boat": "done"}
        assert Team.objects.get().captain == ann
        assert code_of(DomainError, teaming.link_team_name, acting_user=organizer, **values) == "not_a_name"

    def test_nobody_links_a_name_to_themselves(self) -> None:
        event = make_event()
        organizer = make_organizer(event)
        team = Team.objects.create(event=event, name="Old Boat", created_at=at(0))
        values = {"team": team, "members": [organizer], "acting_user": organizer, "now": at(0)}
        assert code_of(NotAllowed, teaming.link_team_name, **values) == "own_team"
