"""What goes out survives GitHub's faults: nothing is written twice, nothing is lost."""

import pytest

from tests.claims.flows.scene import NEWCOMER, NUMBER, REPOSITORY, Scene

FAULTS = ("bad_gateway", "server_error", "secondary_limit", "too_many_requests", "hang_up", "garbage")


def claim_and_settle(scene: Scene) -> None:
    scene.write_table()
    scene.comment(NEWCOMER, "/claim 6")
    scene.settle()
    for _again in range(12):  # the pauses after failures double up to an hour
        scene.passed *= 2
        scene.settle()


@pytest.mark.parametrize("kind", FAULTS)
def test_a_write_that_fails_is_made_later(scene: Scene, kind: str) -> None:
    scene.driver.add_fault(kind, count=3)
    claim_and_settle(scene)
    assert len(scene.answers()) == 1
    assert scene.body().count(f"@{NEWCOMER}") == 1


@pytest.mark.parametrize("kind", ["bad_gateway", "hang_up"])
def test_a_write_that_got_through_though_github_said_no_is_not_made_twice(scene: Scene, kind: str) -> None:
    scene.driver.add_fault(kind, method="POST", path="/comments", after=True)
    scene.driver.add_fault(kind, method="PATCH", after=True)
    versions = len(scene.driver.issue_history(REPOSITORY, NUMBER))
    claim_and_settle(scene)
    assert len(scene.answers()) == 1
    assert scene.body().count(f"@{NEWCOMER}") == 1
    assert len(scene.driver.issue_history(REPOSITORY, NUMBER)) <= versions + 2  # the first edit shows two


def test_a_copied_mark_is_not_our_answer(scene: Scene) -> None:
    from portal.github.signatures import mark_comment

    made = scene.comment(NEWCOMER, "/claim 6")
    forged = scene.comment("ines-codes", mark_comment("mine", f"comment-{made['id']}"))
    scene.settle()
    assert len(scene.answers()) == 1
    bodies = {c["id"]: c["body"] for c in scene.driver.list_comments(REPOSITORY, NUMBER)}
    assert bodies[forged["id"]] == forged["body"]
