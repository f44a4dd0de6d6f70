"""Organizers correct how the form is read: tasks, claims and history stay, and nobody is made to say anything."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from claims.models import Claim, Decision, Statement
from claims.operations import correcting, issues
from claims.operations.issues import Revision
from claims.operations.tables import digest, text_to_write
from portal.common import clock
from portal.models import AuditEntry, Person, User
from tasks_board.documents.choices import ReadingChoices
from tasks_board.models import Direction, Event, EventRole, Task, TrackingIssue
from tests.claims.flows.test_import import run
from tests.pages.scenes import BACKEND, NOW, make_claim

BODY = """## 甲组

| 序号 | 题目 | 认领人 |
|-|-|-|
| 1 | 灯 | ✅@moss07 |
| 2 | 塔 | 见下方 |
| 3 | 标 | 小明 |

## 乙组

| 序号 | 题目 | 认领人 |
|-|-|-|
| 1 | 船 | @reef |
"""


@pytest.fixture
def issue(db: None, tmp_path: Path) -> TrackingIssue:
    path = tmp_path / "lights.md"
    path.write_text(BODY, encoding="utf-8")
    for place, login in enumerate(("olga", "moss07", "reef")):
        User.objects.create(username=login, person=Person.objects.create(login=login, github_id=50 + place))
    run("--file", str(path), "--repository", "harbor/lantern", "--slug", "lights", "--organizer", "olga")
    return TrackingIssue.objects.select_related("event").get()


def by_hand(**kinds: Any) -> ReadingChoices:
    return ReadingChoices.from_json(kinds, by_hand=True)


def correct(issue: TrackingIssue, **kinds: Any) -> None:
    olga = Person.objects.get(login="olga")
    correcting.correct_reading(tracking_issue=issue, choices=by_hand(**kinds), acting_user=olga, now=NOW)
    issue.refresh_from_db()


def board(issue: TrackingIssue) -> dict[str, list[str]]:
    """By title, who is shown and how."""
    claims = Claim.objects.filter(task__tracking_issue=issue, task__is_removed=False, shown=True)
    found: dict[str, list[str]] = {task.title: [] for task in issue.tasks.on_board()}
    for claim in claims.order_by("pk"):
        found[claim.task.title].append(f"{claim.claimant}: {claim.standing}")
    return found


def browser(login: str = "olga") -> Client:
    client = Client()
    client.cookies["regatta_language"] = "en"
    client.force_login(User.objects.get(username=login), backend=BACKEND)
    return client


class TestWhatFollows:
    def test_a_mark_means_something_else_and_is_nobodys_word(self, issue: TrackingIssue) -> None:
        before = Statement.objects.get(claim__person__login="moss07")
        correct(issue, marks={"✅": "approved"})
        statement = Statement.objects.get(claim__person__login="moss07")
        assert (statement.pk, statement.state, statement.editor, statement.at) == (
            before.pk,
            "approved",
            None,
            before.at,
        )
        assert board(issue)["灯"] == ["moss07: approved"]
        assert not Decision.objects.exists()
        [entry] = AuditEntry.objects.filter(action="claims.statements_corrected")
        assert entry.data["statements"][0]["state"] == "done"

    def test_names_become_people_or_nobody(self, issue: TrackingIssue) -> None:
        correct(issue, names={"小明": "reef", "见下方": ""})
        assert board(issue)["塔"] == []
        assert board(issue)["标"] == ["reef: claimed"]
        correct(issue)
        assert board(issue)["塔"] == ["见下方: claimed"]
        assert board(issue)["标"] == ["小明: claimed"]

    def test_a_claim_that_somebody_made_here_stays(self, issue: TrackingIssue) -> None:
        reef = Person.objects.get(login="reef")
        claim = Claim.objects.get(person=reef)
        Decision.objects.create(claim=claim, kind="claimed", at=NOW, decided_by=reef, source="web", key="t")
        correct(issue, columns={"认领人": ""})
        assert board(issue) == {"灯": [], "塔": [], "标": [], "船": ["reef: claimed"]}

    def test_tasks_are_who_they_were_whatever_their_cells_mean_now(self, issue: TrackingIssue) -> None:
        before = {task.title: task.pk for task in issue.tasks.all()}
        correct(issue, columns={"题目": "description", "序号": "title"})
        assert {task.description: task.pk for task in issue.tasks.all()} == before
        correct(issue)
        assert {task.title: task.pk for task in issue.tasks.all()} == before

    def test_directions_are_renamed_and_dropped(self, issue: TrackingIssue) -> None:
        before = {task.title: task.pk for task in issue.tasks.all()}
        correct(issue, sections={"甲组": "Lights", "乙组": ""})
        assert list(Direction.objects.values_list("name", flat=True)) == ["Lights"]
        assert {task.title: task.pk for task in issue.tasks.all()} == before
        assert Task.objects.get(title="船").direction is None

    def test_a_table_that_is_left_out_keeps_its_claims_for_later(self, issue: TrackingIssue) -> None:
        task, claim = Task.objects.get(title="船"), Claim.objects.get(person__login="reef")
        correct(issue, left_out=["乙组|序号|题目|认领人"])
        assert "船" not in board(issue)
        correct(issue)
        assert board(issue)["船"] == ["reef: claimed"]
        assert (Task.objects.get(title="船").pk, Claim.objects.get(person__login="reef").pk) == (
            task.pk,
            claim.pk,
        )

    def test_later_texts_are_read_like_it(self, issue: TrackingIssue) -> None:
        correct(issue, marks={"✅": "approved"}, names={"小明": "reef"}, sections={"甲组": "Lights"})
        text = BODY.replace("| 4 |", "").replace(
            "| 3 | 标 | 小明 |", "| 3 | 标 | ✅小明 |\n| 4 | 网 | ✅@moss07 |"
        )
        now = clock.now()
        assert issues.apply_issue_revision(tracking_issue=issue, revision=Revision(text, now), now=now)
        issue.refresh_from_db()
        assert board(issue)["标"] == ["reef: approved"]
        assert board(issue)["网"] == ["moss07: approved"]
        assert Task.objects.get(title="网").direction.name == "Lights"  # type: ignore[union-attr]

    def test_it_is_written_like_it_too(self, issue: TrackingIssue) -> None:
        correct(issue, names={"小明": "reef"})
        make_claim(Task.objects.get(title="塔"), Person.objects.get(login="moss07"), "claimed")
        text = text_to_write(issue)
        assert "| 3 | 标 | 小明 |" in text.body
        assert [entry.refused for entry in text.wanted] == [""]

    def test_the_same_corrections_change_nothing(self, issue: TrackingIssue) -> None:
        correct(issue, marks={"✅": "approved"})
        before = list(AuditEntry.objects.values_list("pk", flat=True))
        correct(issue, marks={"✅": "approved"})
        assert list(AuditEntry.objects.values_list("pk", flat=True)) == before

    def test_what_leaves_no_task_is_refused(self, issue: TrackingIssue) -> None:
        with pytest.raises(Exception, match="lists no task"):
            correct(issue, columns={"题目": "", "序号": ""})
        assert len(board(issue)) == 4


class TestThePage:
    def page(self, issue: TrackingIssue) -> str:
        return f"/events/lights/organize/issues/{issue.pk}/reading/"

    def test_it_shows_what_would_change_before_it_does(self, issue: TrackingIssue) -> None:
        client, page = browser(), self.page(issue)
        assert client.get("/events/lights/organize/reading/")["Location"] == page
        assert "What would change" not in client.get(page).content.decode()
        chosen = {
            "mark_key": "✅",
            "mark": "approved",
            "name_key": "见下方",
            "name_what": "nothing",
            "name_login": "",
        }
        shown = client.post(page, {**chosen, "action": "read"})
        text = shown.content.decode()
        assert "What would change" in text
        assert "moss07" in text
        assert board(issue)["灯"] == ["moss07: done"]
        seen = {"seen": shown.context["seen"], "shown": shown.context["shown"]}
        other = client.post(page, {**chosen, **seen, "mark": "blocked", "action": "apply"})
        assert "You chose something else" in other.content.decode()
        assert client.post(page, {**chosen, **seen, "action": "apply"}).status_code == 302
        assert board(issue)["灯"] == ["moss07: approved"]

    def test_a_text_that_was_edited_meanwhile_is_looked_at_first(self, issue: TrackingIssue) -> None:
        client, page = browser(), self.page(issue)
        chosen = {"mark_key": "✅", "mark": "approved"}
        shown = client.post(page, chosen).context["shown"]
        answer = client.post(page, {**chosen, "shown": shown, "seen": digest("older"), "action": "apply"})
        assert answer.status_code == 409
        assert "edited in the meantime" in answer.content.decode()
        assert board(issue)["灯"] == ["moss07: done"]

    def test_a_value_that_cannot_be_is_told(self, issue: TrackingIssue) -> None:
        answer = browser().post(
            self.page(issue), {"column_key": "题目", "column": "nonsense", "action": "apply"}
        )
        assert answer.status_code == 409
        assert "cannot be chosen" in answer.content.decode()

    def test_a_pasted_text_is_not_fetched(self, issue: TrackingIssue) -> None:
        answer = browser().post(f"/events/lights/organize/issues/{issue.pk}/fetch", follow=True)
        assert "was pasted" in answer.content.decode()

    def test_it_takes_as_many_queries_for_more_rows(self, issue: TrackingIssue) -> None:
        def queries() -> int:
            with CaptureQueriesContext(connection) as counted:
                browser_.post(self.page(issue), {"mark_key": "✅", "mark": "approved"})
            return len(counted)

        browser_ = browser()
        few = queries()
        text = BODY + "".join(f"| {n} | 题 {n} | ✅@moss07 |\n" for n in range(2, 60))
        now = clock.now()
        assert issues.apply_issue_revision(tracking_issue=issue, revision=Revision(text, now), now=now)
        assert queries() == few


class TestTheCommand:
    def test_corrections_come_from_a_file(self, issue: TrackingIssue, tmp_path: Path) -> None:
        body, choices = tmp_path / "lights.md", tmp_path / "choices.json"
        choices.write_text(
            json.dumps({"marks": {"✅": "approved"}, "names": {"小明": "@reef"}, "colours": 1})
        )
        common = ("--file", str(body), "--repository", "harbor/lantern", "--slug", "lights")
        said = run(*common, "--choices", str(choices), "--dry-run")
        assert "It would change" in said
        assert "moss07: Done -> Approved" in said.replace("done", "Done").replace("approved", "Approved")
        assert board(issue)["灯"] == ["moss07: done"]
        run(*common, "--choices", str(choices))
        assert board(issue)["灯"] == ["moss07: approved"]
        run(*common)  # without the file they stay
        issue.refresh_from_db()
        assert issue.reading_choices["marks"] == {"✅": "approved"}
        assert "Nothing would change" in run(*common, "--dry-run")

    def test_a_dry_run_shows_every_row(self, db: None, tmp_path: Path) -> None:
        body = tmp_path / "lights.md"
        body.write_text(BODY, encoding="utf-8")
        said = run("--file", str(body), "--repository", "harbor/lantern", "--dry-run")
        assert "3  标  claimed  claimants: 小明 (claimed)  mentors: -  sure: 60%" in said
        assert "? claimants: '小明' -> 小明: claimed" in said
        assert not Event.objects.exists()

    def test_an_entry_is_chosen_by_place_or_name(self, db: None, tmp_path: Path) -> None:
        body, told = tmp_path / "lights.md", tmp_path / "events.json"
        body.write_text(BODY, encoding="utf-8")
        entry = {"issue_url": "https://github.com/harbor/lantern/issues/7", "pr_prefix": "Lights No."}
        told.write_text(json.dumps([{**entry, "issue_name": "Old"}, {**entry, "issue_name": "Lights"}]))
        run("--configuration", str(told), "--entry", "Lights", "--file", str(body))
        event = Event.objects.get()
        assert (event.name, event.title_prefix, event.slug) == ("Lights", "Lights No.", "lantern-7")
        assert event.tracking_issues.get().configuration["name"] == "Lights"
        with pytest.raises(CommandError, match="no entry '9'"):
            run("--configuration", str(told), "--entry", "9", "--file", str(body))
        with pytest.raises(CommandError, match="Say which entry"):
            run("--configuration", str(told), "--file", str(body))

    def test_a_file_that_is_no_json_is_told(self, db: None, tmp_path: Path) -> None:
        path = tmp_path / "choices.json"
        path.write_text("{")
        (tmp_path / "b.md").write_text(BODY)
        with pytest.raises(CommandError, match="is no JSON"):
            call_command("import_event", file=tmp_path / "b.md", repository="a/b", choices=path, dry_run=True)


def test_only_organizers_correct(issue: TrackingIssue) -> None:
    reef = Person.objects.get(login="reef")
    assert not EventRole.objects.filter(person=reef).exists()
    with pytest.raises(Exception, match="Only organizers"):
        correcting.correct_reading(
            tracking_issue=issue, choices=by_hand(marks={"✅": "approved"}), acting_user=reef, now=NOW
        )


def test_every_text_of_an_issue_is_read_through_one_door() -> None:
    """What organizers corrected would be forgotten wherever a text is read or edited past it."""
    root = Path(__file__).parents[3]
    allowed = {
        "claims/explaining.py",  # pasted texts
        "claims/births/preview.py",
        "claims/pages/reading.py",
        "claims/pages/issues.py",  # texts that are not taken in yet
        "claims/operations/comment_texts.py",
        "claims/operations/drafting.py",
        "claims/operations/revising.py",
        "claims/operations/texts.py",
        "claims/management/commands/read.py",
        "claims/management/commands/import_event.py",
        "claims/management/commands/import_configurations.py",
        "tasks_board/tracking.py",
    }
    found = set()
    for package in ("claims", "tasks_board", "rewards", "portal"):
        for path in (root / package).rglob("*.py"):
            name = str(path.relative_to(root))
            calls = re.compile(r"(?<![.\w])(read_body|apply_edits?|apply_where_possible|sections_in_order)\(")
            if "documents" not in path.parts and calls.search(path.read_text(encoding="utf-8")):
                found.add(name)
    assert found <= allowed
