"""What only commits, labels and renamings tell of pull requests, at the webhook's door and by polling."""

from itertools import permutations

import pytest
from django.db import transaction

from claims import github_reading
from claims.models import CoAuthor, PullRequest
from claims.operations.checking import check_standings
from portal.github.connect import connect
from tests.claims.flows.scene import MENTOR, NEWCOMER, OTHER, REPOSITORY, Scene
from tests.demo.people import OTHERS


def begin(scene: Scene, **more: str) -> int:
    """The newcomer has task 6, and a pull request for it."""
    scene.comment(NEWCOMER, "/claim 6")
    number = scene.open_pull_request(NEWCOMER, "【PIR No.6】Train step", **more)
    scene.settle()
    return number


def is_quiet(scene: Scene) -> bool:
    return list(check_standings(now=scene.now(), fix=False)) == []


class TestLandedByABot:
    def test_a_commit_that_brings_it_counts_as_a_merge(self, scene: Scene) -> None:
        number = begin(scene)
        commit = scene.driver.land_commit(REPOSITORY, NEWCOMER, f"Train step (#{number})")
        scene.driver.close(REPOSITORY, number, MENTOR)
        scene.settle()
        landed = PullRequest.objects.get()
        assert (landed.state, landed.landed_sha, landed.closed_by) == (
            "closed",
            commit["sha"],
            scene.person(MENTOR),
        )
        assert scene.claim(6, NEWCOMER).standing == "done"
        assert scene.completions() == {("6", NEWCOMER)}
        assert is_quiet(scene)

    def test_a_commit_of_somebody_else_does_not(self, scene: Scene) -> None:
        number = begin(scene)
        scene.driver.land_commit(REPOSITORY, OTHER, f"Train step (#{number})")
        scene.driver.close(REPOSITORY, number, MENTOR)
        scene.settle()
        assert scene.claim(6, NEWCOMER).standing == "closed_unmerged"
        assert scene.completions() == set()

    def test_a_label_alone_asks_the_mentor(self, scene: Scene) -> None:
        number = begin(scene)
        scene.driver.close(REPOSITORY, number, MENTOR)
        scene.driver.set_labels(REPOSITORY, number, MENTOR, ["Merged"])
        scene.settle()
        claim = scene.claim(6, NEWCOMER)
        assert (claim.standing, [doubt["code"] for doubt in claim.doubts]) == ("approved", ["seems_landed"])
        assert scene.completions() == set()

    def test_the_order_makes_no_difference(self, scene: Scene) -> None:
        """Closed, labeled and labeled otherwise in one second, in every order, twice."""
        number = begin(scene)
        when = "2030-03-01T08:00:00Z"
        scene.driver.close(REPOSITORY, number, MENTOR, at=when)
        scene.driver.set_labels(REPOSITORY, number, MENTOR, ["landed"], at=when)
        deliveries = scene.waiting()
        assert len(deliveries) == 2
        for order in permutations(deliveries):
            point = transaction.savepoint()
            for delivery in (*order, *order):
                scene.post(delivery)
            scene.work()
            stored = PullRequest.objects.get()
            assert (stored.state, stored.labels) == ("closed", ["landed"])
            assert stored.closed_by == scene.person(MENTOR)
            assert scene.claim(6, NEWCOMER).standing == "approved"
            transaction.savepoint_rollback(point)
        assert PullRequest.objects.get().state == "open"

    def test_a_revert_takes_it_back(self, scene: Scene) -> None:
        number = begin(scene)
        scene.driver.land_commit(REPOSITORY, NEWCOMER, f"Train step (#{number})")
        scene.driver.close(REPOSITORY, number, MENTOR)
        revert = scene.driver.open_pull_request(
            REPOSITORY, 'Revert "【PIR No.6】Train step"', MENTOR, f"Reverts {REPOSITORY}#{number}"
        )
        scene.driver.merge(REPOSITORY, revert["number"], MENTOR)
        scene.settle()
        assert scene.claim(6, NEWCOMER).standing == "claimed"
        assert scene.completions() == set()

    def test_polling_alone_finds_it_too(self, scene: Scene) -> None:
        number = begin(scene)
        scene.driver.land_commit(REPOSITORY, NEWCOMER, f"Closes #{number}\n\nCloses #{number}")
        scene.driver.close(REPOSITORY, number, MENTOR)
        scene.brought.update(delivery["id"] for delivery in scene.waiting())  # all lost
        github_reading.reconcile_repository(repository=REPOSITORY, gateway=connect(), now=scene.now())
        scene.work()
        assert scene.claim(6, NEWCOMER).standing == "done"


