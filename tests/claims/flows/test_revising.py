"""An event that stands is brought up to date in the wizard: what would change is shown, and exactly that is done."""

import json

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from claims.models import Claim, Decision
from claims.operations import correcting, reshaping
from portal.common import clock
from portal.models import OutboxMessage, Person, User
from tasks_board.documents.choices import ReadingChoices
from tasks_board.models import Event, EventRole, Task, TrackingIssue
from tests.claims.flows.births import (
    BODY,
    ENTRY,
    NEWER,
    begin,
    browser,
    confirm,
    corrections,
    page,
    post,
    words,
)
from tests.github_stand_in.driver import Driver
from tests.pages.scenes import NOW


class TestAnIssue:
    def test_what_would_change_is_shown_and_then_done(self, lights: TrackingIssue, lantern: Driver) -> None:
        client = browser(Person.objects.get(login="olga"))
        before = {task.title: task.pk for task in lights.tasks.all()}
        claims = set(Claim.objects.values_list("pk", flat=True))
        lantern.edit_issue("harbor/lantern", 7, "mei", NEWER)
        draft = begin(client, issue="https://github.com/harbor/lantern/issues/7")
        html = page(client, draft)
        said = words(html)
        assert "Bring 灯塔计划 up to date" in said
        assert "new 4 船" in said
        assert "changed 1 灯火 title 灯 → 灯火" in said
        assert "off the board 2 塔 stays with the task 见下方: Claimed" in said
        assert not Task.objects.filter(title="船").exists()  # nothing is written before
        answer = confirm(client, draft, html)
        assert answer["Location"] == "/events/lights/organize/"
        after = {task.title: task.pk for task in lights.tasks.all()}
        assert (after["灯火"], after["塔"], after["标"]) == (before["灯"], before["塔"], before["标"])
        assert Task.objects.get(title="塔").is_removed
        assert claims <= set(Claim.objects.values_list("pk", flat=True))
        assert Event.objects.filter(tracking_issues__number=7).count() == 1
        assert not OutboxMessage.objects.filter(kind="write_table").exists()

    def test_what_came_of_it_is_said(self, lights: TrackingIssue, lantern: Driver) -> None:
        client = browser(Person.objects.get(login="olga"))
        lantern.edit_issue("harbor/lantern", 7, "mei", NEWER)
        draft = begin(client, issue="harbor/lantern#7")
        answer = confirm(client, draft, page(client, draft))
        told = client.get(answer["Location"]).content.decode()
        assert "灯塔计划 is up to date: 1 new, 1 changed, 1 off the board" in told

    def test_a_row_that_was_gone_comes_back_as_the_task_it_was(
        self, lights: TrackingIssue, lantern: Driver
    ) -> None:
        client = browser(Person.objects.get(login="olga"))
        tower = Task.objects.get(title="塔").pk
        for body, said in ((NEWER, "off the board 2 塔"), (BODY, "back on the board 2 塔")):
            lantern.edit_issue("harbor/lantern", 7, "mei", body)
            draft = begin(client, issue="harbor/lantern#7")
            html = page(client, draft)
            assert said in words(html)
            assert confirm(client, draft, html).status_code == 302
        assert not Task.objects.get(pk=tower).is_removed

    def test_the_same_again_changes_nothing_and_says_so(self, lights: TrackingIssue) -> None:
        client = browser(Person.objects.get(login="olga"))
        html = page(client, begin(client, issue="harbor/lantern#7"))
        assert "Nothing would change" in html
        assert 'value="revise"' not in html

    def test_corrections_of_the_event_hold_and_can_be_changed(
        self, lights: TrackingIssue, lantern: Driver
    ) -> None:
        olga = Person.objects.get(login="olga")
        held = ReadingChoices.from_json({"names": {"见下方": ""}}, by_hand=True)
        correcting.correct_reading(tracking_issue=lights, choices=held, acting_user=olga, now=clock.now())
        lantern.edit_issue("harbor/lantern", 7, "mei", BODY + "| 4 | 船 | 见下方 | |\n")
        client = browser(olga)
        draft = begin(client, issue="harbor/lantern#7")
        html = page(client, draft)
        assert "new 4 船" in words(html)
        assert "见下方 — → Claimed" not in words(html)
        chosen = corrections(html)
        place = chosen["mark_key"].index("✅")
        chosen["mark"][place] = "approved"
        client.post(f"/events/new/{draft.pk}/lights/", {**chosen, "action": "read"})
        html = page(client, draft)
        assert "Later texts are read with the corrections below too" in html
        assert confirm(client, draft, html).status_code == 302
        lights.refresh_from_db()
        assert lights.reading_choices == {"names": {"见下方": ""}, "marks": {"✅": "approved"}}
        assert not Claim.objects.filter(task__title="船", shown=True).exists()

    def test_a_click_on_what_was_not_looked_at_does_nothing(
        self, lights: TrackingIssue, lantern: Driver
    ) -> None:
        client = browser(Person.objects.get(login="olga"))
        lantern.edit_issue("harbor/lantern", 7, "mei", NEWER)
        draft = begin(client, issue="harbor/lantern#7")
        html = page(client, draft)
        answer = confirm(client, draft, html, column=["-", "-", "nothing", "-"])
        told = client.get(answer["Location"])
        assert "You chose something else since" in told.content.decode()
        assert 'value="nothing" selected' in told.content.decode()
        assert not Task.objects.filter(title="船").exists()


