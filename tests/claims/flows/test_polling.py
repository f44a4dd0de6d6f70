"""Without a single webhook the portal comes to the same state."""

from datetime import datetime
from typing import Any

import pytest
from celery import current_app
from pytest_django import Settings

from claims import github_reading, jobs
from claims.models import Claim, IssueComment
from claims.operations import comments
from claims.operations.speaking import Written
from portal.github.connect import connect
from tasks_board.models import TrackingIssue
from tests.claims.flows.scene import MENTOR, NEWCOMER, ORGANIZER, OTHER, REPOSITORY, Scene


def play(scene: Scene) -> None:
    scene.comment(NEWCOMER, "/claim 6")
    scene.comment(OTHER, "/claim 5")
    scene.comment(OTHER, "/release 5")
    number = scene.open_pull_request(NEWCOMER, "【PIR No.6】x")
    scene.driver.review(REPOSITORY, number, MENTOR, "APPROVE", association="MEMBER")
    scene.edit_body(ORGANIZER, "dtype 动静统一🚧", "dtype 动静统一✅")
    scene.edit_body(OTHER, "## 背景", "## 缘起")
    scene.merge(scene.open_pull_request("zrr1999", "【PIR No.5】y"))


def poll(scene: Scene) -> None:
    github_reading.poll_tracking_issue(tracking_issue=scene.issue, gateway=connect(), now=scene.now())
    for repository in github_reading.list_repositories_to_watch():
        github_reading.reconcile_repository(repository=repository, gateway=connect(), now=scene.now())


def seen(scene: Scene) -> dict[str, Any]:
    return {
        "standings": sorted(
            (c.task.number, str(c.claimant), c.standing) for c in Claim.objects.filter(shown=True)
        ),
        "completions": scene.completions(),
        "body": scene.issue.body,
    }


def test_polling_alone_comes_to_what_webhooks_tell(scene: Scene) -> None:
    play(scene)
    poll(scene)
    polled = seen(scene)
    assert polled["completions"] == {("4", "zrr1999"), ("5", "zrr1999")}
    assert ("6", NEWCOMER, "approved") in polled["standings"]
    scene.bring()
    poll(scene)
    assert seen(scene) == polled


def test_webhooks_first_and_polling_afterwards_change_nothing(scene: Scene) -> None:
    play(scene)
    scene.settle()
    told = seen(scene)
    poll(scene)
    assert seen(scene) == told


def test_comments_are_answered_once_however_often_they_are_read(scene: Scene) -> None:
    play(scene)
    for _again in range(3):
        poll(scene)
        scene.work()
    scene.settle()
    assert len(scene.answers()) == IssueComment.objects.count() == 3


def test_the_jobs_run_as_celery_tasks(scene: Scene, settings: Settings) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = True
    before = current_app.conf.task_always_eager
    current_app.conf.task_always_eager = True
    try:
        play(scene)
        jobs.poll_tracking_issues.delay()
        jobs.reconcile_pull_requests.delay()
    finally:
        current_app.conf.task_always_eager = before
    assert scene.claim(6, NEWCOMER).standing == "approved"
    assert {"claims.jobs.poll_tracking_issue", "claims.jobs.reconcile_repository"} <= set(current_app.tasks)


def test_polling_knows_who_edited_a_comment(scene: Scene) -> None:
    """A maintainer who edits somebody's comment puts no words into their mouth; its author does."""
    theirs, own = scene.comment(NEWCOMER, "Hello"), scene.comment(OTHER, "Hello")
    scene.driver.edit_comment(theirs["id"], ORGANIZER, "/claim 6", at="2030-03-01T08:00:00Z")
    scene.driver.edit_comment(own["id"], OTHER, "/claim 5", at="2030-03-01T08:00:00Z")
    poll(scene)
    poll(scene)
    assert not Claim.objects.filter(person__login=NEWCOMER).exists()
    assert Claim.objects.get(person__login=OTHER).task.number == "5"
    assert IssueComment.objects.get(github_id=theirs["id"]).needs_help
    before = seen(scene)
    scene.bring()
    assert seen(scene) == before


def test_one_comment_that_cannot_be_taken_in_costs_no_other(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried again with each poll, since the mark of how far was read stays."""
    first, last = scene.comment(NEWCOMER, "/claim 6"), scene.comment(OTHER, "/claim 5")
    record = comments.record_comment

    def fail(*, tracking_issue: TrackingIssue, written: Written, now: datetime) -> IssueComment | None:
        if written.fact.id == first["id"]:
            raise ZeroDivisionError
        return record(tracking_issue=tracking_issue, written=written, now=now)

    with monkeypatch.context() as patch:
        patch.setattr(comments, "record_comment", fail)
        for _again in range(2):
            with pytest.raises(ZeroDivisionError):
                poll(scene)
    assert [comment.github_id for comment in IssueComment.objects.all()] == [last["id"]]
    poll(scene)
    assert scene.claim(6, NEWCOMER).standing == scene.claim(5, OTHER).standing == "claimed"
