"""A configuration of several entries is given once: one event after another is set up or revised from it."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from claims.models import ImportDraft
from claims.operations import drafting
from portal.models import Person, User
from tasks_board.models import Event, EventRole, TrackingIssue
from tests.claims.flows.births import BODY, ENTRY, begin, browser, confirm, page, post, take, words
from tests.github_stand_in.driver import Driver
from tests.pages.scenes import BACKEND, NOW

FILE = Path("tests/cases/hackathonbot_events.json")
BUOYS = {**ENTRY, "issue_name": "Buoys", "pr_prefix": "Buoy No."}
FIRST = {**ENTRY, "issue_name": "灯塔计划"}
LATER = {**FIRST, "pr_prefix": "Beam No."}


def give(client: Client, *entries: Any) -> ImportDraft:
    return begin(client, file=SimpleUploadedFile("events.json", json.dumps(entries).encode()))


def listed(client: Client, file: ImportDraft) -> str:
    answer = client.get(f"/events/new/{file.pk}/")
    assert answer.status_code == 200, answer.get("Location")
    return words(answer.content.decode())


class TestOneAfterAnother:
    def test_after_one_the_others_are_offered(self, olga: Person, lantern: Driver) -> None:
        client = browser(olga)
        file = give(client, ENTRY, BUOYS, FIRST)
        answer = post(client, take(client, file, 1), "create", slug="lights", name="Lights")
        assert answer["Location"] == f"/events/new/{file.pk}/?after=lights"
        said = words(client.get(answer["Location"]).content.decode())
        assert "This file holds 2 more entries to look at. Go to Lights instead" in said
        assert "1. Lights harbor/lantern#7 · Lights No. stands like this See what would change" in said
        assert "2. Buoys harbor/lantern#7 · Buoy No. new Set it up" in said

    def test_the_last_one_leads_to_its_event(self, olga: Person, lantern: Driver) -> None:
        client = browser(olga)
        file = give(client, ENTRY, BUOYS, {"nothing": 1})
        post(client, take(client, file, 1), "create", slug="lights", name="Lights")
        answer = post(client, take(client, file, 2), "create", slug="buoys", name="Buoys")
        assert answer["Location"] == "/events/buoys/organize/"
        assert "Everything that can be read of this file stands already" in listed(client, file)
        names = TrackingIssue.objects.filter(number=7).values_list("configuration__name", flat=True)
        assert set(names) == {"Lights", "Buoys"}

    def test_a_draft_that_is_forgotten_leads_back(self, olga: Person, lantern: Driver) -> None:
        client = browser(olga)
        file = give(client, ENTRY, BUOYS)
        draft = take(client, file, 1)
        assert "begun Go on" in listed(client, file)
        assert post(client, draft, "discard")["Location"] == f"/events/new/{file.pk}/"
        assert "begun" not in listed(client, file)
        assert client.post(f"/events/new/{file.pk}/", {"action": "discard"})["Location"] == "/events/new/"
        assert not ImportDraft.objects.exists()

    def test_a_file_that_is_forgotten_leaves_what_is_begun(self, olga: Person, lantern: Driver) -> None:
        client = browser(olga)
        file = give(client, ENTRY, BUOYS)
        draft = take(client, file, 1)
        client.post(f"/events/new/{file.pk}/", {"action": "discard"})
        assert "Other entries of this file" not in client.get(f"/events/new/{draft.pk}/").content.decode()
        assert post(client, draft, "create")["Location"] == "/events/lights/organize/"

    def test_one_that_stands_is_revised_and_leads_on(self, lights: TrackingIssue) -> None:
        client = browser(Person.objects.get(login="olga"))
        file = give(client, FIRST, BUOYS)
        draft = take(client, file, 1)
        assert client.get(f"/events/new/{draft.pk}/")["Location"] == f"/events/new/{draft.pk}/lights/"
        answer = confirm(client, draft, page(client, draft))
        assert answer["Location"] == f"/events/new/{file.pk}/?after=lights"
        assert "1. 灯塔计划 harbor/lantern#7 · Lights No. stands like this" in listed(client, file)

    def test_the_file_is_found_again(self, olga: Person, lantern: Driver) -> None:
        client = browser(olga)
        file = give(client, ENTRY, BUOYS)
        said = client.get("/events/new/").content.decode()
        assert f'href="/events/new/{file.pk}/">events.json</a>' in said
        assert "2 entries" in words(said)


class TestRevisionsInTheFile:
    def test_they_are_taken_in_their_order(self, olga: Person, lantern: Driver) -> None:
        client = browser(olga)
        file = give(client, FIRST, LATER)
        assert "new Entry 2 revises it: take them in this order" in listed(client, file)
        post(client, take(client, file, 1), "create", title_prefix="Lights No.")
        said = listed(client, file)
        assert "1. 灯塔计划 harbor/lantern#7 · Lights No. stands like this" in said
        assert "2. 灯塔计划 harbor/lantern#7 · Beam No. stands, and differs" in said
        draft = take(client, file, 2)
        answer = confirm(client, draft, page(client, draft))
        assert answer["Location"] == "/events/lights/organize/"
        event = Event.objects.get(slug="lights")
        assert (event.title_prefix, "Lights No." in event.title_aliases) == ("Beam No.", True)
        assert "Entry 2 revised it since" in listed(client, file)

    def test_one_that_a_later_one_revised_is_not_left_to_do(self, olga: Person, lantern: Driver) -> None:
        client = browser(olga)
        file = give(client, FIRST, LATER, FIRST | {"pr_prefix": "Ray No."})
        post(client, take(client, file, 2), "create")
        said = listed(client, file)
        assert "To look at 1 3. 灯塔计划" in said
        assert "Entry 2 revised it since" in said

    def test_the_same_twice_is_settled_at_once(self, olga: Person, lantern: Driver) -> None:
        client = browser(olga)
        file = give(client, FIRST, FIRST)
        assert post(client, take(client, file, 2), "create")["Location"] == "/events/lights/organize/"
        assert "Stored already 2" in listed(client, file)


class TestTabs:
    def test_an_entry_that_is_taken_twice_has_one_draft(self, olga: Person, lantern: Driver) -> None:
        client = browser(olga)
        file = give(client, ENTRY, BUOYS)
        draft = take(client, file, 1)
        post(client, draft, "read", name="Harbour lights")
        assert take(client, file, 1) == draft
        assert "Harbour lights" in client.get(f"/events/new/{draft.pk}/?as=new").content.decode()

    def test_two_entries_at_once_do_not_meet(self, olga: Person, lantern: Driver) -> None:
        client = browser(olga)
        file = give(client, ENTRY, BUOYS)
        one, other = take(client, file, 1), take(client, file, 2)
        post(client, one, "create", slug="lights", name="Lights")
        post(client, other, "create", slug="buoys", name="Buoys")
        told = {
            text.event.slug: text.configuration["name"] for text in TrackingIssue.objects.filter(number=7)
        }
        assert told == {"lights": "Lights", "buoys": "Buoys"}

    def test_a_second_click_leads_on_too(self, olga: Person, lantern: Driver) -> None:
        client = browser(olga)
        file = give(client, ENTRY, BUOYS)
        draft = take(client, file, 1)
        for _click in range(2):
            answer = post(client, draft, "create", slug="lights", name="Lights")
            assert answer["Location"] == f"/events/new/{file.pk}/?after=lights"
        assert "This draft was used already" in client.get(answer["Location"]).content.decode()
        assert Event.objects.filter(tracking_issues__number=7).count() == 1

    def test_a_list_that_is_old_by_now_leads_to_what_stands(self, olga: Person, lantern: Driver) -> None:
        client = browser(olga)
        file = give(client, ENTRY, BUOYS)
        post(client, take(client, file, 1), "create", slug="lights", name="Lights")
        again = take(client, file, 1)
        assert client.get(f"/events/new/{again.pk}/")["Location"] == f"/events/new/{again.pk}/lights/"
        assert "Nothing would change" in page(client, again)

    @pytest.mark.parametrize("action", ["create", "read", "revise", "nonsense", ""])
    def test_a_file_is_no_event(self, olga: Person, lantern: Driver, action: str) -> None:
        client = browser(olga)
        file = give(client, ENTRY, BUOYS)
        answer = post(client, file, action)
        assert "Choose one of the entries" in client.get(answer["Location"]).content.decode()
        assert client.get(f"/events/new/{file.pk}/other/")["Location"] == f"/events/new/{file.pk}/"
        assert Event.objects.count() == 1


class TestOddEntries:
    @pytest.mark.parametrize("number", ["NaN", "1e999", "-Infinity"])
    def test_numbers_that_are_none(self, olga: Person, number: str) -> None:
        text = json.dumps(ENTRY)[:-1] + f', "max_task_id": {number}}}'
        answer = browser(olga).post("/events/new/", {"text": f"[{text}, {text}]"})
        assert answer.status_code == 409
        assert f"{number} is no number" in answer.content.decode()
        assert not ImportDraft.objects.exists()

    def test_an_issue_of_another_host_is_none_of_ours(self, olga: Person, lantern: Driver) -> None:
        client = browser(olga)
        elsewhere = {**ENTRY, "issue_url": "https://gitlab.example/harbor/lantern/issues/7"}
        answer = client.post("/events/new/", {"text": json.dumps(elsewhere)})
        assert answer.status_code == 409
        assert "gitlab.example/harbor/lantern/issues/7” is no issue at" in answer.content.decode()
        file = give(client, elsewhere, ENTRY)
        told = client.post(f"/events/new/{file.pk}/", {"action": "entry", "entry": "1"}, follow=True)
        assert "is no issue at" in told.content.decode()
        assert list(ImportDraft.objects.all()) == [file]

    def test_entries_of_every_wrong_type_are_read_as_far_as_they_go(
        self, olga: Person, lantern: Driver
    ) -> None:
        wrong = {
            **ENTRY,
            "repo_urls": "https://github.com/a/b",
            "start_time": {"at": 1},
            "pr_prefix": ["a"],
            "type_names": [None, {"a": 1}, 7],
            "task_types": [True, {"a": [1]}, "1-3", 5],
            "removed_tasks": {"a": 1},
            "un_handle_tasks": "5",
            "max_task_id": 1.5,
            "colour": "red",
        }
        client = browser(olga)
        file = give(client, wrong, [1], None, "text", {"issue_name": "x" * 900})
        said = listed(client, file)
        assert "A field that nobody knows is left out: colour" in said
        assert "A list was expected, and the field is left out: repo_urls" in said
        assert "Name no issue or no event 4" in said
        assert post(client, take(client, file, 1), "create")["Location"] == "/events/lights/organize/"


class TestHowLong:
    def test_a_file_outlives_more_drafts_than_are_kept(self, olga: Person, lantern: Driver) -> None:
        client = browser(olga)
        many = [{**ENTRY, "issue_name": f"Light {n}"} for n in range(drafting.MOST_DRAFTS + 3)]
        file = give(client, *many)
        for place in range(1, len(many) + 1):
            take(client, file, place)
        assert ImportDraft.objects.filter(pk=file.pk).exists()
        assert ImportDraft.objects.count() == drafting.MOST_DRAFTS + 1

    def test_what_is_used_up_goes_before_what_is_begun(self, olga: Person, lantern: Driver) -> None:
        client = browser(olga)
        begun = begin(client, text=BODY, repository="harbor/lantern")
        used = begin(client, text=BODY, repository="harbor/buoy")
        ImportDraft.objects.filter(pk=used.pk).update(event=Event.objects.get(slug="other"))
        for _ in range(drafting.MOST_DRAFTS - 1):
            begin(client, text=BODY, repository="harbor/lantern")
        assert set(ImportDraft.objects.filter(pk__in=[begun.pk, used.pk])) == {begun}

    def test_seven_days_after_it_was_given(self, olga: Person, lantern: Driver) -> None:
        client = browser(olga)
        file = give(client, ENTRY, BUOYS)
        draft = take(client, file, 1)
        ImportDraft.objects.filter(pk=file.pk).update(created_at=file.created_at - timedelta(days=8))
        gone = client.get(f"/events/new/{file.pk}/", follow=True).content.decode()
        assert "This draft is not there any more" in gone
        assert post(client, draft, "create")["Location"] == "/events/lights/organize/"


class TestOfOthers:
    def test_what_stands_and_is_not_theirs_is_said_and_what_is_hidden_is_not(
        self, lights: TrackingIssue
    ) -> None:
        pia = Person.objects.create(login="pia", github_id=42)
        User.objects.create(username="pia", person=pia)
        EventRole.objects.create(
            event=Event.objects.get(slug="other"), person=pia, role="organizer", granted_at=NOW
        )
        client = browser(pia)
        file = give(client, FIRST, BUOYS)
        assert "1. 灯塔计划 harbor/lantern#7 · Lights No. new" in listed(client, file)
        Event.objects.filter(slug="lights").update(status="running")
        assert "stands; its organizers revise it Make another event" in listed(client, file)
        assert browser(Person.objects.get(login="olga")).get(f"/events/new/{file.pk}/")["Location"] == (
            "/events/new/"
        )

    def test_staff_know_what_they_made_for_others(self, olga: Person, lantern: Driver) -> None:
        staff = User.objects.create(username="root", is_staff=True)
        client = browser(None)
        client.force_login(staff, backend=BACKEND)
        file = give(client, ENTRY, {**ENTRY, "pr_prefix": "Ray No."}, BUOYS)
        answer = post(
            client, take(client, file, 1), "create", slug="lights", name="Lights", organizers="olga"
        )
        assert answer["Location"] == f"/events/new/{file.pk}/?after=lights"
        said = words(client.get(answer["Location"]).content.decode())
        assert "This file holds 1 more entry to look at" in said
        assert "Go to Lights" not in said
        assert "Stored already 2" in said
        answer = post(client, take(client, file, 3), "create", slug="buoys", name="Buoys", organizers="olga")
        assert answer["Location"] == "/"

    def test_an_event_whose_issue_moved_is_known(self, lights: TrackingIssue) -> None:
        TrackingIssue.objects.filter(pk=lights.pk).update(
            repository="harbor/tower", number=3, former_addresses=["Harbor/Lantern#7"]
        )
        client = browser(Person.objects.get(login="olga"))
        assert "1. 灯塔计划 harbor/lantern#7 · Lights No. stands, and differs" in listed(
            client, give(client, FIRST, BUOYS)
        )


def test_a_big_file_is_listed_with_few_queries(olga: Person, lantern: Driver) -> None:
    def queries(file: ImportDraft) -> int:
        with CaptureQueriesContext(connection) as counted:
            listed(client, file)
        return len(counted)

    client = browser(olga)
    given = begin(client, file=SimpleUploadedFile(FILE.name, FILE.read_bytes()))
    assert len(given.entries) == 118
    said = listed(client, given)
    assert "To look at 118" in said
    assert queries(given) == queries(give(client, ENTRY, BUOYS))
