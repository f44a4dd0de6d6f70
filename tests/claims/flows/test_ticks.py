"""Tasks of a checklist: what is done is ticked in its line, what is taken back is unticked, and people's own ticks are heard."""

import pytest
from django.test import Client

from claims.models import Decision, Statement
from tests.claims.flows.scene import MENTOR, NEWCOMER, NUMBER, ORGANIZER, OTHER, REPOSITORY, Scene, open_stage
from tests.github_stand_in.process import StandInProcess

BODY = """# 类型提示

* [ ] 1. 引入 `_hints` 模块
* [ ] 2. 给 Tensor 写存根
- [x] 3. 接入检查流水线
* [ ] 4. [收尾](https://github.com/harbor/lantern/issues/9)

| 任务编号 | 认领人 | 任务 PR |
| - | - | - |
| 1 | @fern-9 | |
| 2 |  | |
| 3 | | |
| 4 | @moss07 @fern-9 | |
"""


@pytest.fixture
def stage(db: None, stand_in: StandInProcess, client: Client) -> Scene:
    scene = open_stage(stand_in.driver, client, BODY)
    scene.settle()
    scene.write_table()
    return scene


def ticks(scene: Scene) -> str:
    """The box of each checklist line, in order."""
    lines = (line.strip() for line in scene.body().splitlines())
    return "".join(line[3] for line in lines if line[2:3] == "[").replace(" ", "-")


def others(scene: Scene) -> list[str]:
    """All lines of the body but the rows of the table, boxes blanked."""
    body = scene.body().replace("[x]", "[ ]")
    return [line for line in body.splitlines() if not line.startswith("|")]


def merged_by(scene: Scene, login: str, task: int) -> int:
    number = scene.open_pull_request(login, f"【PIR No.{task}】x")
    scene.merge(number)
    scene.settle()
    return number


def test_checklist_tasks_have_their_titles_addresses_and_ticks(stage: Scene) -> None:
    tasks = [stage.task(number) for number in (1, 2, 3, 4)]
    assert [task.title for task in tasks] == [
        "引入 _hints 模块",
        "给 Tensor 写存根",
        "接入检查流水线",
        "收尾",
    ]
    assert [task.state for task in tasks] == ["claimed", "open", "done", "claimed"]
    assert tasks[3].url == "https://github.com/harbor/lantern/issues/9"


def test_what_is_merged_is_ticked_and_what_is_reverted_is_not(stage: Scene) -> None:
    stage.comment(NEWCOMER, "/claim 2")
    number = merged_by(stage, NEWCOMER, 2)
    assert ticks(stage) == "-xx-"
    assert f"| 2 | @{NEWCOMER} | {REPOSITORY}#{number} |" in stage.body()
    assert others(stage) == [
        line for line in BODY.replace("[x]", "[ ]").splitlines() if not line.startswith("|")
    ]
    stage.merge(int(stage.driver.revert(REPOSITORY, number, MENTOR)["number"]))
    stage.settle()
    assert ticks(stage) == "--x-"
    assert not Statement.objects.filter(claim__person__login=NEWCOMER).exists()


def test_a_task_of_two_is_ticked_for_the_first_and_unticked_with_the_last(stage: Scene) -> None:
    number = merged_by(stage, "fern-9", 4)
    assert ticks(stage) == "--xx"
    assert stage.claim(4, "fern-9").standing == "done"
    assert stage.claim(4, "moss07").standing != "done"
    stage.merge(int(stage.driver.revert(REPOSITORY, number, MENTOR)["number"]))
    stage.settle()
    assert ticks(stage) == "--x-"


def test_an_organizers_tick_is_a_decision_and_stays(stage: Scene) -> None:
    stage.edit_body(ORGANIZER, "* [ ] 1.", "* [X] 1.")
    stage.settle()
    assert stage.claim(1, "fern-9").standing == "done"
    assert Decision.objects.get(kind="accepted").decided_by == stage.person(ORGANIZER)
    assert ticks(stage) == "X-x-"


def test_anybody_elses_tick_shows_and_never_awards(stage: Scene) -> None:
    stage.edit_body(OTHER, "* [ ] 1.", "* [x] 1.")
    stage.settle()
    claim = stage.claim(1, "fern-9")
    assert (claim.standing, claim.basis) == ("done", "statement")
    assert stage.completions() == set()


def test_a_tick_on_a_task_that_nobody_has_counts_for_the_task(stage: Scene) -> None:
    stage.edit_body(ORGANIZER, "* [ ] 2.", "* [x] 2.")
    stage.edit_body(ORGANIZER, "- [x] 3.", "- [ ] 3.")
    stage.settle()
    assert [stage.task(number).state for number in (2, 3)] == ["done", "open"]
    assert ticks(stage) == "-x--"


def test_an_edit_of_the_line_between_our_read_and_our_write_keeps_both(stage: Scene) -> None:
    stage.comment(NEWCOMER, "/claim 2")
    stage.settle()
    number = stage.open_pull_request(NEWCOMER, "【PIR No.2】x")
    stage.settle()
    stage.merge(number)
    edited = stage.body().replace("给 Tensor 写存根", "给 Tensor 方法写存根")
    stage.driver.inject_edit_between(REPOSITORY, NUMBER, ORGANIZER, edited)
    stage.settle()
    assert "* [x] 2. 给 Tensor 方法写存根" in stage.body()
    assert stage.task(2).title == "给 Tensor 方法写存根"
