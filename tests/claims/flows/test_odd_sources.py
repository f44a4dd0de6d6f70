"""What people give the wizard by mistake or by chance: it is read, or they are told what to do, and nothing typed is lost."""

import io
import json
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from claims.births import sources
from claims.models import ImportDraft
from portal.models import Person
from tasks_board.models import Event, Task, TrackingIssue
from tests.claims.flows.births import BODY, ENTRY, NEWER, begin, browser, confirm, page, post
from tests.conftest import PORTAL_LOGIN
from tests.github_stand_in.driver import Driver


def refused(client: Client, **fields: Any) -> str:
    answer = client.post("/events/new/", fields)
    assert answer.status_code == 409
    assert not ImportDraft.objects.exists()
    return answer.content.decode()


class TestAddresses:
    @pytest.mark.parametrize(
        "written",
        [
            "harbor/lantern#7",
            "harbor/lantern/issues/7",
            "https://github.com/harbor/lantern/issues/7#issuecomment-123",
            "https://github.com/harbor/lantern/issues/7?notification_referrer_id=x#event-1",
            "http://www.github.com/harbor/lantern/issues/7/",
            "github.com/harbor/lantern/issues/7",
            "https://api.github.com/repos/harbor/lantern/issues/7",
            "<https://github.com/harbor/lantern/issues/7>.",
            "  HARBOR/Lantern#7  ",
            "https://github.com/HARBOR/Lantern/issues/0007",
        ],
    )
    def test_one_issue_has_many(self, written: str) -> None:
        address = sources.need_address(written)
        assert (address.repository.lower(), address.number) == ("harbor/lantern", 7)

    @pytest.mark.parametrize(
        ("written", "said"),
        [
            ("https://github.com/harbor/lantern/pull/7#discussion_r5", "leads to a pull request"),
            ("https://api.github.com/repos/harbor/lantern/pulls/7", "leads to a pull request"),
            ("https://github.com/orgs/harbor/discussions/7", "leads to a discussion"),
            ("https://github.com/harbor/lantern/discussions/7", "leads to a discussion"),
            ("https://github.com/harbor/lantern/issues", "is no issue at"),
            ("https://evil.example/harbor/lantern/issues/7", "is no issue at"),
            ("https://github.com.evil.example/harbor/lantern/issues/7", "is no issue at"),
            ("harbor/lantern#", "is no issue at"),
            ("javascript:alert(1)", "is no issue at"),
            ("#7", "is no issue at"),
        ],
    )
    def test_what_is_none_says_what_it_is(self, olga: Person, written: str, said: str) -> None:
        html = refused(browser(olga), issue=written)
        assert said in html
        assert 'value="' + written.replace("'", "&#x27;") + '"' in html  # it stands there to be mended

    def test_the_spelling_is_githubs(self, olga: Person, lantern: Driver) -> None:
        draft = begin(browser(olga), issue="HARBOR/LANTERN#7")
        assert draft.repository == "harbor/lantern"

    def test_a_comment_s_address_says_what_is_read(self, olga: Person, lantern: Driver) -> None:
        client = browser(olga)
        address = "https://github.com/harbor/lantern/issues/7#issuecomment-1"
        answer = client.post("/events/new/", {"issue": address}, follow=True)
        assert "The address leads to a comment" in answer.content.decode()

    def test_a_closed_issue_is_read_and_said(self, olga: Person, lantern: Driver) -> None:
        lantern.close("harbor/lantern", 7, "mei")
        answer = browser(olga).post("/events/new/", {"issue": "harbor/lantern#7"}, follow=True)
        assert "is closed at GitHub" in answer.content.decode()

    def test_an_event_follows_its_repository(self, lights: TrackingIssue, lantern: Driver) -> None:
        lantern.rename_repository("harbor/lantern", "lighthouse", "mei")
        client = browser(Person.objects.get(login="olga"))
        draft = begin(client, issue="https://github.com/harbor/lantern/issues/7")
        assert draft.repository == "harbor/lighthouse"
        assert client.get(f"/events/new/{draft.pk}/")["Location"] == f"/events/new/{draft.pk}/lights/"
        lights.refresh_from_db()
        assert (lights.repository, lights.former_addresses) == ("harbor/lighthouse", ["harbor/lantern#7"])

    def test_an_event_follows_its_issue(self, lights: TrackingIssue, lantern: Driver) -> None:
        lantern.create_repository("harbor/tower")
        moved = lantern.transfer_issue("harbor/lantern", 7, "harbor/tower", "mei")
        client = browser(Person.objects.get(login="olga"))
        draft = begin(client, issue="https://github.com/harbor/lantern/issues/7")
        assert (draft.repository, draft.number) == ("harbor/tower", moved["number"])
        assert client.get(f"/events/new/{draft.pk}/")["Location"] == f"/events/new/{draft.pk}/lights/"

    def test_one_that_went_behind_a_door_stays_there(self, olga: Person, lantern: Driver) -> None:
        lantern.create_repository("harbor/secret", private=True)
        lantern.set_permission("harbor/secret", PORTAL_LOGIN, "read")
        lantern.transfer_issue("harbor/lantern", 7, "harbor/secret", "mei")
        assert "is private" in refused(browser(olga), issue="harbor/lantern#7")

    def test_a_private_issue_does_not_come_in_by_another_door(
        self, lights: TrackingIssue, lantern: Driver
    ) -> None:
        lantern.create_repository("harbor/secret", private=True)
        lantern.set_permission("harbor/secret", PORTAL_LOGIN, "read")
        lantern.create_issue("harbor/secret", "hidden", BODY, "mei", 1)
        client = browser(Person.objects.get(login="olga"))
        pasted = client.post("/events/new/", {"text": BODY, "issue": "harbor/secret#1"})
        assert "is private" in pasted.content.decode()
        shown = client.get("/events/lights/organize/issues/?issue=harbor/secret%231")
        assert "is private" in shown.content.decode()
        client.post("/events/lights/organize/issues/add", {"issue": "harbor/secret#1"})
        assert not TrackingIssue.objects.filter(repository="harbor/secret").exists()

    def test_a_limit_at_github_keeps_what_was_typed(self, olga: Person, lantern: Driver) -> None:
        lantern.add_fault("primary_limit", count=9, path="/repos/")
        html = refused(browser(olga), issue="harbor/lantern#7", text=BODY)
        assert "try again in a few minutes" in html
        assert 'value="harbor/lantern#7"' in html
        assert "| 1 | 灯 | @moss07 | |" in html


