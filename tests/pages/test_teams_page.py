"""Teams on the web: made, joined, led and left with plain forms; claimed for from the task's page."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from claims.models import Claim
from portal.models import Person
from tasks_board.models import Team, TeamMember
from tests.github_stand_in.driver import Driver
from tests.pages.scenes import NOW, Scene, client_of, make_person

TEAMS = "/events/pir/teams/"


@pytest.fixture
def limited(scene: Scene) -> Scene:
    scene.event.rules = {"people_per_team": 2}
    scene.event.save()
    return scene


def post(by: Person, path: str, /, **form: object) -> str:
    """Send a form, follow it back, and return the page."""
    response = client_of(by).post(f"{TEAMS}{path}", form, follow=True)
    assert response.status_code in (200, 409)
    return response.content.decode()


def make(captain: Person, *members: Person, name: str = "Oars") -> Team:
    post(captain, "new", name=name)
    team = Team.objects.get(name=name)
    for member in members:
        post(captain, f"{team.pk}/invite", login=member.login)
        post(member, f"{team.pk}/answer", answer="accept")
    return team


def seated(team: Team) -> list[str]:
    return [seat.person.login for seat in team.members.seated().order_by("pk")]


def test_the_tab_stands_only_where_teams_make_sense(scene: Scene) -> None:
    def tab() -> bool:
        return f'href="{TEAMS}"' in client_of(None).get("/events/pir/").content.decode()

    assert not tab()
    Team.objects.create(event=scene.event, name="Old Boat", created_at=NOW)
    assert tab()
    Team.objects.all().delete()
    scene.event.rules = {"people_per_team": 3}
    scene.event.save()
    assert tab()


def test_a_team_is_made_joined_handed_over_and_left(limited: Scene) -> None:
    alice, bob = limited.alice, limited.bob
    team = make(alice)
    page = post(alice, f"{team.pk}/invite", login="@BOB")
    assert "invited" in page
    assert "The team Oars has invited you." in client_of(bob).get(TEAMS).content.decode()
    assert "has invited you" not in client_of(limited.mei).get(TEAMS).content.decode()
    assert "You are in the team Oars." in post(bob, f"{team.pk}/answer", answer="accept")
    assert "bob leads the team now." in post(alice, f"{team.pk}/captain", person=bob.pk)
    assert "Only the captain" in post(alice, f"{team.pk}/invite", login="mei")
    post(alice, f"{team.pk}/leave")
    assert seated(team) == ["bob"]
    page = client_of(None).get(TEAMS).content.decode()
    assert "Oars" in page
    assert "/people/bob/" in page


def test_every_refusal_says_why(driver: Driver, limited: Scene) -> None:
    alice, bob, mei = limited.alice, limited.bob, limited.mei
    Person.objects.create(login="老王")
    team = make(alice, bob)
    other = make(mei, name="Other")
    assert "There is a team of this name already." in post(limited.olga, "new", name="oars")
    assert "Each person is in one team" in post(bob, "new", name="Third")
    assert "as large as the event allows" in post(alice, f"{team.pk}/invite", login="olga")
    assert "GitHub knows no account “nobody”." in post(mei, f"{other.pk}/invite", login="nobody")
    assert "is only a name from a table" in post(mei, f"{other.pk}/invite", login="老王")
    post(mei, f"{other.pk}/invite", login="bob")
    assert "Each person is in one team" in post(bob, f"{other.pk}/answer", answer="accept")
    assert "A captain leaves the team" in post(alice, f"{team.pk}/remove", person=alice.pk)
    assert "Only the captain" in post(bob, f"{team.pk}/remove", person=alice.pk)


def test_a_captain_takes_back_an_invitation_and_a_member_off(limited: Scene) -> None:
    alice, bob = limited.alice, limited.bob
    team = make(alice)
    post(alice, f"{team.pk}/invite", login="bob")
    post(alice, f"{team.pk}/remove", person=bob.pk)
    assert "has not invited you" in post(bob, f"{team.pk}/answer", answer="accept")
    post(alice, f"{team.pk}/invite", login="bob")
    post(bob, f"{team.pk}/answer", answer="accept")
    assert seated(team) == ["alice", "bob"]
    assert "bob is not in the team any more." in post(alice, f"{team.pk}/remove", person=bob.pk)
    assert seated(team) == ["alice"]


def test_one_chooses_for_whom_one_claims(limited: Scene) -> None:
    alice, bob = limited.alice, limited.bob
    team = make(alice, bob)
    task = limited.tasks[0]
    where = f"/events/pir/tasks/{task.pk}/"
    page = client_of(bob).get(where).content.decode()
    assert "Claim for Oars" in page
    assert "Claim for me" in page
    answer = client_of(bob).post(f"{where}claim", {"for": "team"}, follow=True)
    assert "Oars has claimed No.1." in answer.content.decode()
    held = Claim.objects.get(task=task)
    assert (held.team, held.person) == (team, None)
    assert "Oars" in client_of(None).get(TEAMS).content.decode()
    client_of(alice).post(f"{where}release")
    held.refresh_from_db()
    assert held.standing == "withdrawn"
    client_of(bob).post(f"{where}claim", {"for": "me"})
    assert Claim.objects.get(task=task, person=bob).standing == "claimed"
    page = client_of(alice).get(where).content.decode()
    assert "Claim for Oars" not in page
    assert "Oars: " in page  # which rule says no to the team


def test_the_board_offers_what_only_the_team_may_claim(limited: Scene) -> None:
    alice, bob = limited.alice, limited.bob
    limited.event.rules = {"people_per_team": 2, "who_may_claim": "invitation"}
    limited.event.save()
    make(alice, bob)
    limited.event.marks.create(person=alice, kind="invited", set_at=NOW)
    row = client_of(bob).get("/events/pir/tasks/").content.decode()
    assert "Claim No.1" in row
    page = client_of(bob).get(f"/events/pir/tasks/{limited.tasks[0].pk}/").content.decode()
    assert "Claim for Oars" in page
    assert "Claim for me" not in page


def test_who_is_in_no_team_claims_for_none(limited: Scene) -> None:
    answer = client_of(limited.bob).post(
        f"/events/pir/tasks/{limited.tasks[0].pk}/claim", {"for": "team"}, follow=True
    )
    assert "You are in no team of this event." in answer.content.decode()
    assert not Claim.objects.filter(task=limited.tasks[0]).exists()


def test_it_asks_as_often_for_many_teams_as_for_few(limited: Scene) -> None:
    def queries(path: str) -> int:
        client = client_of(limited.bob)
        with CaptureQueriesContext(connection) as captured:
            assert client.get(path).status_code == 200
        return len(captured)

    make(limited.alice, limited.bob)
    pages = [TEAMS, "/events/pir/tasks/"]
    few = [queries(page) for page in pages]
    for number in range(20):
        captain = make_person(f"captain-{number}", 500 + number)
        team = Team.objects.create(event=limited.event, name=f"T{number}", captain=captain, created_at=NOW)
        TeamMember.objects.create(team=team, person=captain, invited_at=NOW, accepted_at=NOW)
        Claim.objects.create(task=limited.tasks[3], team=team, standing_at=NOW, created_at=NOW)
    assert [queries(page) for page in pages] == few
