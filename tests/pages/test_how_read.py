"""The page that says how a pasted text is read: anybody may ask, nothing is stored."""

import re

import pytest
from django.test import Client

from claims.models import Claim, IssueComment
from tests.pages.scenes import Scene, client_of, make_event, make_task

FORM = "| 序号 | 题目 | 认领人 |\n| - | - | - |\n| 1 | One | @moss07 |\n| 2 | Two |\n"


def ask(client: Client, text: str, kind: str, event: str = "pir", repository: str = "") -> str:
    answer = client.post("/read/", {"text": text, "kind": kind, "event": event, "repository": repository})
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


def lines_of(page: str) -> dict[str, tuple[bool, str]]:
    """What each finding is about, with whether it counts and its words; of several about one thing, the last."""
    reading = page.partition('id="reading"')[2]
    found = re.findall(r"<li( data-fail)?>.*?<span>(.*?)</span><span>(.*?)</span></li>", reading, re.S)
    return {about: (not fails, words) for fails, about, words in found}


def open_event(scene: Scene, **rules: object) -> None:
    scene.event.phases.all().delete()
    type(scene.event).objects.update(opens_at=None, closes_at=None, rules=rules)


def test_a_comment_says_what_each_rule_says_to_its_reader(scene: Scene) -> None:
    open_event(scene, open_claims_per_person=1)
    free, taken = scene.tasks[0].number, scene.tasks[1].number
    found = lines_of(ask(client_of(scene.bob), f"/claim {free}\n/claim {taken}", "comment"))
    assert found[f"No.{free}"] == (True, "It would be claimed.")
    assert found[f"No.{taken}"][0] is False
    Claim.objects.all().delete()
    found = lines_of(ask(client_of(scene.bob), f"/claim {free}, {taken}", "comment"))
    assert found[f"No.{free}"] == (True, "It would be claimed.")
    assert found[f"No.{taken}"] == (False, "At most 1 unfinished task each: 1 / 1")


def test_a_number_that_two_tasks_share_claims_none(scene: Scene, client: Client) -> None:
    first, second = scene.tasks[:2]
    type(first).objects.filter(pk=second.pk).update(number=first.number)
    assert lines_of(ask(client, f"/claim {first.number}", "comment"))[f"No.{first.number}"][0] is False
    title = f"【{scene.event.title_prefix}{first.number}】x"
    assert lines_of(ask(client, title, "title"))[f"No.{first.number}"][0] is False
    table = "| 序号 | 题目 |\n| - | - |\n| 1 | One |\n| 1 | Two |\n"
    assert "2 rows have the number 1" in ask(client, table, "body")


def test_who_is_with_them_and_what_else_they_would_take_is_said(scene: Scene, client: Client) -> None:
    number = scene.tasks[0].number
    found = lines_of(ask(client, f"【报名】：{number} 接受调剂", "comment"))
    assert found["Would take another task instead"] == (True, "yes")


def test_a_title_is_read_where_it_stands(scene: Scene, client: Client) -> None:
    type(scene.event).objects.update(proposal_repositories=["PaddlePaddle/community"])
    title = f"【{scene.event.title_prefix}{scene.tasks[0].number}】x"
    assert "A proposal" in lines_of(ask(client, title, "title", repository="PaddlePaddle/community"))
    assert "A proposal" not in lines_of(ask(client, title, "title"))
    elsewhere = lines_of(ask(client, title, "title", repository="o/else"))
    assert elsewhere["The repository is watched"] == (False, "o/else")
    nothing = lines_of(ask(client, f"【{scene.event.title_prefix}99】x", "title"))
    assert nothing["The title names tasks"] == (False, "No number in it is a task of this event.")


def test_a_title_of_another_event_is_said_to_be(scene: Scene, client: Client) -> None:
    other = make_event("other", title_prefix="Sloop No.", repositories=scene.event.repositories)
    make_task(other, 1, "Hull")
    found = lines_of(ask(client, "【Sloop No.1】x", "title"))
    assert found["The title names the event"][0] is False
    assert found["It names another event"] == (False, other.name)


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
