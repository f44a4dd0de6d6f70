"""What the API refuses, and how."""

import pytest
from rest_framework.throttling import AnonRateThrottle

from tests.api.scenes import Scene, ask, fetch
from tests.api.test_schema import PATHS
from tests.pages.scenes import client_of

WRITING = ["post", "put", "patch", "delete", "options"]


@pytest.mark.parametrize("verb", WRITING)
def test_nothing_is_written(verb: str, scene: Scene) -> None:
    where = {"slug": "pir", "id": scene.tasks[1].pk, "login": "alice"}
    for path in PATHS:
        for reader in (None, scene.olga):
            response = getattr(client_of(reader), verb)(path.format(**where))
            assert response.status_code == 405, path
            assert response.json()["code"] == "method_not_allowed"


def test_what_is_posted_is_not_even_read(scene: Scene) -> None:
    response = client_of(None).post("/api/v1/events/", b"{", content_type="application/json")
    assert response.status_code == 405


@pytest.mark.parametrize("address", ["nonsense/", "events/pir/nonsense/", "../v2/events/"])
def test_an_address_that_does_not_exist_is_refused_alike(address: str, db: None) -> None:
    response = ask(address)
    assert response.status_code == 404
    assert response.json() == {"code": "no_such_address", "message": "The API has no such address."}


def test_a_slash_that_is_missing_is_added(scene: Scene) -> None:
    response = ask("events/pir")
    assert (response.status_code, response["Location"]) == (301, "/api/v1/events/pir/")


def test_it_speaks_the_language_asked_for(db: None) -> None:
    message = client_of(None, "zh-hans").get("/api/v1/events/none/").json()["message"]
    assert message == "没有这个活动。"
    assert ask("events/none/", headers={"accept-language": "zh-CN"}).json()["code"] == "event_not_found"


def test_it_speaks_json_alone(db: None) -> None:
    response = ask("", headers={"accept": "text/html"})
    assert response.status_code == 406
    assert response.json()["code"] == "not_acceptable"
    assert ask("", headers={"accept": "text/html,*/*;q=0.8"})["Content-Type"] == "application/json"
    assert ask("?format=xml").status_code == 200


def test_strangers_wait_when_they_ask_too_much(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AnonRateThrottle, "THROTTLE_RATES", {"anon": "2/min"})
    assert [ask("").status_code for _ in range(3)] == [200, 200, 429]
    response = ask("", headers={"x-forwarded-for": "192.0.2.1"})  # a claim to be somebody else does not help
    assert response.status_code == 429
    assert response.json()["code"] == "throttled"
    assert 0 < int(response["Retry-After"]) <= 60
    assert ask("", scene.bob).status_code == 200


def test_it_begins_with_where_to_go(scene: Scene) -> None:
    index = fetch("")
    assert index["events_url"] == "http://testserver/api/v1/events/"
    for address in index.values():
        assert client_of(scene.alice).get(address).status_code == 200
