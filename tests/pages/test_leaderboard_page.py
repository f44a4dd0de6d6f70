"""The leaderboard as a page and as a file."""

from decimal import Decimal

from django.http import StreamingHttpResponse

from portal.models import Person
from rewards import operations
from rewards.models import Completion, EventReward, Pool
from tests.pages import scenes
from tests.pages.scenes import Scene, client_of


def credit(scene: Scene, person: Person, number: int = 2) -> None:
    operations.record_completion(
        task=scene.tasks[number],
        person=person,
        degree=Completion.Degree.DONE,
        completed_at=scenes.NOW,
        evidence={},
        acting_user=None,
        now=scenes.NOW,
    )


def test_it_ranks_people_with_what_they_completed(scene: Scene) -> None:
    pool = operations.get_or_create_pool(
        name="快乐开源", unit=Pool.Unit.POINT, acting_user=None, now=scenes.NOW
    )
    operations.set_event_reward(
        event=scene.event,
        pool=pool,
        per=EventReward.Per.TASK,
        amount=Decimal(1),
        acting_user=None,
        now=scenes.NOW,
    )
    credit(scene, scene.alice)
    html = client_of(None).get("/events/pir/leaderboard/").content.decode()
    assert 'href="/people/alice/"' in html
    assert "op_callstack" in html
    assert "for each completed task" in html
    assert "快乐开源" in client_of(None).get("/people/alice/").content.decode()


def test_it_says_so_when_nobody_is_on_it(scene: Scene) -> None:
    assert (
        "Nobody has been credited with a task yet."
        in client_of(None).get("/events/pir/leaderboard/").content.decode()
    )


def test_it_gives_a_file_that_spreadsheets_read_and_do_not_run(scene: Scene) -> None:
    credit(scene, Person.objects.create(login="=cmd()"))
    response = client_of(None).get("/events/pir/leaderboard.csv")
    assert isinstance(response, StreamingHttpResponse)
    text = b"".join(response).decode()
    assert text.startswith("\ufeffrank,login,")
    assert ",=cmd()" not in text
    assert "cmd()" in text
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert "pir-leaderboard.csv" in response["Content-Disposition"]
    without = client_of(None).get("/events/pir/leaderboard.csv?bom=0")
    assert isinstance(without, StreamingHttpResponse)
    assert b"".join(without).decode() == text.removeprefix("\ufeff")
    workbook = client_of(None).get("/events/pir/leaderboard.xlsx")
    assert workbook.content.startswith(b"PK")
    assert "pir-leaderboard.xlsx" in workbook["Content-Disposition"]
