"""The event's page and its card: phases, links, teams, news; in doubt about nothing that only a text says."""

from datetime import timedelta

import pytest
import time_machine

from claims.models import Claim, Review
from portal import audit
from tasks_board.models import EventLink, Phase, Team, TeamMember
from tests.pages import scenes
from tests.pages.scenes import NOW, Scene, client_of


@pytest.fixture(autouse=True)
def _today() -> object:
    with time_machine.travel(NOW, tick=False):
        yield


def html_of(address: str, language: str = "en") -> str:
    return client_of(None, language).get(address).content.decode()


def with_dates(scene: Scene) -> None:
    event = scene.event
    event.opens_at, event.closes_at = NOW - timedelta(days=30), NOW.replace(hour=16) + timedelta(days=10)
    event.rules = {"proposal_required": True, "open_claims_per_person": 3, "branches": ["develop"]}
    event.proposal_repositories = ["PaddlePaddle/community"]
    event.save()
    past = NOW - timedelta(days=5)
    Phase.objects.create(event=event, name="报名", position=0, starts_at=event.opens_at, ends_at=past)
    Phase.objects.create(event=event, name="开发", position=1, starts_at=past, ends_at=event.closes_at)


def test_it_shows_where_the_event_stands_in_time(scene: Scene) -> None:
    with_dates(scene)
    html = html_of("/events/pir/")
    assert "10 days left" in html
    assert "Apr 22 24:00 (Beijing)" in html
    assert 'class="is-past"' in html
    assert 'aria-current="step"' in html
    home = html_of("/", "zh-hans")
    assert "还有 10 天" in home
    assert "时间已过 74%" in home


def test_it_writes_the_rules_out(scene: Scene) -> None:
    with_dates(scene)
    html = html_of("/events/pir/")
    assert (
        "Nobody has more than 3 tasks in hand at a time; work that waits for a review is not counted." in html
    )
    assert "A merge counts on these branches: develop." in html
    assert "PaddlePaddle/community" in html
    assert "先提案" in html_of("/events/pir/", "zh-hans")


def test_it_says_no_more_than_holds_of_who_may_claim_and_how_many(scene: Scene) -> None:
    scene.event.rules = {"who_may_claim": "invitation", "places_per_task": 1, "people_per_team": 3}
    scene.event.save()
    html = html_of("/events/pir/")
    assert "Only people whom an organizer has invited may claim; their claims count at once." in html
    assert "Claim; the answer comes within seconds" in html
    assert "A task has one place: whoever has it has it alone." in html
    assert "Whoever finds no place waits in line, and moves up when one becomes free." in html
    assert "Teams of at most 3 people may claim as one." in html
    for wrong in ("Anyone may", "a mentor answers", "Several people", "A reminder comes"):
        assert wrong not in html


@pytest.mark.parametrize(
    ("status", "words"), [("closed", "nobody can claim any more"), ("archived", "it stays as it was")]
)
def test_it_tells_nobody_how_to_claim_what_is_over(scene: Scene, status: str, words: str) -> None:
    assert "How to claim" in html_of("/events/pir/")
    scene.event.status = status
    scene.event.save()
    html = html_of("/events/pir/")
    assert words in html
    assert "How to claim" not in html


def test_it_links_campaigns(scene: Scene) -> None:
    other = scenes.make_event("camp", name="启航计划", status="closed")
    EventLink.objects.create(event=scene.event, kind="leads_into", title="启航计划", other=other)
    EventLink.objects.create(
        event=scene.event,
        kind="shared_pool",
        title="快乐开源",
        repository="PaddlePaddle/Paddle",
        issue_number=61482,
    )
    html = html_of("/events/pir/")
    assert 'href="/events/camp/"' in html
    assert "/PaddlePaddle/Paddle/issues/61482" in html
    assert "Just finished" in html_of("/")


def test_it_tells_news_and_what_only_the_table_says(scene: Scene) -> None:
    claim = scene.tasks[1].claims.get()
    for reason, state in (("table", "done"), ("open", "pr_open"), ("open", "no_such_state")):
        audit.record(
            "claims.standing_changed",
            actor=None,
            target=claim,
            now=NOW,
            event_id=scene.event.pk,
            data={"to": state, "reason": reason},
        )
    html = html_of("/events/pir/")
    assert "alice opened a pull request for No.2 dtype 动静统一" in html
    assert "The table says of alice on No.2 dtype 动静统一: Done" in html
    assert "completed" not in html.split("Just happened")[1]


def test_it_counts_a_teams_pull_requests_for_the_team(scene: Scene) -> None:
    team = Team.objects.create(event=scene.event, name="夜航船", created_at=NOW)
    TeamMember.objects.create(team=team, person=scene.bob, invited_at=NOW, accepted_at=NOW)
    Claim.objects.create(task=scene.tasks[0], team=team, standing="pr_open", standing_at=NOW, created_at=NOW)
    pull_request = scenes.make_pull_request(scene.tasks[0], scene.bob, 31, is_draft=True)
    Review.objects.create(
        pull_request=pull_request,
        github_id=3,
        reviewer=scene.mei,
        association="MEMBER",
        state="approved",
        submitted_at=NOW,
    )
    html = html_of("/events/pir/tasks/?q=夜航船")
    assert "rg-avatar--team" in html
    assert 'data-pr="draft"' in html
    assert '<span class="rg-pr__ok">' in html
    mine = client_of(scene.bob).get("/events/pir/tasks/?show=mine").content.decode()
    assert "单测问题修复" in mine


def test_it_logs_merges_and_closings(scene: Scene) -> None:
    scenes.make_pull_request(scene.tasks[0], scene.bob, 32, "merged")
    closed = scenes.make_pull_request(scene.tasks[0], scene.bob, 33, "closed")
    closed.closed_at = NOW
    closed.save()
    html = html_of(f"/events/pir/tasks/{scene.tasks[0].pk}/")
    log = html.split('id="h-log"')[1]
    assert "Merged" in log
    assert "Closed without merging" in log
    assert "its title names the task" in log


def test_an_event_without_tasks_says_so(db: None) -> None:
    scenes.make_event("empty")
    for address in ("/events/empty/", "/events/empty/tasks/"):
        assert "There are no tasks yet; they are to be added." in html_of(address)
    assert "No event is running at present" not in html_of("/")
