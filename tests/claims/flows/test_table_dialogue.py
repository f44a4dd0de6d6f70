"""The table is written by people and by us: neither wipes out the other, and nobody goes round in circles."""

from claims.github_effects import WriteTable
from claims.models import Claim, Decision, Statement, TableConflict
from portal.github.connect import connect
from tests.claims.flows.scene import NEWCOMER, NUMBER, ORGANIZER, OTHER, REPOSITORY, Scene
from tests.services.deliveries import process_due

ROW_5 = "| SOT 动态 shape 支持 |"
ROW_6 = "| 动转静 train step 整图训练 PIR 适配 | AST 动转静 + API | @SigureMo |"


def versions(scene: Scene) -> int:
    return len(scene.driver.issue_history(REPOSITORY, NUMBER))


class TestMarksOfPeople:
    def test_an_organizers_mark_of_work_under_way_stays(self, scene: Scene) -> None:
        scene.write_table()
        scene.edit_body(ORGANIZER, ROW_5, "| SOT 动态 shape 支持🚧 |")
        scene.settle()
        assert "SOT 动态 shape 支持🚧 |" in scene.body()
        assert scene.claim(5, "zrr1999").standing == "pr_open"

    def test_an_organizer_who_takes_the_mark_off_is_not_overruled(self, scene: Scene) -> None:
        scene.write_table()
        scene.edit_body(ORGANIZER, "dtype 动静统一🚧", "dtype 动静统一")
        scene.settle()
        assert "dtype 动静统一🚧" not in scene.body()


class TestStructure:
    def test_claims_are_written_once_a_table_gets_its_column_for_claimants(self, scene: Scene) -> None:
        scene.write_table()
        scene.comment(NEWCOMER, "/claim 1")
        scene.settle()
        assert f"@{NEWCOMER}" not in scene.body()
        head = "### PIR 模式执行机制\n\n这一部分帮助你比较新旧 IR 的执行流程。\n\n| 任务标题 | 描述 | mentor | 助教 |\n| - | - | - | - |"
        scene.edit_body(
            ORGANIZER,
            head,
            head.replace("助教 |", "助教 | 认领人 |")
            .replace("- | - |\n", "x")
            .replace("| - | - | - | - |", "| - | - | - | - | - |"),
        )
        scene.settle()
        assert f"@{NEWCOMER}" in scene.body()

    def test_lines_that_end_in_two_characters_keep_them(self, scene: Scene) -> None:
        scene.driver.edit_issue(REPOSITORY, NUMBER, ORGANIZER, scene.body().replace("\n", "\r\n"))
        scene.settle()
        scene.write_table()
        scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        assert f"@SigureMo | @{NEWCOMER} |\r\n" in scene.body()
        assert scene.body().count("\r\n") == scene.body().count("\n")

    def test_a_body_at_the_limit_raises_the_alarm_and_stays(self, scene: Scene) -> None:
        body = scene.body()
        full = body + "x" * (65_536 - len(body))
        scene.driver.edit_issue(REPOSITORY, NUMBER, ORGANIZER, full)
        scene.settle()
        scene.write_table()
        scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        assert scene.body() == full
        assert (scene.issue.alarm, scene.issue.writing) == ("body_too_long", "held")

    def test_a_settled_conflict_stops_no_writing(self, scene: Scene) -> None:
        scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        TableConflict.objects.create(
            claim=scene.claim(6, NEWCOMER),
            ours="claimed",
            theirs="done",
            revision=scene.issue.revisions.get(),
            raised_at=scene.now(),
            settled_at=scene.now(),
        )
        scene.write_table()
        scene.comment(NEWCOMER, "/claim 5")
        scene.settle()
        assert f"@SigureMo | @{NEWCOMER} |" in scene.body()


class TestRaces:
    def test_an_edit_that_puts_an_older_text_back_between_our_read_and_write_is_kept(
        self, scene: Scene
    ) -> None:
        first = scene.body()
        scene.edit_body(ORGANIZER, "SOT 动态 shape 支持", "SOT 动态 shape 支持（新）")
        scene.settle()
        scene.write_table()
        scene.comment(NEWCOMER, "/claim 6")
        scene.driver.inject_edit_between(REPOSITORY, NUMBER, ORGANIZER, first)
        scene.settle()
        assert "（新）" not in scene.body()
        assert f"@{NEWCOMER}" in scene.body()

    def test_a_covered_edit_whose_own_event_comes_first_is_put_back(self, scene: Scene) -> None:
        scene.write_table()
        scene.comment(NEWCOMER, "/claim 6")
        scene.hear()
        effect, now = WriteTable(), scene.now()
        plan = effect.plan({"tracking_issue": scene.issue.pk}, now)
        edited = scene.body().replace("SOT 动态 shape 支持", "SOT 动态 shape 支持（新）")
        scene.driver.inject_edit_between(REPOSITORY, NUMBER, ORGANIZER, edited)
        outcome = effect.perform(plan, connect())  # type: ignore[arg-type]
        theirs = next(d for d in scene.waiting() if d["event"] == "issues")
        scene.post(theirs)
        process_due(scene.now())
        effect.record(plan, outcome, now)  # type: ignore[arg-type]
        scene.settle()
        assert "SOT 动态 shape 支持（新）" in scene.body()
        assert f"@{NEWCOMER}" in scene.body()

    def test_a_poll_between_our_write_and_its_record_hears_nothing(self, scene: Scene) -> None:
        from claims import github_reading

        scene.write_table()
        scene.comment(NEWCOMER, "/claim 6")

        scene.hear()
        effect, now = WriteTable(), scene.now()
        plan = effect.plan({"tracking_issue": scene.issue.pk}, now)
        outcome = effect.perform(plan, connect())  # type: ignore[arg-type]
        github_reading.poll_tracking_issue(tracking_issue=scene.issue, gateway=connect(), now=scene.now())
        effect.record(plan, outcome, now)  # type: ignore[arg-type]
        assert not Statement.objects.filter(claim__person__login=NEWCOMER).exists()
        scene.settle()
        assert scene.issue.agreed_body == scene.issue.body == scene.body()

    def test_at_rest_nothing_more_is_written(self, scene: Scene) -> None:
        scene.write_table()
        scene.comment(NEWCOMER, "/claim 6")
        number = scene.open_pull_request(NEWCOMER, "【PIR No.6】x")
        scene.merge(number)
        scene.settle()
        count = versions(scene)
        scene.edit_body(OTHER, "## 背景", "## 缘起")
        scene.settle()
        assert versions(scene) == count + 1

    def test_a_name_we_wrote_and_a_stranger_removed_is_heard_once(self, scene: Scene) -> None:
        scene.write_table()
        scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        scene.edit_body(OTHER, f"| @SigureMo | @{NEWCOMER} |", "| @SigureMo | |")
        scene.settle()
        assert f"@{NEWCOMER}" not in scene.body()
        claim = Claim.objects.get(task__number="6")
        assert [doubt["code"] for doubt in claim.doubts] == ["table_says"]
        assert not Decision.objects.filter(kind="released").exists()
