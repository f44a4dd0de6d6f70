"""Every event in every phase, built through the portal's own doors."""

from collections import Counter
from datetime import timedelta

import pytest

from claims.models import Claim, IssueComment, PullRequest, Reply
from claims.operations import tables
from portal import outbox
from portal.common import clock
from portal.models import AuditEntry
from rewards.models import Completion, EventReward
from tasks_board import schedule
from tasks_board.models import Event, TrackingIssue
from tests.github_stand_in.driver import Driver
from tests.scenarios import builders
from tests.scenarios.campaigns import CAMPAIGNS, CONTEST, HACKATHON, PIR, Campaign, Phase

pytestmark = pytest.mark.django_db


def states(event: Event) -> Counter[str]:
    return Counter(event.tasks.on_board().values_list("state", flat=True))


@pytest.mark.parametrize("phase", [Phase.ANNOUNCED, Phase.OPEN])
@pytest.mark.parametrize("campaign", CAMPAIGNS.values(), ids=list(CAMPAIGNS))
def test_it_begins_on_its_day(driver: Driver, campaign: Campaign, phase: Phase) -> None:
    event = builders.build(driver, campaign, phase)
    window = schedule.claiming_window(event, clock.now())
    is_rolling = not campaign.has_dates
    assert event.status == ("draft" if is_rolling and phase is Phase.ANNOUNCED else "running")
    assert window.has_opened == (is_rolling or phase is Phase.OPEN)
    assert not window.has_closed
    assert Claim.objects.filter(decisions__source="comment").exists() == (phase is Phase.OPEN)


class TestHackathonMidway:
    @pytest.fixture
    def event(self, driver: Driver) -> Event:
        return builders.build(driver, HACKATHON, Phase.MIDWAY, writing=True)

    def test_there_is_work_in_every_state(self, event: Event, driver: Driver) -> None:
        found = states(event)
        assert sum(found.values()) == 104
        assert set(found) >= {"open", "claimed", "rfc_submitted", "rfc_merged", "pr_open", "approved", "done"}
        assert 20 <= found["done"] <= 40
        assert 20 <= found["open"] <= 45
        standings = set(Claim.objects.values_list("standing", flat=True))
        assert {"superseded", "withdrawn", "closed_unmerged"} <= standings
        assert PullRequest.objects.filter(links__is_revert=True, state="merged").exists()
        self.check_times(event)
        self.check_written_table(event, driver)
        self.check_rewards(event)

    def check_times(self, event: Event) -> None:
        now = clock.now()
        entries = AuditEntry.objects.filter(event_id=event.pk, action="claims.standing_changed")
        latest = max(entries.values_list("at", flat=True))
        assert now - timedelta(days=2) < latest <= now
        assert event.opens_at is not None
        assert not PullRequest.objects.filter(opened_at__lt=event.opens_at).exists()

    def check_written_table(self, event: Event, driver: Driver) -> None:
        """Nobody was answered; the table is written once, and then says what the portal says."""
        assert event.rules == {}
        assert not Reply.objects.exists()
        outbox.drain_due(clock.now())
        issue = TrackingIssue.objects.get(event=event)
        body = driver.get_issue(HACKATHON.repository, HACKATHON.number)["body"]
        assert body == issue.body == tables.text_to_write(issue).body
        assert "状态-完成任务-9B59B6" in body
        assert len(body) < 40_000

    def check_rewards(self, event: Event) -> None:
        reward = EventReward.objects.get(event=event)
        assert (reward.per, reward.pool.unit) == ("star", "star")
        completed = Completion.objects.active().filter(task__event=event)
        assert completed.count() == states(event)["done"]


def test_the_hackathon_closes_with_the_published_figures(driver: Driver) -> None:
    event = builders.build(driver, HACKATHON, Phase.CLOSING)
    claimed = Claim.objects.filter(task__event=event, shown=True).values("task").distinct()
    assert claimed.count() == 79
    proposals = PullRequest.objects.filter(repository="PaddlePaddle/community", state="merged")
    assert proposals.count() == 45
    assert states(event)["done"] == 56
    judged = Completion.objects.active().filter(task__direction__name="社区洞察")
    assert {completion.evidence["basis"] for completion in judged} == {"decision"}


def test_the_contest_is_by_admission_and_several_may_finish(driver: Driver) -> None:
    event = builders.build(driver, CONTEST, Phase.MIDWAY)
    claims = Claim.objects.filter(task__event=event)
    assert claims.filter(decisions__kind="requested").exists()
    assert claims.filter(decisions__kind="admitted").exists()
    assert not claims.filter(standing="superseded").exists()


def test_the_form_gets_its_history_confirmed(driver: Driver) -> None:
    event = builders.build(driver, PIR, Phase.CLOSING)
    assert event.history_confirmed_at is not None
    assert states(event)["done"] >= 3


def test_all_three_stand_side_by_side(driver: Driver) -> None:
    for campaign in CAMPAIGNS.values():
        builders.build(driver, campaign, Phase.OPEN)
    assert Event.objects.exclude(status=Event.Status.DRAFT).count() == 3
    by_event = Counter(IssueComment.objects.values_list("tracking_issue__event__slug", flat=True))
    assert set(by_event) == set(CAMPAIGNS)
