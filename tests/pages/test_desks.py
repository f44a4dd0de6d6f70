"""The mentor's desk and the organizers' page: what waits, and the buttons."""

from types import SimpleNamespace
from typing import Any

import pytest

from claims.models import Claim, Decision, IssueComment, TableConflict
from portal.github import connect
from portal.github.types import Account
from portal.models import OutboxMessage
from tasks_board.models import Event, IssueRevision, TaskHelper, TrackingIssue
from tests.pages import scenes
from tests.pages.scenes import Scene, client_of


def test_it_lists_what_waits(scene: Scene) -> None:
    scenes.make_claim(scene.tasks[1], scene.bob, "requested", reason={"code": "requested", "about": ""})
    scenes.make_pull_request(scene.tasks[1], scene.olga, 70)
    IssueComment.objects.create(
        tracking_issue=scene.issue,
        github_id=5,
        author=scene.bob,
        body="我想试试第十三题",
        written_at=scenes.NOW,
        updated_at=scenes.NOW,
        needs_help=True,
    )
    html = client_of(scene.mei).get("/events/pir/desk/").content.decode()
    assert "3 things wait for you." in html
    for words in ("Asked for", "Pull request without a claim", "Hard to read", "我想试试第十三题"):
        assert words in html


def test_it_shows_a_mentor_their_own_tasks_only(scene: Scene) -> None:
    scenes.make_claim(scene.tasks[0], scene.bob, "requested")
    assert "Nothing waits for you." in client_of(scene.mei).get("/events/pir/desk/").content.decode()
    assert "1 thing waits for you." in client_of(scene.olga).get("/events/pir/desk/").content.decode()


def test_it_admits(scene: Scene) -> None:
    claim = scenes.make_claim(scene.tasks[0], scene.bob, "requested")
    Decision.objects.update(kind="requested")
    client_of(scene.olga).post(f"/events/pir/desk/claims/{claim.pk}", {"kind": "admitted", "note": "Welcome"})
    decision = Decision.objects.get(kind="admitted")
    assert (decision.claim, decision.decided_by, decision.note) == (claim, scene.olga, "Welcome")
    assert Claim.objects.get(pk=claim.pk).standing == "claimed"


def test_it_lets_nobody_decide_on_their_own_claim(scene: Scene) -> None:
    claim = scenes.make_claim(
        scene.tasks[0], scene.olga, "claimed", doubts=[{"code": "table_says", "about": "done"}]
    )
    client = client_of(scene.olga)
    assert "another mentor decides" in client.get("/events/pir/desk/").content.decode()
    response = client.post(f"/events/pir/desk/claims/{claim.pk}", {"kind": "accepted"}, follow=True)
    assert "Nobody decides on their own claim." in response.content.decode()
    assert not Decision.objects.filter(kind="accepted").exists()


def test_it_refuses_a_mentor_the_tasks_of_others(scene: Scene) -> None:
    claim = scenes.make_claim(scene.tasks[0], scene.bob, "requested")
    response = client_of(scene.mei).post(
        f"/events/pir/desk/claims/{claim.pk}", {"kind": "admitted"}, follow=True
    )
    assert "Only mentors of this task" in response.content.decode()
    assert (
        client_of(scene.bob).post(f"/events/pir/desk/claims/{claim.pk}", {"kind": "admitted"}).status_code
        == 403
    )


def test_it_takes_the_author_of_a_pull_request_in(scene: Scene) -> None:
    pull_request = scenes.make_pull_request(scene.tasks[0], scene.bob, 70)
    client_of(scene.olga).post(f"/events/pir/desk/tasks/{scene.tasks[0].pk}/authors/{pull_request.pk}")
    assert Claim.objects.get(task=scene.tasks[0], person=scene.bob).standing == "pr_open"


def test_it_settles_a_comment(scene: Scene) -> None:
    comment = IssueComment.objects.create(
        tracking_issue=scene.issue,
        github_id=5,
        author=scene.bob,
        body="?",
        written_at=scenes.NOW,
        updated_at=scenes.NOW,
        needs_help=True,
    )
    client_of(scene.mei).post(f"/events/pir/desk/comments/{comment.pk}")
    comment.refresh_from_db()
    assert comment.handled_at is not None


def test_it_grants_named_mentors_and_publishes_with_one_click(scene: Scene) -> None:
    TaskHelper.objects.create(task=scene.tasks[0], person=scene.bob, role="mentor")
    Event.objects.update(status="draft")
    client = client_of(scene.olga)
    assert "Grant them all" in client.get("/events/pir/organize/").content.decode()
    client.post("/events/pir/organize/mentors")
    client.post("/events/pir/organize/publish")
    assert TaskHelper.objects.get(person=scene.bob).granted_by == scene.olga
    assert Event.objects.get(slug="pir").status == "running"