class TestFiles:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gbk", "gb18030"])
    def test_a_text_in_any_usual_encoding(self, olga: Person, encoding: str) -> None:
        file = SimpleUploadedFile("lights.md", BODY.replace("\n", "\r\n").replace("✅", "").encode(encoding))
        client = browser(olga)
        answer = client.post("/events/new/", {"file": file, "repository": "harbor/lantern"}, follow=True)
        assert ImportDraft.objects.get().body == BODY.replace("✅", "")
        told = "it was converted" in answer.content.decode()
        assert told is not encoding.startswith("utf-8")

    def test_a_configuration_in_another_encoding(self, olga: Person, lantern: Driver) -> None:
        entry = {**ENTRY, "issue_name": "灯"}
        data = json.dumps(entry, ensure_ascii=False).encode("utf-16")
        draft = begin(browser(olga), file=SimpleUploadedFile("events.json", data))
        assert draft.entry["issue_name"] == "灯"

    @pytest.mark.parametrize(
        ("name", "data", "said"),
        [
            ("tasks.xlsx", b"PK\x03\x04...", "This is a spreadsheet or another document"),
            ("tasks.md", b"PK\x03\x04...", "This is a spreadsheet or another document"),
            ("tasks.xls", b"\xd0\xcf\x11\xe0", "This is a spreadsheet or another document"),
            ("photo.png", b"\x89PNG\r\n\x1a\n\x00\x00", "not text in UTF-8, UTF-16 or GBK"),
            ("half.txt", b"\xff\xfea", "not text in UTF-8, UTF-16 or GBK"),
            ("big.md", b"x" * 4_000_001, "too long"),
        ],
    )
    def test_what_is_no_text_is_told(self, olga: Person, name: str, data: bytes, said: str) -> None:
        html = refused(browser(olga), file=SimpleUploadedFile(name, data), repository="harbor/lantern")
        assert said in html
        assert 'value="harbor/lantern"' in html

    def test_a_bomb_is_not_unpacked(self, olga: Person) -> None:
        bomb = io.BytesIO()
        with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("xl/worksheets/sheet1.xml", b"0" * 50_000_000)
        file = SimpleUploadedFile("tasks.md", bomb.getvalue())
        assert "This is a spreadsheet" in refused(browser(olga), file=file)

    def test_a_file_that_is_refused_stands_in_the_text(self, olga: Person) -> None:
        html = refused(browser(olga), file=SimpleUploadedFile("lights.md", BODY.encode()))
        assert "Say which repository" in html
        assert "| 1 | 灯 | @moss07 | |" in html

    def test_one_of_two_is_not_dropped(self, olga: Person) -> None:
        html = refused(browser(olga), text="a", file=SimpleUploadedFile("b.md", b"b"))
        assert "Give the text or the file, not both" in html

    def test_a_long_text_is_kept_whole(self, olga: Person) -> None:
        html = refused(browser(olga), text=BODY + "字" * 70_000 + "END", repository="harbor/lantern")
        assert "字END" in html


