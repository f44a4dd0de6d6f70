"""HackathonBot's configurations: every entry read, identities counted, patterns taken apart, troubles listed."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks_board.configurations.hackathonbot import NotAConfiguration, read_entries, read_entry
from tasks_board.configurations.model import Assigned, Configuration, Counts, count
from tasks_board.configurations.numbers import compact, expand
from tasks_board.documents.reading import read_body
from tests.tasks_board.configurations.bodies import body_of

ENTRIES = read_entries(Path("tests/cases/hackathonbot_events.json").read_text(encoding="utf-8"))
CONFIGURATIONS = [entry.configuration for entry in ENTRIES if entry.configuration is not None]
LEAST = {"issue_name": "Lights", "issue_url": "https://api.github.com/repos/o/r/issues/7"}


def read(**more: Any) -> Configuration:
    configuration = read_entry({**LEAST, **more}).configuration
    assert configuration is not None
    return configuration


def codes(**more: Any) -> list[str]:
    return [problem.code for problem in read(**more).problems]


class TestTheFile:
    def test_identity_is_the_issue_and_the_event(self) -> None:
        assert count(CONFIGURATIONS) == Counts(118, 95, 101, 17, 6)

    def test_what_could_not_be_taken_over_is_listed(self) -> None:
        found = [(entry.place, problem.code) for entry in ENTRIES for problem in entry.problems]
        assert found == [
            (2, "pattern_has_gap"),
            (46, "direction_without_numbers"),
            (47, "direction_without_numbers"),
        ]

    def test_the_last_entry_of_an_event_has_its_directions(self) -> None:
        spring = [c for c in CONFIGURATIONS if c.name.endswith("春节特别季")][-1]
        assert spring.assigned.directions_of("51") == ("框架开发任务",)
        assert [len(numbers) for _, numbers in spring.assigned.directions] == [4, 17, 33]

    def test_removed_ranges_are_removed(self) -> None:
        seventh = next(c for c in CONFIGURATIONS if c.name == "【Hackathon 7th】开源贡献个人挑战赛")
        assert seventh.assigned.removes("17")
        assert seventh.assigned.excludes("1")

    @pytest.mark.parametrize("place", range(0, 118, 9))
    def test_a_body_of_its_shape_reads_as_its_tasks(self, place: int) -> None:
        configuration = CONFIGURATIONS[place]
        body = body_of(configuration)
        numbers = [row.number for row in read_body(body, repository="o/r").tasks]
        assert set(numbers) == set().union(*(numbers for _, numbers in configuration.assigned.directions))
        assert len(body) <= 65_536

    @pytest.mark.parametrize("configuration", CONFIGURATIONS[::7], ids=lambda c: c.address)
    def test_what_is_stored_comes_back(self, configuration: Configuration) -> None:
        assert Assigned.from_json(configuration.to_json()) == configuration.assigned


class TestFields:
    @pytest.mark.parametrize(
        "address",
        [
            "https://api.github.com/repos/o/r/issues/7",
            "https://github.com/o/r/issues/7",
            "http://github.com/o/r/issues/7#issuecomment-1",
            "https://github.example.org/api/v3/repos/o/r/issues/7",
        ],
    )
    def test_addresses_in_every_form(self, address: str) -> None:
        assert read(issue_url=address).address == "o/r#7"

    def test_watched_repositories_once_each(self) -> None:
        addresses = [
            "https://api.github.com/repos/o/a/pulls",
            "https://github.com/O/A//pulls",
            "",
            "nonsense",
        ]
        configuration = read(repo_urls=addresses)
        assert configuration.repositories == ("o/a",)
        assert [(p.code, p.about) for p in configuration.problems] == [("repository_not_read", "nonsense")]

    def test_what_cannot_be_read_costs_only_itself(self) -> None:
        assert codes(start_time="soon", task_types=[["1-x", 2]], type_names=["A"], pr_col="3", extra=1) == [
            "field_unknown",
            "time_not_read",
            "number_not_read",
            "count_not_read",
        ]

    @pytest.mark.parametrize("start", ["0001-01-01T00:00:00", "9999-12-31T23:59:59-08:00"])
    def test_a_start_out_of_reach_is_not_read(self, start: str) -> None:
        assert "time_not_read" in codes(start_time=start)

    @pytest.mark.parametrize("text", ["", "[", "3", '"x"', "[" * 100_000])
    def test_what_is_no_configuration_is_refused(self, text: str) -> None:
        with pytest.raises(NotAConfiguration):
            read_entries(text)

    def test_an_entry_without_an_issue_says_so(self) -> None:
        assert [p.code for p in read_entry({}).problems] == ["issue_address_not_read", "name_missing"]
        assert [p.code for p in read_entry("x").problems] == ["entry_is_no_object"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


class TestAlways:
    @given(
        st.dictionaries(
            st.sampled_from(sorted({*CONFIGURATIONS[0].to_json(), *LEAST, "task_types", "type_names"})), JSON
        )
    )
    def test_no_entry_is_too_much(self, entry: dict[str, Any]) -> None:
        read_entry({**LEAST, **entry})

    @given(st.sets(st.integers(0, 300)))
    def test_ranges_lose_nothing(self, numbers: set[int]) -> None:
        assert {int(number) for number in expand(compact(str(n) for n in numbers)).numbers} == numbers

    def test_a_range_without_end_is_not_spelled_out(self) -> None:
        assert expand(["1-999999999"]).unread == ("1-999999999",)

    @pytest.mark.parametrize(
        "value",
        ["NaN", "-Infinity", "1e999", "[" * 60 + "]" * 60, '{"a":' * 60 + "1" + "}" * 60, "9" * 5_000],
    )
    def test_what_no_database_holds_is_no_configuration(self, value: str) -> None:
        with pytest.raises(NotAConfiguration):
            read_entries(f'[{{"issue_name": "x", "zz": {value}}}]')

    def test_a_flood_of_ranges_is_not_spelled_out(self) -> None:
        flood = [["1-9999"]] * 1_000
        entry = {**LEAST, "type_names": [f"d{n}" for n in range(1_000)], "task_types": flood}
        [read] = read_entries(json.dumps([entry]))
        assert read.configuration is not None
        named = [len(numbers) for _name, numbers in read.configuration.assigned.directions]
        assert (named[0], sum(named)) == (9_999, 9_999)
        assert [problem.code for problem in read.problems].count("number_not_read") == 999
        assert expand([["1-9999"] * 500]).written == 9_999

    def test_a_file_of_many_such_entries_neither(self) -> None:
        entry = {**LEAST, "type_names": ["d"], "task_types": [["1-9999"]]}
        read = read_entries(json.dumps([entry] * 100))
        named = [len(e.configuration.assigned.directions[0][1]) for e in read if e.configuration]
        assert named == [9_999] * 20 + [0] * 80
