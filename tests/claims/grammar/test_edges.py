"""Comments and titles at the edge of each rule, in the form of the cases (tests/cases); titles use its events."""

import json
from pathlib import Path

from claims.grammar import as_json
from tests.claims.grammar.test_cases import CASES, differences

EDGES = Path(__file__).parent / "edges"


def test_it_reads_comments_at_the_edge() -> None:
    cases = json.loads((EDGES / "comments.json").read_text("utf-8"))

    assert differences(cases, as_json.read_comments(cases)) == []


def test_it_reads_titles_at_the_edge() -> None:
    events = json.loads((CASES / "pr_titles.json").read_text("utf-8"))["events"]
    cases = json.loads((EDGES / "titles.json").read_text("utf-8"))
    readings = as_json.read_titles({"events": events, "titles": cases})

    assert differences(cases, readings) == []
