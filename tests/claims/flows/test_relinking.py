"""A number may come to mean another task: titles that name it follow."""

from datetime import timedelta

from claims.models import PullRequestLink
from tasks_board.models import Event
from tests.claims.flows.scene import NEWCOMER, ORGANIZER, REPOSITORY, Scene

ROW = "| 动转静 train step 整图训练 PIR 适配 | AST 动转静 + API | @SigureMo |"


def test_a_title_that_was_ahead_of_its_row_is_linked_when_the_row_comes(scene: Scene) -> None:
    scene.open_pull_request(NEWCOMER, "【PIR No.7】A task that is not there yet")
    scene.settle()
    assert not PullRequestLink.objects.exists()
    scene.edit_body(ORGANIZER, ROW, f"{ROW}\n| 新任务 | API | @SigureMo | |")
    scene.settle()
    assert PullRequestLink.objects.get().task == scene.task(7)


def test_comments_from_before_the_import_claim_but_get_no_answer(scene: Scene) -> None:
    scene.comment(NEWCOMER, "/claim 6")
    Event.objects.update(created_at=scene.now() + timedelta(hours=1))
    scene.settle()
    assert scene.claim(6, NEWCOMER).standing == "claimed"
    assert scene.answers() == []


def test_what_is_archived_keeps_its_work_whatever_happens_to_a_pull_request_later(scene: Scene) -> None:
    scene.comment(NEWCOMER, "/claim 6")
    number = scene.open_pull_request(NEWCOMER, "【PIR No.6】x")
    scene.settle()
    scene.merge(number)
    scene.settle()
    Event.objects.update(status=Event.Status.ARCHIVED)
    scene.driver.retitle(REPOSITORY, number, ORGANIZER, "【PIR No.6】y", at="2030-05-01T08:00:00Z")
    scene.settle()
    assert PullRequestLink.objects.get().task == scene.task(6)
    assert scene.completions() == {("6", NEWCOMER)}
