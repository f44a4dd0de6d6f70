"""One's own page: every claim with what comes next, whose turn it is, the time that is left, and why work counts or not."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from claims.mine import overview as mine
from claims.models import Claim, Decision, Notice, PullRequest, PullRequestLink
from claims.operations import standings
from portal.common import clock
from portal.models import Person
from tasks_board.models import Event, Task, Team, TeamMember
from tests.pages import scenes
from tests.pages.scenes import NOW, Scene, client_of
from tests.rewards.scenes import complete, pay, points


def page(person: Person, address: str = "/me/") -> str:
    response = client_of(person).get(address)
    assert response.status_code == 200
    return str(response.content.decode())


def section(html: str, name: str) -> str:
    """The part of the page under one head; empty if it is not there."""
    return html.partition(f'id="h-{name}"')[2].partition("</section>")[0]


def take(task: Task, person: Person, standing: str, turn: str = "", **values: object) -> Claim:
    return scenes.make_claim(task, person, standing, turn=turn, **values)


class TestNextSteps:
    def test_strangers_sign_in_first_and_everybody_sees_their_own(self, scene: Scene) -> None:
        assert client_of(None).get("/me/")["Location"] == "/sign-in/?next=/me/"
        assert "dtype 动静统一" in page(scene.alice)
        assert "You have not claimed a task yet." in page(scene.bob)

    @pytest.mark.parametrize(
        ("standing", "turn", "group", "words"),
        [
            ("claimed", "claimant", "now", "Open a pull request. Begin its title with"),
            ("rfc_merged", "claimant", "now", "Your proposal is merged: the code comes next"),
            ("closed_unmerged", "claimant", "now", "Open another pull request, or release the task"),
            ("partly_done", "", "now", "the part that is left"),
            ("pr_open", "reviewer", "others", "Reviewers have it"),
            ("approved", "reviewer", "others", "a maintainer merges it"),
            ("deferred", "", "others", "put it aside"),
            ("requested", "", "line", "A mentor will decide"),
            ("waiting", "", "line", "You are number 1 in line"),
            ("done", "", "finished", "Nothing is left to do"),
            ("superseded", "", "ended", "merged first. Thank you for yours"),
            ("expired", "", "ended", "you can claim it again"),
            ("declined", "", "ended", "A mentor said no"),
            ("withdrawn", "", "ended", "given back"),
        ],
    )
    def test_each_claim_stands_where_it_belongs_with_its_next_step(
        self, scene: Scene, standing: str, turn: str, group: str, words: str
    ) -> None:
        take(scene.tasks[0], scene.bob, standing, turn)
        found = section(page(scene.bob), group)
        assert words in found
        assert "单测问题修复" in found
        assert ("【PIR No.1】" in found) == (group == "now")

    def test_a_proposal_comes_first_where_one_is_asked_for(self, scene: Scene) -> None:
        Task.objects.filter(pk=scene.tasks[0].pk).update(proposal_required=True)
        take(scene.tasks[0], scene.bob, "claimed", "claimant")
        assert "Open the proposal, as a pull request" in page(scene.bob)

    def test_when_the_event_is_over_nothing_needs_anybody(self, scene: Scene) -> None:
        take(scene.tasks[0], scene.bob, "claimed", "claimant")
        Event.objects.update(status="closed")
        html = page(scene.bob)
        assert "Nothing needs you now." in html
        assert "The event is over" in section(html, "ended")

    def test_a_teams_claims_are_everybodys_in_it(self, scene: Scene) -> None:
        team = Team.objects.create(event=scene.event, name="Oars", captain=scene.alice, created_at=NOW)
        TeamMember.objects.create(team=team, person=scene.bob, invited_at=NOW, accepted_at=NOW)
        Claim.objects.create(
            task=scene.tasks[0],
            team=team,
            standing="claimed",
            turn="claimant",
            standing_at=NOW,
            created_at=NOW,
            reason={"code": "claimed"},
        )
        assert "Oars" in section(page(scene.bob), "now")

    def test_an_invitation_stands_there_until_it_is_answered(self, scene: Scene) -> None:
        team = Team.objects.create(event=scene.event, name="Oars", created_at=NOW)
        seat = TeamMember.objects.create(team=team, person=scene.bob, invited_at=NOW)
        assert "Oars" in section(page(scene.bob), "invited")
        seat.accepted_at = NOW
        seat.save()
        assert section(page(scene.bob), "invited") == ""

    def test_who_was_overtaken_sees_by_whom_and_what_is_free(self, scene: Scene) -> None:
        take(scene.tasks[2], scene.alice, "done")
        take(scene.tasks[2], scene.bob, "superseded")
        found = section(page(scene.bob), "ended")
        assert "alice" in found
        assert "Still free in the same direction:" in found
        assert "整图训练" in found
        assert "<script>alert" not in found

    def test_what_was_earned_is_there(self, scene: Scene) -> None:
        pay(scene.event, points(), "2")
        complete(scene.tasks[2], scene.bob)
        assert "2 points" in page(scene.bob)


class TestWhyItCounts:
    def lines(self, scene: Scene, **values: object) -> str:
        """What is said about a pull request of bob's for the first task."""
        link = values.pop("link", {})
        take(scene.tasks[0], scene.bob, "claimed", "claimant")
        state = str(values.pop("state", "merged"))
        made = scenes.make_pull_request(scene.tasks[0], values.pop("author", scene.bob), 70, state)  # type: ignore[arg-type]
        PullRequest.objects.filter(pk=made.pk).update(**values)
        PullRequestLink.objects.filter(pull_request=made).update(**link)  # type: ignore[arg-type]
        standings.recompute_task(task=scene.tasks[0], now=NOW)
        return page(scene.bob)

    def test_a_merged_one_counts(self, scene: Scene) -> None:
        html = self.lines(scene)
        assert "counts" in section(html, "finished")
        assert "Its title names the task" in html
        assert "does not count</span>" not in html

    @pytest.mark.parametrize(
        ("values", "words"),
        [
            ({"state": "closed", "closed_at": NOW}, "It was closed without merging"),
            ({"state": "open", "is_draft": True}, "It is still a draft"),
            ({"state": "open"}, "It is not merged yet"),
            ({"link": {"is_partial": True}}, "it is one part of the task"),
            ({"link": {"is_proposal": True}}, "It is the proposal"),
            ({"link": {"reason": "comment"}, "repository": "x/y"}, "The event does not watch its repository"),
            (
                {"link": {"reason": "comment"}, "merged_at": NOW - timedelta(days=1)},
                "It was merged before the task was claimed",
            ),
        ],
    )
    def test_each_rule_says_its_word(self, scene: Scene, values: dict[str, object], words: str) -> None:
        assert words in self.lines(scene, **values)

    def test_another_branch(self, scene: Scene) -> None:
        Event.objects.update(rules={"branches": ["main"]})
        scene.tasks[0].event.refresh_from_db()
        html = self.lines(scene)
        assert "It goes to another branch than main" in html
        assert "does not count</span>" in html

    def test_another_author(self, scene: Scene) -> None:
        html = self.lines(scene, author=scene.mei, link={"reason": "table"})
        assert "mei opened it, who has no claim on this task" in html

    def test_after_a_release_and_after_another_one(self, scene: Scene) -> None:
        found = take(scene.tasks[0], scene.bob, "claimed")
        Decision.objects.create(
            claim=found,
            kind="released",
            at=NOW - timedelta(hours=1),
            decided_by=scene.bob,
            source="web",
            key="r",
        )
        Decision.objects.filter(kind="claimed", claim=found).update(at=NOW - timedelta(days=2))
        scenes.make_pull_request(scene.tasks[0], scene.bob, 70, "merged")
        standings.recompute_task(task=scene.tasks[0], now=NOW)
        assert "It was merged after the claim was released" in page(scene.bob)

    def test_what_is_tied_to_no_task_shows_with_the_right_title(self, scene: Scene) -> None:
        made = scenes.make_pull_request(scene.tasks[0], scene.bob, 70)
        PullRequestLink.objects.filter(pull_request=made).delete()
        PullRequest.objects.filter(pk=made.pk).update(title="[pir] fix task 10")
        found = section(page(scene.bob), "missed")
        assert "【PIR No.10】" in found
        PullRequest.objects.filter(pk=made.pk).update(title="Fix a typo")
        assert section(page(scene.bob), "missed") == ""
        PullRequest.objects.filter(pk=made.pk).update(title="[pir] fix task 10", repository="else/where")
        assert section(page(scene.bob), "missed") == ""


