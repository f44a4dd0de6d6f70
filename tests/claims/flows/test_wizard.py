"""Setting an event up at the front door: an issue, a pasted text, a configuration; corrections; one event in the end."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from claims.models import Claim, ImportDraft
from portal.models import OutboxMessage, Person, User
from rewards.models import Completion
from tasks_board.models import Event, Task, TrackingIssue
from tests.claims.flows.births import BODY, begin, browser, post, take
from tests.conftest import PORTAL_LOGIN
from tests.github_stand_in.driver import Driver
from tests.pages.scenes import BACKEND, NOW


class TestWho:
    def test_strangers_sign_in_first(self, db: None) -> None:
        assert "/sign-in/" in browser(None).get("/events/new/")["Location"]

    def test_everybody_else_is_told_who_may(self, olga: Person) -> None:
        bob = Person.objects.create(login="bob", github_id=42)
        User.objects.create(username="bob", person=bob)
        page = browser(bob).get("/events/new/")
        assert page.status_code == 403
        assert "people who organize one already" in page.content.decode()
        assert b"/events/new/" not in browser(bob).get("/").content
        assert b"/events/new/" in browser(olga).get("/").content

    def test_a_draft_is_its_owners_alone(self, olga: Person) -> None:
        draft = begin(browser(olga), text=BODY, repository="harbor/lantern")
        staff = User.objects.create(username="root", is_staff=True)
        other = Client()
        other.force_login(staff, backend=BACKEND)
        assert other.get(f"/events/new/{draft.pk}/")["Location"] == "/events/new/"
        assert ImportDraft.objects.filter(pk=draft.pk).exists()


class TestAnIssue:
    def test_it_becomes_a_draft_of_an_event(self, olga: Person, lantern: Driver) -> None:
        client = browser(olga)
        draft = begin(client, issue="https://github.com/harbor/lantern/issues/7")
        page = client.get(f"/events/new/{draft.pk}/").content.decode()
        assert "灯塔计划" in page
        assert "not read" in page  # the column 进度 is none that we know
        answer = post(client, draft, "create")
        event = Event.objects.get(slug="lights")
        assert answer["Location"] == "/events/lights/organize/"
        assert (event.status, event.title_aliases) == ("draft", ["Lamp No.", "Lamps"])
        assert event.closes_at.isoformat() == "2026-04-30T16:00:00+00:00"  # type: ignore[union-attr]
        assert list(event.roles.values_list("person__login", "role")) == [("olga", "organizer")]
        assert event.rewards.get().pool.name == "灯油"
        assert Person.objects.get(login="moss07").is_resolved
        assert lantern.get_issue("harbor/lantern", 7)["body"] == BODY
        assert not Completion.objects.exists()
        assert not OutboxMessage.objects.filter(kind="write_table").exists()

    def test_corrections_hold_for_the_event(self, olga: Person, lantern: Driver) -> None:
        client = browser(olga)
        draft = begin(client, issue="harbor/lantern#7")
        corrected = {
            "column_key": ["进度", "题目"],
            "column": ["state", "-"],
            "mark_key": ["✅", "搞定"],
            "mark": ["approved", "done"],
            "section_key": ["甲组"],
            "section_heading": ["甲组"],
            "section": ["Lights"],
            "name_key": ["见下方"],
            "name_what": ["nothing"],
            "name_login": [""],
        }
        assert post(client, draft, "read", **corrected).status_code == 302
        page = client.get(f"/events/new/{draft.pk}/").content.decode()
        assert 'value="灯塔计划"' in page  # the form is as it was filled in
        post(client, draft, "create", **corrected)
        issue = TrackingIssue.objects.get(event__slug="lights")
        assert issue.reading_choices["names"] == {"见下方": ""}
        tasks = {task.number: task for task in Task.objects.filter(tracking_issue=issue)}
        assert {task.direction.name for task in tasks.values() if task.direction} == {"Lights"}
        assert not Claim.objects.filter(task=tasks["2"]).exists()
        assert (tasks["3"].stated_mark, Claim.objects.get(task=tasks["3"]).standing) == ("done", "approved")

    def test_two_clicks_make_one_event(self, olga: Person, lantern: Driver) -> None:
        client = browser(olga)
        draft = begin(client, issue="harbor/lantern#7")
        for _click in range(2):
            assert post(client, draft, "create")["Location"] == "/events/lights/organize/"
        assert Event.objects.filter(slug="lights").count() == 1
        assert client.get(f"/events/new/{draft.pk}/")["Location"] == "/events/lights/organize/"

    def test_an_issue_and_a_name_are_one_event(self, olga: Person, lantern: Driver) -> None:
        client = browser(olga)
        post(client, begin(client, issue="harbor/lantern#7"), "create")
        again = begin(client, issue="HARBOR/lantern#7")
        assert client.get(f"/events/new/{again.pk}/")["Location"] == f"/events/new/{again.pk}/lights/"
        page = client.get(f"/events/new/{again.pk}/?as=new").content.decode()
        assert "carries 灯塔计划 already" in page
        twin = post(client, again, "create", slug="more-lights")
        assert twin.status_code == 409
        assert "called 灯塔计划 already" in twin.content.decode()
        assert post(client, again, "create", slug="more-lights", name="灯塔计划二").status_code == 302
        assert TrackingIssue.objects.filter(number=7).count() == 2

    @pytest.mark.parametrize(
        ("issue", "words"),
        [
            ("nonsense", "is no issue at"),
            ("https://gitlab.example/harbor/lantern/issues/7", "is no issue at"),
            ("https://github.com/harbor/lantern/pull/7", "leads to a pull request"),
            ("https://github.com/harbor/lantern/pull/7/files", "is no issue at"),
            ("https://github.com/harbor/lantern/discussions/7", "leads to a discussion"),
            ("harbor/lantern#8", "is a pull request"),
            ("harbor/nothing#1", "GitHub does not know"),
            ("harbor/lantern#999", "GitHub does not know"),
            ("", "Give the address of an issue"),
        ],
    )
    def test_a_wrong_address_is_told(self, olga: Person, lantern: Driver, issue: str, words: str) -> None:
        answer = browser(olga).post("/events/new/", {"issue": issue})
        assert answer.status_code == 409
        assert words in answer.content.decode()
        assert not ImportDraft.objects.exists()

    def test_a_private_repository_is_for_the_staff(self, olga: Person, lantern: Driver) -> None:
        lantern.create_repository("harbor/secret", private=True)
        lantern.set_permission("harbor/secret", PORTAL_LOGIN, "read")
        lantern.create_issue("harbor/secret", "hidden", BODY, "mei", 1)
        answer = browser(olga).post("/events/new/", {"issue": "harbor/secret#1"})
        assert "is private" in answer.content.decode()
        assert not ImportDraft.objects.exists()

    def test_github_that_does_not_answer_is_told(self, olga: Person, settings: Any) -> None:
        settings.GITHUB_API_URL, settings.GITHUB_TIMEOUT = "http://127.0.0.1:9", 1
        answer = browser(olga).post("/events/new/", {"issue": "harbor/lantern#7"})
        assert "does not answer" in answer.content.decode()


class TestAText:
    def test_hostile_text_stays_text(self, olga: Person, driver: Driver) -> None:
        hostile = "<script>alert(1)</script> {{ x }} @everyone `|` \x00"
        body = f"# {hostile}\n| 题目 {hostile} | 题目 | 认领人 |\n|-|-|-|\n| {hostile} | {hostile} | {hostile} |\n"
        client = browser(olga)
        draft = begin(client, text=body, repository="harbor/lantern")
        page = client.get(f"/events/new/{draft.pk}/").content.decode()
        assert "<script>alert" not in page
        assert "&lt;script&gt;" in page
        assert post(client, draft, "create").status_code == 302
        assert TrackingIssue.objects.get(event__slug="lights").number is None

    def test_a_text_may_be_as_long_as_github_s(self, olga: Person) -> None:
        rows = "| 题目 | 认领人 |\n|-|-|\n| 甲 | |\n"
        client = browser(olga)
        draft = begin(client, text=rows + "字" * (65_536 - len(rows)), repository="harbor/lantern")
        assert len(draft.body) == 65_536
        answer = client.post("/events/new/", {"text": "字" * 65_537, "repository": "harbor/lantern"})
        assert answer.status_code == 409
        assert "65537 characters" in answer.content.decode().replace(",", "")

    def test_it_wants_to_know_the_repository(self, olga: Person) -> None:
        answer = browser(olga).post("/events/new/", {"text": BODY})
        assert "Say which repository" in answer.content.decode()

    def test_a_table_that_we_do_not_know_is_read_as_it_is_told(self, olga: Person, driver: Driver) -> None:
        client = browser(olga)
        draft = begin(client, text="| 事 | 谁 |\n|-|-|\n| 灯 | @moss07 |\n", repository="harbor/lantern")
        page = client.get(f"/events/new/{draft.pk}/").content.decode()
        assert "No task list was found" in page
        assert post(client, draft, "create").status_code == 409
        post(client, draft, "create", column_key=["事", "谁"], column=["title", "claimants"])
        assert Claim.objects.get(task__event__slug="lights").person.login == "moss07"  # type: ignore[union-attr]

    def test_what_autotable_was_told_is_taken_over(self, olga: Person) -> None:
        told = '<!--repo="harbor/buoy"-->\n<!--start_pull_time="2024-6-27"-->\n' + BODY
        client = browser(olga)
        draft = begin(client, text=told, repository="harbor/lantern")
        page = client.get(f"/events/new/{draft.pk}/").content.decode()
        assert "autoTable" in page
        assert "harbor/buoy</textarea>" in page
        assert 'value="2024-06-27"' in page

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("slug", "new"),
            ("slug", "other"),
            ("slug", "a b"),
            ("time_zone", "Moon/Sea"),
            ("closes", "2026-01-01"),
            ("closes", "9999-12-31"),
            ("opens", "0001-01-01"),
            ("repositories", "not a repository!"),
            ("amount", ""),
            ("name", ""),
        ],
    )
    def test_a_form_that_cannot_be_is_told(self, olga: Person, field: str, value: str) -> None:
        client = browser(olga)
        draft = begin(client, text=BODY, repository="harbor/lantern")
        assert post(client, draft, "create", **{field: value}).status_code == 409
        assert Event.objects.count() == 1

    def test_a_pool_of_others_is_not_theirs_to_spend(self, olga: Person, driver: Driver) -> None:
        from rewards import pools

        pools.create_pool(name="灯油", unit="point", acting_user=None, now=NOW)  # type: ignore[arg-type]
        client = browser(olga)
        answer = post(client, begin(client, text=BODY, repository="harbor/lantern"), "create")
        assert "pays for events of others" in answer.content.decode()
        assert Event.objects.count() == 1

    def test_a_stale_draft_is_told(self, olga: Person) -> None:
        client = browser(olga)
        draft = begin(client, text=BODY, repository="harbor/lantern")
        ImportDraft.objects.update(created_at=draft.created_at - timedelta(days=8))
        for answer in (client.get(f"/events/new/{draft.pk}/", follow=True), post(client, draft, "create")):
            assert answer.status_code in (200, 302)
        assert Event.objects.count() == 1
        assert "not there any more" in client.get(f"/events/new/{draft.pk}/", follow=True).content.decode()

    def test_a_draft_can_be_forgotten(self, olga: Person) -> None:
        client = browser(olga)
        draft = begin(client, text=BODY, repository="harbor/lantern")
        post(client, draft, "discard")
        assert not ImportDraft.objects.exists()


class TestAConfiguration:
    ENTRY = {
        "issue_name": "Lights",
        "issue_url": "https://api.github.com/repos/harbor/lantern/issues/7",
        "repo_urls": ["https://github.com/harbor/buoy/pulls"],
        "start_time": "2024-03-01T00:00:00Z",
        "type_names": ["Lamps"],
        "task_types": [["1-2"]],
        "removed_tasks": [3],
        "pr_prefix": "Lights No.",
    }

    def test_one_of_several_is_chosen(self, olga: Person, lantern: Driver) -> None:
        client = browser(olga)
        file = SimpleUploadedFile("events.json", json.dumps([{"nothing": 1}, self.ENTRY]).encode())
        draft = begin(client, file=file)
        assert "Name no issue or no event" in client.get(f"/events/new/{draft.pk}/").content.decode()
        draft = take(client, draft, 2)
        page = client.get(f"/events/new/{draft.pk}/").content.decode()
        assert "Lamps · 2" in page
        assert 'value="Lights No."' in page
        post(client, draft, "create")
        issue = TrackingIssue.objects.get(event__slug="lights")
        assert issue.configuration["name"] == "Lights"
        assert Task.objects.get(tracking_issue=issue, number="3").is_removed
        assert [d.name for d in Task.objects.get(tracking_issue=issue, number="1").also_in.all()] == ["Lamps"]

    @pytest.mark.parametrize("entry", ["1", "0", "-1", "9", "x", ""])
    def test_an_entry_that_cannot_be_is_told(self, olga: Person, lantern: Driver, entry: str) -> None:
        client = browser(olga)
        draft = begin(client, text=json.dumps([{"nothing": 1}, self.ENTRY]))
        client.post(f"/events/new/{draft.pk}/", {"action": "entry", "entry": entry})
        assert list(ImportDraft.objects.all()) == [draft]

    @pytest.mark.parametrize("text", ["[{", '{"a": ', "[]", "[" + "{}," * 600 + "{}]"])
    def test_broken_ones_are_told(self, olga: Person, text: str) -> None:
        answer = browser(olga).post("/events/new/", {"text": text})
        assert answer.status_code == 409
        assert not ImportDraft.objects.exists()


def test_the_preview_takes_as_many_queries_for_more_rows(olga: Person) -> None:
    def queries(rows: int) -> int:
        client = browser(olga)
        body = "| 题目 | 认领人 |\n|-|-|\n" + "".join(f"| 题 {n} | @moss{n} |\n" for n in range(rows))
        draft = begin(client, text=body, repository="harbor/lantern")
        with CaptureQueriesContext(connection) as counted:
            assert client.get(f"/events/new/{draft.pk}/").status_code == 200
        return len(counted)

    assert queries(2) == queries(200)