class TestCoAuthors:
    def test_people_are_proposed_and_nobody_else(self, scene: Scene) -> None:
        number = begin(scene)
        other = OTHERS[0]
        bot = scene.driver.create_user("dependabot[bot]", type="Bot")
        message = "\n".join(
            [
                "More",
                "",
                f"Co-authored-by: Ines <{other.id}+{other.login}@users.noreply.github.com>",
                f"Co-authored-by: forged <{other.id}+{MENTOR}@users.noreply.github.com>",
                f"Co-authored-by: bot <{bot['id']}+dependabot[bot]@users.noreply.github.com>",
                "Co-authored-by: Claude <noreply@anthropic.com>",
                f"Co-authored-by: me <{NEWCOMER}@users.noreply.github.com>",
            ]
        )
        scene.driver.push(REPOSITORY, number, NEWCOMER, message)
        scene.merge(number)
        scene.settle()
        assert [str(found.person) for found in CoAuthor.objects.all()] == [OTHER]
        assert CoAuthor.objects.get().is_credited is None
        assert scene.completions() == {("6", NEWCOMER)}  # nobody is credited by a trailer
        scene.driver.set_labels(REPOSITORY, number, MENTOR, ["again"])
        scene.settle()
        assert CoAuthor.objects.count() == 1
        assert is_quiet(scene)

    def test_whoever_pushed_to_it_is_proposed_by_the_squash(self, scene: Scene) -> None:
        number = begin(scene)
        scene.driver.push(REPOSITORY, number, OTHER, "Help")
        scene.merge(number)
        scene.settle()
        assert [str(found.person) for found in CoAuthor.objects.all()] == [OTHER]


class TestFacts:
    def test_branch_and_labels_are_kept_from_webhooks_and_polling(self, scene: Scene) -> None:
        number = begin(scene, head="pir-6-train")
        scene.driver.set_labels(REPOSITORY, number, MENTOR, ["b", "a"])
        scene.settle()
        assert PullRequest.objects.values_list("head_branch", "labels").get() == ("pir-6-train", ["a", "b"])
        PullRequest.objects.update(labels=[], head_branch="")
        github_reading.reconcile_repository(repository=REPOSITORY, gateway=connect(), now=scene.now())
        assert PullRequest.objects.values_list("head_branch", "labels").get() == ("pir-6-train", ["a", "b"])

    @pytest.mark.parametrize("is_told", [True, False])
    def test_a_renamed_repository_is_followed(self, scene: Scene, is_told: bool) -> None:
        number = begin(scene)
        owner, _, _name = REPOSITORY.partition("/")
        scene.driver.rename_repository(REPOSITORY, "renamed", "olga-organizes")
        if is_told:
            scene.settle()
        else:
            scene.brought.update(delivery["id"] for delivery in scene.waiting())
        new = f"{owner}/renamed"
        second = scene.driver.open_pull_request(new, "【PIR No.6】Again", NEWCOMER)["number"]
        scene.brought.update(delivery["id"] for delivery in scene.waiting())
        asked = new if is_told else REPOSITORY
        github_reading.reconcile_repository(repository=asked, gateway=connect(), now=scene.now())
        assert scene.event.repositories == [new]
        stored = PullRequest.objects.order_by("number").values_list("repository", "number")
        assert list(stored) == [(new, number), (new, second)]

    def test_an_issue_closed_as_not_planned_or_completed_pays_nothing(self, scene: Scene) -> None:
        begin(scene)
        for reason in ("not_planned", "completed"):
            issue = scene.driver.create_issue(REPOSITORY, "Task 6", "one", MENTOR)["number"]
            scene.driver.close(REPOSITORY, issue, MENTOR, reason=reason)
        scene.settle()
        assert (scene.claim(6, NEWCOMER).standing, scene.completions()) == ("pr_open", set())
