"""`manage.py import_configurations`: all that HackathonBot was told becomes events, and a later entry revises one."""

import io
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from claims import policy, words
from claims.circumstances import Asker
from claims.models import Claim
from portal.common import clock
from portal.models import Person
from tasks_board.configurations.hackathonbot import read_entries
from tasks_board.configurations.model import Configuration
from tasks_board.models import Event, Task, TrackingIssue
from tests.github_stand_in.driver import Driver
from tests.tasks_board.configurations.bodies import PEOPLE, bodies

FILE = Path("tests/cases/hackathonbot_events.json")
ENTRY: dict[str, Any] = {
    "issue_name": "Lights",
    "issue_url": "https://api.github.com/repos/harbor/lantern/issues/7",
    "repo_urls": ["https://github.com/harbor/lantern/pulls"],
    "start_time": "2024-03-01T00:00:00Z",
    "max_task_id": 8,
    "type_names": ["Lamps", "Buoys"],
    "task_types": [["1-4"], [5, "6-8"]],
    "un_handle_tasks": [4],
    "removed_tasks": ["8"],
    "pr_prefix": "Lights No.",
    "pr_col": 3,
    "board": True,
}
Import = Callable[..., str]


def raise_issues(driver: Driver, configurations: Sequence[Configuration]) -> None:
    """The people, repositories and issues that the configurations name."""
    for place, login in enumerate(("mei", *PEOPLE)):
        driver.create_user(login, id=7_000 + place)
    for repository in dict.fromkeys(c.repository for c in configurations):
        driver.create_repository(repository)
    by_address = {c.address: c for c in configurations}
    for address, body in bodies(iter(configurations)).items():
        c = by_address[address]
        driver.create_issue(c.repository, c.name, body, "mei", c.number)


@pytest.fixture
def run(db: None, driver: Driver, tmp_path: Path) -> Import:
    """The command on these entries; their issues are raised the first time."""
    raised: list[bool] = []

    def imported(*entries: dict[str, Any], options: Sequence[str] = ()) -> str:
        path = tmp_path / "events.json"
        path.write_text(json.dumps(entries), encoding="utf-8")
        if not raised:
            found = [entry.configuration for entry in read_entries(path.read_text(encoding="utf-8"))]
            raise_issues(driver, [c for c in found if c is not None])
            raised.append(True)
        return call(str(path), *options)

    return imported


def call(*arguments: str) -> str:
    out = io.StringIO()
    call_command("import_configurations", *arguments, stdout=out, stderr=out)
    return out.getvalue()


class TestOneEntry:
    def test_it_becomes_an_event(self, run: Import) -> None:
        run(ENTRY)
        event = Event.objects.get()
        assert (event.name, event.slug, event.status) == ("Lights", "lantern-7", "draft")
        assert (event.title_prefix, event.repositories) == ("Lights No.", ["harbor/lantern"])
        assert f"{event.pull_requests_since:%F}" == "2024-03-01"

    def test_numbers_say_the_direction_and_what_is_left_out(self, run: Import) -> None:
        run(ENTRY)
        tags = {t.number: [d.name for d in t.also_in.all()] for t in Task.objects.filter(is_removed=False)}
        assert tags == {n: ["Lamps" if int(n) < 5 else "Buoys"] for n in "1234567"}
        assert Task.objects.get(is_excluded=True).number == "4"
        assert Task.objects.get(is_removed=True).number == "8"

    def test_an_excluded_task_cannot_be_claimed_here(self, run: Import) -> None:
        run(ENTRY)
        Event.objects.update(status="running")
        person = Person.objects.create(github_id=1, login="tide404x")
        task = Task.objects.select_related("event").get(is_excluded=True)
        asker = Asker(task.event, person, clock.now())
        ruling = policy.judge(asker.rules, asker.on(task, asker.look_at(task)))
        assert [words.rule(v)[1] for v in ruling.failed] == ["Its row is looked after by hand"]

    def test_a_dry_run_says_how_it_is_read_and_changes_nothing(self, run: Import) -> None:
        text = run(ENTRY, options=["--dry-run"])
        assert "Lamps: 4; Buoys: 4, left to people 1, removed 1" in text
        assert not Event.objects.exists()

    def test_importing_again_changes_nothing(self, run: Import) -> None:
        run(ENTRY)
        before = list(Task.objects.order_by("pk").values())
        run(ENTRY)
        assert list(Task.objects.order_by("pk").values()) == before
        assert Event.objects.count() == 1


