"""Every cell of the tables of docs/permissions.md, over HTTP."""

import pytest

from tests.permissions import admin_rows, table
from tests.permissions import world as world_
from tests.permissions.outcomes import attempt
from tests.permissions.table import Row
from tests.permissions.world import World, form_of

RUNNING, DRAFT, OUTSIDE = "A running event", "A draft", "Outside of events"
ADMIN = "The admin"


def walk(row: Row, here: World) -> dict[str, str]:
    """What became of it in each column; where several people stand in one, they fare alike."""
    where = "/api/v1/nonsense/" if row.route == "/api/*" else world_.address(row.route, here.here)
    found = {}
    for column in row.cells:
        words = {
            attempt(client, row.method, where, form_of(row.route, here.here))
            for client in here.clients_of(column)
        }
        found[column] = " / ".join(sorted(words))
    return found


AT_ONCE = 12  # rows of one test, so that none takes long


@pytest.mark.parametrize(
    ("section", "status", "first"),
    [
        (section, status, first)
        for section, status in ((RUNNING, "running"), (DRAFT, "draft"), (OUTSIDE, "running"))
        for first in range(0, len(table.rows(section)), AT_ONCE)
    ],
)
def test_it_goes_as_the_table_says(db: None, section: str, status: str, first: int) -> None:
    here = world_.make_world(status)
    for row in table.rows(section)[first : first + AT_ONCE]:
        assert walk(row, here) == row.cells, row


@pytest.mark.parametrize("first", range(0, len(table.rows(RUNNING)), AT_ONCE))
@pytest.mark.parametrize("status", ["closed", "archived"])
def test_when_it_is_over_only_claiming_is_another(db: None, status: str, first: int) -> None:
    here = world_.make_world(status)
    for row in table.rows(RUNNING)[first : first + AT_ONCE]:
        if row.method == "GET" and row.route not in ("board", "organize"):
            continue  # the other pages ask the same question
        if row.route in ("claim", "take_comment", "admit_author"):
            expected = {who: "told why" if word == "yes" else word for who, word in row.cells.items()}
        else:
            expected = row.cells
        assert walk(row, here) == expected, row


@pytest.mark.parametrize("column", table.rows(ADMIN)[0].cells)
def test_the_admin_goes_as_the_table_says(world: World, column: str) -> None:
    admin_rows.fill(world)
    [client] = world.clients_of(column)[:1]
    for row in table.rows(ADMIN):
        for route in admin_rows.expand(row):
            form = admin_rows.form(route) if row.method == "POST" else {}
            word = attempt(client, row.method, admin_rows.address(route), form)
            assert word == row.cells[column], (row, route)


def test_both_kinds_of_event_have_the_same_rows() -> None:
    first, second = ([(row.route, row.method) for row in table.rows(name)] for name in (RUNNING, DRAFT))
    assert first == second
