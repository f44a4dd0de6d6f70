"""Behind the stage: webhooks, faults, clock, hidden edits, the request log, scenarios."""

import time
from typing import Any

from tests.github_stand_in.drive.faults import Fault
from tests.github_stand_in.drive.stage import VERBS, Stage, verb
from tests.github_stand_in.errors import Refusal
from tests.github_stand_in.hooks import events
from tests.github_stand_in.hooks.delivery import Target
from tests.github_stand_in.hooks.queue import Mode
from tests.github_stand_in.shapes.view import JSON
from tests.github_stand_in.state.world import HiddenEdit


@verb
def set_webhook(stage: Stage, url: str | None, secret: str = "") -> None:
    if url is not None and not url.startswith(("http://", "https://")):
        raise Refusal(422, "url must start with http:// or https://")
    stage.hooks.target = Target(url, secret) if url else None


@verb
def ping(stage: Stage, repository: str) -> None:
    found = stage.repository(repository)
    target = stage.hooks.target or Target("", "")
    now = stage.world.clock.stamp()
    api = f"{stage.view.repository_api(found)}/hooks/{target.hook_id}"
    hook: JSON = {
        "type": "Repository",
        "id": target.hook_id,
        "name": "web",
        "active": True,
        "events": sorted(set(events.SENT) - {"ping"}),
        "config": {"content_type": "json", "insecure_ssl": "0", "secret": "********", "url": target.url},
        "updated_at": now,
        "created_at": now,
        "url": api,
        "test_url": f"{api}/test",
        "ping_url": f"{api}/pings",
        "deliveries_url": f"{api}/deliveries",
        "last_response": {"code": None, "status": "unused", "message": None},
    }
    events.ping(stage.world, found, stage.world.store.user(found.owner_id), hook)


@verb
def deliveries(stage: Stage, with_payload: bool = False, after: int = 0) -> list[JSON]:
    return stage.hooks.deliveries(with_payload=with_payload, after=after)


@verb
def redeliver(stage: Stage, delivery_id: str) -> JSON:
    delivery = stage.hooks.redeliver(delivery_id)
    if delivery is None:
        raise Refusal(422, f"no delivery {delivery_id}")
    return delivery.to_json()


@verb
def set_delivery_mode(stage: Stage, **mode: Any) -> None:
    stage.hooks.set_mode(Mode(**mode))


@verb
def release(stage: Stage, order: str = "kept", seed: int = 0) -> int:
    return stage.hooks.release(order, seed)


@verb
def add_fault(stage: Stage, **fault: Any) -> None:
    stage.faults.add(Fault(**fault))


@verb
def clear_faults(stage: Stage) -> None:
    stage.faults.clear()


@verb
def set_rate_limit(stage: Stage, limit: int, reset_in: float = 3600) -> None:
    stage.api.limits.restart(limit, reset_in=reset_in)


@verb
def set_omit_last(stage: Stage, omit: bool) -> None:
    stage.api.omit_last = omit


@verb
def set_clock(stage: Stage, setting: str, frozen: bool = False) -> str:
    stage.world.clock.set(setting, frozen=frozen)
    return stage.world.clock.stamp()


@verb
def advance_clock(stage: Stage, seconds: float) -> str:
    stage.world.clock.advance(seconds)
    return stage.world.clock.stamp()


@verb
def inject_edit_between(
    stage: Stage,
    repository: str,
    number: int,
    editor: str,
    body: str | None = None,
    replace: list[str] | None = None,
) -> None:
    """Hold an edit back until the issue has been read, and apply it just before it is next written."""
    if (body is None) == (replace is None):
        raise Refusal(422, "give either body or replace")
    pair = (replace[0], replace[1]) if replace else None
    issue = stage.issue(repository, number)
    stage.world.hidden_edits[issue.id] = HiddenEdit(stage.user(editor).id, body, pair)


@verb
def pending_edits(stage: Stage) -> int:
    return len(stage.world.hidden_edits)


@verb
def requests(stage: Stage) -> list[JSON]:
    return list(stage.requests)


@verb
def reset(stage: Stage) -> None:
    stage.world.reset()
    stage.world.clock.set("0")
    stage.faults.clear()
    stage.hooks.clear()
    stage.api.omit_last = False
    stage.api.limits.restart(5000)
    stage.requests.clear()


@verb
def load_scenario(stage: Stage, scenario: dict[str, Any]) -> int:
    """Steps `{"do": VERB, "at": TIME, ...}`, silent unless `"webhooks": true`."""
    before = stage.world.silent
    stage.world.silent = not scenario.get("webhooks", False)
    started = time.monotonic()
    try:
        for number, step in enumerate(scenario.get("steps", []), 1):
            _play(stage, number, dict(step))
    finally:
        stage.world.silent = before
    return round((time.monotonic() - started) * 1000)


def _play(stage: Stage, number: int, step: dict[str, Any]) -> None:
    name = step.pop("do", "")
    at = step.pop("at", None)
    if name not in VERBS or name in ("load_scenario", "reset", "wait_idle"):
        raise Refusal(422, f"step {number}: no verb {name!r}")
    try:
        with stage.world.clock.pinned(at):
            VERBS[name](stage, **step)
    except (Refusal, TypeError, ValueError) as problem:
        raise Refusal(422, f"step {number} ({name}): {problem}") from problem
