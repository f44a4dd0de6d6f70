"""Holds are put on and lifted while the workers go on: nothing is written meanwhile, and everything once afterwards."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from claims import github_reading
from claims.operations import reshaping, writing
from claims.operations.checking import check_standings
from portal import outbox
from portal.github.connect import connect
from portal.models import OutboxMessage
from tasks_board.models import Event
from tests.claims.flows.scene import NEWCOMER, NUMBER, ORGANIZER, OTHER, REPOSITORY, Scene

STEPS = 30


def writes(scene: Scene) -> int:
    """How often we wrote at GitHub so far."""
    return sum(
        request["method"] != "GET" and "graphql" not in request["path"] for request in scene.driver.requests()
    )


def hold(scene: Scene, *, held: bool) -> None:
    organizer = scene.person(ORGANIZER)
    writing.hold_event(event=scene.event, held=held, acting_user=organizer, now=scene.now())


def operators(scene: Scene, *, held: bool) -> None:
    (outbox.hold if held else outbox.lift)("", now=scene.now())


def archive(scene: Scene, *, held: bool) -> None:
    steps = (Event.Status.CLOSED, Event.Status.ARCHIVED) if held else (Event.Status.CLOSED, "running")
    for status in steps:
        reshaping.set_status(
            event=scene.event,
            status=Event.Status(status),
            acting_user=scene.person(ORGANIZER),
            now=scene.now(),
        )


HOLDS: tuple[Callable[..., None], ...] = (hold, operators)


def is_once_and_right(scene: Scene) -> None:
    asked = scene.driver.list_comments(REPOSITORY, NUMBER)
    by_people = [c for c in asked if c["user"]["login"] in (NEWCOMER, OTHER)]
    assert len(scene.answers()) == len(by_people)
    assert scene.issue.body == scene.issue.agreed_body == scene.body()
    for login in (NEWCOMER, OTHER):
        for number in (5, 6):
            claim = scene.task(number).claims.filter(person__login=login).first()
            is_on = claim is not None and claim.standing not in ("withdrawn", "declined")
            row = scene.rows()[-1 if number == 6 else -2].replace("~~", "")
            assert not is_on or f"@{login}" in row
    assert not OutboxMessage.objects.exists()
    assert list(check_standings(now=scene.now(), fix=False)) == []


@pytest.mark.parametrize("seed", range(1))
def test_nothing_is_written_while_anything_holds(scene: Scene, seed: int) -> None:
    scene.write_table()
    dice = random.Random(seed)
    on: dict[Callable[..., None], bool] = dict.fromkeys(HOLDS, False)
    has: dict[tuple[str, int], bool] = {}
    for step in range(STEPS):
        turn = dice.random()
        if turn < 0.35:
            which = dice.choice(HOLDS)
            on[which] = not on[which]
            which(scene, held=on[which])
        elif turn < 0.6:
            login, number = dice.choice((NEWCOMER, OTHER)), dice.choice((5, 6))
            has[login, number] = not has.get((login, number), False)
            scene.comment(login, f"{'/claim' if has[login, number] else '/release'} {number}")
        elif turn < 0.7:
            scene.edit_body(ORGANIZER, "## 背景", f"## 背景\n\n第{step}句。")
        scene.hear()
        before = writes(scene)
        scene.passed += outbox.FIRST_RETRY * 13
        for pk in outbox.sweep(scene.now()):
            outbox.drain_one(pk, connect, scene.now())
        scene.keep_pace()
        if any(on.values()):
            assert writes(scene) == before
    for which, is_on in on.items():
        if is_on:
            which(scene, held=False)
    scene.settle()
    is_once_and_right(scene)


@pytest.mark.parametrize(
    ("put", "quiet"), [(hold, False), (hold, True), (operators, False), (archive, False), (archive, True)]
)
def test_what_was_planned_before_a_hold_goes_through_and_nothing_else(
    scene: Scene, put: Callable[..., None], quiet: bool
) -> None:
    scene.write_table()
    Event.objects.filter(slug="pir").update(rules={"quiet": quiet})
    scene.comment(NEWCOMER, "/claim 6")
    scene.hear()
    table, answer = OutboxMessage.objects.order_by("-kind")  # write_table, and the answer
    scene.passed += outbox.FIRST_RETRY * 13

    def held_between() -> Any:
        put(scene, held=True)
        return connect()

    assert outbox.drain_one(table.pk, held_between, scene.now()) is outbox.Drained.SENT
    assert scene.body().count(f"@{NEWCOMER}") == 1
    before = writes(scene)
    scene.comment(OTHER, "/claim 5")
    scene.hear()
    scene.work()
    assert writes(scene) == before
    assert answer.attempts == 0
    put(scene, held=False)
    scene.settle()
    # what was written while the event was in the archive is read when it is polled again
    github_reading.poll_tracking_issue(tracking_issue=scene.issue, gateway=connect(), now=scene.now())
    scene.settle()
    made = scene.driver.list_comments(REPOSITORY, NUMBER)
    answered = [c for c in made if c["reactions"]["+1"] == 1] if quiet else scene.answers()
    assert len(answered) == 2
    assert scene.body().count(f"@{NEWCOMER}") == 1
