"""What the desk offers by a mentor's word: a pull request that its branch names, a comment; and who hears of what waits."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from claims.models import Claim, IssueComment, Notice, PullRequest, PullRequestLink, Reply
from claims.operations import pull_requests, strays
from portal.models import OutboxMessage
from tests.pages import scenes
from tests.pages.scenes import NOW, Scene, client_of

DESK = "/events/pir/desk/"


def by_branch(scene: Scene, number: int = 70) -> tuple[Claim, PullRequest]:
    """Bob claimed No.1, and merged work that nothing but its branch ties to it."""
    claim = scenes.make_claim(scene.tasks[0], scene.bob, "claimed", turn="claimant")
    made = scenes.make_pull_request(scene.tasks[0], scene.bob, number, "merged", head_branch="pir-no-1")
    made.links.all().delete()
    return claim, made


def comment(scene: Scene, body: str = "报名：第十题", **reading: object) -> IssueComment:
    return IssueComment.objects.create(
        tracking_issue=scene.issue,
        github_id=5,
        author=scene.bob,
        body=body,
        written_at=NOW,
        updated_at=NOW,
        needs_help=True,
        reading={"hint": True, **reading},
    )


def test_a_branch_alone_is_offered_once_and_linked_from_the_desk(scene: Scene) -> None:
    claim, made = by_branch(scene)
    client = client_of(scene.olga)
    html = client.get(f"{DESK}?show=merged").content.decode()
    assert html.count("data-desk-item") == 1
    assert "only its branch says that it is for this task" in html
    address = f"/events/pir/tasks/{scene.tasks[0].pk}/pull-requests/{made.pk}"
    assert address in html
    client.post(address, {"action": "link", "next": DESK})
    claim.refresh_from_db()
    assert claim.standing == "done"
    assert "only its branch" not in client.get(DESK).content.decode()


def test_nobody_links_their_own(scene: Scene) -> None:
    scenes.make_claim(scene.tasks[0], scene.olga, "claimed", turn="claimant")
    made = scenes.make_pull_request(scene.tasks[0], scene.olga, 70, "merged", head_branch="pir-no-1")
    made.links.all().delete()
    html = client_of(scene.olga).get(f"{DESK}?show=merged").content.decode()
    assert "only its branch" in html
    assert 'data-key="l"' not in html


def test_offers_cost_the_same_for_many(scene: Scene) -> None:
    client, asked = client_of(scene.olga), []
    by_branch(scene)
    for first in (200, 300):
        with CaptureQueriesContext(connection) as found:
            client.get(DESK)
        asked.append(len(found))
        Claim.objects.filter(task=scene.tasks[1]).update(turn="claimant")
        for number in range(first, first + 20):
            scenes.make_pull_request(
                scene.tasks[0], scene.bob, number, "merged", head_branch=f"pir-{number}"
            ).links.all().delete()
    assert asked[0] == asked[1]


def test_taking_a_comment_edits_the_one_answer_in_place_and_taking_that_back_does_too(scene: Scene) -> None:
    said = comment(scene)
    answer = Reply.objects.create(comment=said, wanted="old", body="old", github_id=77, posted_at=NOW)
    client = client_of(scene.olga)
    client.post(f"/events/pir/desk/comments/{said.pk}/claim", {"task": scene.tasks[3].pk, "once": "a"})
    answer.refresh_from_db()
    assert "`10`" in answer.wanted
    assert "已由你认领" in answer.wanted
    assert Reply.objects.count() == 1
    assert OutboxMessage.objects.filter(kind="reply_to_comment", key=f"github:{said.github_id}").count() == 1
    decision = Claim.objects.get(task=scene.tasks[3]).decisions.get()
    client.post(f"/events/pir/desk/decisions/{decision.pk}/undo")
    answer.refresh_from_db()
    assert "`/release 10`" in answer.wanted
    assert "已由你认领" not in answer.wanted


@pytest.mark.parametrize("state", ["open", "merged"])
def test_deciders_hear_once_of_work_without_a_claim(scene: Scene, state: str) -> None:
    made = scenes.make_pull_request(scene.tasks[0], scene.bob, 71, state)
    for _twice in range(2):
        strays.tell_of_strays(made, now=NOW)
    told = Notice.objects.values_list("person__login", "kind")
    assert list(told) == [("olga", "desk")]


@pytest.mark.parametrize("who", ["alice", "olga"])
def test_work_with_a_claim_or_by_the_decider_rings_for_nobody(scene: Scene, who: str) -> None:
    made = scenes.make_pull_request(scene.tasks[1], getattr(scene, who), 72)
    strays.tell_of_strays(made, now=NOW)
    told = set(Notice.objects.values_list("person__login", flat=True))
    assert told == ({"mei"} if who == "olga" else set())


def test_a_link_by_comment_rings_too(scene: Scene) -> None:
    made = scenes.make_pull_request(scene.tasks[0], scene.bob, 73)
    made.links.all().delete()
    pull_requests.link_pull_request(
        pull_request=made, task=scene.tasks[0], reason=PullRequestLink.Reason.COMMENT, now=NOW
    )
    assert Notice.objects.filter(person=scene.olga, kind="desk").count() == 1


def test_a_claim_whose_pull_request_was_closed_is_given_back(scene: Scene) -> None:
    claim = scenes.make_claim(scene.tasks[0], scene.bob, "closed_unmerged", turn="claimant")
    client = client_of(scene.bob)
    address = f"/events/pir/tasks/{scene.tasks[0].pk}/release"
    assert address in client.get("/me/").content.decode()
    client.post(address, {"next": "/me/", "once": "x"})
    claim.refresh_from_db()
    assert claim.standing == "withdrawn"
