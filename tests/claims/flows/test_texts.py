"""Tables in comments, and texts that are added, moved and merged, at the doors: webhooks, and polling alone."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from pytest_django import Settings

from claims import github_events, github_reading
from claims.github_effects import WriteTable
from claims.models import Claim, Decision, IssueComment, PullRequestLink
from claims.operations import comment_texts, texts
from claims.operations.importing import IssueText
from portal.common.errors import DomainError
from portal.github import types
from portal.github.connect import connect
from portal.models import Person
from tasks_board.models import Event, Task, TrackingIssue
from tests.claims.flows.scene import MENTOR, NEWCOMER, NUMBER, ORGANIZER, OTHER, REPOSITORY, Scene

TABLE = "More of it:\n\n| 序号 | 题目 | 认领人 |\n| - | - | - |\n| 61 | Lamp | |\n| 62 | Rope | @carl |\n"
Arrive = Callable[[Scene], None]


def at_github(made: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(made["updated_at"])


def poll(scene: Scene) -> None:
    for pk in github_reading.list_tracking_issues_to_poll():
        text = TrackingIssue.objects.select_related("event").get(pk=pk)
        github_reading.poll_tracking_issue(tracking_issue=text, gateway=connect(), now=scene.now())
    scene.work()


def webhooks(scene: Scene) -> None:
    scene.settle()


both_ways = pytest.mark.parametrize("arrive", [webhooks, poll])


def organizer(scene: Scene) -> Person:
    return scene.person(ORGANIZER)


def take_in(scene: Scene) -> TrackingIssue:
    [offer] = comment_texts.list_offers(scene.event)
    return comment_texts.take_in_comment(
        event=scene.event, comment=offer.comment, acting_user=organizer(scene), now=scene.now()
    )


def body_row(scene: Scene) -> TrackingIssue:
    return TrackingIssue.objects.select_related("event").get(number=NUMBER, comment_id=None)


@both_ways
class TestTablesInComments:
    @pytest.fixture
    def comment(self, scene: Scene, arrive: Arrive) -> int:
        made = scene.comment(ORGANIZER, TABLE)
        arrive(scene)
        return int(made["id"])

    def test_an_organizer_s_table_is_offered_and_says_nothing_for_its_author(
        self, scene: Scene, comment: int
    ) -> None:
        assert [offer.tasks for offer in comment_texts.list_offers(scene.event)] == [2]
        assert not scene.answers()
        assert not IssueComment.objects.get(github_id=comment).needs_help
        assert not Task.objects.filter(number="61").exists()

    def test_a_stranger_s_table_is_not(self, scene: Scene, arrive: Arrive, comment: int) -> None:
        stranger = scene.comment(NEWCOMER, TABLE.replace("61", "71"))
        arrive(scene)
        assert [offer.comment.github_id for offer in comment_texts.list_offers(scene.event)] == [comment]
        with pytest.raises(DomainError):
            comment_texts.take_in_comment(
                event=scene.event,
                comment=IssueComment.objects.get(github_id=stranger["id"]),
                acting_user=organizer(scene),
                now=scene.now(),
            )

    def test_its_rows_are_tasks_and_follow_its_edits(
        self, scene: Scene, arrive: Arrive, comment: int
    ) -> None:
        text = take_in(scene)
        assert (text.number, text.comment_id) == (NUMBER, comment)
        assert not comment_texts.list_offers(scene.event)
        claim = Claim.objects.get(task__number="62")
        assert (str(claim.claimant), claim.standing, claim.basis) == ("carl", "claimed", "statement")
        scene.driver.edit_comment(
            comment, ORGANIZER, TABLE.replace("| 61 | Lamp | |", "| 61 | Lamp (new) | @dora |")
        )
        arrive(scene)
        assert scene.task(61).title == "Lamp (new)"
        assert Claim.objects.get(task__number="61").decisions.get().decided_by == organizer(scene)

    def test_claims_under_the_issue_go_on(self, scene: Scene, arrive: Arrive, comment: int) -> None:
        take_in(scene)
        scene.comment(NEWCOMER, "/claim 6, 61")
        arrive(scene)
        arrive(scene)
        assert {claim.task.number for claim in Claim.objects.filter(person__login=NEWCOMER)} == {"6", "61"}
        assert IssueComment.objects.filter(body="/claim 6, 61").get().tracking_issue == body_row(scene)
        assert len(scene.answers()) == 1

    def test_it_is_written_like_a_body(self, scene: Scene, arrive: Arrive, comment: int) -> None:
        text = take_in(scene)
        TrackingIssue.objects.filter(pk=text.pk).update(writing="on")
        scene.comment(NEWCOMER, "/claim 61")
        arrive(scene)
        arrive(scene)
        assert f"| 61 | Lamp | @{NEWCOMER} |" in self.at_github(scene, comment)
        text.refresh_from_db()
        assert text.body == text.agreed_body == self.at_github(scene, comment)

    def test_an_edit_between_our_read_and_write_is_merged_back(
        self, scene: Scene, arrive: Arrive, comment: int
    ) -> None:
        text = take_in(scene)
        TrackingIssue.objects.filter(pk=text.pk).update(writing="on")
        scene.comment(NEWCOMER, "/claim 61")

        scene.hear()
        effect, now, gateway = WriteTable(), scene.now(), connect()
        plan = effect.plan({"tracking_issue": text.pk}, now)
        write = gateway.edit_comment

        def late(repository: str, comment_id: int, body: str) -> types.Comment:
            edited = self.at_github(scene, comment).replace("Rope", "Long rope")
            scene.driver.edit_comment(comment, ORGANIZER, edited)
            return write(repository, comment_id, body)

        gateway.edit_comment = late  # type: ignore[method-assign]
        effect.record(plan, effect.perform(plan, gateway), now)  # type: ignore[arg-type]
        arrive(scene)
        arrive(scene)
        assert "| 62 | Long rope | @carl |" in self.at_github(scene, comment)
        assert f"| 61 | Lamp | @{NEWCOMER} |" in self.at_github(scene, comment)
        assert scene.task(62).title == "Long rope"

    def test_deleting_it_removes_nothing_and_says_so(
        self, scene: Scene, arrive: Arrive, comment: int
    ) -> None:
        text = take_in(scene)
        scene.driver.delete_comment(comment, ORGANIZER)
        arrive(scene)
        text.refresh_from_db()
        assert (text.alarm, text.writing) == ("comment_deleted", "mirror")
        assert not scene.task(61).is_removed

    @staticmethod
    def at_github(scene: Scene, comment: int) -> str:
        written = scene.driver.list_comments(REPOSITORY, NUMBER)
        return str(next(made["body"] for made in written if made["id"] == comment))


@both_ways
class TestMoved:
    def test_a_transferred_issue_is_followed(self, scene: Scene, arrive: Arrive) -> None:
        owner = REPOSITORY.split("/")[0]
        scene.driver.create_repository(f"{owner}/forms", owners=[ORGANIZER])
        scene.comment(ORGANIZER, TABLE)
        arrive(scene)
        take_in(scene)
        scene.comment(NEWCOMER, "/claim 6")
        arrive(scene)
        tasks = set(Task.objects.values_list("pk", flat=True))
        moved = scene.driver.transfer_issue(REPOSITORY, NUMBER, f"{owner}/forms", ORGANIZER)
        arrive(scene)
        for text in TrackingIssue.objects.all():
            assert (text.repository, text.number) == (f"{owner}/forms", moved["number"])
            assert text.former_addresses == [f"{REPOSITORY}#{NUMBER}"]
        scene.driver.comment(f"{owner}/forms", moved["number"], OTHER, "/claim 5")
        arrive(scene)
        assert set(Task.objects.values_list("pk", flat=True)) == tasks
        assert {str(c.claimant) for c in Claim.objects.filter(task__number__in=["5", "6"])} >= {
            OTHER,
            NEWCOMER,
        }

    def test_a_renamed_repository_is_followed(self, scene: Scene, arrive: Arrive) -> None:
        scene.comment(NEWCOMER, "/claim 6")
        number = scene.open_pull_request(NEWCOMER, "【PIR No.6】x")
        webhooks(scene)
        owner = REPOSITORY.split("/")[0]
        scene.driver.rename_repository(REPOSITORY, "renamed", ORGANIZER)
        arrive(scene)
        text = body_row_of(f"{owner}/renamed")
        assert text.former_addresses == [f"{REPOSITORY}#{NUMBER}"]
        assert f"{owner}/renamed" in text.event.repositories
        scene.driver.merge(f"{owner}/renamed", number, MENTOR)
        arrive(scene)
        for repository in github_reading.list_repositories_to_watch():
            github_reading.reconcile_repository(repository=repository, gateway=connect(), now=scene.now())
        assert ("6", NEWCOMER) in scene.completions()

    def test_the_old_address_still_leads_to_it(self, scene: Scene, arrive: Arrive) -> None:
        scene.driver.rename_repository(REPOSITORY, "renamed", ORGANIZER)
        arrive(scene)
        text = IssueText(REPOSITORY, NUMBER, "PIR", scene.issue.body, scene.now())
        with pytest.raises(DomainError) as refused:
            texts.add_issue(event=scene.event, text=text, acting_user=organizer(scene), now=scene.now())
        assert refused.value.code == "already_read"


def body_row_of(repository: str) -> TrackingIssue:
    return TrackingIssue.objects.select_related("event").get(repository=repository, comment_id=None)


def test_a_repository_given_to_another_owner_is_followed(scene: Scene) -> None:
    payload: dict[str, Any] = {
        "action": "transferred",
        "repository": {"id": 1, "full_name": "elsewhere/Paddle"},
        "changes": {"owner": {"from": {"organization": {"login": REPOSITORY.split("/")[0]}}}},
    }
    name = REPOSITORY.split("/")[1]
    payload["repository"]["full_name"] = f"elsewhere/{name}"
    github_events.on_repository(payload, received_at=scene.now(), now=scene.now())
    assert body_row_of(f"elsewhere/{name}").number == NUMBER


class TestAddedAndMerged:
    SECOND = "| 序号 | 题目 | 认领人 |\n| - | - | - |\n| 61 | Lamp | |\n| 62 | Rope | @carl |\n"

    def add(self, scene: Scene, body: str = "") -> TrackingIssue:
        made = scene.driver.create_issue(REPOSITORY, "Second form", body or self.SECOND, ORGANIZER)
        text = IssueText(REPOSITORY, made["number"], "Second form", made["body"], at_github(made))
        added = texts.add_issue(event=scene.event, text=text, acting_user=organizer(scene), now=scene.now())
        webhooks(scene)
        return added

    def test_what_would_come_in_is_shown_before(self, scene: Scene) -> None:
        rows = texts.preview_text(
            event=scene.event, body=scene.body() + "\n\n" + self.SECOND, repository=REPOSITORY
        )
        known = [entry for entry in rows if entry.task is not None]
        assert all(entry.is_copy for entry in known)
        assert len(known) == scene.event.tasks.count()
        assert [entry.row.number for entry in rows if entry.task is None] == ["61", "62"]

    def test_its_titles_count_too(self, scene: Scene) -> None:
        scene.open_pull_request(NEWCOMER, "【PIR No.61】x")
        webhooks(scene)
        self.add(scene)
        assert PullRequestLink.objects.get(task__number="61").reason == "title"

    def test_a_merged_issue_gives_its_tasks_away_and_keeps_its_history(self, scene: Scene) -> None:
        added = self.add(scene)
        scene.comment(NEWCOMER, "/claim 61")
        webhooks(scene)
        lamp, rope = scene.task(61), scene.task(62)
        scene.edit_body(ORGANIZER, scene.rows()[-1], scene.rows()[-1] + "\n| Lamp | API | | |")
        webhooks(scene)
        left = texts.retire_text(tracking_issue=added, acting_user=organizer(scene), now=scene.now())
        lamp.refresh_from_db()
        rope.refresh_from_db()
        assert (left, lamp.tracking_issue, rope.tracking_issue_id) == (1, body_row(scene), added.pk)
        assert not rope.is_removed
        assert Decision.objects.get(claim__task=lamp, kind="claimed").claim.standing == "claimed"
        scene.edit_body(ORGANIZER, "| Lamp |", "| Rope | API | | |\n| Lamp |")
        webhooks(scene)
        rope.refresh_from_db()
        assert (rope.tracking_issue, rope.number) == (body_row(scene), "62")
        assert {str(claim.claimant) for claim in rope.claims.all()} == {"carl"}
        assert added.revisions.exists()

    def test_a_retired_issue_is_not_read(self, scene: Scene) -> None:
        added = self.add(scene)
        texts.retire_text(tracking_issue=added, acting_user=organizer(scene), now=scene.now())
        assert added.number is not None
        scene.driver.edit_issue(REPOSITORY, added.number, ORGANIZER, self.SECOND.replace("Lamp", "Torch"))
        webhooks(scene)
        poll(scene)
        assert scene.task(61).title == "Lamp"
        texts.read_text_again(tracking_issue=added, acting_user=organizer(scene), now=scene.now())
        poll(scene)
        assert scene.task(61).title == "Torch"

    def test_a_move_onto_an_issue_that_is_read_already_is_a_merge(self, scene: Scene) -> None:
        before = set(Task.objects.values_list("pk", flat=True))
        owner = REPOSITORY.split("/")[0]
        scene.driver.create_repository(f"{owner}/forms", owners=[ORGANIZER])
        scene.comment(NEWCOMER, "/claim 6")
        webhooks(scene)
        first = body_row(scene)
        moved = scene.driver.transfer_issue(REPOSITORY, NUMBER, f"{owner}/forms", ORGANIZER)
        text = IssueText(f"{owner}/forms", moved["number"], "PIR", first.body, scene.now())
        added = texts.add_issue(event=scene.event, text=text, acting_user=organizer(scene), now=scene.now())
        webhooks(scene)
        first.refresh_from_db()
        assert first.retired_at is not None
        assert set(Task.objects.values_list("pk", flat=True)) == before
        assert set(scene.event.tasks.on_board().values_list("tracking_issue", flat=True)) == {added.pk}
        assert scene.claim(6, NEWCOMER).standing == "claimed"


def test_an_archived_event_is_neither_read_nor_written(scene: Scene, settings: Settings) -> None:
    Event.objects.update(status="archived")
    scene.write_table()
    scene.edit_body(ORGANIZER, "SOT 动态 shape 支持", "SOT 动态 shape 支持（新）")
    webhooks(scene)
    poll(scene)
    assert "（新）" not in scene.issue.body
    assert WriteTable().plan({"tracking_issue": scene.issue.pk}, scene.now()) is None
