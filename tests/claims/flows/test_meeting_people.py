"""People may be named who have never been here: their accounts are looked up at GitHub and kept by their numbers."""

import pytest
from django.test import Client
from pytest_django import Settings

from claims.models import Notice
from portal.models import Person, User
from tasks_board.models import Event, EventMark, EventRole, Team, TeamMember
from tests.claims.flows.births import browser, words
from tests.claims.flows.scene import NEWCOMER, ORGANIZER, Scene

PEOPLE = "/events/pir/organize/people/"
STRANGER = "quill-writes"


def signed_in(scene: Scene, login: str) -> Client:
    person = scene.person(login)
    User.objects.get_or_create(username=login, defaults={"person": person})
    return browser(person)


def post(client: Client, path: str, **form: str) -> str:
    return words(client.post(path, form, follow=True).content.decode())


@pytest.fixture
def known_at_github(scene: Scene) -> Scene:
    scene.driver.create_user(STRANGER, id=88_001)
    scene.comment(NEWCOMER, "Hello.")
    scene.settle()
    assert not Person.objects.filter(login=STRANGER).exists()
    return scene


def test_marks_and_roles_are_given_to_whom_nobody_has_met(known_at_github: Scene) -> None:
    olga = signed_in(known_at_github, ORGANIZER)
    assert "Done for 1 person" in post(olga, f"{PEOPLE}marks", logins=STRANGER, kind="invited", note="")
    assert EventMark.objects.get(kind="invited").person.github_id == 88_001
    assert "Done for 1 person" in post(
        olga, f"{PEOPLE}roles", logins=f"@{STRANGER.upper()}", role="mentor", tasks=""
    )
    assert EventRole.objects.filter(role="mentor", person__github_id=88_001).exists()


def test_a_captain_invites_whom_nobody_has_met(known_at_github: Scene) -> None:
    captain = signed_in(known_at_github, NEWCOMER)
    post(captain, "/events/pir/teams/new", name="Oars")
    where = f"/events/pir/teams/{Team.objects.get().pk}/invite"
    assert "is invited" in post(captain, where, login=STRANGER)
    assert Notice.objects.get(kind="invited").person.github_id == 88_001
    assert "GitHub knows no account “nobody-at-all”." in post(captain, where, login="nobody-at-all")


def test_nobody_else_makes_us_ask_github(known_at_github: Scene) -> None:
    captain = signed_in(known_at_github, NEWCOMER)
    post(captain, "/events/pir/teams/new", name="Oars")
    other = signed_in(known_at_github, ORGANIZER)
    post(other, f"/events/pir/teams/{Team.objects.get().pk}/invite", login=STRANGER)
    assert not Person.objects.filter(login=STRANGER).exists()


def test_when_github_does_not_answer_nothing_is_done_and_that_is_said(
    known_at_github: Scene, settings: Settings
) -> None:
    olga = signed_in(known_at_github, ORGANIZER)
    settings.GITHUB_API_URL = "http://127.0.0.1:9"
    said = post(olga, f"{PEOPLE}marks", logins=f"{NEWCOMER} {STRANGER}", kind="invited", note="")
    assert f"“{STRANGER}” has never been here, and GitHub does not answer at the moment." in said
    assert not EventMark.objects.exists()


def test_the_form_of_a_team_invites_them_once_github_has_said_who_they_are(known_at_github: Scene) -> None:
    scene = known_at_github
    Event.objects.filter(slug="pir").update(rules={"people_per_team": 3})
    form = f"【队名】：青柠队\n【序号】：6\n【状态】：报名\n【链接】：\n【队员】：@{STRANGER} @nobody-at-all"
    scene.comment(NEWCOMER, form)
    scene.settle()
    [seat] = TeamMember.objects.filter(accepted_at=None).select_related("person")
    assert seat.person.github_id == 88_001
    assert Notice.objects.filter(kind="invited", person=seat.person).count() == 1
    assert not Person.objects.filter(login="nobody-at-all").exists()
    [answer] = scene.answers()
    assert f"`{STRANGER}` 从未来过这里：现在去 GitHub 查询" in answer
