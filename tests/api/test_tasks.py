"""Tasks with everybody on them, over the API."""

from typing import Any

import pytest

from claims.models import Claim
from portal.models import Person
from tasks_board.models import Event, Task, TaskHelper
from tests.api.scenes import Scene, ask, fetch
from tests.pages.scenes import crowd

TASKS = "events/pir/tasks/"


def numbers(query: str) -> list[str]:
    return [task["number"] for task in fetch(TASKS + query)["results"]]


def test_they_stand_as_in_the_table(scene: Scene) -> None:
    assert numbers("") == ["1", "2", "3", "10"]


def test_one_tells_who_is_on_it_and_how_far(scene: Scene) -> None:
    task = fetch(f"{TASKS}{scene.tasks[1].pk}/")
    alice, bob = task["claims"]
    assert alice["claimant"] == {"kind": "person", "name": "alice", "github_id": 1}
    assert (alice["standing"], alice["since"], alice["basis"]) == ("pr_open", "2026-04-12T08:00:00Z", "fact")
    assert alice["reason"] == {
        "code": "open",
        "about": "PaddlePaddle/Paddle#7",
        "message": "PaddlePaddle/Paddle#7 is open",
    }
    assert pulls(alice) == [(7, "open", "alice")]
    assert (bob["standing"], bob["place"]) == ("waiting", 1)
    assert pulls(bob) == [(70, "named", "")]
    assert pulls({"pull_requests": task["other_pull_requests"]}) == [(8, "merged", "dan")]
    assert task["mentors"] == ["mei"]
    assert task["direction"]["name"] == "独立任务"
    assert [area["name"] for area in task["also_in"]] == ["IR"]
    assert task["tracking_issue"]["number"] == 62704


def pulls(claim: dict[str, Any]) -> list[tuple[int, str, str]]:
    return [(pr["number"], pr["state"], pr["author"]) for pr in claim["pull_requests"]]


def test_the_list_tells_the_same(scene: Scene) -> None:
    for task in fetch(TASKS)["results"]:
        assert task.items() <= fetch(f"{TASKS}{task['id']}/").items()


def test_a_team_claims_as_one(scene: Scene) -> None:
    [claim] = fetch(f"{TASKS}{scene.tasks[2].pk}/")["claims"]
    assert claim["claimant"] == {"kind": "team", "name": "潮汐", "github_id": None}
    assert claim["reason"]["code"] == "accepted"


def test_stars_are_exact(scene: Scene) -> None:
    stars = [task["stars"] for task in fetch(TASKS)["results"]]
    assert stars == ["0.05", None, "2", None]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?state=open", ["1", "10"]),
        ("?state=open&state=done", ["1", "3", "10"]),
        ("?free=true", ["1", "10"]),
        ("?free=false", ["2", "3"]),
        ("?number=10", ["10"]),
        ("?number=0", []),
        ("?mentor=MEI", ["2"]),
        ("?mentor=nobody", []),
        ("?q=dtype", ["2"]),
        ("?q=dtype%20alice", ["2"]),
        ("?q=dtype%20open", []),
        ("?q=%E6%BD%AE%E6%B1%90", ["3"]),
        ("?q=", ["1", "2", "3", "10"]),
        ("?nonsense=1", ["1", "2", "3", "10"]),
    ],
)
def test_they_are_filtered(query: str, expected: list[str], scene: Scene) -> None:
    assert numbers(query) == expected


def test_they_are_filtered_by_section_and_by_column(scene: Scene) -> None:
    section = scene.sections[1].pk
    area = scene.tasks[1].also_in.get().pk
    assert numbers(f"?direction={section}") == ["2", "3", "10"]
    assert numbers(f"?direction={area}") == ["2"]
    assert numbers(f"?direction={section}&state=open") == ["10"]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("?state=lost", "state"),
        ("?direction=x", "direction"),
        ("?direction=1.5", "direction"),
        ("?direction=99999999999999999999", "direction"),
        (f"?q={'x' * 201}", "q"),
    ],
)
def test_what_cannot_be_read_is_refused(query: str, name: str, scene: Scene) -> None:
    response = ask(TASKS + query)
    assert response.status_code == 400
    assert response.json()["code"] == "invalid_query"
    assert response.json()["message"].startswith(f"{name}: ")


