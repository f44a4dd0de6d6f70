"""/healthz and the language switch: both for everybody."""

import pytest
from django.db import OperationalError
from django.test import Client
from pytest_django import Settings

pytestmark = pytest.mark.django_db


def test_it_is_well_without_signing_in_or_being_sent_elsewhere(client: Client, settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT, settings.SECURE_REDIRECT_EXEMPT = True, ["^healthz$"]
    response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok\n")


def test_without_a_database_it_is_not(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_database() -> None:
        raise OperationalError

    monkeypatch.setattr("portal.health.connection.cursor", no_database)
    assert client.get("/healthz").status_code == 503


def test_a_stranger_may_choose_a_language(client: Client) -> None:
    response = client.post("/i18n/setlang/", {"language": "zh-hans", "next": "/healthz"})
    assert (response.status_code, response["Location"]) == (302, "/healthz")
    assert client.cookies["regatta_language"].value == "zh-hans"
