"""Events over the API."""

from tasks_board.models import Event, Task
from tests.api.scenes import Scene, ask, fetch
from tests.pages.scenes import make_event


def slugs(address: str, **reader: object) -> list[str]:
    return [event["slug"] for event in fetch(address, **reader)["results"]]  # type: ignore[arg-type]


def test_it_lists_events_without_drafts(scene: Scene) -> None:
    assert slugs("events/") == ["pir"]
    assert slugs("events/", reader=scene.bob) == ["pir"]


def test_its_own_people_see_a_draft(scene: Scene) -> None:
    assert slugs("events/", reader=scene.olga) == ["hidden", "pir"]
    assert slugs("events/?status=draft", reader=scene.olga) == ["hidden"]
    assert slugs("events/?status=draft") == []


def test_it_filters_by_status_and_kind(scene: Scene) -> None:
    make_event("old", status="closed", kind="hackathon")
    assert slugs("events/?status=closed") == ["old"]
    assert slugs("events/?status=closed&status=running") == ["old", "pir"]
    assert slugs("events/?kind=contest") == []
    assert slugs("events/?kind=hackathon") == ["old"]


def test_it_tells_an_event(scene: Scene) -> None:
    Task.objects.filter(pk=scene.tasks[3].pk).update(is_removed=True)
    [short] = fetch("events/")["results"]
    told = fetch("events/pir/")
    assert short.items() <= told.items()
    assert told["task_count"] == 3
    assert told["opens_at"] == "2026-04-12T08:00:00Z"
    assert told["html_url"] == "http://testserver/events/pir/"
    assert told["summary"] == "**收尾** <b>raw</b>"
    assert [(d["name"], d["written_as"], d["task_count"]) for d in told["directions"]] == [
        ("执行机制", "section", 1),
        ("独立任务", "section", 2),
        ("IR", "column", 1),
    ]
    assert told["phases"] == [
        {"name": "认领", "starts_at": None, "ends_at": "2026-05-12T08:00:00Z", "claims_open": True}
    ]
    [issue] = told["tracking_issues"]
    assert issue["html_url"] == "https://github.com/PaddlePaddle/Paddle/issues/62704"


def test_a_draft_is_no_event_to_a_stranger(scene: Scene) -> None:
    for below in ("", "tasks/", "figures/", "leaderboard/"):
        for reader in (None, scene.bob):
            response = ask(f"events/hidden/{below}", reader)
            assert response.status_code == 404
            assert response.json() == {"code": "event_not_found", "message": "There is no such event."}
        assert ask(f"events/hidden/{below}", scene.olga).status_code == 200


def test_a_draft_is_seen_no_more_without_a_role(scene: Scene) -> None:
    Event.objects.get(slug="hidden").roles.all().delete()
    assert ask("events/hidden/", scene.olga).status_code == 404