class TestRevisions:
    def test_a_later_entry_changes_what_it_says_and_keeps_claims(self, run: Import) -> None:
        later = {
            **ENTRY,
            "pr_prefix": "Lamps No.",
            "task_types": [["1-6"], ["7-8"]],
            "un_handle_tasks": [],
            "removed_tasks": [],
        }
        run(ENTRY)
        claims = set(Claim.objects.values_list("pk", flat=True))
        run(later)
        event = Event.objects.get()
        assert (event.title_prefix, event.title_aliases) == ("Lamps No.", ["Lights No."])
        assert [d.name for d in Task.objects.get(number="5").also_in.all()] == ["Lamps"]
        assert not Task.objects.filter(is_excluded=True).exists()
        assert not Task.objects.filter(is_removed=True).exists()
        assert claims <= set(Claim.objects.values_list("pk", flat=True))

    def test_what_an_organizer_set_since_stays(self, run: Import) -> None:
        run(ENTRY)
        Event.objects.update(repositories=["harbor/lantern", "harbor/buoys"], name="Harbour lights")
        run({**ENTRY, "pr_prefix": "Lamps No."})
        event = Event.objects.get()
        assert event.repositories == ["harbor/lantern", "harbor/buoys"]
        assert (event.name, event.title_prefix) == ("Harbour lights", "Lamps No.")

    def test_another_name_on_the_same_issue_is_another_event(self, run: Import) -> None:
        run(
            ENTRY,
            {**ENTRY, "issue_name": "More lights", "issue_url": "https://github.com/harbor/lantern/issues/7"},
        )
        assert set(Event.objects.values_list("slug", flat=True)) == {"lantern-7", "lantern-7-2"}
        assert TrackingIssue.objects.count() == 2


class TestTrouble:
    def test_one_bad_entry_costs_only_itself(self, run: Import) -> None:
        with pytest.raises(CommandError, match="Not imported: 1, 2"):
            run(
                {"issue_name": "x"},
                {**ENTRY, "issue_url": ENTRY["issue_url"][:-1] + "9"} | {"task_types": []},
                ENTRY,
            )
        assert Event.objects.get().name == "Lights"

    def test_only_takes_entries_of_the_file(self, run: Import) -> None:
        run(ENTRY, {**ENTRY, "issue_name": "More lights"}, options=["--only", "2"])
        assert Event.objects.get().name == "More lights"
        with pytest.raises(CommandError, match="no entry 3"):
            run(ENTRY, options=["--only", "3"])

    def test_what_is_no_configuration_is_said(self, tmp_path: Path) -> None:
        path = tmp_path / "x.json"
        path.write_text("3")
        with pytest.raises(CommandError, match="a list of entries was expected"):
            call(str(path))


@pytest.mark.processes
@pytest.mark.django_db
def test_all_configurations_import_in_one_command(driver: Driver) -> None:
    entries = read_entries(FILE.read_text(encoding="utf-8"))
    raise_issues(driver, [entry.configuration for entry in entries if entry.configuration])
    begun = time.process_time()
    text = call(str(FILE))
    assert time.process_time() - begun < 60
    assert "118 entries: 95 issues, 101 events, 17 revisions; 6 issues carry more than one event." in text
    assert Event.objects.count() == TrackingIssue.objects.count() == 101
    assert TrackingIssue.objects.values("repository", "number").distinct().count() == 95
    assert text.count("(revised)") == 17
