"""An edit that our write covered, and one on top of our write: both stand in the end, in whatever order they are heard of."""

import pytest

from claims import github_reading
from claims.github_effects import WritePlan, WriteTable
from portal.github.connect import connect
from portal.outbox import Postpone
from tests.claims.flows.scene import NEWCOMER, NUMBER, ORGANIZER, OTHER, REPOSITORY, Scene
from tests.services.deliveries import process_due

COVERED, ON_TOP = "SOT 动态 shape 支持（新）", "dtype 动静统一（改）"


@pytest.mark.parametrize("first", ["nothing", "the later", "both, the later first", "a poll"])
@pytest.mark.parametrize("dies", [False, True])
def test_both_edits_stand_and_so_does_ours(scene: Scene, first: str, dies: bool) -> None:
    scene.write_table()
    scene.comment(NEWCOMER, "/claim 6")
    scene.hear()
    effect, now = WriteTable(), scene.now()
    plan = effect.plan({"tracking_issue": scene.issue.pk}, now)
    scene.driver.advance_clock(2)
    covered = scene.body().replace("SOT 动态 shape 支持", COVERED)
    scene.driver.inject_edit_between(REPOSITORY, NUMBER, ORGANIZER, covered)
    outcome = effect.perform(plan, connect())  # type: ignore[arg-type]
    scene.driver.advance_clock(2)
    assert COVERED not in scene.body()
    scene.edit_body(OTHER, "dtype 动静统一", ON_TOP)
    theirs, _ours, later = [d for d in scene.waiting() if d["event"] == "issues"]
    told = {"the later": [later], "both, the later first": [later, theirs]}.get(first, [])
    for delivery in told:
        scene.post(delivery)
    process_due(scene.now())
    if first == "a poll":
        github_reading.poll_tracking_issue(tracking_issue=scene.issue, gateway=connect(), now=scene.now())
    if not dies:  # a worker that dies here leaves its message, and the next one writes
        effect.record(plan, outcome, now)  # type: ignore[arg-type]
    github_reading.poll_tracking_issue(tracking_issue=scene.issue, gateway=connect(), now=scene.now())
    scene.settle()
    assert COVERED in scene.body()
    assert ON_TOP in scene.body()
    assert f"@SigureMo | @{NEWCOMER} |" in scene.body()
    assert scene.issue.body == scene.issue.agreed_body == scene.body()
    assert scene.task(5).title == COVERED


def test_the_same_write_is_not_tried_twice_in_one_moment(scene: Scene) -> None:
    """What GitHub holds could not be taken in (a clock went back there): to ask again at once leads nowhere."""
    scene.write_table()
    scene.comment(NEWCOMER, "/claim 6")
    scene.hear()
    effect, now = WriteTable(), scene.now()
    first = effect.plan({"tracking_issue": scene.issue.pk}, now)
    again = effect.plan({"tracking_issue": scene.issue.pk}, now)
    assert isinstance(first, WritePlan)
    assert isinstance(again, Postpone)
    assert again.due_at > now
    assert scene.issue.revisions.filter(ours=True, is_merged=False).count() == 1
    scene.settle()
    assert f"@SigureMo | @{NEWCOMER} |" in scene.body()
