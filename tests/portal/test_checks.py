"""The system checks say what is wrong before it hurts."""

from pathlib import Path

import pytest
from django.urls import path
from django.views.generic import View
from pytest_django import Settings

from portal import checks, github_routes

PAYLOADS = Path(__file__).parents[1] / "payloads" / "github"

urlpatterns = [path("as/", View.as_view(), name="demo_sign_in")]


def ids(found: object) -> list[str]:
    return [message.id for message in found]  # type: ignore[attr-defined]


class TestRoutes:
    def test_every_route_leads_somewhere(self) -> None:
        assert checks.routes_resolve(None) == []

    def test_every_periodic_job_exists(self) -> None:
        assert checks.beat_names_resolve(None) == []

    def test_one_that_leads_nowhere_is_reported(
        self, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settings.GITHUB_ROUTES = "tests.portal.routes"
        assert checks.routes_resolve(None) == []
        monkeypatch.setattr("tests.portal.routes.EFFECTS", {"send": "tests.portal.routes.Nothing"})
        assert ids(checks.routes_resolve(None)) == ["portal.W001"]

    def test_every_event_has_a_payload_of_githubs(self) -> None:
        assert set(github_routes.EVENTS) <= {path.name.split(".")[0] for path in PAYLOADS.glob("*.json")}


class TestDemo:
    def test_it_is_for_this_machine_only(self, settings: Settings) -> None:
        settings.DEMO_SIGN_IN = True
        settings.ALLOWED_HOSTS = ["127.0.0.1", "localhost"]
        assert checks.demo_is_local(None) == []
        settings.ALLOWED_HOSTS = ["127.0.0.1", "regatta.example"]
        assert ids(checks.demo_is_local(None)) == ["portal.E001"]
        settings.DEMO_SIGN_IN = False
        assert checks.demo_is_local(None) == []

    def test_production_has_none_of_it(self, settings: Settings) -> None:
        assert checks.no_demo_in_production(None) == []
        settings.DEMO_SIGN_IN = True
        assert ids(checks.no_demo_in_production(None)) == ["portal.E002"]
        settings.ROOT_URLCONF = "tests.portal.test_checks"
        assert ids(checks.no_demo_in_production(None)) == ["portal.E002", "portal.E003"]

    def test_the_demo_itself_may(self, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
        settings.DEMO_SIGN_IN = True
        monkeypatch.setattr("django.conf.settings.SETTINGS_MODULE", "portal.settings.demo", raising=False)
        assert checks.no_demo_in_production(None) == []


def test_credentials_are_looked_at_before_going_live(settings: Settings) -> None:
    settings.GITHUB_API_URL = "https://api.github.com"
    settings.GITHUB_WEBHOOK_SECRET = "x" * 32
    assert checks.github_is_configured(None) == []
    settings.GITHUB_TOKEN, settings.GITHUB_WEBHOOK_SECRET = "", "short"
    settings.GITHUB_API_URL = "http://127.0.0.1:5000"
    assert ids(checks.github_is_configured(None)) == ["portal.W003", "portal.W004", "portal.W005"]