class TestMeanwhile:
    def test_a_claim_on_what_goes_is_shown_first(self, lights: TrackingIssue, lantern: Driver) -> None:
        client = browser(Person.objects.get(login="olga"))
        lantern.edit_issue("harbor/lantern", 7, "mei", NEWER)
        draft = begin(client, issue="harbor/lantern#7")
        html = page(client, draft)
        reef = Person.objects.create(login="reef", github_id=99)
        Claim.objects.create(
            task=Task.objects.get(title="塔"),
            person=reef,
            standing="claimed",
            standing_at=NOW,
            created_at=NOW,
        )
        answer = confirm(client, draft, html)
        assert answer.status_code == 409
        told = answer.content.decode()
        assert "The event changed since you looked" in told
        assert "reef: Claimed" in told
        assert not Task.objects.get(title="塔").is_removed
        assert confirm(client, draft, told).status_code == 302
        assert Claim.objects.filter(person=reef).exists()

    def test_a_newer_text_is_read_and_shown(self, lights: TrackingIssue, lantern: Driver) -> None:
        from claims import github_reading
        from portal.github import connect

        client = browser(Person.objects.get(login="olga"))
        lantern.edit_issue("harbor/lantern", 7, "mei", NEWER, at="2030-01-01T00:00:00Z")
        draft = begin(client, issue="harbor/lantern#7")
        html = page(client, draft)
        lantern.edit_issue("harbor/lantern", 7, "mei", NEWER + "| 5 | 锚 | | |\n", at="2030-01-02T00:00:00Z")
        github_reading.poll_tracking_issue(tracking_issue=lights, gateway=connect.connect(), now=clock.now())
        older = page(client, draft)
        assert "The event has read a newer text of this issue" in older
        assert 'value="revise"' not in older
        answer = confirm(client, draft, html)
        assert answer.status_code == 409
        assert "Nothing would change" in answer.content.decode()
        assert Task.objects.filter(title="锚", is_removed=False).exists()

    def test_settings_that_somebody_changed_are_shown_anew(
        self, lights: TrackingIssue, lantern: Driver
    ) -> None:
        olga = Person.objects.get(login="olga")
        client = browser(olga)
        draft = begin(client, text=json.dumps({**ENTRY, "issue_name": "灯塔计划"}))
        html = page(client, draft)
        assert "how titles begin Light No. Lights No." in words(html)
        values = {name: getattr(lights.event, name) for name in reshaping.FIELDS}
        reshaping.change_event(
            event=lights.event,
            values={**values, "title_prefix": "Beacon No."},
            acting_user=olga,
            now=clock.now(),
        )
        answer = confirm(client, draft, html)
        assert answer.status_code == 409
        assert "how titles begin Beacon No. Lights No." in words(answer.content.decode())
        assert Event.objects.get(slug="lights").title_prefix == "Beacon No."

    def test_two_clicks_and_the_back_button_do_it_once(self, lights: TrackingIssue, lantern: Driver) -> None:
        client = browser(Person.objects.get(login="olga"))
        lantern.edit_issue("harbor/lantern", 7, "mei", NEWER)
        draft = begin(client, issue="harbor/lantern#7")
        html = page(client, draft)
        for _click in range(2):
            assert confirm(client, draft, html)["Location"] == "/events/lights/organize/"
        assert "This draft was used already" in client.get("/events/lights/organize/").content.decode()
        assert client.get(f"/events/new/{draft.pk}/")["Location"] == "/events/lights/organize/"


