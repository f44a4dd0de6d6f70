"""The page that says how a pasted text is read: anybody may ask, nothing is stored."""

import pytest
from django.test import Client

from claims.models import Claim, IssueComment
from tests.pages.scenes import Scene, client_of

FORM = "| 序号 | 题目 | 认领人 |\n| - | - | - |\n| 1 | One | @moss07 |\n| 2 | Two |\n"


def ask(client: Client, text: str, kind: str, event: str = "pir") -> str:
    answer = client.post("/read/", {"text": text, "kind": kind, "event": event})
    assert answer.status_code == 200
    return answer.content.decode()


def test_it_opens_empty_for_anybody(scene: Scene, client: Client) -> None:
    page = client.get("/read/").content.decode()
    assert "How was this read?" in page
    assert 'id="reading"' not in page


def test_a_comment_is_read_as_it_would_be_under_the_issue(scene: Scene, client: Client) -> None:
    number = scene.tasks[0].number
    page = ask(client, f"/claim {number}, 999", "comment")
    assert "Claims these tasks" in page
    assert "Not a task of this event" in page
    assert not IssueComment.objects.exists()
    assert not Claim.objects.filter(person__login="moss07").exists()


def test_a_title_says_which_rule_it_fails(scene: Scene, client: Client) -> None:
    prefix, number = scene.event.title_prefix, scene.tasks[0].number
    assert "The title names tasks" in ask(client, f"【{prefix}{number}】x", "title")
    assert "data-fail" in ask(client, "Something else", "title")


def test_a_table_is_read_cell_by_cell(scene: Scene, client: Client) -> None:
    page = ask(client, FORM, "body")
    assert "moss07: Claimed" in page
    assert "plain text" in page
    assert "Line 4 has 2 cells where the header has 3." in page


def test_no_table_says_what_one_needs(scene: Scene, client: Client) -> None:
    assert "No task list was found." in ask(client, "nothing", "body")


@pytest.mark.parametrize("kind", ["body", "comment", "title", "nonsense"])
def test_what_a_stranger_wrote_is_only_text(scene: Scene, client: Client, kind: str) -> None:
    page = ask(client, "<script>alert(1)</script>\x00 【报名】：1", kind, event="none")
    assert "<script>alert(1)" not in page


@pytest.mark.django_db
def test_it_works_before_there_is_any_event(client: Client) -> None:
    assert "moss07: Claimed" in ask(client, FORM, "body")
    assert client.post("/read/", {"text": "/claim 1", "kind": "comment"}).status_code == 200


def test_drafts_are_not_offered_to_strangers(scene: Scene, client: Client) -> None:
    type(scene.event).objects.update(status="draft")
    assert scene.event.name not in client.get("/read/").content.decode()
    assert scene.event.name in client_of(scene.olga).get("/read/").content.decode()
