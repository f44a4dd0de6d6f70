"""Figures and people that stand in an issue follow its tasks, once an organizer has switched writing on."""

import pytest
from django.test import Client

from claims.operations import counting, tables
from portal.models import User
from tasks_board.models import TrackingIssue
from tests.claims.flows.scene import NEWCOMER, NUMBER, ORGANIZER, REPOSITORY, Scene

BLOCKS = """

## 看板信息

| 任务方向 | 任务数量 | 提交作品 / 任务认领 | 提交率 | 完成 | 完成率 |
| :----: | :----: | :----:  | :----: | :----: | :----: |
|  PIR  |  9  | 0 / 0 | 0.0% |  0  | 0.0% |
#####

## 统计信息
> 排名不分先后 @xingmingyyj (7)·
#####
""".replace("·", " ")


@pytest.fixture
def issue(scene: Scene) -> TrackingIssue:
    """The form with both blocks below it."""
    scene.driver.edit_issue(REPOSITORY, NUMBER, ORGANIZER, scene.body() + BLOCKS)
    scene.settle()
    return scene.issue


def test_before_writing_is_on_the_text_stays_and_the_difference_is_known(
    scene: Scene, issue: TrackingIssue
) -> None:
    assert scene.body().endswith(BLOCKS)
    found = {(f.about, f.key): (f.stated, f.ours) for f in counting.stated_differences(issue)}
    assert found["PIR", "tasks"] == (9, 6)
    assert found["xingmingyyj", "done"] == (7, 1)


def test_with_writing_on_both_follow_the_tasks(scene: Scene, issue: TrackingIssue) -> None:
    scene.write_table()
    scene.comment(NEWCOMER, "/claim 6")
    number = scene.open_pull_request(NEWCOMER, "【PIR No.6】x")
    scene.merge(number)
    scene.settle()
    assert "\n|  PIR  |  6  | 3 / 4 | 50.0% |  2  | 33.33% |\n#####\n" in scene.body()
    assert f"\n> 排名不分先后 @xingmingyyj (1) @{NEWCOMER} (1) \n#####\n" in scene.body()
    assert counting.stated_differences(scene.issue) == []
    assert tables.text_to_write(scene.issue).body == scene.body()


def test_the_pages_show_where_the_text_states_other_figures(scene: Scene, issue: TrackingIssue) -> None:
    client = Client()
    client.cookies["regatta_language"] = "en"
    event_page = client.get("/events/pir/").content.decode()
    assert "figures that the tasks do not bear out" in event_page
    assert "xingmingyyj" in event_page
    user = User.objects.create(username=ORGANIZER, person=scene.person(ORGANIZER))
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    writing = client.get("/events/pir/organize/writing/").content.decode()
    assert "The text says" in writing
    assert writing.count("differs") >= 2