class TestTime:
    @pytest.fixture
    def due(self, scene: Scene, monkeypatch: pytest.MonkeyPatch) -> Claim:
        """A claim of bob's that runs out in ten days and may be renewed once."""
        monkeypatch.setattr(clock, "now", lambda: NOW)
        Event.objects.update(rules={"days_to_pull_request": 10})
        scene.tasks[0].event.refresh_from_db()
        claim = take(scene.tasks[0], scene.bob, "claimed", "claimant")
        standings.recompute_task(task=scene.tasks[0], now=NOW)
        return claim

    def test_it_says_until_when_and_what_then(self, scene: Scene, due: Claim) -> None:
        found = section(page(scene.bob), "now")
        assert "Your time for it:" in found
        assert "the claim ends on its own:" in found
        assert "(1 left)" in found

    @pytest.mark.parametrize("where", ["/me/", "/events/pir/tasks/{pk}/"])
    def test_it_is_begun_anew_by_a_button_as_often_as_allowed(
        self, scene: Scene, due: Claim, monkeypatch: pytest.MonkeyPatch, where: str
    ) -> None:
        address = where.format(pk=scene.tasks[0].pk)
        renew = f"/events/pir/tasks/{scene.tasks[0].pk}/renew"
        assert renew in page(scene.bob, address)
        later = NOW + timedelta(days=5)
        monkeypatch.setattr(clock, "now", lambda: later)
        client = client_of(scene.bob)
        for _twice in range(2):
            client.post(renew, {"once": "one", "next": address})
        due.refresh_from_db()
        assert due.due_at == later + timedelta(days=10)
        assert Decision.objects.filter(kind="renewed").count() == 1
        assert renew not in page(scene.bob, address)
        answer = client.post(renew, {"once": "two"}, follow=True).content.decode()
        assert "Ask a mentor for more" in answer

    def test_nobody_elses(self, scene: Scene, due: Claim) -> None:
        answer = client_of(scene.mei).post(f"/events/pir/tasks/{scene.tasks[0].pk}/renew", follow=True)
        assert "You have no claim on this task." in answer.content.decode()
        assert not Decision.objects.filter(kind="renewed").exists()


