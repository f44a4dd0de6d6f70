"""Routes for the kernel's tests: handlers and effects that note what they were asked, and fail when told to."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from portal.github.gateway import Gateway
from portal.models import Person
from portal.outbox import Postpone


@dataclass
class Log:
    """What handlers and effects saw. `on_event` and `on_perform` run inside them, and may raise or wait."""

    events: list[dict[str, Any]] = field(default_factory=list)
    planned: list[dict[str, Any]] = field(default_factory=list)
    performed: list[dict[str, Any]] = field(default_factory=list)
    recorded: list[str] = field(default_factory=list)
    on_event: Callable[[], object] = lambda: None
    on_plan: Callable[[], Postpone | None] = lambda: None
    on_perform: Callable[[], object] = lambda: None
    on_record: Callable[[], object] = lambda: None
    lock: threading.Lock = field(default_factory=threading.Lock)


log = Log()


def reset() -> Log:
    """Start afresh."""
    log.__dict__.update(Log().__dict__)
    return log


def on_issues(payload: dict[str, Any], *, received_at: datetime, now: datetime) -> None:
    """Note the event, write a row (so that a rollback shows), and do what the test wants."""
    Person.objects.create(login=f"witness {payload['n']}")
    log.on_event()
    with log.lock:
        log.events.append(payload)


class Send:
    """An effect whose plan is its payload; `{"skip": true}` has nothing to do."""

    def plan(self, payload: dict[str, Any], now: datetime) -> dict[str, Any] | Postpone | None:
        log.planned.append(payload)
        return log.on_plan() or (None if payload.get("skip") else payload)

    def perform(self, plan: dict[str, Any], gateway: Gateway) -> str:
        with log.lock:
            log.performed.append(plan)
        log.on_perform()
        return f"sent {plan.get('text')}"

    def record(self, plan: dict[str, Any], outcome: str, now: datetime) -> None:
        Person.objects.create(login=f"witness of {outcome}")
        log.on_record()
        log.recorded.append(outcome)


EVENTS: dict[str, Any] = {"issues": on_issues}
EFFECTS: dict[str, Any] = {"send": Send, "send_by_name": "tests.portal.routes.Send"}
