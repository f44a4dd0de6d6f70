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
from tasks_board.configurations.model import Configuration, list_later
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
        assert "1: Lights would be created, a draft with 7 tasks." in text
        assert (
            "1 would be created, 0 would change, 0 are unchanged, 0 were revised since, 0 cannot be imported"
            in text
        )
        assert not Event.objects.exists()
        assert not Person.objects.exists()

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


LATER = {
    **ENTRY,
    "pr_prefix": "Lamps No.",
    "task_types": [["1-6"], ["7-8"]],
    "un_handle_tasks": [],
    "removed_tasks": [3],
}
DRY = ["--dry-run"]


class TestADryRun:
    def test_of_what_stands_already(self, run: Import) -> None:
        run(ENTRY)
        before = list(Event.objects.values()), list(Task.objects.order_by("pk").values())
        text = run(ENTRY, options=DRY)
        assert "1: Lights stands already. Nothing would change." in text
        assert (
            "0 would be created, 0 would change, 1 are unchanged, 0 were revised since, 0 cannot be imported"
            in text
        )
        text = run(LATER, options=DRY)
        assert "1: Lights stands already. It would change:" in text
        for line in (
            "how titles begin: Lights No. -> Lamps No.",
            "other ways to begin: - -> Lights No.",
            "numbers of “Lamps”: 1-4 -> 1-6",
            "left to people: 4 -> -",
            "off the board: 8 -> 3",
        ):
            assert f"  {line}\n" in text
        assert "  gone: 3 " in text
        assert "  back: 8 " in text
        assert (
            "0 would be created, 1 would change, 0 are unchanged, 0 were revised since, 0 cannot be imported"
            in text
        )
        assert before == (list(Event.objects.values()), list(Task.objects.order_by("pk").values()))

    def test_it_says_what_the_import_then_does(self, run: Import) -> None:
        run(ENTRY)
        text = run(LATER, options=DRY)
        run(LATER)
        gone = set(Task.objects.filter(is_removed=True).values_list("number", flat=True))
        assert gone == {"3"}
        assert text.count("  gone: ") == text.count("  back: ") == 1
        assert "Nothing would change" in run(LATER, options=DRY)

    def test_a_later_entry_meets_what_the_ones_before_it_would_leave(self, run: Import) -> None:
        text = run(ENTRY, LATER, LATER, {**ENTRY, "issue_name": "More lights"}, options=DRY)
        assert "1: Lights would be created" in text
        assert "2: Lights is entry 1’s event by then. It would change:" in text
        assert "  how titles begin: Lights No. -> Lamps No.\n" in text
        assert "  gone: 3 " in text
        assert "3: Lights is entry 2’s event by then. Nothing would change." in text
        assert "4: More lights would be created" in text
        assert (
            "2 would be created, 1 would change, 1 are unchanged, 0 were revised since, 0 cannot be imported"
            in text
        )
        assert not Event.objects.exists()

    def test_a_later_one_about_what_stands(self, run: Import) -> None:
        run(ENTRY)
        text = run(LATER, {**ENTRY, "pr_prefix": "Beam No."}, options=DRY)
        assert "2: Lights is entry 1’s event by then. It would change:" in text
        assert "  how titles begin: Lamps No. -> Beam No.\n" in text
        assert "  other ways to begin: Lights No. -> Lights No., Lamps No.\n" in text
        assert "  back: 3 " in text

    def test_rows_of_a_newer_text(self, run: Import, driver: Driver) -> None:
        run(ENTRY)
        body = driver.get_issue("harbor/lantern", 7)["body"]
        title = Task.objects.get(number="2").title
        driver.edit_issue("harbor/lantern", 7, "mei", body.replace(title, "Another lamp"))
        text = run(ENTRY, options=DRY)
        assert f"title: {title} -> Another lamp" in text

    def test_it_fails_where_the_import_would(self, run: Import, driver: Driver) -> None:
        nowhere = {**ENTRY, "issue_url": "https://github.com/harbor/nowhere/issues/1"}
        run(ENTRY)
        Event.objects.update(status="archived")
        driver.create_repository("harbor/plain")
        driver.create_issue("harbor/plain", "No table", "Only words.", "mei", 1)
        plain = {**ENTRY, "issue_url": "https://github.com/harbor/plain/issues/1"}
        file = [ENTRY, nowhere, plain, {"issue_name": "x"}]
        for options, said in ((DRY, "Would not be imported"), ([], "Not imported")):
            with pytest.raises(CommandError, match=f"{said}: 1, 2, 3, 4"):
                run(*file, options=options)

    def test_where_github_does_not_answer_it_says_so(self, run: Import, settings: Any) -> None:
        run(ENTRY)
        settings.GITHUB_API_URL, settings.GITHUB_TIMEOUT = "http://127.0.0.1:9", 1
        for options in (DRY, []):
            with pytest.raises(CommandError, match="does not answer"):
                run(ENTRY, options=options)