def test_an_assistant_is_no_mentor(scene: Scene) -> None:
    TaskHelper.objects.create(task=scene.tasks[0], person=scene.mei, role="assistant")
    assert numbers("?mentor=mei") == ["2"]


def test_a_task_that_left_the_table_is_in_no_list(scene: Scene) -> None:
    Task.objects.filter(pk=scene.tasks[0].pk).update(is_removed=True)
    assert numbers("") == ["2", "3", "10"]
    assert fetch(f"{TASKS}{scene.tasks[0].pk}/")["is_removed"] is True


def test_a_claim_that_may_still_arrive_is_not_told(scene: Scene) -> None:
    Claim.objects.filter(person=scene.bob).update(shown=False)
    assert len(fetch(f"{TASKS}{scene.tasks[1].pk}/")["claims"]) == 1


@pytest.mark.parametrize("pk", ["999999", "99999999999999999999999"])
def test_a_guessed_id_finds_nothing(pk: str, scene: Scene) -> None:
    response = ask(f"{TASKS}{pk}/")
    assert response.status_code == 404
    assert response.json()["code"] == "task_not_found"


def test_the_task_of_a_draft_is_not_found_below_another_event(scene: Scene) -> None:
    secret = Task.objects.get(event=Event.objects.get(slug="hidden"))
    for slug in ("pir", "hidden"):
        assert ask(f"events/{slug}/tasks/{secret.pk}/").status_code == 404


def test_whether_one_may_claim_is_the_reader_s(scene: Scene) -> None:
    Event.objects.filter(slug="pir").update(opens_at=None, closes_at=None)
    scene.event.phases.all().delete()
    assert fetch(f"{TASKS}{scene.tasks[0].pk}/", scene.bob)["may_claim"] is True
    Claim.objects.filter(task=scene.tasks[1], person=scene.alice).update(standing="claimed")
    assert fetch(f"{TASKS}{scene.tasks[1].pk}/", scene.alice)["may_claim"] is False


def test_each_rule_says_its_verdict(scene: Scene) -> None:
    def told(reader: Person, task: Task) -> dict[str, bool]:
        return {line["rule"]: line["passed"] for line in fetch(f"{TASKS}{task.pk}/", reader)["rules"]}

    Event.objects.filter(slug="pir").update(opens_at=None, closes_at=None)
    scene.event.phases.all().delete()
    free = told(scene.bob, scene.tasks[0])
    assert all(free.values())
    taken = told(scene.alice, scene.tasks[1])
    assert set(taken) == set(free)
    assert taken["not_claimed_by_you"] is False
    [refusal] = [
        line for line in fetch(f"{TASKS}{scene.tasks[1].pk}/", scene.alice)["rules"] if not line["passed"]
    ]
    assert (refusal["asks"], refusal["answer"]) == ("You do not have it yet", "PR open")


def test_pages_are_walked_by_their_links(scene: Scene) -> None:
    crowd(scene, 150)
    found, address = [], f"{TASKS}?page_size=70&state=pr_open"
    while address:
        page = fetch(address.removeprefix("http://testserver/api/v1/"))
        assert page["count"] == 151
        found += [task["id"] for task in page["results"]]
        address = page["next"]
    assert len(found) == len(set(found)) == 151
    assert page["previous"] is not None


@pytest.mark.parametrize(
    ("query", "size"), [("", 50), ("?page_size=1000", 100), ("?page_size=-1", 50), ("?page_size=x", 50)]
)
def test_a_page_holds_a_hundred_at_most(query: str, size: int, scene: Scene) -> None:
    crowd(scene, 150)
    assert len(fetch(TASKS + query)["results"]) == size


@pytest.mark.parametrize("page", ["0", "99", "x", "-1", "99999999999999999999"])
def test_a_page_that_does_not_exist_is_refused(page: str, scene: Scene) -> None:
    response = ask(f"{TASKS}?page={page}")
    assert response.status_code == 404
    assert response.json()["code"] == "not_found"


@pytest.mark.parametrize("name", ["q", "mentor", "number"])
def test_a_nul_character_is_read_as_if_it_were_not_there(name: str, scene: Scene) -> None:
    assert ask(f"{TASKS}?{name}=%00").json() == ask(f"{TASKS}?{name}=").json()
