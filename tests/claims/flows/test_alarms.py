"""What stops our writing, and who hears of it: other programs, refusals, the switches, the limit of length."""

import io

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from claims.models import TableConflict
from portal import outbox
from portal.models import OutboxMessage, User
from tests.claims.flows.scene import NEWCOMER, NUMBER, ORGANIZER, OTHER, REPOSITORY, Scene
from tests.demo import people

ROW_6 = "| 动转静 train step 整图训练 PIR 适配 | AST 动转静 + API | @SigureMo |"


def organizer(scene: Scene) -> Client:
    """The organizer, signed in, reading English."""
    client = Client()
    client.cookies["regatta_language"] = "en"
    user, _created = User.objects.get_or_create(username=ORGANIZER, person=scene.person(ORGANIZER))
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def page(scene: Scene, where: str = "organize/writing/") -> str:
    return organizer(scene).get(f"/events/pir/{where}").content.decode()


class TestAnotherProgram:
    def test_an_account_of_type_bot_at_our_cells_stops_us(self, scene: Scene) -> None:
        scene.driver.create_user("paddle-ci[bot]", id=8801, type="Bot")
        scene.write_table()
        scene.edit_body("paddle-ci[bot]", "dtype 动静统一🚧", "dtype 动静统一✅")
        scene.settle()
        issue = scene.issue
        assert (issue.writing, issue.alarm, issue.alarm_about) == ("held", "another_writer", "paddle-ci[bot]")
        html = page(scene)
        assert "Another program writes the same table" in html
        assert "paddle-ci[bot]" in html
        assert "1 alarm" in page(scene, "")

    def test_what_it_writes_elsewhere_is_its_own_affair(self, scene: Scene) -> None:
        scene.driver.create_user("paddle-ci[bot]", id=8801, type="Bot")
        scene.write_table()
        scene.edit_body("paddle-ci[bot]", "## 背景", "## 缘起")
        scene.settle()
        assert scene.issue.writing == "on"

    def test_whoever_puts_back_our_word_again_and_again_is_a_program_too(self, scene: Scene) -> None:
        scene.write_table()
        for row in (5, 6, 4):
            before = scene.body()
            scene.comment(NEWCOMER, f"/claim {row}")
            scene.settle()
            assert scene.body() != before
            scene.driver.advance_clock(2)
            scene.driver.edit_issue(REPOSITORY, NUMBER, OTHER, before)
            scene.settle()
        assert (scene.issue.alarm, scene.issue.alarm_about) == ("another_writer", OTHER)

    def test_an_organizer_looks_and_resumes(self, scene: Scene) -> None:
        scene.issue_update(writing="held", alarm="another_writer", alarm_about="x", alarm_at=scene.now())
        scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        client = organizer(scene)
        assert (
            "Another program" in client.get(f"/events/pir/organize/issues/{scene.issue.pk}/").content.decode()
        )
        client.post(f"/events/pir/organize/issues/{scene.issue.pk}/writing", {"on": "1"})
        scene.settle()
        assert (scene.issue.writing, scene.issue.alarm, scene.issue.alarm_about) == ("on", "", "")
        assert f"@{NEWCOMER}" in scene.body()

    def test_an_alarm_that_is_put_off_leaves_writing_off(self, scene: Scene) -> None:
        scene.issue_update(writing="held", alarm="gone", alarm_at=scene.now())
        organizer(scene).post(f"/events/pir/organize/issues/{scene.issue.pk}/alarm")
        assert (scene.issue.writing, scene.issue.alarm) == ("mirror", "")


class TestRefusals:
    def test_a_lost_permission_raises_an_alarm_in_githubs_words(self, scene: Scene) -> None:
        scene.write_table()
        scene.driver.set_permission(REPOSITORY, people.PORTAL.login, "read")
        scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        issue = scene.issue
        assert issue.writing == "held"
        assert issue.alarm in ("not_allowed", "not_found")
        assert issue.alarm_about[:3] in ("403", "404")
        assert len(issue.alarm_about) > 4
        assert issue.alarm_about in page(scene).replace("&#x27;", "'")