class TestTheWholeFileAgain:
    def test_what_an_organizer_set_since_stays(self, run: Import) -> None:
        file = [ENTRY, LATER, {**LATER, "pr_prefix": "Beam No."}]
        run(*file)
        Event.objects.update(title_prefix="Harbour No.", title_aliases=[])
        before = list(Event.objects.values()), list(TrackingIssue.objects.values())
        text = run(*file, options=DRY)
        assert "1: entry 3 has revised it since." in text
        assert "0 would change, 1 are unchanged, 2 were revised since, 0 cannot be imported" in text
        assert "2: entry 3 has revised it since." in run(*file)
        assert before == (list(Event.objects.values()), list(TrackingIssue.objects.values()))

    def test_of_given_entries_that_are_revised(self, run: Import) -> None:
        entries = read_entries(FILE.read_text(encoding="utf-8"))
        revised = [place for place, later in list_later(entries).items() if later][:4]
        wanted = {e.configuration.identity for e in entries if e.configuration and e.place in revised}
        written = json.loads(FILE.read_text(encoding="utf-8"))
        file = [
            written[e.place - 1] for e in entries if e.configuration and e.configuration.identity in wanted
        ]
        run(*file)
        text = run(*file, options=DRY)
        assert "0 would be created, 0 would change" in text
        assert "0 cannot be imported" in text

    def test_an_entry_alone_is_taken_as_it_is(self, run: Import) -> None:
        run(ENTRY, LATER)
        run(ENTRY, LATER, options=["--only", "1"])
        assert Event.objects.get().title_prefix == "Lights No."


class TestAddresses:
    def test_an_issue_that_moved_is_one_event_under_both(self, run: Import, driver: Driver) -> None:
        run(ENTRY)
        driver.rename_repository("harbor/lantern", "lighthouse", "mei")
        assert "1: Lights stands already" in run(LATER, options=DRY)
        run(LATER)
        assert Event.objects.get().title_prefix == "Lamps No."
        moved = {**LATER, "issue_url": "https://github.com/harbor/lighthouse/issues/7"}
        assert "Nothing would change" in run(moved, options=DRY)

    def test_one_that_had_moved_before(self, db: None, driver: Driver, tmp_path: Path) -> None:
        raise_issues(driver, [c for e in read_entries(json.dumps([ENTRY])) if (c := e.configuration)])
        driver.rename_repository("harbor/lantern", "lighthouse", "mei")
        path = tmp_path / "events.json"
        path.write_text(json.dumps([ENTRY, LATER]), encoding="utf-8")
        text = call(str(path))
        assert text.count("(revised)") == 1
        issue = TrackingIssue.objects.get()
        assert (issue.repository, issue.former_addresses) == ("harbor/lighthouse", ["harbor/lantern#7"])

    def test_one_issue_that_moved_is_one_event_for_import_event(self, run: Import, driver: Driver) -> None:
        run(ENTRY)
        driver.rename_repository("harbor/lantern", "lighthouse", "mei")
        out = io.StringIO()
        call_command("import_event", "harbor/lantern#7", "--dry-run", stdout=out, stderr=out)
        assert "Lights stands already" in out.getvalue()
        call_command("import_event", "harbor/lantern#7", stdout=out, stderr=out)
        assert TrackingIssue.objects.get().repository == "harbor/lighthouse"


class TestTrouble:
    @pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gbk"])
    def test_a_file_in_any_usual_encoding(self, run: Import, tmp_path: Path, encoding: str) -> None:
        run(ENTRY)
        path = tmp_path / "odd.json"
        path.write_bytes(json.dumps({**ENTRY, "issue_name": "灯塔"}, ensure_ascii=False).encode(encoding))
        assert "1: 灯塔 would be created" in call(str(path), "--dry-run")

    def test_one_bad_entry_costs_only_itself(self, run: Import) -> None:
        with pytest.raises(CommandError, match="Not imported: 1, 2"):
            run(
                {"issue_name": "x"},
                {**ENTRY, "issue_url": ENTRY["issue_url"][:-1] + "9"} | {"task_types": []},
                ENTRY,
            )
        assert Event.objects.get().name == "Lights"

    def test_characters_that_no_database_holds_cost_nothing(self, run: Import) -> None:
        run({**ENTRY, "issue_name": "Lights\0\ud800", "pr_prefix": "A\0 No."}, ENTRY)
        assert set(Event.objects.values_list("name", "title_prefix")) == {
            ("Lights\ufffd", "A No."),
            ("Lights", "Lights No."),
        }

    def test_an_issue_of_another_host_is_none_of_ours(self, run: Import) -> None:
        with pytest.raises(CommandError, match="Not imported: 1"):
            run({**ENTRY, "issue_url": "https://gitlab.example/harbor/lantern/issues/7"}, ENTRY)
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
