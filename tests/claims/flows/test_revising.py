"""An event that stands is brought up to date in the wizard: what would change is shown, and exactly that is done."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from claims.models import Claim, Decision, ImportDraft
from claims.operations import correcting, reshaping
from portal.common import clock
from portal.models import OutboxMessage, Person, User
from tasks_board.documents.choices import ReadingChoices
from tasks_board.models import Event, EventRole, Task, TrackingIssue
from tests.claims.flows.test_import import run
from tests.claims.flows.test_wizard import BODY, begin, browser, post
from tests.github_stand_in.driver import Driver
from tests.pages.scenes import NOW

NEWER = """# 灯塔计划

## 甲组

| 序号 | 题目 | 认领人 | 进度 |
|-|-|-|-|
| 1 | 灯火 | @moss07 | |
| 3 | 标 | ✅@kelp-0 | 搞定 |
| 4 | 船 | | |
"""
ENTRY: dict[str, Any] = {
    "issue_name": "Lights",
    "issue_url": "https://api.github.com/repos/harbor/lantern/issues/7",
    "repo_urls": ["https://github.com/harbor/buoy/pulls"],
    "start_time": "2024-03-01T00:00:00Z",
    "type_names": ["Lamps"],
    "task_types": [["1-2"]],
    "pr_prefix": "Lights No.",
}


@pytest.fixture
def olga(db: None) -> Person:
    person = Person.objects.create(login="olga", github_id=41)
    User.objects.create(username="olga", person=person)
    event = Event.objects.create(slug="other", name="Other", kind="contest", created_at=NOW)
    EventRole.objects.create(event=event, person=person, role="organizer", granted_at=NOW)
    return person


@pytest.fixture
def lantern(driver: Driver) -> Driver:
    for place, login in enumerate(("mei", "moss07", "kelp-0")):
        driver.create_user(login, id=7_100 + place)
    driver.create_repository("harbor/lantern")
    driver.create_issue("harbor/lantern", "灯塔计划", BODY, "mei", 7)
    return driver


@pytest.fixture
def lights(olga: Person, lantern: Driver) -> TrackingIssue:
    client = browser(olga)
    post(client, begin(client, issue="harbor/lantern#7"), "create")
    return TrackingIssue.objects.select_related("event").get(event__slug="lights")


def page(client: Client, draft: ImportDraft, slug: str = "lights") -> str:
    answer = client.get(f"/events/new/{draft.pk}/{slug}/")
    assert answer.status_code == 200, answer.get("Location")
    return answer.content.decode()


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def hidden(html: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(seen|shown)" value="([^"]*)">', html))


def corrections(html: str) -> dict[str, list[str]]:
    """The fields of the form as a browser sends them back."""
    fields: dict[str, list[str]] = {}
    for name, value in re.findall(
        r'<input type="hidden" name="(\w+_(?:key|heading))" value="([^"]*)">', html
    ):
        fields.setdefault(name, []).append(value)
    for name, options in re.findall(r'<select[^>]* name="(\w+)"[^>]*>(.*?)</select>', html, re.DOTALL):
        chosen = re.search(r'value="([^"]*)" selected', options)
        fields.setdefault(name, []).append(chosen[1] if chosen else "-")
    for name, value in re.findall(
        r'<input class="[^"]*" name="(section|name_login)"[^>]*? value="([^"]*)"', html
    ):
        fields.setdefault(name, []).append(value)
    return fields


def confirm(client: Client, draft: ImportDraft, html: str, slug: str = "lights", **more: Any) -> Any:
    sent = {**corrections(html), **hidden(html), "action": "revise", **more}
    return client.post(f"/events/new/{draft.pk}/{slug}/", sent)


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


class TestAConfiguration:
    def test_a_later_entry_changes_what_it_says(self, lights: TrackingIssue) -> None:
        client = browser(Person.objects.get(login="olga"))
        first = begin(client, text=json.dumps({**ENTRY, "issue_name": "灯塔计划"}))
        confirm(client, first, page(client, first))
        Event.objects.filter(slug="lights").update(repositories=["harbor/reef"])
        later = {
            **ENTRY,
            "issue_name": "灯塔计划",
            "pr_prefix": "Lamps No.",
            "task_types": [["1-3"]],
            "removed_tasks": [2],
        }
        draft = begin(client, text=json.dumps(later))
        html = page(client, draft)
        said = words(html)
        assert "how titles begin Lights No. Lamps No." in said
        assert "other ways to begin Lamp No., Lamps, Light No. Lamp No., Lamps, Light No., Lights No." in said
        assert "numbers of “Lamps” 1-2 1-3" in said
        assert "off the board — 2" in said
        assert "watched repositories harbor/reef stays as it was set here" in said
        assert "off the board 2 塔 stays with the task 见下方: Claimed" in said
        confirm(client, draft, html)
        event = Event.objects.get(slug="lights")
        assert (event.title_prefix, event.repositories) == ("Lamps No.", ["harbor/reef"])
        assert event.title_aliases == ["Lamp No.", "Lamps", "Light No.", "Lights No."]
        assert Task.objects.get(title="塔").is_removed
        assert [d.name for d in Task.objects.get(title="标").also_in.all()] == ["Lamps"]

    def test_a_setting_that_is_not_ticked_stays(self, lights: TrackingIssue) -> None:
        client = browser(Person.objects.get(login="olga"))
        draft = begin(client, text=json.dumps({**ENTRY, "issue_name": "灯塔计划"}))
        html = page(client, draft)
        assert re.findall(r'name="take" value="(\w+)"[^>]* checked', html) == [
            "title_prefix",
            "repositories",
            "pull_requests_since",
        ]
        ticks: dict[str, Any] = {"setting": ["title_prefix", "repositories"], "take": ["repositories"]}
        client.post(f"/events/new/{draft.pk}/lights/", {**corrections(html), **ticks, "action": "read"})
        html = page(client, draft)
        assert 'name="take" value="title_prefix" id="take-title_prefix">' in html  # as it was left
        assert confirm(client, draft, html, **ticks).status_code == 302
        event = Event.objects.get(slug="lights")
        assert (event.title_prefix, event.title_aliases) == ("Light No.", ["Lamp No.", "Lamps"])
        assert event.repositories == ["harbor/buoy"]
        again = begin(client, text=json.dumps({**ENTRY, "issue_name": "灯塔计划"}))
        said = words(page(client, again))
        assert "how titles begin Light No. stays as it was set here (told: Lights No.)" in said
        assert "Nothing would change" in said

    def test_an_issue_with_two_events_asks_which(self, lights: TrackingIssue) -> None:
        client = browser(Person.objects.get(login="olga"))
        second = begin(client, text=json.dumps(ENTRY))
        chosen = client.get(f"/events/new/{second.pk}/").content.decode()
        assert "Which event is it about?" in chosen
        assert f"/events/new/{second.pk}/lights/" in chosen
        post(client, second, "create", slug="second", name="Lights")
        plain = begin(client, issue="harbor/lantern#7")
        asked = client.get(f"/events/new/{plain.pk}/").content.decode()
        assert f"/events/new/{plain.pk}/lights/" in asked
        assert f"/events/new/{plain.pk}/second/" in asked
        assert f"/events/new/{plain.pk}/?as=new" in asked
        named = begin(client, text=json.dumps({**ENTRY, "pr_prefix": "Lamps No."}))
        assert client.get(f"/events/new/{named.pk}/")["Location"] == f"/events/new/{named.pk}/second/"
        other = page(client, named)
        assert "another event of the same issue, Lights" in other
        assert 'value="revise"' not in other
        confirm(client, named, page(client, named, "second"), "second")
        prefixes = dict(Event.objects.values_list("slug", "title_prefix"))
        assert (prefixes["lights"], prefixes["second"]) == ("Light No.", "Lamps No.")

    def test_entries_say_what_they_would_bring_up_to_date(self, lights: TrackingIssue) -> None:
        client = browser(Person.objects.get(login="olga"))
        entries = [ENTRY, {**ENTRY, "issue_name": "灯塔计划"}]
        draft = begin(client, text=json.dumps(entries))
        listed = client.get(f"/events/new/{draft.pk}/").content.decode()
        assert listed.count("brings 灯塔计划 up to date") == 1
        client.post(f"/events/new/{draft.pk}/", {"action": "entry", "entry": "2"})
        assert "Choose another entry" in page(client, draft)
        client.post(f"/events/new/{draft.pk}/", {"action": "entry", "entry": "1"})
        assert "Which event is it about?" in client.get(f"/events/new/{draft.pk}/").content.decode()

    def test_what_autotable_is_told_anew_is_taken_over(self, lights: TrackingIssue, lantern: Driver) -> None:
        client = browser(Person.objects.get(login="olga"))
        told = '<!--repo="harbor/buoy"-->\n<!--start_pull_time="2024-6-27"-->\n'
        lantern.edit_issue("harbor/lantern", 7, "mei", told + BODY)
        draft = begin(client, issue="harbor/lantern#7")
        html = page(client, draft)
        assert "watched repositories harbor/lantern, harbor/buoy harbor/buoy" in words(html)
        confirm(client, draft, html)
        event = Event.objects.get(slug="lights")
        assert event.repositories == ["harbor/buoy"]
        assert f"{event.pull_requests_since:%F}" == "2024-06-27"


class TestAText:
    def test_one_with_an_address_is_that_issue_s(self, lights: TrackingIssue) -> None:
        client = browser(Person.objects.get(login="olga"))
        draft = begin(client, text=NEWER, issue="https://github.com/harbor/lantern/issues/7")
        html = page(client, draft)
        assert "not the one that stands in the issue at GitHub" in html
        assert confirm(client, draft, html).status_code == 302
        assert Task.objects.get(title="船").tracking_issue == lights

    def test_the_text_that_stands_there_is_the_issue(self, lights: TrackingIssue) -> None:
        client = browser(Person.objects.get(login="olga"))
        draft = begin(client, text=BODY.replace("\n", "\r\n"), issue="harbor/lantern#7")
        assert "not the one that stands" not in page(client, draft)

    def test_a_pasted_event_is_brought_up_to_date_by_its_repository(
        self, olga: Person, driver: Driver
    ) -> None:
        client = browser(olga)
        post(client, begin(client, text=BODY, repository="harbor/lantern"), "create")
        draft = begin(client, text=NEWER, repository="harbor/lantern")
        asked = client.get(f"/events/new/{draft.pk}/").content.decode()
        assert "Which event is it about?" in asked
        assert confirm(client, draft, page(client, draft)).status_code == 302
        assert Task.objects.get(title="灯火").event.slug == "lights"

    def test_where_regatta_writes_the_issue_leads(self, lights: TrackingIssue) -> None:
        TrackingIssue.objects.update(writing="on")
        client = browser(Person.objects.get(login="olga"))
        draft = begin(client, text=NEWER, issue="harbor/lantern#7")
        html = page(client, draft)
        assert "Regatta writes into this issue" in html
        assert confirm(client, draft, html).status_code == 409
        assert not Task.objects.filter(title="船").exists()

    def test_a_text_without_tasks_takes_nothing_away(self, lights: TrackingIssue) -> None:
        client = browser(Person.objects.get(login="olga"))
        draft = begin(client, text="Nothing here.", issue="harbor/lantern#7")
        html = page(client, draft)
        assert "No task was found" in html
        assert confirm(client, draft, html).status_code == 409
        assert lights.tasks.on_board().count() == 3


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


def test_the_command_says_the_same(lights: TrackingIssue, lantern: Driver, tmp_path: Path) -> None:
    lantern.edit_issue("harbor/lantern", 7, "mei", NEWER)
    told = tmp_path / "entry.json"
    told.write_text(json.dumps({**ENTRY, "issue_name": "灯塔计划"}), encoding="utf-8")
    said = run("--configuration", str(told), "--dry-run")
    assert "灯塔计划 stands already. It would change:" in said
    assert "how titles begin: Light No. -> Lights No." in said
    assert "new: 4 船" in said
    assert "title: 灯 -> 灯火" in said
    assert "gone: 2 塔" in said
    assert "stays with the task: 见下方: Claimed" in said
    assert not Task.objects.filter(title="船").exists()
    run("--configuration", str(told))
    event = Event.objects.get(slug="lights")
    assert (event.title_prefix, event.tasks.filter(title="船").count()) == ("Lights No.", 1)


class TestTheCommandsIdentity:
    def test_the_event_of_the_issue_whatever_its_address(self, lights: TrackingIssue) -> None:
        run("https://github.com/harbor/lantern/issues/7#issuecomment-5")
        assert TrackingIssue.objects.get(number=7) == lights

    def test_one_name_is_another_event_and_two_are_asked_for(self, lights: TrackingIssue) -> None:
        run("harbor/lantern#7", "--name", "灯塔计划二")
        slugs = TrackingIssue.objects.filter(number=7).values_list("event__slug", flat=True)
        assert set(slugs) == {"lights", "lantern-7"}
        with pytest.raises(CommandError, match=r"carries several events.*--slug lights.*--slug lantern-7"):
            run("harbor/lantern#7")
        run("harbor/lantern#7", "--name", "灯塔计划三")
        assert TrackingIssue.objects.filter(event__slug="lantern-7-2").exists()
        run("harbor/lantern#7", "--slug", "lights")
        assert TrackingIssue.objects.filter(number=7).count() == 3

    def test_an_entry_of_another_event_does_not_touch_this_one(
        self, lights: TrackingIssue, tmp_path: Path
    ) -> None:
        told = tmp_path / "entry.json"
        told.write_text(json.dumps(ENTRY), encoding="utf-8")
        run("--configuration", str(told))
        assert Event.objects.get(name="Lights").title_prefix == "Lights No."
        assert Event.objects.get(slug="lights").title_prefix == "Light No."


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
