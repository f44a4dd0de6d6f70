"""Events may come twice, late and in any order: what they lead to is the same."""

import random
from typing import Any

import pytest
from django.db import transaction
from django.db.models import Sum

from claims.models import Claim, PullRequest, Review
from claims.operations import tables
from portal import inbox
from rewards.models import LedgerEntry
from tasks_board.models import Task
from tests.claims.flows.scene import MENTOR, NEWCOMER, NUMBER, ORGANIZER, OTHER, REPOSITORY, Scene
from tests.services.deliveries import process_due

ORDERS = 12


def play(scene: Scene) -> list[dict[str, Any]]:
    """The story of `make smoke` and a little more, one second for each step; its deliveries."""
    driver = scene.driver
    seconds = iter(range(60))

    def at() -> str:
        return f"2030-03-01T08:00:{next(seconds):02d}Z"

    driver.comment(REPOSITORY, NUMBER, NEWCOMER, "【报名】：6、5", at=at())
    edited = driver.comment(REPOSITORY, NUMBER, OTHER, "/claim 1", at=at())["id"]
    number = driver.open_pull_request(REPOSITORY, "【PIR No.6】Train step", NEWCOMER, at=at())["number"]
    driver.review(REPOSITORY, number, MENTOR, "APPROVE", association="COLLABORATOR", at=at())
    driver.edit_comment(edited, OTHER, "/claim 2", at=at())
    driver.comment(REPOSITORY, NUMBER, NEWCOMER, "/release 5", at=at())
    driver.merge(REPOSITORY, number, MENTOR, at=at())
    revert = driver.revert(REPOSITORY, number, MENTOR, at=at())["number"]
    driver.merge(REPOSITORY, revert, MENTOR, at=at())
    other = driver.open_pull_request(REPOSITORY, "【PIR No.2】Sparse", OTHER, at=at())["number"]
    driver.merge(REPOSITORY, other, MENTOR, at=at())
    body = scene.body().replace("dtype 动静统一🚧", "dtype 动静统一✅")
    driver.edit_issue(REPOSITORY, NUMBER, ORGANIZER, body, at=at())
    return scene.waiting()


def snapshot(scene: Scene) -> dict[str, Any]:
    """All that must not depend on the order. Granted places, row ids and the audit are not in it."""
    pull_requests = PullRequest.objects.order_by("number")
    balances = LedgerEntry.objects.values("account__person__login", "account__pool").annotate(
        Sum("amount_steps")
    )
    return {
        "pull requests": list(
            pull_requests.values_list(
                "number", "title", "state", "merged_at", "closed_at", "updated_at", "author__login"
            )
        ),
        "reviews": list(Review.objects.order_by("github_id").values_list("github_id", "state")),
        "standings": sorted(
            (c.task.number, str(c.claimant), c.standing) for c in Claim.objects.filter(shown=True)
        ),
        "tasks": sorted(Task.objects.values_list("number", "title", "state")),
        "balances": {
            row["account__person__login"]: row["amount_steps__sum"]
            for row in balances
            if row["amount_steps__sum"]
        },
        "completions": scene.completions(),
        "issue body": tables.text_to_write(scene.issue).body,
    }


@pytest.fixture
def story(scene: Scene) -> list[dict[str, Any]]:
    deliveries = play(scene)
    assert len(deliveries) >= 12
    return deliveries


def outcome(scene: Scene, deliveries: list[dict[str, Any]]) -> dict[str, Any]:
    """What these deliveries lead to, undone afterwards."""
    before = transaction.savepoint()
    for delivery in deliveries:
        assert scene.post(delivery) in (200, 202)
        process_due(scene.now())
    assert inbox.sweep(scene.now()) == []
    seen = snapshot(scene)
    transaction.savepoint_rollback(before)
    return seen


def test_in_order_it_is_what_happened(scene: Scene, story: list[dict[str, Any]]) -> None:
    seen = outcome(scene, story)
    assert seen["completions"] == {("2", OTHER), ("4", "zrr1999")}
    standings = {(number, login): standing for number, login, standing in seen["standings"]}
    assert standings["6", NEWCOMER] == "claimed"
    assert standings["5", NEWCOMER] == "withdrawn"
    assert standings["1", OTHER] == "withdrawn"
    assert f"@{NEWCOMER}" in seen["issue body"]


def test_twice_and_in_any_order_it_is_the_same(scene: Scene, story: list[dict[str, Any]]) -> None:
    expected = outcome(scene, story)
    for seed in range(ORDERS):
        deliveries = story * 2
        random.Random(seed).shuffle(deliveries)
        assert outcome(scene, deliveries) == expected, f"order {seed}"


def test_any_prefix_may_come_twice(scene: Scene, story: list[dict[str, Any]]) -> None:
    expected = outcome(scene, story)
    for length in range(1, len(story), 3):
        assert outcome(scene, story[:length] + story) == expected
