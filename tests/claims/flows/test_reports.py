"""Faults that people met in systems like this one: what is right, once for each."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from claims import github_reading
from claims.models import Claim, Decision, PullRequest
from portal.github.connect import connect
from portal.models import Delivery
from rewards.models import LedgerEntry, Transaction
from tasks_board.models import Event
from tests.claims.flows.scene import MENTOR, NEWCOMER, NUMBER, ORGANIZER, OTHER, REPOSITORY, Scene

WORK = "【PIR No.6】x"


def claimed(scene: Scene, number: int = 6, login: str = NEWCOMER) -> None:
    scene.comment(login, f"/claim {number}")
    scene.settle()


def poll(scene: Scene) -> None:
    github_reading.poll_tracking_issue(tracking_issue=scene.issue, gateway=connect(), now=scene.now())
    for repository in github_reading.list_repositories_to_watch():
        github_reading.reconcile_repository(repository=repository, gateway=connect(), now=scene.now())


def earned(scene: Scene, login: str) -> int:
    """The steps that lie with a person now."""
    entries = LedgerEntry.objects.filter(account__person__login=login)
    return sum(entries.values_list("amount_steps", flat=True))


def test_a_delivery_of_another_minute_is_still_the_same_one(scene: Scene) -> None:
    scene.comment(NEWCOMER, "/claim 6")
    delivery = scene.waiting()[0]
    for _ in range(5):
        assert scene.post(delivery) in (200, 202)
        scene.passed += timedelta(minutes=1)
        scene.work()
    assert Delivery.objects.filter(delivery_id=delivery["id"]).count() == 1
    assert Decision.objects.filter(kind="claimed", claim__person__login=NEWCOMER).count() == 1
    assert len(scene.answers()) == 1


def test_lost_webhooks_are_repaired_by_looking(scene: Scene) -> None:
    claimed(scene)
    claimed(scene, 5, OTHER)
    first, second = scene.open_pull_request(NEWCOMER, WORK), scene.open_pull_request(OTHER, "【PIR No.5】y")
    scene.driver.review(REPOSITORY, first, MENTOR, "APPROVE", association="MEMBER")
    scene.merge(second)
    scene.comment(OTHER, "/claim 6")
    waiting = scene.waiting()
    kept = [delivery for delivery in waiting if random.Random(delivery["id"]).random() > 0.3]
    scene.brought.update(delivery["id"] for delivery in waiting)
    scene.bring(kept)
    poll(scene)
    poll(scene)
    assert scene.claim(6, NEWCOMER).standing == "approved"
    assert scene.completions() == {("5", OTHER)}
    assert Claim.objects.filter(task__number="6", person__login=OTHER, shown=True).exists()


def test_closing_and_opening_again_earns_nothing(scene: Scene) -> None:
    claimed(scene)
    for _ in range(3):
        number = scene.open_pull_request(NEWCOMER, WORK)
        scene.driver.close(REPOSITORY, number, NEWCOMER)
        scene.settle()
    assert scene.claim(6, NEWCOMER).standing == "closed_unmerged"
    assert not Transaction.objects.exists()


def test_merged_reverted_and_landed_again_is_plus_one_minus_one_plus_one(scene: Scene) -> None:
    claimed(scene)
    number = scene.open_pull_request(NEWCOMER, WORK)
    scene.merge(number)
    scene.settle()
    one = earned(scene, NEWCOMER)
    assert one > 0
    scene.merge(int(scene.driver.revert(REPOSITORY, number, MENTOR)["number"]))
    scene.settle()
    assert (earned(scene, NEWCOMER), earned(scene, MENTOR)) == (0, 0)
    assert scene.task(6).state != "done"
    scene.merge(scene.open_pull_request(NEWCOMER, f"{WORK}, again"))
    scene.settle()
    assert earned(scene, NEWCOMER) == one
    assert Transaction.objects.count() == 3


def test_a_person_renamed_between_claim_and_merge_is_one_person(scene: Scene) -> None:
    claimed(scene)
    number = scene.open_pull_request(NEWCOMER, WORK)
    scene.settle()
    scene.driver.rename_user(NEWCOMER, "chen-anew")
    scene.merge(number)
    scene.settle()
    assert scene.completions() == {("6", "chen-anew")}
    assert Claim.objects.filter(task__number="6", shown=True).count() == 1


def test_names_that_contain_each_other_are_different_people(scene: Scene) -> None:
    logins = ["oak", "oak-king", "io", "img", "Oak-Kin"]
    for login in logins:
        scene.driver.create_user(login)
        claimed(scene, 6, login)
    assert Claim.objects.filter(task__number="6", standing="claimed").count() == len(logins)
    scene.comment("oak", "/release 6")
    scene.settle()
    gone = Claim.objects.filter(task__number="6", standing="withdrawn")
    assert [str(claim.person) for claim in gone] == ["oak"]


def test_deleting_our_own_answer_runs_nothing_that_stands_in_it(scene: Scene) -> None:
    scene.comment(NEWCOMER, "认领 六号题")
    scene.comment(OTHER, "/claim 999")
    scene.settle()
    before = Decision.objects.count()
    for comment in scene.driver.list_comments(REPOSITORY, NUMBER):
        if comment["user"]["login"] == "regatta-bot":
            scene.driver.delete_comment(comment["id"], MENTOR)
    scene.settle()
    assert Decision.objects.count() == before


def test_labels_on_and_off_change_nothing(scene: Scene) -> None:
    claimed(scene)
    number = scene.open_pull_request(NEWCOMER, WORK)
    scene.merge(number)
    scene.settle()
    entries = LedgerEntry.objects.count()
    for labels in (["done"], [], ["done"], []):
        scene.driver.set_labels(REPOSITORY, number, MENTOR, labels)
        scene.driver.set_labels(REPOSITORY, NUMBER, MENTOR, labels)
    scene.settle()
    assert LedgerEntry.objects.count() == entries
    assert scene.completions() == {("6", NEWCOMER)}


def test_a_finished_task_is_claimed_by_nobody_and_the_answer_says_why(scene: Scene) -> None:
    claimed(scene)
    scene.merge(scene.open_pull_request(NEWCOMER, WORK))
    scene.settle()
    claimed(scene, 6, OTHER)
    assert not Claim.objects.filter(task__number="6", person__login=OTHER, shown=True).exists()
    assert any(f"@{OTHER}" in answer and "not claimed" in answer for answer in scene.answers())


def test_a_claim_under_an_issue_that_is_no_event_is_none(scene: Scene) -> None:
    other = scene.driver.create_issue(REPOSITORY, "A bug", "It crashes.", OTHER)
    scene.driver.comment(REPOSITORY, other["number"], NEWCOMER, "/claim 6")
    scene.settle()
    assert not Claim.objects.filter(person__login=NEWCOMER).exists()


def test_a_third_persons_work_waits_for_the_mentor(scene: Scene) -> None:
    claimed(scene)
    scene.merge(scene.open_pull_request(OTHER, WORK))
    scene.settle()
    assert scene.completions() == set()
    assert scene.claim(6, NEWCOMER).standing == "claimed"


@pytest.mark.parametrize("words", ["/award 6", "/award @ines-codes 6", "/approve 6"])
def test_nobody_awards_by_typing_an_organizers_words(scene: Scene, words: str) -> None:
    claimed(scene)
    scene.comment(OTHER, words)
    scene.settle()
    assert scene.completions() == set()


@pytest.mark.parametrize("seed", range(3))
def test_an_older_event_brings_no_older_title_back(scene: Scene, seed: int) -> None:
    claimed(scene)
    number = scene.open_pull_request(NEWCOMER, "wip")
    scene.driver.retitle(REPOSITORY, number, NEWCOMER, WORK, at="2030-05-01T08:00:00Z")
    scene.driver.push(REPOSITORY, number, NEWCOMER, at="2030-05-01T08:00:05Z")
    waiting = scene.waiting()
    random.Random(seed).shuffle(waiting)
    scene.bring(waiting)
    scene.settle()
    assert PullRequest.objects.get(number=number).title == WORK
    assert scene.claim(6, NEWCOMER).standing == "pr_open"


def test_fifty_completions_within_a_minute_beside_a_person_who_edits(scene: Scene) -> None:
    """Many marks become few writes, and the person's edit stays."""
    scene.write_table()
    body = scene.body()
    rows = "\n".join(f"| 很多 {n} | | |" for n in range(50))
    table = next(row for row in scene.rows() if "op_callstack" in row)
    scene.driver.edit_issue(REPOSITORY, NUMBER, ORGANIZER, body.replace(table, f"{table}\n{rows}"))
    scene.settle()
    numbers = [task.number for task in scene.event.tasks.filter(title__startswith="很多")]
    assert len(numbers) == 50
    scene.comment(NEWCOMER, "/claim " + ", ".join(numbers))
    scene.settle()
    made = [scene.open_pull_request(NEWCOMER, f"【PIR No.{number}】x") for number in numbers]
    scene.settle()
    before = len(scene.driver.issue_history(REPOSITORY, NUMBER))
    for number in made:
        scene.merge(number)
    scene.edit_body(OTHER, "## 背景", "## 缘起")
    scene.settle()
    assert {number for number, login in scene.completions()} >= set(numbers)
    assert "## 缘起" in scene.body()
    assert len(scene.driver.issue_history(REPOSITORY, NUMBER)) - before <= 6


def test_the_last_second_of_the_day_in_the_events_zone_still_counts(scene: Scene) -> None:
    """24:00 of the 23rd in Shanghai is 16:00 of the 23rd in UTC, inclusive, whatever zone the server keeps."""
    Event.objects.update(closes_at=datetime(2030, 4, 23, 16, 0, tzinfo=UTC), time_zone="Asia/Shanghai")
    for number, second in ((4, "15:59:59"), (5, "16:00:00"), (6, "16:00:01")):
        scene.driver.comment(REPOSITORY, NUMBER, NEWCOMER, f"/claim {number}", at=f"2030-04-23T{second}Z")
    scene.settle()
    mine = Claim.objects.filter(person__login=NEWCOMER, shown=True)
    assert sorted(mine.values_list("task__number", flat=True)) == ["4", "5"]
