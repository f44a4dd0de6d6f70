"""Tasks changed here go out cell by cell; people's edits of the same cell are conflicts, and nothing is lost on the way."""

from typing import Any

import pytest

from claims.models import PullRequestLink
from claims.operations import editing_tasks
from claims.operations.task_desk import NewTask, TaskChange
from portal.common.errors import NotAllowed
from tasks_board.models import TaskEdit
from tests.claims.flows.scene import MENTOR, NEWCOMER, NUMBER, ORGANIZER, REPOSITORY, Scene

TITLE = "动转静 train step 整图训练 PIR 适配"


def change(scene: Scene, row: int, /, **values: str) -> editing_tasks.Outcome:
    return editing_tasks.change_tasks(
        event=scene.event,
        changes=[TaskChange(scene.task(row).pk, values)],
        acting_user=scene.person(ORGANIZER),
        now=scene.now(),
    )


def add(scene: Scene, **values: Any) -> editing_tasks.Outcome:
    row_in = scene.issue.pk if values.pop("row", False) else None
    return editing_tasks.change_tasks(
        event=scene.event,
        additions=[NewTask(values, row_in)],
        acting_user=scene.person(ORGANIZER),
        now=scene.now(),
    )


def settle(scene: Scene, edit: TaskEdit, *, ours: bool) -> None:
    editing_tasks.settle_cell_conflict(
        edit=edit, keep_ours=ours, acting_user=scene.person(ORGANIZER), now=scene.now()
    )


class TestCells:
    def test_one_cell_goes_out_and_is_settled(self, scene: Scene) -> None:
        before = scene.body()
        scene.write_table()
        assert change(scene, 6, title="整图训练 | 适配").refused == ()
        assert scene.task(6).title == "整图训练 | 适配"
        scene.settle()
        assert scene.body() == before.replace(TITLE, "整图训练 \\| 适配")
        edit = TaskEdit.objects.get()
        assert (edit.outcome, edit.base, edit.value) == ("written", TITLE, "整图训练 | 适配")
        assert scene.task(6).title == "整图训练 | 适配"
        assert scene.issue.tasks.on_board().count() == 6

    def test_mirror_only_refuses_the_cell_and_takes_the_rest(self, scene: Scene) -> None:
        outcome = change(scene, 6, title="新", places="2", stars="3", description="我们的")
        assert [(r.field, r.code) for r in outcome.refused] == [("title", "mirror_only")]
        task = scene.task(6)
        assert (task.title, task.places, task.star_steps, task.description) == (TITLE, 2, 3000, "我们的")

    def test_what_the_table_does_not_carry_survives_every_reading(self, scene: Scene) -> None:
        change(scene, 6, proposal="yes", description="我们的", stars="2", places="1")
        scene.edit_body(MENTOR, "SOT 动态 shape 支持", "SOT 动态 shape 支持（二）")
        scene.settle()
        task = scene.task(6)
        assert (task.proposal_required, task.description, task.star_steps) == (True, "我们的", 2000)
        assert change(scene, 6, directions="框架").refused[0].code == "mirror_only"

    def test_a_reading_in_between_keeps_ours(self, scene: Scene) -> None:
        scene.write_table()
        change(scene, 6, title="甲")
        scene.edit_body(MENTOR, "SOT 动态 shape 支持", "SOT 动态 shape 支持（二）")
        scene.bring()
        assert scene.task(6).title == "甲"
        scene.settle()
        assert "| 甲 |" in scene.body()
        assert "SOT 动态 shape 支持（二）" in scene.body()
        assert scene.issue.tasks.count() == 6

    @pytest.mark.parametrize("ours", [True, False])
    def test_both_sides_changed_the_cell(self, scene: Scene, ours: bool) -> None:
        scene.write_table()
        scene.issue_update(written_at=scene.now())
        change(scene, 6, title=f"{TITLE} 甲")
        scene.edit_body(MENTOR, TITLE, f"{TITLE} 乙")
        scene.hear()
        edit = TaskEdit.objects.get()
        assert edit.conflict_at is not None
        assert (edit.theirs, scene.task(6).title) == (f"{TITLE} 乙", f"{TITLE} 乙")
        scene.settle()
        assert f"| {TITLE} 乙 |" in scene.body()
        settle(scene, edit, ours=ours)
        scene.settle()
        wanted = f"{TITLE} 甲" if ours else f"{TITLE} 乙"
        assert f"| {wanted} |" in scene.body()
        assert scene.task(6).title == wanted
        edit.refresh_from_db()
        assert edit.outcome == ("written" if ours else "theirs")

    def test_an_edit_that_our_write_covered_keeps_both(self, scene: Scene) -> None:
        scene.write_table()
        change(scene, 6, title="甲")
        add(scene, row=True, title="新任务")
        edited = scene.body().replace("SOT 动态 shape 支持", "SOT 动态 shape 支持（新）")
        scene.driver.inject_edit_between(REPOSITORY, NUMBER, MENTOR, edited)
        scene.settle()
        assert "| 甲 |" in scene.body()
        assert scene.body().count("新任务") == 1
        assert "SOT 动态 shape 支持（新）" in scene.body()
        assert (scene.task(6).title, scene.task(5).title) == ("甲", "SOT 动态 shape 支持（新）")
        assert scene.issue.tasks.on_board().count() == 7
        assert not TaskEdit.objects.filter(settled_at=None).exists()

    def test_taken_back_before_it_went_out(self, scene: Scene) -> None:
        before = scene.body()
        scene.write_table()
        change(scene, 6, title="甲")
        change(scene, 6, title=TITLE)
        scene.settle()
        assert scene.body() == before
        assert TaskEdit.objects.get().outcome == "taken_back"

    def test_rows_are_numbered_and_moved_in_the_issue(self, scene: Scene) -> None:
        scene.write_table()
        outcome = change(scene, 6, section="别处", number="60")
        assert {r.code for r in outcome.refused} == {"in_issue"}

    def test_only_organizers(self, scene: Scene) -> None:
        with pytest.raises(NotAllowed):
            editing_tasks.change_tasks(
                event=scene.event, acting_user=scene.person("SigureMo"), now=scene.now(), changes=[]
            )


