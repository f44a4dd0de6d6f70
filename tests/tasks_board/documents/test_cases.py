"""The reading cases, cell for cell (tests/cases/tables)."""

import json
from typing import Any

import pytest

from tasks_board.documents import cli_json, editing, reading
from tests.tasks_board.documents.bodies import Case, cases, changed_lines

# Order and case do not matter here (cases/README.md, the beginning).
UNORDERED = {"pull_requests", "closed_pull_requests", "mentors", "assistants", "claimants", "completed_by"}
UNORDERED |= {"locked", "directions", "contributors_block"}
CASELESS = {
    "pull_requests",
    "closed_pull_requests",
    "mentors",
    "assistants",
    "completed_by",
    "locked",
    "login",
}
ALWAYS_TOLD = ("state", "number", "title")
FIELDS = ("dialect", "tables", "board", "contributors_block")


def canonical(value: Any, key: str | None = None) -> Any:
    if isinstance(value, dict):
        told = {k: v for k, v in value.items() if v not in (None, [], "") or k in ALWAYS_TOLD}
        return {k: canonical(v, k) for k, v in told.items()}
    if isinstance(value, list):
        items = [canonical(item, key if key in CASELESS else None) for item in value]
        in_order = key not in UNORDERED
        return items if in_order else sorted(items, key=lambda v: json.dumps(v, sort_keys=True))
    return value.lower() if isinstance(value, str) and key in CASELESS else value


def differences(want: Any, got: Any, where: str = "") -> list[str]:
    """Every place at which two canonical readings differ, in words."""
    if isinstance(want, dict) and isinstance(got, dict):
        keys = sorted({*want, *got})
        return [d for key in keys for d in differences(want.get(key), got.get(key), f"{where}.{key}")]
    if isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        pairs = enumerate(zip(want, got, strict=True))
        return [d for place, (a, b) in pairs for d in differences(a, b, f"{where}[{place}]")]
    return [] if want == got else [f"{where}: want {want!r}, got {got!r}"]


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_it_reads_every_cell_of_the_case(case: Case) -> None:
    read = cli_json.reading_as_json(reading.read_body(case.body, repository=case.repository))
    want = {field: case.expect.get(field) for field in FIELDS}
    assert differences(canonical(want), canonical(read)) == []


@pytest.mark.parametrize(
    ("case", "edit"),
    [
        pytest.param(case, edit, id=f"{case.name}-{place}")
        for case in cases()
        for place, edit in enumerate(case.expect.get("edits") or [], 1)
    ],
)
def test_it_writes_the_edit_and_nothing_else(case: Case, edit: dict[str, Any]) -> None:
    after = editing.apply_edit(case.body, cli_json.edit_from_json(edit), repository=case.repository)
    changed = changed_lines(case.body, after)
    assert len(changed) == edit["expect_changed_lines"]
    assert [line.rstrip("\r") for line in changed] == ([edit["expect_line"]] if changed else [])


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_it_reads_the_same_with_the_line_ends_of_windows(case: Case) -> None:
    unix = cli_json.reading_as_json(reading.read_body(case.body, repository=case.repository))
    windows = reading.read_body(case.body.replace("\n", "\r\n"), repository=case.repository)
    assert cli_json.reading_as_json(windows) == unix
