"""The organizers' pages of the event's texts and of the event itself."""

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from claims.models import Claim, IssueComment, PullRequestLink
from portal.models import AuditEntry
from rewards import operations as rewards
from rewards import pools
from rewards.models import EventReward, Pool
from tasks_board.models import Direction, Event, EventLink, EventRole, Phase, TaskHelper, TrackingIssue
from tests.pages.scenes import NOW, Scene, make_claim, make_event, make_person, make_pull_request, make_task

TABLE = "| 序号 | 题目 |\n| - | - |\n| 91 | Lamp |\n"


@pytest.fixture
def organizer(scene: Scene, client: Client) -> Client:
    client.force_login(scene.olga.user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def of(event: Event, what: str) -> str:
    return f"/events/{event.slug}/organize/{what}"


def settings_of(event: Event, **changes: str) -> dict[str, str]:
    return {
        "name": event.name,
        "summary": event.summary,
        "language": event.language,
        "accent": event.accent,
        "time_zone": event.time_zone,
        "opens_at": "",
        "closes_at": "",
        "title_prefix": event.title_prefix,
        "title_aliases": "\n".join(event.title_aliases),
        "repositories": "\n".join(event.repositories),
        "proposal_repositories": "\n".join(event.proposal_repositories),
        **changes,
    }


class TestTexts:
    def test_it_lists_texts_and_offers(self, scene: Scene, organizer: Client) -> None:
        TrackingIssue.objects.create(
            event=scene.event, repository="o/r", number=9, former_addresses=["o/old#9"], retired_at=NOW
        )
        IssueComment.objects.create(
            tracking_issue=scene.issue,
            github_id=77,
            author=scene.olga,
            body=TABLE,
            written_at=NOW,
            updated_at=NOW,
        )
        page = organizer.get(of(scene.event, "issues/")).content.decode()
        for words in ("formerly o/old#9", "read no more", "Read it again", "Take it in"):
            assert words in page

    def test_a_comment_is_taken_in_by_a_click(self, scene: Scene, organizer: Client) -> None:
        comment = IssueComment.objects.create(
            tracking_issue=scene.issue,
            github_id=77,
            author=scene.olga,
            body=TABLE,
            written_at=NOW,
            updated_at=NOW,
        )
        organizer.post(of(scene.event, f"comments/{comment.pk}"))
        text = TrackingIssue.objects.get(comment_id=77)
        assert text.tasks.get().title == "Lamp"
        assert "#issuecomment-77" in organizer.get(of(scene.event, "issues/")).content.decode()

    def test_queries_do_not_grow_with_texts_and_comments(self, scene: Scene, organizer: Client) -> None:
        def count() -> int:
            with CaptureQueriesContext(
                connection,
            ) as captured:
                organizer.get(of(scene.event, "issues/"))
            return len(captured)

        organizer.get(of(scene.event, "issues/"))
        few = count()
        for number in range(20, 26):
            TrackingIssue.objects.create(event=scene.event, repository="o/r", number=number)
            IssueComment.objects.create(
                tracking_issue=scene.issue,
                github_id=number,
                author=scene.olga,
                body=TABLE,
                written_at=NOW,
                updated_at=NOW,
            )
        assert count() == few

    @pytest.mark.parametrize("wanted", ["nonsense", "o/r", "https://example.org/o/r/issues/1"])
    def test_an_address_that_is_none_is_told(self, scene: Scene, organizer: Client, wanted: str) -> None:
        page = organizer.get(of(scene.event, "issues/"), {"issue": wanted}).content.decode()
        assert "owner/repo#number" in page or "owner/repository#number" in page


class TestEvent:
    def test_it_is_changed_with_what_was_before_kept(self, scene: Scene, organizer: Client) -> None:
        form = settings_of(
            scene.event,
            name="New name",
            time_zone="Europe/Berlin",
            closes_at="2026-07-01T24:00"[:-5] + "18:00",
        )
        organizer.post(of(scene.event, "event/change"), form)
        scene.event.refresh_from_db()
        assert scene.event.name == "New name"
        assert scene.event.closes_at == datetime.fromisoformat("2026-07-01T16:00:00+00:00")
        said = AuditEntry.objects.get(action="claims.event_changed").data
        assert said["name"]["from"] == "PIR 快乐开源表单"
        assert 'value="2026-07-01T18:00"' in organizer.get(of(scene.event, "event/")).content.decode()

    def test_the_last_minute_of_a_day_is_its_end_on_every_page(self, scene: Scene, organizer: Client) -> None:
        """A browser's field has no way to write 24:00."""
        organizer.post(
            of(scene.event, "event/change"), settings_of(scene.event, closes_at="2030-04-23T23:59")
        )
        scene.event.refresh_from_db()
        midnight = datetime.fromisoformat("2030-04-24T00:00:00+08:00")
        assert scene.event.closes_at == midnight
        page = of(scene.event, "event/")
        assert 'value="2030-04-23T23:59"' in organizer.get(page).content.decode()
        assert (
            "Apr 23, 2030 24:00 (Beijing)" in organizer.get(f"/events/{scene.event.slug}/").content.decode()
        )

    @pytest.mark.parametrize(
        "stored", ["2030-04-24T00:00:00+08:00", "2030-04-23T23:59:59+08:00", "2030-04-23T18:30:20+08:00"]
    )
    def test_an_end_that_nobody_changed_keeps_its_seconds(
        self, scene: Scene, organizer: Client, stored: str
    ) -> None:
        closes_at = datetime.fromisoformat(stored)
        Event.objects.filter(pk=scene.event.pk).update(closes_at=closes_at)
        field = re.search(
            r'name="closes_at" value="([^"]+)"', organizer.get(of(scene.event, "event/")).content.decode()
        )
        assert field
        organizer.post(of(scene.event, "event/change"), settings_of(scene.event, closes_at=field[1]))
        scene.event.refresh_from_db()
        assert scene.event.closes_at == closes_at

    @pytest.mark.parametrize(
        ("field", "value"),
        [("time_zone", "Mars/Crater"), ("repositories", "not a repository"), ("name", ""), ("accent", "x")],
    )
    def test_what_cannot_be_read_is_told_and_nothing_typed_is_lost(
        self, scene: Scene, organizer: Client, field: str, value: str
    ) -> None:
        form = settings_of(scene.event, summary="typed with care", **{field: value})
        page = organizer.post(of(scene.event, "event/change"), form).content.decode()
        assert "typed with care" in page
        scene.event.refresh_from_db()
        assert scene.event.summary != "typed with care"

    def test_another_prefix_links_pull_requests_anew(self, scene: Scene, organizer: Client) -> None:
        Event.objects.filter(pk=scene.event.pk).update(title_prefix="PIR", repositories=["o/r"])
        task = scene.tasks[0]
        stray = make_pull_request(task, scene.bob, 4711)
        PullRequestLink.objects.filter(pull_request=stray).delete()
        type(stray).objects.filter(pk=stray.pk).update(
            title=f"【NEXT No.{task.number}】x", repository="o/watched"
        )
        scene.event.refresh_from_db()
        form = settings_of(scene.event, title_prefix="NEXT", repositories="o/watched")
        organizer.post(of(scene.event, "event/change"), form)
        assert PullRequestLink.objects.get(pull_request=stray).task == task
        scene.event.refresh_from_db()
        organizer.post(of(scene.event, "event/change"), settings_of(scene.event, repositories="o/r"))
        assert not PullRequestLink.objects.filter(pull_request=stray).exists()

    def test_a_time_that_nobody_changed_keeps_its_seconds(self, scene: Scene, organizer: Client) -> None:
        closes = datetime.fromisoformat("2026-07-01T15:59:59+00:00")
        Event.objects.filter(pk=scene.event.pk).update(closes_at=closes)
        form = settings_of(scene.event, closes_at="2026-07-01T23:59", name="Other")
        organizer.post(of(scene.event, "event/change"), form)
        scene.event.refresh_from_db()
        assert (scene.event.name, scene.event.closes_at) == ("Other", closes)

    @pytest.mark.parametrize("closes", ["9999-12-31T23:59", "0001-01-01T00:00"])
    def test_a_year_out_of_reach_is_told(self, scene: Scene, organizer: Client, closes: str) -> None:
        form = settings_of(scene.event, closes_at=closes, name="Other")
        answer = organizer.post(of(scene.event, "event/change"), form, follow=True)
        assert "Write a year from 1971 to 2199." in answer.content.decode()
        scene.event.refresh_from_db()
        assert scene.event.name != "Other"

    def test_phases_come_change_and_go(self, scene: Scene, organizer: Client) -> None:
        form = {
            "name": "Sign-up",
            "starts_at": "2026-05-01T00:00",
            "ends_at": "2026-06-01T00:00",
            "claims_open": "on",
        }
        organizer.post(of(scene.event, "event/phases"), form)
        phase = Phase.objects.get(event=scene.event, name="Sign-up")
        assert phase.starts_at == datetime.fromisoformat("2026-04-30T16:00:00+00:00")
        organizer.post(of(scene.event, "event/phases"), form)
        organizer.post(of(scene.event, f"event/phases/{phase.pk}"), form | {"ends_at": "2026-04-01T00:00"})
        assert Phase.objects.filter(name="Sign-up").get().ends_at == phase.ends_at
        organizer.post(of(scene.event, f"event/phases/{phase.pk}"), form | {"name": "Later"})
        assert Phase.objects.get(pk=phase.pk).name == "Later"
        organizer.post(of(scene.event, f"event/phases/{phase.pk}"), {"remove": "1"})
        assert not Phase.objects.filter(pk=phase.pk).exists()

    def test_it_closes_opens_and_is_archived(self, scene: Scene, organizer: Client) -> None:
        for status, becomes in (
            ("archived", "running"),
            ("closed", "closed"),
            ("running", "running"),
            ("draft", "running"),
            ("closed", "closed"),
            ("archived", "archived"),
            ("running", "archived"),
            ("closed", "closed"),
            ("nonsense", "closed"),
        ):
            organizer.post(of(scene.event, "event/status"), {"status": status})
            scene.event.refresh_from_db()
            assert scene.event.status == becomes


class TestNextEvent:
    FORM = {"name": "Second round", "slug": "second", "title_prefix": "SECOND"}

    def test_unfinished_tasks_go_on_without_their_claims(self, scene: Scene, organizer: Client) -> None:
        done = make_task(scene.event, 90, "Finished", state="done")
        first = make_task(scene.event, 91, "Unfinished", state="pr_open", places=2)
        first.requires.add(scene.tasks[0])
        tag = Direction.objects.create(event=scene.event, source="column", name="API")
        first.also_in.add(tag)
        make_claim(first, scene.bob, "pr_open")
        organizer.post(of(scene.event, "event/clone"), self.FORM)
        made = Event.objects.get(slug="second")
        task = made.tasks.get(number="91")
        assert (made.status, made.kind, made.rules) == ("draft", scene.event.kind, scene.event.rules)
        assert EventLink.objects.get(event=made).other == scene.event
        assert not made.tasks.filter(number=done.number).exists()
        assert (task.state, task.places, task.tracking_issue, task.also_in.get().event) == (
            "open",
            2,
            None,
            made,
        )
        assert task.requires.get().event == made
        assert not Claim.objects.filter(task__event=made).exists()
        assert not TaskHelper.objects.filter(task__event=made, granted_at__isnull=False).exists()
        assert [role.person for role in made.roles.all()] == [scene.olga]

    def test_roles_and_rewards_go_along_if_asked_for(self, scene: Scene, organizer: Client) -> None:
        EventRole.objects.create(event=scene.event, person=scene.bob, role="judge", granted_at=NOW)
        pool = pools.get_or_create_pool(name="Stars", unit=Pool.Unit.POINT, acting_user=None, now=NOW)
        rewards.set_event_reward(
            event=scene.event,
            pool=pool,
            per=EventReward.Per.TASK,
            amount=pool_amount(),
            acting_user=None,
            now=NOW,
        )
        form = self.FORM | {"with_roles": "on", "with_rewards": "on"}
        organizer.post(of(scene.event, "event/clone"), form)
        made = Event.objects.get(slug="second")
        assert made.roles.filter(person=scene.bob, role="judge").exists()
        ours, theirs = (EventReward.objects.get(event=e, ended_at=None) for e in (scene.event, made))
        assert (ours.amount_steps, ours.pool) == (theirs.amount_steps, theirs.pool)

    def test_its_tasks_are_paired_with_the_rows_of_an_issue(self, scene: Scene, organizer: Client) -> None:
        organizer.post(of(scene.event, "event/clone"), self.FORM)
        made = Event.objects.get(slug="second")
        before = {task.pk: task.number for task in made.tasks.all()}
        from claims.operations import issues
        from claims.operations.issues import Revision

        rows = "".join(
            f"| {task.number} | {'Another title' if n == 0 else task.title} |\n"
            for n, task in enumerate(made.tasks.order_by("pk"))
        )
        text = TrackingIssue.objects.create(event=made, repository="o/r", number=5)
        revision = Revision("| 序号 | 题目 |\n| - | - |\n" + rows, NOW)
        issues.apply_issue_revision(tracking_issue=text, revision=revision, now=NOW + timedelta(days=1))
        assert {task.pk: task.number for task in made.tasks.all()} == before
        assert {task.tracking_issue for task in made.tasks.all()} == {text}

    def test_an_address_counts_on_where_the_name_has_no_letters(
        self, scene: Scene, organizer: Client
    ) -> None:
        made = [organizer.post(of(scene.event, "event/clone"), {"name": "下一期"}) for _time in range(2)]
        slugs = [str(response["Location"]).split("/")[2] for response in made]
        assert slugs == ["pir-2", "pir-3"]
        scene.event.slug = "ccf-6"
        scene.event.save()
        organizer.post(of(scene.event, "event/clone"), {"name": "下一期"})
        assert Event.objects.filter(slug="ccf-7").exists()

    def test_a_slug_that_is_taken_is_told(self, scene: Scene, organizer: Client) -> None:
        make_event("second")
        count = Event.objects.count()
        response: Any = organizer.post(of(scene.event, "event/clone"), self.FORM, follow=True)
        assert "already an event with this address" in response.content.decode()
        assert Event.objects.count() == count


def pool_amount() -> Any:
    from decimal import Decimal

    return Decimal("1")


def test_a_mentor_may_not(scene: Scene, client: Client) -> None:
    mentor = make_person("marta", 990)
    EventRole.objects.create(event=scene.event, person=mentor, role="mentor", granted_at=NOW)
    client.force_login(mentor.user, backend="django.contrib.auth.backends.ModelBackend")
    for what in ("issues/", "event/"):
        assert client.get(of(scene.event, what)).status_code == 403
