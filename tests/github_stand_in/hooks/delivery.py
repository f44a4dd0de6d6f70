"""One webhook delivery: https://docs.github.com/webhooks/webhook-events-and-payloads#delivery-headers"""

import hashlib
import hmac
import http.client
import time
import urllib.parse
from dataclasses import dataclass, field
from typing import Any

TIMEOUT_SECONDS = 10


@dataclass
class Attempt:
    at: float
    status: int | None
    error: str | None
    seconds: float
    redelivery: bool = False


@dataclass
class Delivery:
    id: str
    event: str
    action: str
    body: bytes
    state: str = "queued"
    attempts: list[Attempt] = field(default_factory=list)

    def to_json(self, *, with_payload: bool = False) -> dict[str, Any]:
        shape: dict[str, Any] = {
            "id": self.id,
            "event": self.event,
            "action": self.action or None,
            "state": self.state,
            "status": self.attempts[-1].status if self.attempts else None,
            "attempts": [vars(attempt) for attempt in self.attempts],
        }
        if with_payload:
            shape["body"] = self.body.decode()
        return shape


@dataclass(frozen=True)
class Target:
    url: str
    secret: str
    hook_id: int = 512_000_001


def headers_of(delivery: Delivery, target: Target) -> dict[str, str]:
    headers = {
        "Accept": "*/*",
        "Content-Type": "application/json",
        "User-Agent": "GitHub-Hookshot/5tand1n",
        "X-GitHub-Delivery": delivery.id,
        "X-GitHub-Event": delivery.event,
        "X-GitHub-Hook-ID": str(target.hook_id),
        "X-GitHub-Hook-Installation-Target-ID": "700000001",
        "X-GitHub-Hook-Installation-Target-Type": "repository",
    }
    if target.secret:
        key = target.secret.encode()
        headers["X-Hub-Signature"] = f"sha1={hmac.new(key, delivery.body, hashlib.sha1).hexdigest()}"
        headers["X-Hub-Signature-256"] = f"sha256={hmac.new(key, delivery.body, hashlib.sha256).hexdigest()}"
    return headers


def send(delivery: Delivery, target: Target, *, redelivery: bool) -> None:
    """Post it once and write down what came of it; like GitHub, never try again unasked."""
    started = time.monotonic()
    status: int | None = None
    error: str | None = None
    try:
        status = _post(target.url, delivery.body, headers_of(delivery, target))
    except (OSError, http.client.HTTPException) as problem:
        error = f"{type(problem).__name__}: {problem}"
    delivery.state = "delivered" if status is not None and status < 400 else "failed"
    attempt = Attempt(time.time(), status, error, round(time.monotonic() - started, 4), redelivery)
    delivery.attempts.append(attempt)


def _post(url: str, body: bytes, headers: dict[str, str]) -> int:
    parts = urllib.parse.urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.netloc, timeout=TIMEOUT_SECONDS)
    try:
        path = urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, ""))
        connection.request("POST", path, body, headers)
        response = connection.getresponse()
        response.read()
        return response.status
    finally:
        connection.close()
