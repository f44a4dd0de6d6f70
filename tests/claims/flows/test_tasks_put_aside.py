"""While a task is put aside nobody's time for it runs; its claimants are told so, and when it goes on."""

from datetime import timedelta

import pytest

from claims.models import Notice
from claims.operations import deadlines
from portal.models import Person, User
from tasks_board.models import Event
from tests.claims.flows.births import browser
from tests.claims.flows.scene import NEWCOMER, ORGANIZER, Scene

LIMITS = {"days_to_pull_request": 3, "reminder_days": 0, "grace_days": 0, "open_claims_per_person": 1}
ROW = "动转静 train step"
MARK = "🟡"  # deferred, in this table


def settle_limits(scene: Scene, days: int) -> list[str]:
    """What the rules decide in these days, one after the other."""
    made = []
    for _day in range(days):
        scene.passed += timedelta(days=1)
        scene.keep_pace()
        due = deadlines.list_due(scene.now())
        made += [deadlines.settle_deadline(claim=claim, now=scene.now()) for claim in due]
    return [kind.value for kind in made if kind]


def told(login: str) -> list[str]:
    return list(Notice.objects.filter(person__login=login).order_by("pk").values_list("kind", flat=True))


def claimed(scene: Scene) -> str:
    """A claim whose time runs; its task's row."""
    Event.objects.filter(slug="pir").update(rules=LIMITS)
    scene.write_table()
    scene.comment(NEWCOMER, "/claim 6")
    scene.settle()
    assert scene.claim(6, NEWCOMER).due_at is not None
    return next(row for row in scene.rows() if ROW in row)


def put_aside(scene: Scene, row: str, state: str) -> None:
    if state == "removed":
        scene.edit_body(ORGANIZER, row + "\n", "")
    else:
        scene.edit_body(ORGANIZER, row, row.replace("PIR 适配", f"PIR 适配{MARK}"))
    scene.settle()
    assert scene.task(6).state == state


@pytest.mark.parametrize(("state", "notice"), [("deferred", "task_deferred"), ("removed", "removed")])
def test_no_claim_runs_out_meanwhile_and_its_claimant_is_told_once(
    scene: Scene, state: str, notice: str
) -> None:
    put_aside(scene, claimed(scene), state)
    assert settle_limits(scene, 9) == []
    claim = scene.claim(6, NEWCOMER)
    assert (claim.standing, claim.turn, claim.due_at) == ("claimed", "", None)
    assert told(NEWCOMER) == [notice]
    page = browser(user_of(scene)).get("/me/").content.decode()
    assert "Open a pull request" not in page
    scene.comment(NEWCOMER, "/claim 5")
    scene.settle()
    assert scene.claim(5, NEWCOMER).standing == "claimed"  # what is put aside is in nobody's hands


def user_of(scene: Scene) -> Person:
    person = scene.person(NEWCOMER)
    User.objects.get_or_create(username=NEWCOMER, defaults={"person": person})
    return person


def test_when_the_task_goes_on_the_time_begins_anew(scene: Scene) -> None:
    row = claimed(scene)
    put_aside(scene, row, "deferred")
    assert settle_limits(scene, 9) == []
    now = next(row for row in scene.rows() if ROW in row)
    scene.edit_body(ORGANIZER, now, now.replace(MARK, ""))
    scene.settle()
    claim = scene.claim(6, NEWCOMER)
    assert claim.turn == "claimant"
    assert claim.due_at is not None
    assert claim.due_at - scene.now() > timedelta(days=2)
    assert told(NEWCOMER) == ["task_deferred", "task_resumed"]
    assert settle_limits(scene, 2) == []
    assert settle_limits(scene, 4) == ["reminded", "expired"]
