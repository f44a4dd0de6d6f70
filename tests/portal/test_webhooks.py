"""POST /webhooks/github: who may come in, and what is answered."""

import hashlib
import hmac
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.http import HttpResponse
from django.test import Client
from django.test.client import FakePayload
from pytest_django import Settings

from portal.models import Delivery

pytestmark = pytest.mark.django_db

PAYLOADS = Path(__file__).parents[1] / "payloads" / "github"
FORM = "application/x-www-form-urlencoded"


def sign(body: bytes, secret: str = "hook-secret") -> str:
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def post(
    body: bytes, headers: dict[str, str | None] | None = None, *, content_type: str = "application/json"
) -> HttpResponse:
    sent = {
        "X-GitHub-Event": "issues",
        "X-GitHub-Delivery": "d-1",
        "X-Hub-Signature-256": sign(body),
        **(headers or {}),
    }
    present = {name: value for name, value in sent.items() if value is not None}
    client = Client(enforce_csrf_checks=True)
    return client.post("/webhooks/github", body, content_type=content_type, headers=present)  # type: ignore[return-value]


def payload_of(body: bytes, **options: Any) -> Any:
    assert post(body, **options).status_code == 202
    return Delivery.objects.get().payload


@pytest.mark.parametrize("path", sorted(PAYLOADS.glob("*.json")), ids=lambda path: path.stem)
def test_githubs_payloads_are_stored_as_they_came(path: Path) -> None:
    event = path.name.split(".")[0]
    response = post(path.read_bytes(), {"X-GitHub-Event": event})
    if event == "ping":
        assert (response.status_code, Delivery.objects.count()) == (200, 0)
        return
    assert response.status_code == 202
    delivery = Delivery.objects.get()
    assert (delivery.event, delivery.delivery_id) == (event, "d-1")
    assert delivery.payload == json.loads(path.read_text())


class TestSignature:
    def test_a_right_one_is_taken(self) -> None:
        assert payload_of(b'{"a": 1}') == {"a": 1}

    @pytest.mark.parametrize(
        "signature", [None, "", "sha256=", "sha256=00", sign(b"{}", "other"), "sha256=é"]
    )
    def test_a_wrong_or_missing_one_is_401(self, signature: str | None) -> None:
        response = post(b"{}", {"X-Hub-Signature-256": signature})
        assert response.status_code == 401
        assert "signature" in response.content.decode()
        assert not Delivery.objects.exists()

    def test_it_is_of_the_raw_bytes(self) -> None:
        assert post(b'{ "a":1 }', {"X-Hub-Signature-256": sign(b'{"a": 1}')}).status_code == 401

    def test_it_comes_before_everything_else(self) -> None:
        assert post(b"not json", {"X-GitHub-Event": None, "X-Hub-Signature-256": None}).status_code == 401

    def test_without_a_secret_nothing_comes_in(self, settings: Settings) -> None:
        settings.GITHUB_WEBHOOK_SECRET = ""
        response = post(b"{}", {"X-Hub-Signature-256": sign(b"{}", "")})
        assert response.status_code == 503
        assert "GITHUB_WEBHOOK_SECRET" in response.content.decode()


class TestShape:
    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"{",
            b"[]",
            b"1",
            b'"x"',
            b"\xff",
            b'{"a": NaN}',
            b"[" * 100_000,
            b'{"a": ' + b"[" * 700 + b"]" * 700 + b"}",
        ],
    )
    def test_what_is_no_json_object_is_400(self, body: bytes) -> None:
        response = post(body)
        assert response.status_code == 400
        assert "The payload is n" in response.content.decode()

    @pytest.mark.parametrize("name", ["X-GitHub-Event", "X-GitHub-Delivery"])
    @pytest.mark.parametrize("value", [None, "", "x" * 65])
    def test_a_missing_or_odd_header_is_400(self, name: str, value: str | None) -> None:
        response = post(b"{}", {name: value})
        assert response.status_code == 400
        assert name in response.content.decode()

    def test_a_form_is_taken_too(self) -> None:
        body = urlencode({"payload": '{"title": "报名 & +1"}'}).encode()
        assert payload_of(body, content_type=FORM) == {"title": "报名 & +1"}

    def test_a_form_without_payload_is_400(self) -> None:
        assert post(b"other=1", content_type=FORM).status_code == 400

    def test_nul_and_half_characters_do_no_harm(self) -> None:
        assert payload_of(rb'{"a": "x\u0000y", "b": "\ud83d"}') == {"a": "xy", "b": "\ufffd"}

    def test_too_much_is_413(self) -> None:
        body = b'{"a": "' + b"x" * (25 * 1024 * 1024) + b'"}'
        assert post(body).status_code == 413

    def test_far_too_much_is_413_before_it_is_read(self) -> None:
        assert post(b"x" * (27 * 1024 * 1024)).status_code == 413

    def test_what_breaks_off_is_400(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def break_off(self: FakePayload, *_: object) -> bytes:
            raise OSError("connection reset")

        monkeypatch.setattr(FakePayload, "read", break_off)
        assert post(b"{}").status_code == 400

    def test_only_post_is_allowed(self, client: Client) -> None:
        assert client.get("/webhooks/github").status_code == 405


def test_the_same_delivery_again_is_answered_alike_and_stored_once() -> None:
    assert [post(b"{}").status_code for _ in range(3)] == [202] * 3
    assert Delivery.objects.count() == 1
