"""No address is left out of docs/permissions.md; no method but those named; no form that is not ours."""

import pytest
from django.conf import settings
from django.test import Client
from django.urls import NoReverseMatch, reverse

from tests.permissions import admin_rows, table
from tests.permissions import world as world_
from tests.permissions.outcomes import attempt, fingerprint
from tests.permissions.table import Row
from tests.permissions.world import World, form_of

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
NOT_OURS = ("github_", "admin:", "/admin/")  # views of libraries, which answer other methods in their own way
# What other sites may send: GitHub's webhook, which is signed.
WITHOUT_A_TOKEN = {"github_webhook"}


def named(rows: list[Row]) -> set[tuple[str, str]]:
    return {(route, row.method) for row in rows for route in admin_rows.expand(row)}


def ours() -> list[str]:
    return [route for route in dict.fromkeys(world_.routes()) if not route.startswith(NOT_OURS)]


def where(route: str, here: World) -> str:
    return "/api/v1/nonsense/" if route.startswith("/api/") else world_.address(route, here.here)


def test_every_address_stands_in_the_tables() -> None:
    known = {route for route, _method in named(table.rows())}
    missing = [route for route in world_.routes() if not any(table.covers(one, route) for one in known)]
    assert not missing, f"docs/permissions.md says nothing of {missing}"


def test_the_tables_name_nothing_that_is_gone() -> None:
    there = world_.routes()
    known = {route for route, _method in named(table.rows())}
    assert not [one for one in known if not any(table.covers(one, route) for route in there)]


@pytest.mark.parametrize("route", ours())
def test_no_other_method_does_anything(world: World, route: str) -> None:
    known = {method for one, method in named(table.rows()) if table.covers(one, route)}
    asks_to_sign_in = any(
        row.cells.get("stranger") == "sign in" for row in table.rows() if row.route == route
    )
    for column in ("organizer",) if asks_to_sign_in else ("organizer", "stranger"):
        [client] = world.clients_of(column)
        for method in METHODS:
            if method not in known:
                assert attempt(client, method, where(route, world), form_of(route, world.here)) == "405", (
                    method
                )


def writing_rows() -> list[Row]:
    rows = [row for row in table.rows() if row.method == "POST" and row.route not in WITHOUT_A_TOKEN]
    return list({row.route: row for row in rows}.values())


@pytest.mark.parametrize("row", writing_rows(), ids=lambda row: row.route)
def test_no_form_of_another_site_is_taken(world: World, row: Row) -> None:
    admin_rows.fill(world)
    by = world.people["superuser" if row.route.startswith("admin:") else "organizer"][0]
    for route in admin_rows.expand(row):
        if route.startswith("admin:"):
            path, form = admin_rows.address(route), admin_rows.form(route)
        else:
            path, form = where(route, world), form_of(route, world.here) or {}
        client = world_.sign_in(by, enforce_csrf_checks=True)
        before = fingerprint()
        assert client.post(path, form).status_code == 403, route
        assert client.post(path, form, headers={"HX-Request": "true"}).status_code == 403, route
        assert fingerprint() == before, route


def test_a_form_of_ours_is_taken(world: World) -> None:
    client = world_.sign_in(world.olga, enforce_csrf_checks=True)
    page = client.get("/events/here/organize/")
    token = page.context["csrf_token"]
    response = client.post("/events/here/organize/mentors", {"csrfmiddlewaretoken": str(token)})
    assert response.status_code == 302
    assert response["Location"] == "/events/here/organize/"


def test_the_demo_signs_in_at_the_demo_only(client: Client) -> None:
    assert not settings.DEMO_SIGN_IN
    with pytest.raises(NoReverseMatch):
        reverse("demo_sign_in")
    assert "demo_sign_in" not in world_.routes()


def test_its_address_leads_nowhere_else(world: World) -> None:
    for method in METHODS:
        [stranger] = world.clients_of("stranger")
        assert attempt(stranger, method, "/sign-in/as/", {"login": "olga"}) == "hidden"
