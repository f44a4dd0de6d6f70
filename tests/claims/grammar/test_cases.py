"""Every case of reading comments and titles, read as the rules say (tests/cases)."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from claims.grammar import as_json

CASES = Path(__file__).parents[2] / "cases"
UNORDERED = {"intents", "tasks", "unknown", "members", "pull_requests"}
CASELESS = {"members", "pull_requests"}


def canonical(value: Any, key: str = "") -> Any:
    """Equal for equal readings: order says nothing, nor does the case of logins and repositories."""
    if isinstance(value, dict):
        return {name: canonical(part, name) for name, part in value.items() if part not in (None, [], "")}
    if isinstance(value, list):
        parts = [canonical(part, key) for part in value]
        return sorted(parts, key=lambda part: json.dumps(part, sort_keys=True)) if key in UNORDERED else parts
    return value.lower() if isinstance(value, str) and key in CASELESS else value


def differences(cases: Iterable[dict[str, Any]], readings: Iterable[dict[str, Any]]) -> list[str]:
    return [
        f"{case['id']}: want {case['expect']}, got {reading}"
        for case, reading in zip(cases, readings, strict=True)
        if canonical(case["expect"]) != canonical(reading)
    ]


def test_it_reads_every_comment_as_its_case_says() -> None:
    cases = json.loads((CASES / "claims.json").read_text("utf-8"))

    assert differences(cases, as_json.read_comments(cases)) == []


def test_it_reads_every_title_as_its_case_says() -> None:
    data = json.loads((CASES / "pr_titles.json").read_text("utf-8"))
    readings = as_json.read_titles({"events": data["events"], "titles": data["cases"]})
    told = [
        reading if case["expect"]["event"] else {"event": reading["event"]}
        for case, reading in zip(data["cases"], readings, strict=True)
    ]
    for case in data["cases"]:
        if case["expect"]["event"] is None:  # nothing matched: the other fields say nothing
            case["expect"] = {"event": None}

    assert differences(data["cases"], told) == []
