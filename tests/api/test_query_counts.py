"""However many rows there are, the API asks the database the same number of times."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from portal.models import Person
from tasks_board.models import Direction
from tests.api.scenes import Scene, fetch, tell
from tests.pages.scenes import client_of, crowd, make_claim, make_event, make_task
from tests.rewards.scenes import complete, points

ADDRESSES = [
    "events/",
    "events/pir/",
    "events/pir/tasks/?page_size=100",
    "events/pir/tasks/?page_size=100&q=alice",
    "events/pir/figures/",
    "events/pir/leaderboard/",
    "people/?page_size=100",
    "people/alice/",
    "people/alice/claims/?page_size=100",
]


def grow(scene: Scene) -> None:
    """More of everything."""
    crowd(scene, 60)
    for number in range(20):
        make_event(f"more-{number}")
        person = Person.objects.create(login=f"more-{number}", github_id=1000 + number)
        task = make_task(scene.event, 500 + number, "more", scene.sections[0], star_steps=1000)
        task.also_in.add(Direction.objects.create(event=scene.event, name=f"{number}", source="column"))
        make_claim(task, person, "done")
        complete(task, person)
        complete(scene.tasks[0], person)


def queries(address: str, reader: Person | None) -> int:
    client = client_of(reader)
    with CaptureQueriesContext(connection) as captured:
        assert client.get(f"/api/v1/{address}").status_code == 200
    return len(captured)


def test_notices_cost_as_much_for_many_as_for_few(scene: Scene) -> None:
    pool, found = points(), []
    for number in (0, 30):
        for _each in range(number):
            tell(scene, scene.alice, "admitted", by=scene.mei.pk)
            tell(scene, scene.alice, "completed", amounts=[[pool.pk, 100]])
            tell(scene, scene.alice, "superseded", by=scene.bob.pk)
        tell(scene, scene.alice, "superseded", by=scene.bob.pk)
        found.append(queries("notices/?page_size=100", scene.alice))
    assert found[0] == found[1]
    assert found[0] <= 16


@pytest.mark.parametrize("address", ADDRESSES)
def test_it_asks_as_often_for_many_as_for_few(address: str, scene: Scene) -> None:
    few = [queries(address, reader) for reader in (None, scene.bob)]
    rows = len(fetch(address).get("results", []))
    grow(scene)
    assert [queries(address, reader) for reader in (None, scene.bob)] == few
    assert few[0] <= 16
    assert rows == 0 or len(fetch(address)["results"]) >= rows