class TestSwitches:
    def test_one_switch_holds_tables_and_answers_and_lets_them_go_at_once(self, scene: Scene) -> None:
        scene.write_table()
        client = organizer(scene)
        client.post("/events/pir/organize/writing/hold", {"held": "1"})
        scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        assert scene.claim(6, NEWCOMER).standing == "claimed"
        assert f"@{NEWCOMER}" not in scene.body()
        assert scene.answers() == []
        assert "holds back all writing" in page(scene)
        client.post("/events/pir/organize/writing/hold", {"held": "0"})
        scene.settle()
        assert f"@{NEWCOMER}" in scene.body()
        assert len(scene.answers()) == 1

    @pytest.mark.parametrize("kind", ["", "write_table"])
    def test_operators_hold_what_is_written_and_it_keeps_its_place(self, scene: Scene, kind: str) -> None:
        scene.write_table()
        call_command("hold_writes", "on", "--kind", kind, "--reason", "maintenance", stdout=io.StringIO())
        scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        assert f"@{NEWCOMER}" not in scene.body()
        assert len(scene.answers()) == (0 if kind == "" else 1)
        message = OutboxMessage.objects.get(kind="write_table")
        assert message.attempts == 0
        assert message.pk not in outbox.sweep(scene.now())
        assert "maintenance" in page(scene)
        told = io.StringIO()
        call_command("hold_writes", "status", stdout=told)
        assert "maintenance" in told.getvalue()
        call_command("hold_writes", "off", "--kind", kind, stdout=told)
        scene.settle()
        assert f"@{NEWCOMER}" in scene.body()
        assert "Nothing is held." in told.getvalue()

    def test_a_kind_that_there_is_not_is_refused(self, db: None) -> None:
        with pytest.raises(CommandError, match="no_such"):
            call_command("hold_writes", "on", "--kind", "no_such")


class TestLength:
    def test_near_the_limit_a_shorter_form_is_written(self, scene: Scene) -> None:
        scene.driver.edit_issue(REPOSITORY, NUMBER, ORGANIZER, _badges(58))
        scene.settle()
        scene.write_table()
        scene.comment(NEWCOMER, "/claim 2")
        scene.settle()
        assert f"@{NEWCOMER}<br>" in scene.body()
        assert scene.issue.alarm == ""
        assert len(scene.body()) <= 65_536

    def test_beyond_it_nothing_is_cut(self, scene: Scene) -> None:
        scene.driver.edit_issue(REPOSITORY, NUMBER, ORGANIZER, full := _badges(5))
        scene.settle()
        scene.write_table()
        scene.comment(NEWCOMER, "/claim 2")
        scene.settle()
        assert scene.body() == full
        assert scene.issue.alarm == "body_too_long"
        review = page(scene, f"organize/issues/{scene.issue.pk}/")
        assert "Even in its shortest form" in review


def _badges(room: int) -> str:
    """A table with badges that leaves so much room below GitHub's limit."""
    badge = '<img src="https://img.shields.io/badge/状态-报名-2ECC71" />'
    body = f"| 序号 | 题目 | 认领人 |\n|-|-|-|\n| 1 | 甲 | @zrr1999 {badge} <br> |\n| 2 | 乙 | |\n\n"
    return body + "x" * (65_536 - room - len(body))