class TestWho:
    @pytest.fixture
    def stranger(self, lights: TrackingIssue) -> Client:
        """Organizes another event."""
        person = Person.objects.create(login="pia", github_id=42)
        User.objects.create(username="pia", person=person)
        event = Event.objects.get(slug="other")
        EventRole.objects.create(event=event, person=person, role="organizer", granted_at=NOW)
        return browser(person)

    def test_a_hidden_draft_stays_hidden(self, stranger: Client) -> None:
        draft = begin(stranger, issue="harbor/lantern#7")
        shown = stranger.get(f"/events/new/{draft.pk}/").content.decode()
        assert "carries" not in shown
        answer = stranger.get(f"/events/new/{draft.pk}/lights/")
        assert answer["Location"] == f"/events/new/{draft.pk}/"
        missing = stranger.get(f"/events/new/{draft.pk}/nothing/")
        assert missing["Location"] == answer["Location"]
        sent = {"action": "revise", "seen": "", "shown": ""}
        assert stranger.post(f"/events/new/{draft.pk}/lights/", sent)["Location"] == answer["Location"]

    def test_who_does_not_organize_it_is_told(self, stranger: Client) -> None:
        Event.objects.filter(slug="lights").update(status="running")
        draft = begin(stranger, issue="harbor/lantern#7")
        shown = stranger.get(f"/events/new/{draft.pk}/").content.decode()
        assert "Only its organizers bring it up to date" in shown
        assert f"/events/new/{draft.pk}/lights/" not in shown
        answer = stranger.get(f"/events/new/{draft.pk}/lights/")
        assert answer["Location"] == f"/events/new/{draft.pk}/?as=new"
        assert "Only organizers of 灯塔计划" in stranger.get(answer["Location"]).content.decode()

    def test_a_draft_is_its_owner_s(self, stranger: Client, lights: TrackingIssue) -> None:
        draft = begin(browser(Person.objects.get(login="olga")), issue="harbor/lantern#7")
        assert stranger.get(f"/events/new/{draft.pk}/lights/")["Location"] == "/events/new/"

    @pytest.mark.parametrize(
        ("change", "said"),
        [({"status": "archived"}, "is archived"), ({"status": "running"}, "does not read this issue")],
    )
    def test_what_is_read_no_more_says_so(
        self, lights: TrackingIssue, lantern: Driver, change: dict[str, str], said: str
    ) -> None:
        Event.objects.filter(slug="lights").update(**change)
        if "read" in said:
            TrackingIssue.objects.update(retired_at=NOW)
        client = browser(Person.objects.get(login="olga"))
        lantern.edit_issue("harbor/lantern", 7, "mei", NEWER)
        draft = begin(client, issue="harbor/lantern#7")
        html = page(client, draft)
        assert said in html
        assert confirm(client, draft, html).status_code == 409
        assert not Task.objects.filter(title="船").exists()


def test_the_preview_takes_as_many_queries_for_more_rows(olga: Person, driver: Driver) -> None:
    def queries(rows: int) -> int:
        client = browser(olga)
        body = "| 题目 | 认领人 |\n|-|-|\n" + "".join(f"| 题 {n} | @moss{n} |\n" for n in range(rows))
        slug = f"rows-{rows}"
        repository = f"harbor/rows{rows}"
        post(client, begin(client, text=body, repository=repository), "create", slug=slug, pool="")
        draft = begin(client, text=body.replace("题 ", "灯 "), repository=repository)
        with CaptureQueriesContext(connection) as counted:
            page(client, draft, slug)
        return len(counted)

    assert queries(2) == queries(100)


def test_decisions_outlive_a_text_that_leaves_somebody_out(lights: TrackingIssue, lantern: Driver) -> None:
    claim = Claim.objects.get(person__login="moss07")
    Decision.objects.create(
        claim=claim, kind="claimed", at=clock.now(), decided_by=claim.person, source="web", key="t"
    )
    lantern.edit_issue("harbor/lantern", 7, "mei", BODY.replace("@moss07", ""))
    client = browser(Person.objects.get(login="olga"))
    draft = begin(client, issue="harbor/lantern#7")
    html = page(client, draft)
    assert "stays: somebody claimed it here" in html
    confirm(client, draft, html)
    claim.refresh_from_db()
    assert claim.decisions.exists()
