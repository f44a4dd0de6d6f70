"""An id counts only in its own event, whoever guesses it."""

import pytest
from django.test import Client

from tasks_board.models import EventRole
from tests.pages.scenes import NOW
from tests.permissions import table
from tests.permissions.outcomes import attempt
from tests.permissions.table import Row
from tests.permissions.world import HUGE, NAMES, World, address, form_of, give, sign_in

ROWS = table.rows("Guessed ids")


def guesses(row: Row, world: World) -> dict[str, list[int]]:
    name = "pull_request" if "pull_request" in row.what else NAMES[row.route]
    return {
        "of another event": [world.elsewhere.id_of(name)],
        "of a draft": [world.hidden.id_of(name)],
        "of nothing": [0, 999_999_999],
        "beyond any": [HUGE, 10**30],
        "negative": [-1, -HUGE],
    }


def organizers(world: World) -> list[Client]:
    """The event's own organizer, and somebody to whom every event is open."""
    everywhere = give(world.here.event, "omar", 90, "organizer")
    for place in (world.elsewhere, world.hidden):
        EventRole.objects.create(event=place.event, person=everywhere, role="organizer", granted_at=NOW)
    return [*world.clients_of("organizer"), sign_in(everywhere)]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_it_counts_in_its_own_event_only(world: World, row: Row) -> None:
    which = "pull_request" if "pull_request" in row.what else "pk"
    for column, ids in guesses(row, world).items():
        for client in organizers(world) if column == "of another event" else world.clients_of("organizer"):
            for number in ids:
                where = address(row.route, world.here, **{which: number})
                assert (
                    attempt(client, row.method, where, form_of(row.route, world.here)) == row.cells[column]
                ), where


def test_every_id_in_an_address_is_guessed() -> None:
    assert {row.route for row in ROWS} == set(NAMES)


@pytest.mark.parametrize("slug", ["hidden", "nothing", "here-", "HERE"])
def test_an_event_that_is_not_theirs_to_see_is_like_none(world: World, slug: str) -> None:
    [client] = world.clients_of("organizer")
    for row in table.rows("A running event"):
        where = (
            address(row.route, world.here).replace("/here/", f"/{slug}/").replace("/here.csv", f"/{slug}.csv")
        )
        assert attempt(client, row.method, where, form_of(row.route, world.here)) == "hidden", where


@pytest.mark.parametrize("keep", ["ours", "theirs", "", "both"])
def test_a_conflict_is_settled_once(world: World, keep: str) -> None:
    world.here.conflict.settled_at = NOW
    world.here.conflict.save()
    [client] = world.clients_of("organizer")
    assert attempt(client, "POST", address("settle_conflict", world.here), {"keep": keep}) == "hidden"


@pytest.mark.parametrize("kind", ["claimed", "requested", "expired", "superseded", "restored"])
def test_what_is_the_claimant_s_or_the_rules_no_mentor_decides(world: World, kind: str) -> None:
    [client] = world.clients_of("organizer")
    assert attempt(client, "POST", address("decide", world.here), {"kind": kind}) == "told why"


@pytest.mark.parametrize("kind", ["", "nonsense", "ADMITTED"])
def test_a_decision_that_does_not_exist_is_none(world: World, kind: str) -> None:
    [client] = world.clients_of("organizer")
    assert attempt(client, "POST", address("decide", world.here), {"kind": kind}) == "hidden"
