"""Invitations into teams: told however they are made, and answered where they are shown."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from claims.models import Notice
from claims.operations import team_lists
from tasks_board.models import Registration, Team, TeamMember
from tasks_board.operations import teams
from tasks_board.operations.list_effects import Effects
from tests.pages.scenes import NOW, Scene, client_of

BY_BUTTON, BY_LIST = "button", "list"


def crew(scene: Scene) -> Team:
    return teams.create_team(event=scene.event, name="Night Ferry", captain=scene.alice, now=NOW)


def invite(scene: Scene, way: str = BY_BUTTON) -> Team:
    team = crew(scene)
    if way == BY_BUTTON:
        client_of(scene.alice).post(f"/events/pir/teams/{team.pk}/invite", {"login": "bob"})
        return team
    Registration.objects.create(
        event=scene.event, name="Bob", login="bob", team_name=team.name, team=team, key="bob", imported_at=NOW
    )
    for _twice in range(2):
        team_lists.settle_list(
            event=scene.event, effects=Effects(teams=True), acting_user=scene.olga, now=NOW
        )
    return team


@pytest.mark.parametrize("way", [BY_BUTTON, BY_LIST])
def test_it_rings_once_however_it_was_made(scene: Scene, way: str) -> None:
    invite(scene, way)
    told = Notice.objects.filter(person=scene.bob)
    assert list(told.values_list("kind", flat=True)) == ["invited"]


def test_a_list_that_the_organizer_confirms_rings_too(scene: Scene) -> None:
    crew(scene)
    client = client_of(scene.olga)
    text = "GitHub,队伍\nbob,Night Ferry\n"
    html = client.post(
        "/events/pir/organize/registrations/preview", {"text": text, "teams": "on"}
    ).content.decode()
    sealed = html.split('name="list" value="')[1].split('"')[0]
    client.post("/events/pir/organize/registrations/confirm", {"list": sealed, "teams": "on"})
    assert Notice.objects.filter(person=scene.bob, kind="invited").count() == 1


@pytest.mark.parametrize("page", ["/me/", "/me/notices/"])
@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_it_is_answered_where_it_is_shown(scene: Scene, page: str, answer: str) -> None:
    team, client = invite(scene), client_of(scene.bob)
    address = f"/events/pir/teams/{team.pk}/answer"
    html = client.get(page).content.decode()
    assert f'action="{address}"' in html
    assert f'<input type="hidden" name="next" value="{page}">' in html
    done = client.post(address, {"answer": answer, "next": page})
    assert done["Location"] == page
    seat = TeamMember.objects.get(team=team, person=scene.bob)
    assert (seat.accepted_at is not None, seat.left_at is not None) == (
        answer == "accept",
        answer == "decline",
    )
    after = client.get(page).content.decode()
    assert address not in after


def test_an_invitation_that_was_taken_back_is_not_offered(scene: Scene) -> None:
    team = invite(scene)
    client_of(scene.alice).post(f"/events/pir/teams/{team.pk}/remove", {"person": scene.bob.pk})
    html = client_of(scene.bob).get("/me/notices/").content.decode()
    assert "invites you into the team Night Ferry" in html
    assert "/answer" not in html


def test_the_bell_asks_as_much_for_many_invitations(scene: Scene) -> None:
    client = client_of(scene.bob)
    asked = []
    for number in range(4):
        team = Team.objects.create(event=scene.event, name=f"Crew {number}", created_at=NOW)
        TeamMember.objects.create(team=team, person=scene.bob, invited_at=NOW)
        Notice.objects.create(
            person=scene.bob,
            event=scene.event,
            kind="invited",
            at=NOW,
            key=f"invited:{number}",
            data={"team": team.pk, "by": scene.alice.pk},
        )
        for page in ("/me/", "/me/notices/"):
            with CaptureQueriesContext(connection) as found:
                client.get(page)
            asked.append(len(found))
    assert asked[2:4] == asked[-2:]
