"""What changed for whoever is signed in, over the API."""

from datetime import UTC, datetime, timedelta

import pytest

from claims.models import Notice
from portal.models import Person, User
from tests.api.scenes import Scene, ask, fetch, tell
from tests.pages.scenes import BACKEND, NOW, client_of


def kinds(query: str = "", reader: Person | None = None) -> list[str]:
    return [notice["kind"] for notice in fetch(f"notices/{query}", reader)["results"]]


def test_it_says_what_happened_the_latest_first(scene: Scene) -> None:
    tell(scene, scene.bob, "admitted", by=scene.mei.pk)
    tell(scene, scene.bob, "extended", by=scene.mei.pk, until="2026-05-01T16:00:00+00:00")
    tell(scene, scene.bob, "closed", about="PaddlePaddle/Paddle#7")
    answer = fetch("notices/", scene.bob)
    closed, extended, admitted = answer["results"]
    assert (answer["count"], answer["unread"]) == (3, 3)
    assert admitted["message"] == "mei let you in: No.2 dtype 动静统一 is yours"
    assert admitted["task"]["number"] == "2"
    assert admitted["event"] == "pir"
    assert admitted["seen_at"] is None
    assert admitted["html_url"] == admitted["task"]["html_url"]
    assert extended["until"] == "2026-05-01T16:00:00Z"
    assert closed["pull_request"] == "PaddlePaddle/Paddle#7"


def test_amounts_are_exact(scene: Scene) -> None:
    [told] = fetch("notices/", scene.alice)["results"]
    assert [(a["pool"]["unit"], a["amount"]) for a in told["amounts"]] == [("point", "0.15")]


def test_reading_marks_nothing_as_seen(scene: Scene) -> None:
    tell(scene, scene.bob, "admitted")
    for _twice in range(2):
        assert fetch("notices/", scene.bob)["unread"] == 1
    assert Notice.objects.filter(person=scene.bob, seen_at=None).count() == 1


def test_everybody_reads_their_own_under_all_their_accounts(scene: Scene) -> None:
    second = Person.objects.get(login="alice-2")
    User.objects.create(username="alice-2", person=second)
    tell(scene, second, "admitted")
    for reader in (scene.alice, second):
        assert kinds(reader=reader) == ["admitted", "completed"]
    assert kinds(reader=scene.bob) == []


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?unread=true", ["released"]),
        ("?unread=false", ["declined", "admitted"]),
        ("?kind=admitted&kind=released", ["released", "admitted"]),
        ("?event=pir", ["released", "declined", "admitted"]),
        ("?event=other", []),
        ("?page_size=1&page=2", ["declined"]),
    ],
)
def test_they_are_filtered_and_paged(scene: Scene, query: str, found: list[str]) -> None:
    tell(scene, scene.bob, "admitted", seen=True)
    tell(scene, scene.bob, "declined", seen=True)
    tell(scene, scene.bob, "released")
    assert kinds(query, scene.bob) == found
    assert fetch(f"notices/{query}", scene.bob)["unread"] == 1, "of all, whatever the filter"


def test_since_a_moment(scene: Scene) -> None:
    tell(scene, scene.bob, "admitted")
    tell(scene, scene.bob, "released")
    latest = Notice.objects.get(kind="released").at
    assert kinds(f"?since={latest:%Y-%m-%dT%H:%M:%SZ}", scene.bob) == ["released"]
    in_shanghai = latest + timedelta(hours=8)
    assert kinds(f"?since={in_shanghai:%Y-%m-%dT%H:%M:%S}%2B08:00", scene.bob) == ["released"]
    assert kinds(f"?since={datetime.max.replace(tzinfo=UTC):%Y-%m-%dT%H:%M:%SZ}", scene.bob) == []
    assert latest > NOW


@pytest.mark.parametrize("query", ["?since=yesterday", "?kind=nonsense"])
def test_a_query_that_makes_no_sense_says_so(scene: Scene, query: str) -> None:
    response = ask(f"notices/{query}", scene.bob)
    assert response.status_code == 400
    assert response.json()["code"] == "invalid_query"


def test_a_stranger_is_asked_to_sign_in_and_the_admin_is_nobody(scene: Scene) -> None:
    response = ask("notices/")
    assert (response.status_code, response.json()["code"]) == (403, "sign_in_first")
    client = client_of(None)
    client.force_login(
        User.objects.create(username="root", is_superuser=True, is_staff=True), backend=BACKEND
    )
    response = client.get("/api/v1/notices/")
    assert (response.status_code, response.json()["code"]) == (403, "no_person")
