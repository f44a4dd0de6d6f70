"""`manage.py read KIND`: JSON texts on standard input, how they are read as JSON on standard output."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from claims.grammar import as_json
from tasks_board.documents import cli_json
from tasks_board.documents.editing import EditRefused, apply_edit
from tasks_board.documents.reading import read_body

Json = dict[str, Any]


def _boards(cases: list[Json]) -> list[Json]:
    return [
        cli_json.reading_as_json(read_body(case["markdown"], repository=case["repository"])) for case in cases
    ]


def _edits(cases: list[Json]) -> list[list[str]]:
    """The body after each edit alone; an edit that the row cannot take leaves it as it is."""
    return [[_edited(case, edit) for edit in case["edits"]] for case in cases]


def _edited(case: Json, edit: Json) -> str:
    body: str = case["markdown"]
    try:
        return apply_edit(body, cli_json.edit_from_json(edit), repository=case["repository"])
    except EditRefused as refusal:
        sys.stderr.write(f"{case.get('name', '')}: {refusal}\n")
        return body


_KINDS: Mapping[str, Callable[[Any], object]] = {
    "boards": _boards,
    "edits": _edits,
    "comments": as_json.read_comments,
    "titles": as_json.read_titles,
}


class Command(BaseCommand):
    help = "Read texts of one kind: JSON in on standard input, the readings out as JSON."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("kind", choices=sorted(_KINDS))

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            given = json.load(sys.stdin)
        except ValueError as error:
            raise CommandError(
                f"Standard input is not JSON: {error}. Give the cases as a JSON list."
            ) from error
        try:
            read = _KINDS[options["kind"]](given)
        except (KeyError, TypeError) as error:
            raise CommandError(
                f"The cases of kind {options['kind']!r} lack something: {error!r}. See docs/reading.md."
            ) from error
        self.stdout.write(json.dumps(read, ensure_ascii=False))
