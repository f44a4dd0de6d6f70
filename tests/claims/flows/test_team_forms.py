"""The form of four fields where its team does not exist yet: made once, led by its author, its members invited."""

import pytest

from claims.models import Claim
from portal.common import clock
from tasks_board.models import Team, TeamMember
from tasks_board.operations import teams
from tests.claims.flows.scene import NEWCOMER, OTHER, Scene

FORM = "【队名】：{team}\n【序号】：{number}\n【状态】：{state}\n【链接】：\n【队员】：{members}"


def form(team: str = "青柠队", number: int = 6, state: str = "报名", members: str = "") -> str:
    return FORM.format(team=team, number=number, state=state, members=members)


@pytest.fixture
def scene_with_teams(scene: Scene) -> Scene:
    event = scene.event
    event.rules = {**event.rules, "people_per_team": 3}
    event.save()
    return scene


def holders(number: int) -> set[tuple[str, str]]:
    claims = Claim.objects.filter(task__number=str(number)).select_related("team", "person")
    return {(str(claim.claimant), claim.standing) for claim in claims}


def test_it_makes_the_team_and_invites_whom_it_names(scene_with_teams: Scene) -> None:
    scene = scene_with_teams
    scene.comment(OTHER, "hello")
    scene.settle()
    scene.comment(NEWCOMER, form(members=f"队员：@{OTHER}、@nobody-yet"))
    deliveries = scene.waiting()
    scene.settle()
    assert holders(6) == {("青柠队", "claimed")}
    team = Team.objects.get()
    assert team.captain == scene.person(NEWCOMER)
    seats = {
        seat.person.login: seat.accepted_at is not None for seat in team.members.select_related("person")
    }
    assert seats == {NEWCOMER: True, OTHER: False}
    [answer] = scene.answers()
    assert "青柠队" in answer
    assert "/events/pir/teams/" in answer
    assert f"`{OTHER}`" in answer
    assert f"@{OTHER}" not in answer
    assert "`nobody-yet`" in answer
    scene.bring(deliveries)
    assert Team.objects.count() == 1
    assert TeamMember.objects.count() == 2
    assert len(scene.answers()) == 1


def test_an_edit_claims_more_and_invites_more_for_the_same_team(scene_with_teams: Scene) -> None:
    scene = scene_with_teams
    scene.comment(OTHER, "hello")
    written = scene.comment(NEWCOMER, form())
    scene.settle()
    scene.driver.edit_comment(written["id"], NEWCOMER, form(number=5, members=f"队员：@{OTHER}"))
    scene.settle()
    assert holders(6) == {("青柠队", "withdrawn")}
    assert ("青柠队", "claimed") in holders(5)
    assert [seat.person.login for seat in Team.objects.get().members.filter(accepted_at=None)] == [OTHER]
    teams.decline(team=Team.objects.get(), person=scene.person(OTHER), now=clock.now())
    scene.driver.edit_comment(written["id"], NEWCOMER, form(number=5, members=f"队员：@{OTHER} 加油"))
    scene.settle()
    assert not Team.objects.get().members.filter(accepted_at=None, left_at=None).exists()


def test_where_nothing_is_granted_no_team_remains(scene_with_teams: Scene) -> None:
    scene = scene_with_teams
    event = scene.event
    event.status = "closed"
    event.save()
    scene.comment(NEWCOMER, form())
    scene.settle()
    assert not Team.objects.exists()
    assert not Claim.objects.filter(task__number="6").exists()


def test_without_teams_in_the_event_the_claim_is_the_author_s(scene: Scene) -> None:
    scene.comment(NEWCOMER, form())
    scene.settle()
    assert not Team.objects.exists()
    assert holders(6) == {(NEWCOMER, "claimed")}


def test_an_invitation_is_not_accepted_by_a_form(scene_with_teams: Scene) -> None:
    scene = scene_with_teams
    for login in (NEWCOMER, OTHER):
        scene.comment(login, "hello")
    scene.settle()
    captain = scene.person(OTHER)
    team = teams.create_team(event=scene.event, name="青柠队", captain=captain, now=clock.now())
    teams.invite(team=team, login=NEWCOMER, acting_user=captain, now=clock.now())
    scene.comment(NEWCOMER, form())
    scene.settle()
    assert holders(6) == {(NEWCOMER, "claimed")}
    assert teams.team_of(scene.event, scene.person(NEWCOMER)) is None


def test_a_name_of_the_tables_is_not_taken_by_a_form(scene: Scene) -> None:
    Team.objects.create(event=scene.event, name="青柠队", created_at=clock.now())
    scene.comment(NEWCOMER, form())
    scene.settle()
    assert holders(6) == {(NEWCOMER, "claimed")}
    assert not TeamMember.objects.exists()
    answer = "".join(scene.answers())
    assert "青柠队" in answer
