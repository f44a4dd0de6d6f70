"""Figures and the leaderboard over the API."""

import csv
from typing import cast

from django.http import StreamingHttpResponse

from portal.models import Person
from tests.api.scenes import Scene, fetch
from tests.pages.scenes import client_of, make_event
from tests.rewards.scenes import complete


def test_figures_are_counted_from_rows(scene: Scene) -> None:
    told = fetch("events/pir/figures/")
    assert {state: n for state, n in told["tasks_by_state"].items() if n} == {
        "open": 2,
        "pr_open": 1,
        "done": 1,
    }
    tasks = {"tasks": 4, "open": 2, "claimed": 2, "submitted": 2, "done": 1}
    assert told["tasks"] == {**tasks, "submit_rate": "50.0%", "done_rate": "25.0%"}
    by_direction = {row.pop("direction"): row for row in told["directions"]}
    assert sum(row["tasks"] for row in by_direction.values()) == 4
    assert by_direction["独立任务"]["done_rate"] == "33.3%"
    assert (told["completions"], told["partly"], told["completed_tasks"]) == (4, 1, 3)
    assert (told["people"], told["teams"]) == (2, 1)
    assert {(a["pool"]["name"], a["amount"]) for a in told["paid"]} == {("星", "4.05"), ("快乐开源", "3")}
    assert [(p["pool"]["unit"], p["per"], p["amount"]) for p in told["pays"]] == [
        ("star", "star", "1"),
        ("point", "task", "1"),
    ]


def test_an_event_that_pays_nothing(scene: Scene) -> None:
    make_event("free")
    told = fetch("events/free/figures/")
    assert (told["paid"], told["pays"], told["completions"]) == ([], [], 0)
    assert fetch("events/free/leaderboard/")["results"] == []


def test_the_leaderboard_stands_as_in_the_file(scene: Scene) -> None:
    for number in range(3):
        complete(scene.tasks[0], Person.objects.create(login=f"tie-{number}", github_id=100 + number))
    rows = fetch("events/pir/leaderboard/")["results"]
    response = cast(StreamingHttpResponse, client_of(None).get("/events/pir/leaderboard.csv"))
    text = b"".join(cast("list[bytes]", response)).decode().removeprefix("\ufeff")
    assert [
        (str(row["rank"]), row["claimant"]["name"], row["earned"]["amount"], str(row["completions"]))
        for row in rows
    ] == [tuple(cells[:4]) for cells in list(csv.reader(text.splitlines()))[1:]]
    assert [row["rank"] for row in rows] == [1, 2, 3, 3, 3, 6]


def test_a_row_of_the_leaderboard(scene: Scene) -> None:
    first, second, third = fetch("events/pir/leaderboard/")["results"]
    assert first["claimant"] == {"kind": "person", "name": "alice", "github_id": 1}
    assert first["earned"] == {"pool": {"name": "星", "unit": "star", "currency": ""}, "amount": "2.05"}
    assert {task["number"] for task in first["tasks"]} == {"1", "3"}
    assert second["claimant"] == {"kind": "team", "name": "潮汐", "github_id": None}
    assert [task["degree"] for task in third["tasks"]] == ["partly"]


def test_where_nothing_is_paid_completions_rank(scene: Scene) -> None:
    scene.event.rewards.all().delete()
    rows = fetch("events/pir/leaderboard/")["results"]
    assert {row["earned"] for row in rows} == {None}
    assert rows[0]["completions"] == 2
