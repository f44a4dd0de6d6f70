"""Every page opens for whom it is meant, in both languages, and for nobody else."""

import pytest

from tests.pages import scenes
from tests.pages.scenes import Scene, client_of

PUBLIC = [
    "/",
    "/tasks/",
    "/tasks/?q=dtype",
    "/events/pir/",
    "/events/pir/tasks/",
    "/events/pir/leaderboard/",
    "/people/alice/",
    "/sign-in/",
]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("address", PUBLIC)
def test_it_opens_for_strangers(scene: Scene, address: str, language: str) -> None:
    response = client_of(None, language).get(address)
    assert response.status_code == 200
    html = response.content.decode()
    assert f'<html lang="{"zh-Hans" if language == "zh-hans" else "en"}"' in html
    assert ("跳到正文" in html) == (language == "zh-hans")


@pytest.mark.parametrize("address", PUBLIC)
def test_it_answers_whoever_only_looks_whether_it_is_there(scene: Scene, address: str) -> None:
    looked = client_of(None).head(address)
    assert looked.status_code == 200
    assert not looked.content


def test_pages_that_also_take_forms_do_nothing_for_whoever_only_looks(scene: Scene) -> None:
    client, task = client_of(scene.olga), scene.tasks[1]
    for address in (
        "/events/new/",
        "/events/pir/organize/tasks/add",
        f"/events/pir/organize/tasks/{task.pk}/",
    ):
        looked = client.head(address)
        assert (looked.status_code, looked.content) == (client.get(address).status_code, b"")


@pytest.mark.parametrize("who", ["alice", "mei", "olga"])
def test_it_opens_for_people_with_any_role(scene: Scene, who: str) -> None:
    client = client_of(getattr(scene, who))
    for address in [*PUBLIC[:-1], f"/events/pir/tasks/{scene.tasks[1].pk}/"]:
        assert client.get(address).status_code == 200


@pytest.mark.parametrize(
    ("address", "allowed"),
    [("/events/pir/desk/", {"mei", "olga"}), ("/events/pir/organize/", {"olga"})],
)
def test_it_shows_desks_to_their_people_only(scene: Scene, address: str, allowed: set[str]) -> None:
    for who in ["alice", "bob", "mei", "olga"]:
        expected = 200 if who in allowed else 403
        assert client_of(getattr(scene, who)).get(address).status_code == expected
    stranger = client_of(None).get(address)
    assert stranger.status_code == 302
    assert stranger["Location"] == f"/sign-in/?next={address}"


def test_it_hides_drafts_from_strangers(scene: Scene) -> None:
    scenes.make_event("secret", status="draft", name="Secret plan")
    assert client_of(None).get("/events/secret/").status_code == 404
    assert client_of(scene.olga).get("/events/secret/tasks/").status_code == 404
    assert "Secret plan" not in client_of(None).get("/").content.decode()


def test_it_keeps_drafts_apart_from_what_runs(scene: Scene) -> None:
    assert "Drafts" not in client_of(scene.olga).get("/").content.decode()
    scene.event.status = "draft"
    scene.event.save()
    html = client_of(scene.olga).get("/").content.decode()
    assert "No event is running at present." in html
    assert scene.event.name in html[html.index('id="h-drafts"') :]
    assert "Drafts" not in client_of(scene.bob).get("/").content.decode()


def test_it_shows_a_draft_to_its_organizer(scene: Scene) -> None:
    scene.event.status = "draft"
    scene.event.save()
    assert client_of(scene.olga).get("/events/pir/organize/").status_code == 200
    assert client_of(scene.alice).get("/events/pir/").status_code == 404


def test_it_answers_unknown_addresses_in_the_look_of_the_portal(scene: Scene) -> None:
    response = client_of(None).get("/nothing/here")
    assert response.status_code == 404
    assert "Nothing here" in response.content.decode()


def test_it_escapes_what_strangers_typed(scene: Scene) -> None:
    for address in ["/events/pir/tasks/", f"/events/pir/tasks/{scene.tasks[3].pk}/", "/", "/tasks/?q=整图"]:
        html = client_of(None).get(address).content.decode()
        assert "<script>alert" not in html
    event = client_of(None).get("/events/pir/").content.decode()
    assert "<strong>收尾</strong>" in event
    assert "<b>raw</b>" not in event


def test_it_tells_how_to_claim_with_the_very_words(scene: Scene) -> None:
    html = client_of(None).get("/events/pir/").content.decode()
    assert "【报名】：1" in html
    assert "/claim 1" in html
    assert "/release 1" in html
    assert "PaddlePaddle/Paddle#62704" in html


def test_it_marks_the_language_of_the_events_own_words(scene: Scene) -> None:
    html = client_of(None).get("/events/pir/tasks/").content.decode()
    assert 'lang="zh-Hans">dtype 动静统一</a>' in html


def test_it_says_whose_turn_it_is(scene: Scene) -> None:
    scenes.make_claim(scene.tasks[0], scene.bob, "claimed")
    html = client_of(scene.bob).get("/").content.decode()
    assert "Open a pull request. Begin its title with" in html


def test_it_finds_tasks_events_and_people(scene: Scene) -> None:
    assert "dtype 动静统一" in client_of(None).get("/tasks/?q=alice").content.decode()
    assert "单测问题修复" not in client_of(None).get("/tasks/?q=dtype").content.decode()
    assert 'href="/people/alice/"' in client_of(None).get("/tasks/?q=ali").content.decode()


def test_it_shows_a_person_with_why_each_claim_stands_so(scene: Scene) -> None:
    html = client_of(None).get("/people/ALICE/").content.decode()
    assert "PaddlePaddle/Paddle#7 is open" in html
    assert client_of(None).get("/people/nobody/").status_code == 404
