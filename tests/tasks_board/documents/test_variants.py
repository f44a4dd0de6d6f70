"""Spellings near the edge of each rule (tests/cases/table_variants.json): what is said of a board, and what an edit writes."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tasks_board.documents import cli_json, editing, reading
from tests.tasks_board.documents.bodies import CASES, REPOSITORY, changed_lines
from tests.tasks_board.documents.test_cases import canonical, differences

VARIANTS = json.loads((CASES.parent / "table_variants.json").read_text("utf-8"))


def told(markdown: str, expect: Mapping[str, Any]) -> dict[str, Any]:
    """As much of a reading as a variant says: of each row only the keys that it names."""
    read = cli_json.reading_as_json(reading.read_body(markdown, repository=REPOSITORY))
    rows = [task for table in read["tables"] for task in table["tasks"]]
    named = [*expect.get("tasks", ()), *[dict.fromkeys(row) for row in rows]]
    whole = {
        **read,
        "dialects": [table["dialect"] for table in read["tables"]],
        "sections": [table["section"] for table in read["tables"]],
        "tasks": [{key: row.get(key) for key in keys} for row, keys in zip(rows, named, strict=False)],
    }
    return {key: whole[key] for key in expect}


@pytest.mark.parametrize("variant", VARIANTS["boards"], ids=lambda v: f"{v['id']}-{v['family']}")
def test_it_reads_the_board_as_its_rule_says(variant: dict[str, Any]) -> None:
    got = told(variant["markdown"], variant["expect"])
    assert differences(canonical(variant["expect"]), canonical(got)) == []


@pytest.mark.parametrize("variant", VARIANTS["edits"], ids=lambda v: f"{v['id']}-{v['family']}")
def test_it_writes_the_line_and_nothing_else(variant: dict[str, Any]) -> None:
    body, edit = variant["markdown"], cli_json.edit_from_json(variant["edit"])
    after = editing.apply_edit(body, edit, repository=REPOSITORY)
    changed = changed_lines(body, after)
    assert len(changed) == variant["expect_changed_lines"]
    assert [line.rstrip("\r") for line in changed] == ([variant["expect_line"]] if changed else [])
    assert editing.apply_edit(after, edit, repository=REPOSITORY) == after
