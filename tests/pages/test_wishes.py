"""Other choices, willingness and team-mates that a comment names: mentors see them beside the person, others do not."""

from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from claims.models import IssueComment
from tests.pages import scenes
from tests.pages.scenes import Scene, client_of

DESK = "/events/pir/desk/"
BODY = "【报名】：1\n【其他意向】：2\n队友：@moss07\n接受调剂"


def say(scene: Scene, body: str = BODY, number: int = 5, **values: Any) -> IssueComment:
    made = scenes.make_comment(scene, body, number)
    made.reading = {"intents": [{"kind": "alternative", "tasks": ["2"]}]}
    made.needs_help = False
    for name, value in values.items():
        setattr(made, name, value)
    made.save()
    return made


def task_page(scene: Scene, place: int) -> str:
    return f"/events/pir/tasks/{scene.tasks[place].pk}/"


def test_the_desk_shows_them_beside_the_request(scene: Scene) -> None:
    claim = scenes.make_claim(scene.tasks[0], scene.bob, "requested")
    said = say(scene)
    html = client_of(scene.olga).get(f"{DESK}?item=claim-{claim.pk}").content.decode()
    assert "Also written" in html
    assert "other choices:" in html
    assert "would take another task" in html
    assert "together with moss07" in html
    assert f"#issuecomment-{said.github_id}" in html


def test_the_pages_of_both_tasks_show_them_to_mentors_alone(scene: Scene) -> None:
    scenes.make_claim(scene.tasks[0], scene.bob, "requested")
    say(scene)
    for place in (0, 1):
        assert (
            "would take another task" in client_of(scene.olga).get(task_page(scene, place)).content.decode()
        )
        assert "would take another" not in client_of(scene.bob).get(task_page(scene, place)).content.decode()
    assert "would take another" not in client_of(scene.olga).get(task_page(scene, 2)).content.decode()


def test_the_latest_that_says_any_of_it_counts_and_a_deleted_one_says_nothing(scene: Scene) -> None:
    scenes.make_claim(scene.tasks[0], scene.bob, "claimed")
    say(scene)
    say(scene, "【其他意向】：2\n不接受调剂", 6)
    say(scene, "thanks", 7, reading={})
    html = client_of(scene.olga).get(task_page(scene, 0)).content.decode()
    assert "wants no other task" in html
    assert "would take another task" not in html
    IssueComment.objects.update(deleted_at=scenes.NOW)
    assert "Also written" not in client_of(scene.olga).get(task_page(scene, 0)).content.decode()


def test_many_cost_the_same(scene: Scene) -> None:
    scenes.make_claim(scene.tasks[0], scene.bob, "claimed")
    client = client_of(scene.olga)

    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            client.get(task_page(scene, 0))
        return len(found)

    say(scene)
    before = queries()
    for number in range(10, 20):
        say(scene, number=number, author=scene.mei if number % 2 else scene.bob)
    assert queries() == before