def questions(person: Person, address: str) -> int:
    client = client_of(person)
    client.get(address)
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


def grow(scene: Scene, count: int) -> None:
    """More claims of alice's in more events, in every group, with pull requests, notices and loose titles."""
    scenes.crowd(scene, count)
    base = Event.objects.count() * 1000
    for number in range(count):
        event = scenes.make_event(
            f"e-{base + number}", repositories=["PaddlePaddle/Paddle"], title_prefix=f"E{number} No."
        )
        task = scenes.make_task(event, 1, "more")
        standing = ["claimed", "waiting", "superseded", "done", "requested"][number % 5]
        scenes.make_claim(task, scene.alice, standing)
        scenes.make_pull_request(task, scene.alice, base + number)
        made = scenes.make_pull_request(task, scene.alice, 500_000 + base + number)
        made.links.all().delete()
        PullRequest.objects.filter(pk=made.pk).update(title="[pir] task 10")
        Notice.objects.create(
            person=scene.alice,
            event=event,
            task=task,
            kind=["superseded", "completed", "approved", "desk"][number % 4],
            data={"by": scene.mei.pk, "about": "o/r#1"},
            at=NOW,
            key=f"k{base + number}",
        )


@pytest.mark.parametrize("address", ["/me/", "/me/notices/"])
def test_it_asks_as_often_for_many_as_for_few(scene: Scene, address: str) -> None:
    grow(scene, 6)
    few = questions(scene.alice, address)
    grow(scene, 12)
    assert questions(scene.alice, address) <= few
    assert few <= 40


def test_my_turn_at_home_asks_as_often_for_many_as_for_few(scene: Scene) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as captured:
            mine.list_mine(scene.alice, now=NOW, current_only=True)
        return len(captured)

    grow(scene, 6)
    few = asked()
    grow(scene, 12)
    assert asked() == few <= 16


def test_home_shows_what_is_free_in_every_running_event(scene: Scene) -> None:
    for number in range(3):
        event = scenes.make_event(f"e-{number}", name=f"Event {number}")
        for row in range(8):
            scenes.make_task(event, row, f"free {number}-{row}", state="open")
    html = page(scene.bob, "/")
    assert all(f"free {number}-0" in html for number in range(3))
    assert "单测问题修复" in html
