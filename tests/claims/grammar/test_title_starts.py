"""The start of a title that we tell people to write is read as the task it is for."""

import json
from typing import Any

import pytest

from claims.grammar.as_json import prefix_from_json
from claims.grammar.ids import NamedIds
from claims.grammar.titles import read_title
from tasks_board.title_starts import title_start
from tests.claims.grammar.test_cases import CASES

EVENTS: list[dict[str, Any]] = json.loads((CASES / "pr_titles.json").read_text("utf-8"))["events"]
WRITTEN = [(event, written) for event in EVENTS for written in (event["prefix"], *event.get("aliases", ()))]


@pytest.mark.parametrize(("event", "written"), WRITTEN, ids=[written for _, written in WRITTEN])
def test_it_reads_right(event: dict[str, Any], written: str) -> None:
    prefix = prefix_from_json(event)
    plain = prefix.task_ids.known(NamedIds("", "1", "400", ""))
    first_odd = event["task_ids"][0].split("..")[0].removeprefix("=")
    for number in (plain[0], plain[-1]) if plain else (first_odd,):
        for behind in ("…", " Fix x", ""):
            start = title_start(written, number)
            reading = read_title(start + behind, repository=event["repositories"][0], events=[prefix])
            assert (reading.event, reading.tasks) == (event["key"], (number,)), start


@pytest.mark.parametrize(
    ("prefix", "number", "start"),
    [
        ("PIR No.", "3", "【PIR No.3】"),
        ("PaddlePaddle Hackathon", "3", "【PaddlePaddle Hackathon】【3】"),
        ("API Compatibility No", "3", "【API Compatibility No 3】"),
        ("Error Message No. ", "3", "【Error Message No.3】"),
        ("[Typing]", "A-3", "[Typing][A-3]"),
        ("【complex op No.】", "3", "【complex op No.3】"),
        ("[Docathon] Add No.", "3", "[Docathon] Add No.3"),
        ("CodeStyle task", "3", "【CodeStyle task】【3】"),
        ("Fundable Projects 1", "1-1", "【Fundable Projects 1】【1-1】"),
    ],
)
def test_it_keeps_the_brackets_of_the_prefix(prefix: str, number: str, start: str) -> None:
    assert title_start(prefix, number) == start