def test_it_confirms_history_with_one_click(scene: Scene) -> None:
    scenes.make_claim(scene.tasks[2], scene.bob, "done", basis="statement")
    client = client_of(scene.olga)
    assert "Confirm them all" in client.get("/events/pir/organize/").content.decode()
    response = client.post("/events/pir/organize/history", follow=True)
    assert "1 completion is confirmed." in response.content.decode()
    assert Decision.objects.filter(kind="accepted", decided_by=scene.olga).exists()


def gateway(scene: Scene, *, can_push: bool) -> object:
    account = Account(id=1, login="regatta-bot")
    issue = SimpleNamespace(author=SimpleNamespace(id=2), body=scene.issue.body)
    return SimpleNamespace(
        get_me=lambda: account,
        get_repository=lambda name: SimpleNamespace(can_push=can_push),
        get_issue=lambda name, number: issue,
    )


def test_it_switches_writing_on_after_the_probe_and_the_difference(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connect, "connect", lambda: gateway(scene, can_push=True))
    client = client_of(scene.olga)
    review = client.get(f"/events/pir/organize/issues/{scene.issue.pk}/").content.decode()
    assert "GitHub lets regatta-bot edit this issue" in review
    client.post(f"/events/pir/organize/issues/{scene.issue.pk}/writing", {"on": "1"})
    assert TrackingIssue.objects.get().writing == "on"
    assert OutboxMessage.objects.filter(kind="write_table").exists()
    client.post(f"/events/pir/organize/issues/{scene.issue.pk}/writing", {"on": "0"})
    assert TrackingIssue.objects.get().writing == "mirror"


def test_it_switches_nothing_on_without_the_right_to_write(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connect, "connect", lambda: gateway(scene, can_push=False))
    client = client_of(scene.olga)
    review = client.get(f"/events/pir/organize/issues/{scene.issue.pk}/").content.decode()
    assert "regatta-bot has no right to edit this issue" in review
    response = client.post(f"/events/pir/organize/issues/{scene.issue.pk}/writing", {"on": "1"}, follow=True)
    assert "Nothing was switched on." in response.content.decode()
    assert TrackingIssue.objects.get().writing == "mirror"


def test_it_says_what_stands_against_writing(scene: Scene, settings: Any) -> None:
    settings.GITHUB_TOKEN = ""
    review = client_of(scene.olga).get(f"/events/pir/organize/issues/{scene.issue.pk}/").content.decode()
    assert "No GitHub token is configured." in review
    assert "Keep this table up to date" not in review


@pytest.mark.parametrize("keep", ["ours", "theirs"])
def test_it_settles_a_conflict_with_one_click(scene: Scene, keep: str) -> None:
    claim = scene.tasks[1].claims.get()
    revision = IssueRevision.objects.create(tracking_issue=scene.issue, sha256="b" * 64, at=scenes.NOW)
    conflict = TableConflict.objects.create(
        claim=claim, ours="pr_open", theirs="withdrawn", revision=revision, raised_at=scenes.NOW
    )
    client = client_of(scene.olga)
    html = client.get("/events/pir/organize/").content.decode()
    assert "Keep ours: PR open" in html
    assert "Take the table’s: Withdrawn" in html
    client.post(f"/events/pir/organize/conflicts/{conflict.pk}", {"keep": keep})
    conflict.refresh_from_db()
    assert conflict.settled_by == scene.olga
    assert Decision.objects.filter(kind="released").exists() == (keep == "theirs")


RULES = {
    "who_may_claim": "open",
    "places_per_task": "2",
    "open_claims_per_person": "",
    "reminder_days": "3",
    "grace_days": "2",
    "renewals": "1",
    "waiting_list": "on",
    "first_merged_wins": "on",
}


def test_an_organizer_changes_the_rules(scene: Scene) -> None:
    client = client_of(scene.olga)
    assert 'name="places_per_task"' in client.get("/events/pir/organize/").content.decode()
    response = client.post("/events/pir/organize/rules", RULES, follow=True)
    html = response.content.decode()
    assert "The rules are changed." in html
    assert 'name="places_per_task" value="2"' in html
    assert Event.objects.get().rules == {"places_per_task": 2}


def test_what_is_no_rule_is_explained_and_changes_nothing(scene: Scene) -> None:
    response = client_of(scene.olga).post(
        "/events/pir/organize/rules", {**RULES, "places_per_task": "0", "renewals": ""}, follow=True
    )
    assert "Places per task: " in response.content.decode()
    assert Event.objects.get().rules == {}


def test_only_organizers_change_the_rules(scene: Scene) -> None:
    assert client_of(scene.mei).post("/events/pir/organize/rules", RULES).status_code == 403
    assert Event.objects.get().rules == {}
