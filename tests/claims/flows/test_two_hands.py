"""Two people and the portal edit one issue at once, for 200 rounds: no edit of a person is lost, no cell is wrong at the end.

Edits are placed between our read and our write, on top of our write, on the same row, and before anything of it arrives.
"""

import random
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from claims import github_reading
from claims.models import Decision, TableConflict
from claims.operations import claiming, deciding
from claims.operations.claiming import Asked
from portal import outbox
from portal.github.connect import connect
from portal.models import Person
from tasks_board.models import TrackingIssue
from tests.claims.flows.rounds import Hands, Played, first_body
from tests.claims.flows.scene import NEWCOMER, ORGANIZER, OTHER, Scene, open_stage
from tests.github_stand_in.process import StandInProcess
from tests.services.deliveries import process_due

ROUNDS = 200
WRITERS = (ORGANIZER, OTHER)


@pytest.fixture
def stage(db: None, stand_in: StandInProcess, client: Client) -> Scene:
    """An event of our own whose table the portal writes."""
    scene = open_stage(stand_in.driver, client, first_body())
    TrackingIssue.objects.update(writing=TrackingIssue.Writing.ON)
    scene.looked_at = len(scene.driver.deliveries())
    return scene


def claim_or_release(scene: Scene, hands: Hands, chance: random.Random, *, by_comment: bool) -> None:
    """The newcomer, who is never typed in by hand: on the web or by a comment, for any row."""
    row = chance.choice(hands.standing)
    task = scene.event.tasks.filter(number=str(row), is_removed=False).first()
    if task is None:  # a row that the portal has not read yet
        return
    has = task.claims.filter(person__login=NEWCOMER).exclude(standing="withdrawn").exists()
    newcomer = Person.objects.filter(login=NEWCOMER).first()
    if by_comment or newcomer is None:
        scene.comment(NEWCOMER, f"{'/release' if has else '/claim'} {row}")
        return
    asked = Asked(at=scene.now(), source=Decision.Source.WEB, key=f"web:{chance.random()}")
    act = claiming.release_task if has else claiming.claim_task
    act(task=task, claimant=newcomer, asked=asked, now=scene.now())


def step(scene: Scene) -> None:
    """The jobs once; writes are not spaced here."""
    process_due(scene.now())
    scene.passed += timedelta(seconds=61)
    for pk in outbox.sweep(scene.now()):
        outbox.drain_one(pk, connect, scene.now())
    scene.keep_pace()


def poll(scene: Scene) -> None:
    github_reading.poll_tracking_issue(tracking_issue=scene.issue, gateway=connect(), now=scene.now())


@pytest.mark.timeout(900)
@pytest.mark.parametrize("way", ["webhooks", "polling", "mixed"])
def test_nobody_loses_an_edit_in_200_rounds(stage: Scene, way: str) -> None:
    chance = random.Random(f"rounds-{way}")
    hands = Hands(chance)
    played, late = Played(stage, hands, WRITERS), list[dict[str, Any]]()
    for round_ in range(ROUNDS):
        if chance.random() < 0.5:
            claim_or_release(stage, hands, chance, by_comment=chance.random() < 0.5)
        if not stage.driver.pending_edits() and chance.random() < 0.6:
            played.save_between(round_, round_ % 2)
        elif not stage.driver.pending_edits():
            played.save(round_, round_ % 2)
            if chance.random() < 0.4:
                played.save(round_ + 1_000, 1 - round_ % 2)
        bring(stage, way, chance, late)
        stage.driver.advance_clock(chance.choice((0, 1, 2)))
    finish(stage, way, late, hands)
    assert played.wrong() == []
    assert stage.issue.body == stage.issue.agreed_body == stage.body()


def news(scene: Scene) -> list[dict[str, Any]]:
    """What GitHub has sent since the last look."""
    found = scene.driver.deliveries(with_payload=True, after=scene.looked_at)
    scene.looked_at += len(found)
    return found


def bring(scene: Scene, way: str, chance: random.Random, late: list[dict[str, Any]]) -> None:
    if way == "polling":
        if chance.random() < 0.5:
            poll(scene)
    else:
        waiting = [*late, *news(scene)]
        late.clear()
        if way == "mixed":
            chance.shuffle(waiting)
            for delivery in [d for d in waiting if chance.random() < 0.25]:  # lost on the way
                waiting.remove(delivery)
                scene.brought.add(delivery["id"])
            late += [d for d in waiting if chance.random() < 0.3]
            waiting = [d for d in waiting if d not in late]
        for delivery in waiting:
            scene.post(delivery)
            if way == "mixed" and chance.random() < 0.2:
                scene.post(delivery)
        if way == "mixed" and chance.random() < 0.1:
            poll(scene)
    step(scene)


def finish(scene: Scene, way: str, late: list[dict[str, Any]], hands: Hands) -> None:
    """Everything arrives, and an organizer settles what both sides changed."""
    organizer = scene.person(ORGANIZER)
    for row in hands.standing:  # something to write, so that an edit that waits for our write is made
        if scene.driver.pending_edits():
            scene.comment(NEWCOMER, f"/release {row}")
            scene.comment(NEWCOMER, f"/claim {row}")
            settle(scene, way, late)
            scene.comment(NEWCOMER, f"/release {row}")
            settle(scene, way, late)
    assert (scene.issue.alarm, scene.driver.pending_edits()) == ("", 0)
    for _again in range(3):
        settle(scene, way, late)
        for conflict in TableConflict.objects.filter(settled_at=None):
            deciding.settle_conflict(
                conflict=conflict, keep_ours=False, acting_user=organizer, now=scene.now()
            )


def settle(scene: Scene, way: str, late: list[dict[str, Any]]) -> None:
    while waiting := [*late, *news(scene)]:
        late.clear()
        if way != "polling":
            for delivery in waiting:
                scene.post(delivery)
        poll(scene)
        scene.work()
        scene.keep_pace()
