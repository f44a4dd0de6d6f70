"""Proposal and code as two legs: what each mark means, and that only boards with proposals have the column."""

import pytest

from claims.legs import legs_of
from claims.pull_requests import SeenPullRequest
from tasks_board.chains import CODE, PROPOSAL
from tests.pages.scenes import Scene, client_of


def proposal(state: str) -> SeenPullRequest:
    return SeenPullRequest("PaddlePaddle/community", 1, state, is_proposal=True)


def code(state: str, *, is_revert: bool = False) -> SeenPullRequest:
    return SeenPullRequest("PaddlePaddle/Paddle", 2, state, is_revert=is_revert)


@pytest.mark.parametrize(
    ("pull_requests", "standing", "marks"),
    [
        ([], "open", ("todo", "todo")),
        ([proposal("open")], "rfc_submitted", ("now", "todo")),
        ([proposal("closed")], "claimed", ("no", "todo")),
        ([proposal("merged"), code("draft")], "pr_open", ("pass", "now")),
        ([proposal("merged"), code("closed")], "rfc_merged", ("pass", "no")),
        ([proposal("merged"), code("merged")], "done", ("pass", "pass")),
        ([proposal("merged"), code("merged")], "partly_done", ("pass", "now")),
        (
            [proposal("merged"), code("merged"), code("merged", is_revert=True)],
            "rfc_merged",
            ("pass", "todo"),
        ),
        ([], "done", ("skip", "pass")),  # by a mentor's word
    ],
)
def test_it_says_how_far_each_leg_is(
    pull_requests: list[SeenPullRequest], standing: str, marks: tuple[str, str]
) -> None:
    assert tuple(leg.mark for leg in legs_of(pull_requests, standing, chain=(PROPOSAL, CODE))) == marks


def test_it_asks_for_no_proposal_where_none_is_needed() -> None:
    assert [leg.mark for leg in legs_of([code("open")], "pr_open", chain=(CODE,))] == ["skip", "now"]


def test_it_shows_the_column_only_where_proposals_are_asked_for(scene: Scene) -> None:
    assert "rg-legs" not in client_of(None).get("/events/pir/tasks/").content.decode()
    scene.tasks[1].proposal_required = True
    scene.tasks[1].save()
    html = client_of(None).get("/events/pir/tasks/").content.decode()
    assert "Proposal: still to come, Code: in review" in html


def test_it_says_what_is_done_and_credited_to_nobody(scene: Scene) -> None:
    html = client_of(None).get("/events/pir/leaderboard/").content.decode()
    assert "Not credited" in html
    assert "Credited" in html


def test_it_offers_the_comment_only_where_the_task_can_be_claimed(scene: Scene) -> None:
    task = scene.tasks[1]
    assert "/claim 2" in client_of(scene.bob).get(f"/events/pir/tasks/{task.pk}/").content.decode()
    task.state = "done"
    task.save()
    assert "/claim 2" not in client_of(scene.bob).get(f"/events/pir/tasks/{task.pk}/").content.decode()
