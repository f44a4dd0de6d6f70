"""Pull requests move standings up and down, and completions with them."""

from claims.models import Claim, PullRequest
from tests.claims.flows.scene import MENTOR, NEWCOMER, OTHER, REPOSITORY, Scene


def claimed(scene: Scene, number: int = 6, login: str = NEWCOMER) -> None:
    scene.comment(login, f"/claim {number}")
    scene.settle()


class TestLinking:
    def test_a_title_links_its_pull_request(self, scene: Scene) -> None:
        claimed(scene)
        scene.open_pull_request(NEWCOMER, "【PIR No.6】Adapt the train step")
        scene.settle()
        assert scene.claim(6, NEWCOMER).standing == "pr_open"

    def test_a_retitled_pull_request_moves_to_the_other_task(self, scene: Scene) -> None:
        claimed(scene, 6)
        claimed(scene, 5)
        number = scene.open_pull_request(NEWCOMER, "【PIR No.6】x")
        scene.settle()
        scene.driver.retitle(REPOSITORY, number, NEWCOMER, "【PIR No.5】x")
        scene.settle()
        assert scene.claim(6, NEWCOMER).standing == "claimed"
        assert scene.claim(5, NEWCOMER).standing == "pr_open"

    def test_a_strangers_pull_request_waits_for_the_mentor(self, scene: Scene) -> None:
        claimed(scene)
        number = scene.open_pull_request(OTHER, "【PIR No.6】mine")
        scene.merge(number)
        scene.settle()
        assert not Claim.objects.filter(task__number="6", person__login=OTHER).exists()
        assert scene.claim(6, NEWCOMER).standing == "claimed"
        assert scene.completions() == set()
        assert PullRequest.objects.get().links.count() == 1

    def test_other_repositories_are_not_watched(self, scene: Scene) -> None:
        scene.driver.create_repository("harbor/lantern")
        scene.driver.open_pull_request("harbor/lantern", "【PIR No.6】x", NEWCOMER)
        scene.settle()
        assert not PullRequest.objects.exists()


class TestStandings:
    def test_from_open_over_approved_to_done_and_awarded(self, scene: Scene) -> None:
        claimed(scene)
        number = scene.open_pull_request(NEWCOMER, "【PIR No.6】x")
        scene.settle()
        scene.driver.review(REPOSITORY, number, MENTOR, "APPROVE", association="COLLABORATOR")
        scene.settle()
        assert scene.claim(6, NEWCOMER).standing == "approved"
        scene.merge(number)
        scene.settle()
        assert scene.claim(6, NEWCOMER).standing == "done"
        assert scene.task(6).state == "done"
        assert scene.completions() == {("6", NEWCOMER)}

    def test_an_approval_by_anybody_does_not_weigh(self, scene: Scene) -> None:
        claimed(scene)
        number = scene.open_pull_request(NEWCOMER, "【PIR No.6】x")
        scene.driver.review(REPOSITORY, number, OTHER, "APPROVE", association="NONE")
        scene.settle()
        assert scene.claim(6, NEWCOMER).standing == "pr_open"

    def test_closing_takes_it_down_again(self, scene: Scene) -> None:
        claimed(scene)
        number = scene.open_pull_request(NEWCOMER, "【PIR No.6】x")
        scene.driver.close(REPOSITORY, number, NEWCOMER, at="2030-03-01T08:00:00Z")
        scene.settle()
        assert scene.claim(6, NEWCOMER).standing == "closed_unmerged"
        scene.driver.reopen(REPOSITORY, number, NEWCOMER, at="2030-03-01T08:00:01Z")
        scene.settle()
        assert scene.claim(6, NEWCOMER).standing == "pr_open"

    def test_a_revert_takes_the_award_back_and_credits_nobody(self, scene: Scene) -> None:
        claimed(scene)
        number = scene.open_pull_request(NEWCOMER, "【PIR No.6】x")
        scene.merge(number)
        scene.settle()
        revert = int(scene.driver.revert(REPOSITORY, number, MENTOR)["number"])
        scene.merge(revert)
        scene.settle()
        assert scene.claim(6, NEWCOMER).standing == "claimed"
        assert scene.completions() == set()
        again = scene.open_pull_request(NEWCOMER, "【PIR No.6】x, again")
        scene.merge(again)
        scene.settle()
        assert scene.completions() == {("6", NEWCOMER)}

    def test_the_first_merge_wins_and_the_other_is_told_so(self, scene: Scene) -> None:
        claimed(scene, 6, NEWCOMER)
        claimed(scene, 6, OTHER)
        first = scene.open_pull_request(NEWCOMER, "【PIR No.6】a")
        second = scene.open_pull_request(OTHER, "【PIR No.6】b")
        scene.merge(first)
        scene.merge(second)
        scene.settle()
        assert scene.completions() == {("6", NEWCOMER)}
        assert scene.claim(6, OTHER).standing == "superseded"

    def test_a_part_is_not_the_whole(self, scene: Scene) -> None:
        claimed(scene)
        number = scene.open_pull_request(NEWCOMER, "【PIR No.6】x -part")
        scene.merge(number)
        scene.settle()
        assert scene.claim(6, NEWCOMER).standing == "partly_done"