class TestTexts:
    def test_without_a_table(self, olga: Person) -> None:
        client = browser(olga)
        draft = begin(client, text="# Only words\n\nNothing to do.", repository="harbor/lantern")
        html = client.get(f"/events/new/{draft.pk}/").content.decode()
        assert "There is no table in this text" in html
        assert 'value="create"' not in html

    def test_with_two_tables(self, olga: Person, driver: Driver) -> None:
        client = browser(olga)
        draft = begin(
            client,
            text=BODY + "\n## 乙组\n\n| 题目 | 认领人 |\n|-|-|\n| 桥 | |\n",
            repository="harbor/lantern",
        )
        post(client, draft, "create")
        numbers = (
            Task.objects.filter(event__slug="lights").order_by("position").values_list("title", flat=True)
        )
        assert list(numbers) == ["灯", "塔", "标", "桥"]

    def test_an_address_and_another_repository(self, olga: Person) -> None:
        html = refused(browser(olga), text=BODY, issue="harbor/lantern#7", repository="harbor/buoy")
        assert "Leave one of the two out" in html

    def test_a_configuration_and_an_address(self, olga: Person, lantern: Driver) -> None:
        client = browser(olga)
        other = {**ENTRY, "issue_url": "https://github.com/harbor/lantern/issues/9"}
        draft = begin(client, text=json.dumps([other, ENTRY]), issue="harbor/lantern#7")
        assert draft.number == 7
        html = client.post("/events/new/", {"text": json.dumps([other]), "issue": "harbor/lantern#7"})
        assert "has no entry about harbor/lantern#7" in html.content.decode()


class TestTabs:
    def test_two_that_begin_make_two_drafts_and_one_event(self, olga: Person, lantern: Driver) -> None:
        client = browser(olga)
        one, other = (begin(client, issue="harbor/lantern#7") for _ in range(2))
        assert post(client, one, "create").status_code == 302
        answer = post(client, other, "create", slug="lights-2")
        assert answer.status_code == 409
        assert "called 灯塔计划 already" in answer.content.decode()
        assert Event.objects.filter(tracking_issues__number=7).count() == 1
        assert client.get(f"/events/new/{other.pk}/")["Location"] == f"/events/new/{other.pk}/lights/"

    def test_what_one_tab_chose_is_not_the_other_s(self, lights: TrackingIssue, lantern: Driver) -> None:
        client = browser(Person.objects.get(login="olga"))
        lantern.edit_issue("harbor/lantern", 7, "mei", NEWER)
        one, other = (begin(client, issue="harbor/lantern#7") for _ in range(2))
        first, second = page(client, one), page(client, other)
        assert confirm(client, one, first).status_code == 302
        answer = confirm(client, other, second)
        assert answer.status_code == 409
        assert "The event changed since you looked" in answer.content.decode()
        assert "Nothing would change" in answer.content.decode()

    def test_a_draft_of_a_new_event_keeps_its_form_beside(self, lights: TrackingIssue) -> None:
        client = browser(Person.objects.get(login="olga"))
        draft = begin(client, issue="harbor/lantern#7")
        post(client, draft, "read", name="Another name")
        client.post(f"/events/new/{draft.pk}/lights/", {"action": "read"})
        html = client.get(f"/events/new/{draft.pk}/?as=new").content.decode()
        assert 'value="Another name"' in html