class TestRows:
    def test_a_row_goes_into_the_issue(self, scene: Scene) -> None:
        before = scene.body()
        scene.write_table()
        assert add(scene, row=True, title="新任务", places="1").refused == ()
        task = scene.event.tasks.get(title="新任务")
        scene.edit_body(MENTOR, "SOT 动态 shape 支持", "SOT 动态 shape 支持（二）")
        scene.settle()
        task.refresh_from_db()
        assert (task.row_wanted_at, task.is_removed, task.places) == (None, False, 1)
        lines = [line for line in scene.body().splitlines() if "新任务" in line]
        assert len(lines) == 1
        rest = [line for line in scene.body().splitlines() if "新任务" not in line]
        assert rest == before.replace("SOT 动态 shape 支持", "SOT 动态 shape 支持（二）").splitlines()
        scene.comment(NEWCOMER, f"/claim {task.number}")
        scene.settle()
        assert f"@{NEWCOMER}" in next(line for line in scene.body().splitlines() if "新任务" in line)

    def test_only_where_writing_is_on(self, scene: Scene) -> None:
        assert [r.code for r in add(scene, row=True, title="新任务").refused] == ["mirror_only"]
        assert scene.event.tasks.count() == 6

    def test_tasks_made_here(self, scene: Scene) -> None:
        assert add(scene, title="甲", number="6", section="独立任务").refused[0].code == "number_taken"
        [pk] = add(scene, title="甲", difficulty="⭐⭐", section="独立").added
        task = scene.event.tasks.get(pk=pk)
        assert (task.number, task.star_steps, str(task.direction)) == ("7", 2000, "独立")
        scene.comment(NEWCOMER, "/claim 7")
        scene.settle()
        claim = scene.claim(7, NEWCOMER)
        gone = editing_tasks.remove_tasks(
            event=scene.event, tasks=[pk], acting_user=scene.person(ORGANIZER), now=scene.now()
        )
        task.refresh_from_db()
        assert (gone.changed, task.state) == ((pk,), "removed")
        editing_tasks.remove_tasks(
            event=scene.event, tasks=[pk], acting_user=scene.person(ORGANIZER), now=scene.now(), restore=True
        )
        assert scene.claim(7, NEWCOMER).pk == claim.pk
        stands = editing_tasks.remove_tasks(
            event=scene.event, tasks=[scene.task(1).pk], acting_user=scene.person(ORGANIZER), now=scene.now()
        )
        assert [r.code for r in stands.refused] == ["stands_in_issue"]

    def test_no_circles_also_within_one_batch(self, scene: Scene) -> None:
        one, two = scene.task(1).pk, scene.task(2).pk
        outcome = editing_tasks.change_tasks(
            event=scene.event,
            changes=[TaskChange(one, {"requires": "2"}), TaskChange(two, {"requires": "1"})],
            acting_user=scene.person(ORGANIZER),
            now=scene.now(),
        )
        assert [(r.task, r.code) for r in outcome.refused] == [(two, "circular")]
        nothing = editing_tasks.change_tasks(
            event=scene.event,
            changes=[TaskChange(one, {"places": "3"}), TaskChange(two, {"requires": "1"})],
            acting_user=scene.person(ORGANIZER),
            now=scene.now(),
            all_or_nothing=True,
        )
        assert not nothing.is_done
        assert scene.task(1).places is None

    def test_a_window_moves_as_a_whole(self, scene: Scene) -> None:
        change(scene, 6, claims_open="2026-04-01", claims_close="2026-04-23")
        change(scene, 6, claims_open="2026-05-01", claims_close="2026-05-23 24:00")
        task = scene.task(6)
        assert task.claims_close_at is not None
        assert task.claims_close_at.isoformat() == "2026-05-23T16:00:00+00:00"
        assert change(scene, 6, claims_close="2026-04-01").refused[0].code == "bad_window"

    def test_titles_are_read_anew_when_a_number_changes(self, scene: Scene) -> None:
        number = scene.open_pull_request(NEWCOMER, "【PIR No.70】x")
        scene.settle()
        add(scene, title="甲")
        change(scene, 7, number="70")
        scene.settle()
        assert PullRequestLink.objects.filter(task=scene.task(70), pull_request__number=number).exists()
