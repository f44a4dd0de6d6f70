"""Whatever a form is filled with, the answer is a page or a sentence, never a failure of ours."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import transaction

from tests.permissions import table
from tests.permissions.world import World, address, form_of

ROOT = Path(__file__).parents[2]
POSTED = {row.route for row in table.rows("A running event") if row.method == "POST"} | {"new_event"}
ROUTES = sorted(route for route in POSTED if not route.startswith("admin:") and "/" not in route)
GARBAGE = [
    "\x00",
    "-1",
    "9" * 30,
    "²",  # a digit to Python, no number
    "٣",
    "1e999999999",
    "NaN",
    "9999-12-31T23:59",
    "0001-01-01",
    "💥" * 3_000,
    "{}",
    "a/b#1\r\n<script>",
]
ALONE = GARBAGE[:3]  # also one field at a time
# What the pages read from forms, beside what tests/permissions/world.py fills in.
_READ = re.compile(r"""(?:posted\(request, |POST\.get(?:list)?\()"(\w+)\"""")
NAMES = sorted(
    {name for page in (ROOT / "claims/pages").glob("*.py") for name in _READ.findall(page.read_text("utf-8"))}
)


def forms(route: str, world: World) -> Iterator[dict[str, str]]:
    """The form with everything in it garbage, and with one field of it at a time."""
    fit = form_of(route, world.here) or {}
    for garbage in GARBAGE:
        yield dict.fromkeys([*NAMES, *fit], garbage)
        if route == "split_credit":
            yield {f"share-{world.olga.pk}": garbage}
        for name in fit if garbage in ALONE else ():
            yield fit | {name: garbage}


@pytest.mark.parametrize("route", ROUTES)
def test_no_form_makes_us_fail(world: World, route: str) -> None:
    [client] = world.clients_of("organizer")
    where = address(route, world.here)
    for form in forms(route, world):
        with transaction.atomic():
            response = client.post(where, form)
            assert response.status_code < 500, form
            transaction.set_rollback(True)
