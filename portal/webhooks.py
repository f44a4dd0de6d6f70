"""Where GitHub's webhooks arrive: proved to be GitHub's, stored, answered. Everything else happens later.

https://docs.github.com/en/webhooks/using-webhooks/best-practices-for-using-webhooks
"""

import json
from typing import Any, NoReturn
from urllib.parse import parse_qs

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.http.request import UnreadablePostError
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from portal import inbox
from portal.common import clock
from portal.github import signatures

LARGEST_BODY = 25 * 1024 * 1024  # https://docs.github.com/en/webhooks/webhook-events-and-payloads#payload-cap


class _Unfit(Exception):
    """The request cannot be taken; why, and with which status."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence = status, sentence


@csrf_exempt
@login_not_required
@require_POST
def github(request: HttpRequest) -> HttpResponse:
    """Take a webhook. The signature is checked on the raw bytes, before anything looks into them."""
    try:
        body = _signed_body(request)
        delivery_id = _header(request, "X-GitHub-Delivery", longest=64)
        event = _header(request, "X-GitHub-Event", longest=60)
        payload = _payload(request, body)
    except _Unfit as unfit:
        return _answer(unfit.status, unfit.sentence)
    if event == "ping":
        return _answer(200, _("Regatta hears you."))
    try:
        inbox.receive(delivery_id=delivery_id, event=event, payload=payload, now=clock.now())
    except RecursionError:
        return _answer(400, _("The payload is nested too deeply."))
    return _answer(202, _("Stored."))


def _signed_body(request: HttpRequest) -> bytes:
    secret = settings.GITHUB_WEBHOOK_SECRET
    if not secret:
        raise _Unfit(
            503, _("No webhook secret is configured here. Set GITHUB_WEBHOOK_SECRET and start again.")
        )
    body = _body(request)
    if not signatures.is_signed(body, request.headers.get("X-Hub-Signature-256", ""), secret=secret):
        raise _Unfit(401, _("The signature is missing or wrong. Enter the same secret at GitHub and here."))
    return body


def _body(request: HttpRequest) -> bytes:
    too_large = _Unfit(413, _("The payload is larger than 25 MB."))
    try:
        body = request.body
    except RequestDataTooBig as error:
        raise too_large from error
    except UnreadablePostError as error:
        raise _Unfit(400, _("The payload broke off.")) from error
    if len(body) > LARGEST_BODY:
        raise too_large
    return body


def _header(request: HttpRequest, name: str, *, longest: int) -> str:
    value = request.headers.get(name, "")
    if not 0 < len(value) <= longest or not value.isprintable():
        raise _Unfit(400, _("The header %(name)s is missing or not valid.") % {"name": name})
    return value


def _payload(request: HttpRequest, body: bytes) -> dict[str, Any]:
    """The payload, as JSON or in a form field named `payload`: GitHub lets the owner of the webhook choose."""
    try:
        text = body.decode()
        if request.content_type == "application/x-www-form-urlencoded":
            text = parse_qs(text, max_num_fields=10).get("payload", [""])[0]
        payload = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise _Unfit(400, _("The payload is not JSON.")) from None
    if not isinstance(payload, dict):
        raise _Unfit(400, _("The payload is not a JSON object."))
    return payload


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _answer(status: int, sentence: str) -> HttpResponse:
    return HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8")
