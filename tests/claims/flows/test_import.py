"""`manage.py import_event`: what it makes of the form, what it says when it cannot, and that it never half-imports."""

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from claims.models import Claim
from rewards.models import Completion, EventReward
from tasks_board.models import Direction, Event, Task
from tests.claims.flows.scene import NUMBER, ORGANIZER, REPOSITORY, Scene
from tests.demo import scenario


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("import_event", *arguments, stdout=out, stderr=out)
    return out.getvalue()


class TestTheForm:
    def test_every_row_is_a_task_with_a_number_of_ours(self, scene: Scene) -> None:
        tasks = list(Task.objects.order_by("position"))
        assert [task.number for task in tasks] == ["1", "2", "3", "4", "5", "6"]
        assert all(task.number_is_ours for task in tasks)
        assert tasks[2].title == "PIR op_callstack 适配"
        assert [task.state for task in tasks] == ["open", "open", "done", "pr_open", "claimed", "open"]

    def test_sections_and_columns_are_directions(self, scene: Scene) -> None:
        sections = (
            Direction.objects.filter(source="section").order_by("position").values_list("name", flat=True)
        )
        assert list(sections) == ["动转静", "PIR 模式执行机制", "PIR 模式下Sparse API推全", "独立任务"]
        assert {d.name for d in scene.task(3).also_in.all()} == {"动转静", "API", "OP 体系"}

    def test_people_are_known_by_their_accounts_and_hold_no_rights(self, scene: Scene) -> None:
        mentors = [helper.person for helper in scene.task(1).helpers.order_by("position")]
        assert [person.login for person in mentors] == ["wanghuancoder", "0x45f", "YuanRisheng"]
        assert all(person.is_resolved for person in mentors)
        assert not scene.event.roles.exclude(role="organizer").exists()

    def test_a_first_import_credits_nobody(self, scene: Scene) -> None:
        assert scene.claim(3, "xingmingyyj").basis == "statement"
        assert not Completion.objects.exists()

    def test_it_pays_one_point_from_the_shared_pool(self, scene: Scene) -> None:
        reward = EventReward.objects.get()
        assert (reward.pool.name, reward.per) == ("快乐开源", "task")
        assert {link.kind for link in scene.event.links.all()} == {"shared_pool", "predecessor", "leads_into"}

    def test_importing_again_changes_nothing_and_keeps_claims(self, scene: Scene) -> None:
        before = list(Task.objects.order_by("pk").values_list("pk", "number", "title", "state"))
        claims = set(Claim.objects.values_list("pk", "standing"))
        run(*scenario.IMPORT)
        assert list(Task.objects.order_by("pk").values_list("pk", "number", "title", "state")) == before
        assert set(Claim.objects.values_list("pk", "standing")) == claims
        assert Event.objects.count() == 1

    def test_the_organizers_confirmation_credits_the_history(self, scene: Scene) -> None:
        from claims.operations import deciding

        confirmed = deciding.confirm_history(
            event=scene.event, acting_user=scene.person(ORGANIZER), now=scene.now()
        )
        assert confirmed == 1
        assert scene.completions() == {("3", "xingmingyyj")}


class TestDryRun:
    def test_it_prints_the_reading_and_changes_nothing(self, scene: Scene) -> None:
        Event.objects.update(slug="elsewhere")
        text = run(f"{REPOSITORY}#{NUMBER}", "--dry-run")
        assert "dtype 动静统一  pr_open  claimants: zrr1999 (pr_open)" in text
        assert Event.objects.count() == 1


@pytest.mark.django_db
class TestFiles:
    def test_a_file_needs_no_github(self, tmp_path: Path) -> None:
        body = tmp_path / "form.md"
        body.write_text("| 序号 | 题目 | 认领人 |\n| - | - | - |\n| 1 | One | @moss07 |\n", encoding="utf-8")
        text = run("--file", str(body), "--repository", "o/r", "--name", "Form", "--slug", "form")
        assert "1 tasks" in text
        assert not Claim.objects.get().person.is_resolved  # type: ignore[union-attr]

    def test_what_a_body_tells_autotable_is_taken_over(self, tmp_path: Path) -> None:
        body = tmp_path / "form.md"
        markers = '<!--title_name="\\[Typing\\]\\[(?P<task_id>.+)\\]"--><!--repo="o/a;o/b"-->'
        body.write_text(f"| 序号 | 题目 |\n| - | - |\n| A-1 | One |\n{markers}", encoding="utf-8")
        run("--file", str(body), "--repository", "o/r", "--name", "Form")
        event = Event.objects.get()
        assert (event.title_prefix, event.repositories) == ("[Typing]", ["o/a", "o/b"])

    def test_without_a_repository_it_asks_for_one(self, tmp_path: Path) -> None:
        body = tmp_path / "form.md"
        body.write_text("x")
        with pytest.raises(CommandError, match="--repository OWNER/REPO"):
            run("--file", str(body))

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "no table at all",
            "| 状态 | 备注 |\n| - | - |\n| a | b |\n",
            "```\n| 题目 |\n| - |\n| x |\n```\n",
        ],
    )
    def test_a_text_without_tasks_says_what_a_table_needs(self, tmp_path: Path, text: str) -> None:
        body = tmp_path / "form.md"
        body.write_text(text, encoding="utf-8")
        with pytest.raises(CommandError, match="needs a column with a title"):
            run("--file", str(body), "--repository", "o/r")
        assert not Event.objects.exists()

    def test_a_missing_file_and_a_wrong_encoding_are_named(self, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match="cannot be read"):
            run("--file", str(tmp_path / "none.md"), "--repository", "o/r")
        body = tmp_path / "form.md"
        body.write_bytes("题目".encode("gbk"))
        with pytest.raises(CommandError, match="UTF-8"):
            run("--file", str(body), "--repository", "o/r")


class TestGitHub:
    def test_an_unknown_repository_is_named(self, scene: Scene) -> None:
        with pytest.raises(CommandError, match="harbor/none"):
            run("harbor/none#1")

    def test_without_a_token_it_says_which_variable(self, scene: Scene, settings: Settings) -> None:
        settings.GITHUB_TOKEN = ""
        with pytest.raises(CommandError, match="GITHUB_TOKEN"):
            run(f"{REPOSITORY}#{NUMBER}")

    def test_an_unreachable_github_is_said(self, scene: Scene, settings: Settings) -> None:
        settings.GITHUB_API_URL = "http://127.0.0.1:9"
        with pytest.raises(CommandError, match="does not answer"):
            run(f"{REPOSITORY}#{NUMBER}", "--slug", "other")
        assert Event.objects.count() == 1

    def test_what_is_no_address_is_said(self, scene: Scene) -> None:
        with pytest.raises(CommandError, match="OWNER/REPO#N"):
            run("not an address")

    def test_an_unknown_organizer_is_named(self, scene: Scene) -> None:
        with pytest.raises(CommandError, match="nobody-there"):
            run(f"{REPOSITORY}#{NUMBER}", "--slug", "other", "--organizer", "nobody-there")
        assert Event.objects.count() == 1
