"""Telling somebody at GitHub, once, where claims are read."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from claims.github_marks import find_marked
from portal.accounts import people
from portal.github import types
from portal.github.gateway import Gateway
from portal.github.signatures import mark_comment
from tasks_board.models import Event


@dataclass(frozen=True, slots=True)
class WayPlan:
    """The answer, and where it belongs."""

    repository: str
    number: int
    since: datetime
    key: str
    body: str


class ShowTheWay:
    """Write the one answer to a claim in a thread where none is read."""

    def plan(self, payload: dict[str, Any], now: datetime) -> WayPlan | None:
        """None while nothing is written for the event."""
        if Event.objects.get(pk=payload["event"]).is_silent:
            return None
        key = f"comment-{payload['comment']}"
        since = datetime.fromisoformat(payload["since"])
        body = mark_comment(payload["words"], key)
        return WayPlan(payload["repository"], payload["number"], since, key, body)

    def perform(self, plan: WayPlan, gateway: Gateway) -> types.Comment:
        """An answer that got through without being recorded is found by its mark, and not written twice."""
        there = find_marked(
            gateway, repository=plan.repository, number=plan.number, since=plan.since, key=plan.key
        )
        return there or gateway.create_comment(plan.repository, plan.number, plan.body)

    def record(self, plan: WayPlan, outcome: types.Comment, now: datetime) -> None:
        """Note whose account wrote it: ours."""
        people.remember_portal(outcome.author, seen_at=outcome.updated_at)
