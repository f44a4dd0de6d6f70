"""The pages to try the API out, in a real browser under the portal's own content security policy."""

from typing import TYPE_CHECKING

import pytest

from tests.pages import scenes
from tests.pages.test_accessibility import violations

if TYPE_CHECKING:
    from django.test import Client
    from playwright.sync_api import Page
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_endpoint_can_be_tried_out(live_server: "LiveServer", page: "Page", theme: str) -> None:
    scenes.make_scene()
    failures: list[str] = []
    hosts: set[str] = set()
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.on("console", lambda message: failures.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    page.context.add_cookies([{"name": "regatta_theme", "value": theme, "url": live_server.url}])
    page.goto(live_server.url + "/api/docs/")
    page.locator("#operations-events-list_events").wait_for()
    assert violations(page) == []
    page.locator("#operations-events-list_events .opblock-summary-control").click()
    page.get_by_role("button", name="Try it out").click()
    page.get_by_role("button", name="Execute").click()
    answer = page.locator(".live-responses-table .highlight-code").first
    answer.wait_for()
    assert "PIR 快乐开源表单" in answer.inner_text()
    assert failures == []
    assert hosts == {live_server.url.split("/")[2]}


def test_without_scripts_it_leads_to_the_schema(client: "Client") -> None:
    html = client.get("/api/docs/").content.decode()
    assert "<noscript>" in html
    assert 'href="/api/v1/openapi.yaml"' in html
