"""People and their claims over the API."""

import pytest

from portal.models import Person
from tasks_board.models import Event
from tests.api.scenes import Scene, ask, fetch


def logins(query: str = "", reader: Person | None = None) -> list[str]:
    return [person["login"] for person in fetch(f"people/{query}", reader)["results"]]


def test_those_who_take_part_stand_by_login(scene: Scene) -> None:
    Person.objects.create(login="bystander", github_id=99)
    assert logins() == ["alice", "bob", "mei", "olga", "旧名/字"]


def test_who_takes_part_in_a_draft_alone_shows_to_its_own_people(scene: Scene) -> None:
    assert "ghost" not in logins(reader=scene.bob)
    assert "ghost" in logins(reader=scene.olga)
    for address in ("people/ghost/", "people/ghost/claims/"):
        assert ask(address).status_code == 404
        assert ask(address).json()["code"] == "person_not_found"
        assert ask(address, scene.olga).status_code == 200


def test_readers_find_themselves(scene: Scene) -> None:
    Event.objects.get(slug="pir").tracking_issues.first()
    newcomer = Person.objects.get(login="dan")
    assert ask("people/dan/").status_code == 404
    assert fetch("people/dan/", newcomer)["claims"] == 0


@pytest.mark.parametrize("login", ["alice", "ALICE", "alice-2"])
def test_one_person_adds_up(login: str, scene: Scene) -> None:
    told = fetch(f"people/{login}/")
    assert (told["login"], told["github_id"], told["claims"], told["completions"]) == ("alice", 1, 1, 2)
    assert [(t["pool"]["name"], t["pool"]["unit"], t["amount"]) for t in told["totals"]] == [
        ("快乐开源", "point", "2"),
        ("星", "star", "2.05"),
    ]
    assert told["html_url"] == "http://testserver/people/alice/"


def test_claims_of_a_draft_count_for_its_own_people_alone(scene: Scene) -> None:
    assert fetch("people/alice/", scene.olga)["claims"] == 2
    assert len(fetch("people/alice/claims/", scene.olga)["results"]) == 2


def test_a_name_without_an_account_is_told_as_written(scene: Scene) -> None:
    told = fetch("people/旧名/字/")
    assert (told["login"], told["github_id"]) == ("旧名/字", None)
    assert fetch(told["claims_url"].removeprefix("http://testserver/api/v1/"))["results"] == []


def test_the_count_of_claims_is_that_of_the_list(scene: Scene) -> None:
    for login in logins():
        assert fetch(f"people/{login}/")["claims"] == fetch(f"people/{login}/claims/")["count"]
    assert fetch("people/bob/")["claims"] == 2  # one of them by his team


def test_claims_tell_their_task(scene: Scene) -> None:
    claims = fetch("people/bob/claims/")["results"]
    assert {(c["claimant"]["name"], c["task"]["number"], c["standing"]) for c in claims} == {
        ("潮汐", "3", "done"),
        ("bob", "2", "waiting"),
    }
    assert {c["task"]["event"] for c in claims} == {"pir"}


@pytest.mark.parametrize(
    ("query", "count"),
    [("?standing=done", 1), ("?standing=done&standing=waiting", 2), ("?event=pir", 2), ("?event=x", 0)],
)
def test_claims_are_filtered(query: str, count: int, scene: Scene) -> None:
    assert fetch(f"people/bob/claims/{query}")["count"] == count


def test_people_are_found_by_a_part_of_the_login(scene: Scene) -> None:
    assert logins("?q=LI") == ["alice"]


@pytest.mark.parametrize("login", ["nobody", "no%00body", "x" * 300])
def test_nobody_is_not_found(login: str, scene: Scene) -> None:
    assert ask(f"people/{login}/").status_code == 404
