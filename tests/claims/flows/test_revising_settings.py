"""What a configuration, a text and the command line change of an event that stands, and what they leave."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError

from portal.models import Person
from tasks_board.models import Event, Task, TrackingIssue
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
    take,
    words,
)
from tests.claims.flows.test_import import run
from tests.github_stand_in.driver import Driver


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
        listed = words(client.get(f"/events/new/{draft.pk}/").content.decode())
        assert "1. Lights harbor/lantern#7 · Lights No. new Set it up" in listed
        assert "2. 灯塔计划 harbor/lantern#7 · Lights No. stands, and differs See what would change" in listed
        assert "Other entries of this file" in page(client, take(client, draft, 2))
        asked = client.get(f"/events/new/{take(client, draft, 1).pk}/").content.decode()
        assert "Which event is it about?" in asked
        assert f"/events/new/{draft.pk}/" in asked

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