class TestColumn:
    def test_a_table_without_a_column_is_told_of_and_gets_one_with_a_click(self, scene: Scene) -> None:
        body = "| 序号 | 题目 |\n|-|-|\n| 1 | 甲 |\n| 2 | 乙 |\n"
        scene.driver.edit_issue(REPOSITORY, NUMBER, ORGANIZER, body)
        scene.settle()
        scene.comment(NEWCOMER, "/claim 2")
        scene.settle()
        assert "has no column for claimants" in page(scene)
        assert "has no column for claimants" in page(scene, "tasks/")
        review = page(scene, f"organize/issues/{scene.issue.pk}/")
        assert "its table has no column for claimants" in review
        review = page(scene, f"organize/issues/{scene.issue.pk}/?column=1")
        assert f"| 2 | 乙 | @{NEWCOMER} |" in review
        assert scene.body() == body
        organizer(scene).post(f"/events/pir/organize/issues/{scene.issue.pk}/column")
        scene.settle()
        assert (
            scene.body()
            == f"| 序号 | 题目 | 认领人 |\n|-|-| --- |\n| 1 | 甲 |  |\n| 2 | 乙 | @{NEWCOMER} |\n"
        )
        assert (scene.issue.lacks_column, scene.issue.column_wanted) == (False, False)
        assert scene.issue.body == scene.issue.agreed_body == scene.body()


class TestConflicts:
    def conflict(self, scene: Scene, login: str, number: int) -> TableConflict:
        return TableConflict.objects.create(
            claim=scene.claim(number, login),
            ours="claimed",
            theirs="withdrawn",
            revision=scene.issue.revisions.get(),
            raised_at=scene.now(),
        )

    def test_a_hidden_edit_of_what_we_change_is_a_conflict(self, scene: Scene) -> None:
        scene.write_table()
        scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        scene.comment(NEWCOMER, "/release 6")
        done = scene.body().replace("整图训练 PIR 适配 |", "整图训练 PIR 适配✅ |")
        scene.driver.inject_edit_between(REPOSITORY, NUMBER, OTHER, done)
        scene.settle()
        conflict = TableConflict.objects.get()
        assert (conflict.ours, conflict.theirs) == ("withdrawn", "done")
        html = page(scene)
        assert f"written by {OTHER}" in html
        assert "Released" in html
        assert "✅" in page(scene, f"organize/revisions/{conflict.revision_id}/")

    def test_all_of_them_are_settled_by_one_form_that_is_confirmed(self, scene: Scene) -> None:
        for row in (5, 6):
            scene.comment(NEWCOMER, f"/claim {row}")
        scene.comment(ORGANIZER, "/claim 6")
        scene.settle()
        for login, row in ((NEWCOMER, 5), (NEWCOMER, 6), (ORGANIZER, 6)):
            self.conflict(scene, login, row)
        client, where = organizer(scene), "/events/pir/organize/writing/conflicts"
        assert "This is about your own claim" in page(scene)
        client.post(where, {"keep": "theirs"})
        assert TableConflict.objects.filter(settled_at=None).count() == 3
        answer = client.post(where, {"keep": "theirs", "sure": "1"}, follow=True).content.decode()
        assert "2 conflicts are settled. 1 is about a claim of your own" in answer
        assert str(TableConflict.objects.get(settled_at=None).claim.person) == ORGANIZER


class TestConsole:
    def test_the_dry_run_shows_the_difference_and_what_is_left_alone(self, scene: Scene) -> None:
        scene.comment(NEWCOMER, "/claim 6")
        scene.comment(NEWCOMER, "/claim 1")
        scene.settle()
        before, told = scene.body(), io.StringIO()
        call_command("write_table", f"{REPOSITORY}#{NUMBER}", "--dry-run", stdout=told)
        assert f"+{ROW_6} @{NEWCOMER} |" in told.getvalue()
        assert f"left alone: 1 {NEWCOMER}: its table has no column for claimants" in told.getvalue()
        assert scene.body() == before
        with pytest.raises(CommandError, match="Writing is off"):
            call_command("write_table", f"{REPOSITORY}#{NUMBER}", "--now", stdout=told)
        scene.write_table()
        call_command("write_table", f"{REPOSITORY}#{NUMBER}", "--now", stdout=told)
        assert f"{ROW_6} @{NEWCOMER} |" in scene.body()

    def test_it_says_what_is_no_address(self, db: None) -> None:
        for wrong, why in (("nonsense", "no address"), ("o/r#1", "No event tracks")):
            with pytest.raises(CommandError, match=why):
                call_command("write_table", wrong)
