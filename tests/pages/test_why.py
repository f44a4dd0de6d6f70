"""Why a known comment or pull request counts or not: anybody may ask, nobody learns of what is not theirs to see."""

import html
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from claims.models import Decision, IssueComment, PullRequest, PullRequestLink, Reply
from tasks_board.models import Event
from tests.pages.scenes import NOW, Scene, client_of, make_pull_request

OF_ALICE = "PaddlePaddle/Paddle#7"


def ask(client: Client, about: str, language: str = "en") -> str:
    answer = client.get("/read/", {"about": about}, headers={"accept-language": language})
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


def lines(page: str) -> dict[str, bool]:
    """Each finding by what it is about, with whether it counts."""
    found = {}
    why = page[page.index('id="why"') : page.index("Or paste a text")]
    for item in why.split("<li")[1:]:
        about = item.split("<span>")[1].split("</span>")[0]
        found[about] = "data-fail" not in item.split(">")[0]
    return found


def make_comment(scene: Scene, body: str, **values: Any) -> IssueComment:
    reading = values.pop("reading", {"intents": [{"kind": "claim", "tasks": ["1"]}], "claims": ["1"]})
    return IssueComment.objects.create(
        tracking_issue=scene.issue,
        github_id=901,
        author=scene.alice,
        body=body,
        written_at=NOW,
        updated_at=NOW,
        reading=reading,
        **values,
    )


@pytest.mark.parametrize(
    "about",
    [
        OF_ALICE,
        "paddlepaddle/paddle#7",
        "https://github.com/PaddlePaddle/Paddle/pull/7",
        "https://github.com/PaddlePaddle/Paddle/pull/7/files?w=1",
    ],
)
def test_a_pull_request_is_found_however_its_address_is_written(
    scene: Scene, client: Client, about: str
) -> None:
    found = lines(ask(client, about))
    assert found["The repository is watched"]
    assert found["The title names tasks"]
    assert found["By a claimant"]
    assert found["PR open"]


def test_a_merge_onto_another_branch_says_so(scene: Scene, client: Client) -> None:
    Event.objects.filter(pk=scene.event.pk).update(rules={"branches": ["main"]})
    PullRequest.objects.update(state="merged", merged_at=NOW, closed_at=NOW)
    assert not lines(ask(client, OF_ALICE))["Into one of the branches main"]


def test_somebody_without_a_claim_waits_for_a_mentor(scene: Scene, client: Client) -> None:
    make_pull_request(scene.tasks[1], scene.bob, 8)
    page = ask(client, "PaddlePaddle/Paddle#8")
    assert not lines(page)["By a claimant"]
    assert "bob has no claim on this task" in page


def test_a_title_that_names_nothing_is_tied_to_nothing(scene: Scene, client: Client) -> None:
    PullRequestLink.objects.all().delete()
    PullRequest.objects.update(title="work")
    found = lines(ask(client, OF_ALICE))
    assert not found["The title names the event"]
    assert not found["Tied to a task"]


def test_one_from_before_the_event_says_so(scene: Scene, client: Client) -> None:
    Event.objects.filter(pk=scene.event.pk).update(pull_requests_since=NOW + timedelta(days=1))
    assert not lines(ask(client, OF_ALICE))["Opened on or after 2026-04-13"]


def test_a_revert_is_called_one(scene: Scene, client: Client) -> None:
    PullRequestLink.objects.update(is_revert=True)
    assert lines(ask(client, OF_ALICE))["A revert"]


@pytest.mark.parametrize("about", ["PaddlePaddle/Paddle#999", "issuecomment-1", "Elsewhere/repo#7"])
def test_what_is_not_known_is_not_fetched(scene: Scene, client: Client, about: str) -> None:
    assert "Nothing is known here about this address." in ask(client, about)


@pytest.mark.parametrize("about", ["hello", "<script>alert(1)</script>", "\x00", "a/b#99999999999999"])
def test_what_is_no_address_says_what_one_looks_like(scene: Scene, client: Client, about: str) -> None:
    page = client.get("/read/", {"about": about}).content.decode()
    assert "<script>alert(1)" not in page
    assert about == "\x00" or "This is no address of a comment or pull request." in html.unescape(page)


def test_a_draft_is_told_to_its_own_people_alone(scene: Scene, client: Client) -> None:
    make_comment(scene, "/claim 1")
    Event.objects.update(status="draft")
    for about in (OF_ALICE, "issuecomment-901"):
        assert "Nothing is known here about this address." in ask(client, about)
        assert 'id="why"' in ask(client_of(scene.olga), about)
        assert "Nothing is known here" not in ask(client_of(scene.olga), about)


def test_a_comment_says_what_came_of_it(scene: Scene, client: Client) -> None:
    comment = make_comment(scene, "/claim 2, 999", reading={"intents": [{"kind": "claim", "tasks": ["2"]}]})
    claim = scene.tasks[1].claims.get()
    Decision.objects.create(
        claim=claim,
        kind="claimed",
        at=NOW,
        decided_by=scene.alice,
        source="comment",
        comment=comment,
        key="c",
    )
    Reply.objects.create(comment=comment, github_id=5, body="as read", wanted="as read")
    page = ask(client, "https://github.com/PaddlePaddle/Paddle/issues/62704#issuecomment-901")
    found = lines(page)
    assert found["Claims these tasks"]
    assert found["No.2"]
    assert not found["Not a task of this event"]
    assert "alice claimed the task" in page
    assert "as read" in page


def test_a_claim_that_did_nothing_says_why(scene: Scene, client: Client) -> None:
    make_comment(scene, "/claim 1, 2", reading={"intents": [{"kind": "claim", "tasks": ["1", "2"]}]})
    page = ask(client, "issuecomment-901")
    assert "Held already: PaddlePaddle/Paddle#7 is open" in page
    assert "A rule said no; the answer to the comment says which." in page


def test_a_deleted_comment_is_not_repeated(scene: Scene, client: Client) -> None:
    make_comment(scene, "/claim 1 private words", deleted_at=NOW)
    page = ask(client, "issuecomment-901")
    assert "private words" not in page
    assert lines(page)["Deleted at GitHub"]


def test_queries_do_not_grow_with_what_is_known(
    scene: Scene, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(20, 30):
        make_pull_request(scene.tasks[1], scene.bob, number)
    with django_assert_max_num_queries(24):
        ask(client, OF_ALICE)


def test_the_page_of_a_task_asks_why_for_each_pull_request(scene: Scene, client: Client) -> None:
    page = client.get(f"/events/pir/tasks/{scene.tasks[1].pk}/").content.decode()
    assert "/read/?about=PaddlePaddle/Paddle%237" in page
