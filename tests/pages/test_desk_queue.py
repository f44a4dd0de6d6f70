"""The desk's queue at the door: what stands in which category and why, the buttons, and the way back."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from claims.models import Claim, Decision, PullRequest, PullRequestLink, Review
from portal.common import clock
from tasks_board.models import Event, EventRole, Task
from tests.pages import scenes
from tests.pages.scenes import Scene, client_of

DESK = "/events/pir/desk/"


def html_of(scene: Scene, query: str = "") -> str:
    return client_of(scene.olga).get(DESK + query).content.decode()


def counts(scene: Scene, query: str = "") -> dict[str, int]:
    """What the tabs say."""
    found = re.findall(r"show=(\w+)[^>]*>(?:[^<]*) <b class=\"rg-num\">(\d+)</b>", html_of(scene, query))
    return {code: int(number) for code, number in found if int(number)}


def text_of(scene: Scene, item: str) -> str:
    html = html_of(scene, f"?item={item}")
    return " ".join(re.sub(r"<[^>]+>", " ", html[html.index('id="item"') :]).split())


def alices(scene: Scene, **values: object) -> Claim:
    Claim.objects.filter(person=scene.alice).update(**values)
    return Claim.objects.get(person=scene.alice)


class TestCategories:
    def test_a_review_waits_for_the_reviewers(self, scene: Scene) -> None:
        claim = alices(scene, turn="reviewer")
        assert counts(scene) == {"review": 1}
        said = text_of(scene, f"claim-{claim.pk}")
        assert "PaddlePaddle/Paddle#7 is open, and nobody has reviewed it yet." in said
        assert "the reviewers’" in said

    def test_a_proposal_and_an_approved_one_say_so(self, scene: Scene) -> None:
        claim = alices(scene, turn="reviewer")
        PullRequestLink.objects.update(is_proposal=True)
        assert "The proposal PaddlePaddle/Paddle#7 waits" in text_of(scene, f"claim-{claim.pk}")
        alices(scene, standing="approved")
        assert "is approved and waits to be merged" in text_of(scene, f"claim-{claim.pk}")

    def test_the_longest_wait_stands_first(self, scene: Scene) -> None:
        alices(scene, turn="reviewer")
        scenes.make_claim(scene.tasks[0], scene.bob, "pr_open", turn="reviewer")
        later = scenes.make_pull_request(scene.tasks[0], scene.bob, 71)
        PullRequest.objects.filter(pk=later.pk).update(opened_at=scenes.NOW - timedelta(days=3))
        html = html_of(scene)
        assert html.index("No.1 单测问题修复") < html.index("No.2 dtype")
        Review.objects.create(
            pull_request=later,
            github_id=1,
            reviewer=scene.mei,
            association="MEMBER",
            state="commented",
            submitted_at=scenes.NOW + timedelta(days=1),
        )
        html = html_of(scene)
        assert html.index("No.2 dtype") < html.index("No.1 单测问题修复")

    def test_a_claim_that_went_quiet(self, scene: Scene) -> None:
        claim = alices(scene, turn="claimant", standing="claimed")
        assert counts(scene) == {"stale": 1}
        assert re.search(r"nothing has happened for \d+ days", text_of(scene, f"claim-{claim.pk}"))
        PullRequest.objects.update(updated_at=clock.now() - timedelta(days=10))
        assert counts(scene) == {}
        assert counts(scene, "?days=7") == {"stale": 1}

    def test_the_first_thing_that_offers_itself_is_not_to_accept_what_nobody_has_seen(
        self, scene: Scene
    ) -> None:
        accept = r'<button class="btn ([\w-]+)" name="kind" value="accepted"'
        claim = alices(scene, standing="claimed", turn="claimant")
        assert re.findall(accept, html_of(scene, f"?item=claim-{claim.pk}")) == ["rg-btn"]
        alices(scene, doubts=[{"code": "table_says", "about": "done", "at": scenes.NOW.isoformat()}])
        assert re.findall(accept, html_of(scene, f"?item=claim-{claim.pk}")) == ["btn-primary"]

    def test_a_claim_whose_time_ends_or_is_over(self, scene: Scene) -> None:
        PullRequest.objects.update(updated_at=clock.now())
        claim = alices(scene, turn="claimant", due_at=clock.now() + timedelta(days=20))
        assert counts(scene) == {}
        alices(scene, due_at=clock.now() + timedelta(days=1))
        assert "the time ends within 1 day." in text_of(scene, f"claim-{claim.pk}")
        alices(scene, due_at=clock.now() - timedelta(days=2, hours=1))
        said = text_of(scene, f"claim-{claim.pk}")
        assert "the time ended 2 days ago." in said
        assert "Extend" in said

    @pytest.mark.parametrize(
        ("code", "claimed_later", "words"),
        [
            ("merged_elsewhere", False, "onto a branch that does not count"),
            ("named_only", False, "only the claimant says"),
            ("named_only", True, "was merged before the claim"),
        ],
    )
    def test_a_merge_that_did_not_count(
        self, scene: Scene, code: str, *, claimed_later: bool, words: str
    ) -> None:
        PullRequest.objects.update(state="merged", merged_at=scenes.NOW)
        doubt = {"code": code, "about": "PaddlePaddle/Paddle#7", "at": scenes.NOW.isoformat()}
        claim = alices(
            scene, standing="claimed", doubts=[doubt], created_at=scenes.NOW + timedelta(hours=claimed_later)
        )
        assert counts(scene) == {"merged": 1}
        assert words in text_of(scene, f"claim-{claim.pk}")
        Task.objects.filter(pk=claim.task_id).update(state="done")
        assert "merged" not in counts(scene)

    def test_a_mentors_no_answers_what_was_merged_before_it(self, scene: Scene) -> None:
        PullRequest.objects.update(state="merged", merged_at=scenes.NOW)
        claim = alices(scene, standing="claimed", basis="decision", reason={"code": "claimed", "about": ""})
        assert counts(scene) == {"merged": 1}
        assert "Whose turn a mentor’s" in text_of(scene, f"claim-{claim.pk}")
        said = {"reason": {"code": "rejected", "about": ""}, "turn": "claimant"}
        alices(scene, standing_at=scenes.NOW + timedelta(hours=1), **said)
        assert "merged" not in counts(scene)
        alices(scene, standing_at=scenes.NOW - timedelta(hours=1), **said)
        assert counts(scene) == {"merged": 1}

    @pytest.mark.parametrize(
        ("standing", "reason", "words"),
        [
            ("partly_done", "merged_in_part", "is merged as one part"),
            ("claimed", "reverted", "was merged and then reverted"),
        ],
    )
    def test_a_merge_in_part_or_reverted(self, scene: Scene, standing: str, reason: str, words: str) -> None:
        about = "PaddlePaddle/Paddle#7"
        claim = alices(scene, standing=standing, reason={"code": reason, "about": about}, basis="fact")
        assert counts(scene) == {"merged": 1}
        assert words in text_of(scene, f"claim-{claim.pk}")

    def test_a_commit_that_landed_while_its_pull_request_was_closed(self, scene: Scene) -> None:
        PullRequest.objects.update(state="closed", closed_at=scenes.NOW, landed_at=scenes.NOW)
        claim = alices(scene, standing="closed_unmerged", turn="claimant")
        assert counts(scene) == {"merged": 1}
        assert "after its commit had landed" in text_of(scene, f"claim-{claim.pk}")

    def test_what_only_the_table_ticks_is_doubtful(self, scene: Scene) -> None:
        doubt = {"code": "table_says", "about": "done", "at": scenes.NOW.isoformat()}
        claim = alices(scene, standing="done", basis="statement", doubts=[doubt])
        assert counts(scene) == {"doubtful": 1}
        assert "nobody entitled has confirmed it" in text_of(scene, f"claim-{claim.pk}")

    def test_a_comment_with_a_guess_is_offered_and_one_without_is_hard_to_read(self, scene: Scene) -> None:
        offered, unread = scenes.make_comment(scene, "我想试试第十题"), scenes.make_comment(scene, "求带", 6)
        assert counts(scene) == {"approve": 1, "doubtful": 1}
        assert "Take this as a claim of No.10" in text_of(scene, f"comment-{offered.pk}")
        assert "Take this" not in text_of(scene, f"comment-{unread.pk}")


class TestFilters:
    def test_direction_words_and_own_tasks(self, scene: Scene) -> None:
        scenes.make_claim(scene.tasks[0], scene.bob, "requested")
        alices(scene, turn="reviewer")
        assert counts(scene) == {"approve": 1, "review": 1}
        assert counts(scene, f"?direction={scene.sections[0].pk}") == {"approve": 1}
        assert counts(scene, "?q=DTYPE") == {"review": 1}
        assert counts(scene, "?q=no.1") == {"approve": 1}
        assert counts(scene, "?q=paddle%237") == {"review": 1}
        assert counts(scene, "?mine=1") == {}
        EventRole.objects.create(event=scene.event, person=scene.mei, role="mentor", granted_at=scenes.NOW)
        html = client_of(scene.mei).get(DESK + "?mine=1").content.decode()
        assert "1 thing waits for you." in html

    def test_nonsense_in_the_address_is_left_out(self, scene: Scene) -> None:
        response = client_of(scene.olga).get(
            DESK + "?show=x&days=999&direction=a&page=-1&item=claim-0&mine=%00&q=%00"
        )
        assert response.status_code == 200

    def test_the_number_of_queries_does_not_grow(self, scene: Scene) -> None:
        client = client_of(scene.olga)
        alices(scene, turn="reviewer")
        scenes.make_comment(scene, "我想试试第十题")

        def queries() -> int:
            with CaptureQueriesContext(connection) as found:
                assert client.get(DESK).status_code == 200
            return len(found)

        before = queries()
        scenes.crowd(scene, 60)
        Claim.objects.update(turn="reviewer")
        for number in range(20, 40):
            scenes.make_comment(scene, "我想试试第三题", number)
        assert queries() == before
        assert before < 20
        assert "Page 1 of 3" in client.get(DESK).content.decode()


class TestActions:
    def test_a_decision_says_how_to_take_it_back_and_leads_to_the_next(self, scene: Scene) -> None:
        first = scenes.make_claim(scene.tasks[0], scene.bob, "requested")
        Decision.objects.filter(claim=first).update(kind="requested")
        alices(scene, turn="reviewer")
        client = client_of(scene.olga)
        html = client.get(f"{DESK}?item=claim-{first.pk}").content.decode()
        way = re.search(
            r'name="next" value="([^"]*item=claim-\d+[^"]*)"><input type="hidden" name="stay"', html
        )
        assert way is not None
        path = way[1].replace("&amp;", "&")
        after = client.post(f"{DESK}claims/{first.pk}", {"kind": "admitted", "next": path}, follow=True)
        page = after.content.decode()
        assert after.redirect_chain[0][0] == path
        assert "Decided: bob, No.1: Admitted." in page
        address = re.search(r'action="(/events/pir/desk/decisions/\d+/undo)"', page)
        assert address is not None
        back = client.post(address[1], {"next": DESK}, follow=True)
        assert "Taken back: bob, No.1 stands as before (Requested)." in back.content.decode()
        assert back.redirect_chain[0][0] == f"{DESK}?item=claim-{first.pk}"
        assert Claim.objects.get(pk=first.pk).standing == "requested"

    def test_a_refusal_stays_where_it_was(self, scene: Scene) -> None:
        claim = scenes.make_claim(scene.tasks[0], scene.olga, "requested")
        stay = f"{DESK}?item=claim-{claim.pk}"
        form = {"kind": "admitted", "next": DESK, "stay": stay}
        response = client_of(scene.olga).post(f"{DESK}claims/{claim.pk}", form)
        assert response.status_code == 409
        assert f'data-page="{stay}"' in response.content.decode()

    def test_htmx_gets_the_desk_alone_with_the_message(self, scene: Scene) -> None:
        claim = scenes.make_claim(scene.tasks[0], scene.bob, "requested")
        headers = {"HX-Request": "true", "HX-Target": "desk"}
        response = client_of(scene.olga).post(
            f"{DESK}claims/{claim.pk}", {"kind": "declined"}, headers=headers, follow=True
        )
        html = response.content.decode()
        assert html.lstrip().startswith('<div id="desk"')
        assert 'hx-swap-oob="true"' in html
        assert "Decided: bob, No.1: Declined." in html
        assert "HX-Target" in response["Vary"]

    def test_keys_stand_on_the_buttons(self, scene: Scene) -> None:
        alices(scene, turn="claimant", standing="claimed", due_at=clock.now())
        html = html_of(scene)
        for key in "adpren":
            assert f'data-key="{key}" aria-keyshortcuts="{key}"' in html

    def test_a_comment_is_taken_as_a_claim_as_of_when_it_was_written(self, scene: Scene) -> None:
        said = scenes.make_comment(scene, "我想试试第十题")
        client = client_of(scene.olga)
        task = scene.tasks[3]
        response = client.post(f"{DESK}comments/{said.pk}/claim", {"task": task.pk}, follow=True)
        assert "bob’s comment is taken as a claim of No.10." in response.content.decode()
        made = Decision.objects.get(kind="admitted")
        assert (made.at, made.source, made.comment, made.decided_by) == (
            scenes.NOW,
            "comment",
            said,
            scene.olga,
        )
        assert Claim.objects.get(task=task).person == scene.bob
        said.refresh_from_db()
        assert said.handled_at is not None
        client.post(f"{DESK}decisions/{made.pk}/undo")
        said.refresh_from_db()
        assert said.handled_at is None
        assert not Claim.objects.get(task=task).shown

    def test_a_comment_that_may_mean_two_tasks_stays_until_both_are_settled(self, scene: Scene) -> None:
        said = scenes.make_comment(scene, "我想试试第十题和第一题")
        client = client_of(scene.olga)
        for task, is_handled in ((scene.tasks[3], False), (scene.tasks[0], True)):
            client.post(f"{DESK}comments/{said.pk}/claim", {"task": task.pk})
            said.refresh_from_db()
            assert (said.handled_at is not None) is is_handled

    def test_the_rules_are_asked_and_said(self, scene: Scene) -> None:
        said = scenes.make_comment(scene, "我想试试第三题")
        client = client_of(scene.olga)
        assert "The rules do not allow it" in client.get(f"{DESK}?item=comment-{said.pk}").content.decode()
        response = client.post(f"{DESK}comments/{said.pk}/claim", {"task": scene.tasks[2].pk}, follow=True)
        assert "The task can be claimed: Done" in response.content.decode()
        assert not Claim.objects.filter(person=scene.bob).exists()

    def test_a_full_task_puts_the_author_in_line(self, scene: Scene) -> None:
        Event.objects.update(rules={"places_per_task": 1})
        said = scenes.make_comment(scene, "我想试试第二题")
        client_of(scene.mei).post(f"{DESK}comments/{said.pk}/claim", {"task": scene.tasks[1].pk})
        assert Claim.objects.get(person=scene.bob).standing == "waiting"

    def test_more_time_by_days_or_until_a_day(self, scene: Scene) -> None:
        Event.objects.update(rules={"days_of_silence": 14}, time_zone="Asia/Shanghai")
        claim = alices(scene, turn="claimant", standing="claimed", due_at=clock.now() + timedelta(days=2))
        client = client_of(scene.mei)
        client.post(f"{DESK}claims/{claim.pk}/extension", {"days": "5"})
        given = Decision.objects.get(kind="extended")
        assert given.until is not None
        assert claim.due_at is not None
        assert given.until == claim.due_at + timedelta(days=5)
        client.post(f"{DESK}claims/{claim.pk}/extension", {"until": "2099-01-31"})
        assert Decision.objects.filter(until="2099-01-31T16:00:00Z").exists()
        for wrong in (
            {},
            {"days": "0"},
            {"days": "9999"},
            {"until": "never"},
            {"until": "2001-01-01"},
            {"until": "9999-12-31"},
            {"until": "0001-01-01"},
        ):
            response = client.post(f"{DESK}claims/{claim.pk}/extension", wrong, follow=True)
            assert 'role="alert"' in response.content.decode(), wrong
        assert Decision.objects.filter(kind="extended").count() == 2

    def test_the_task_s_page_gives_more_time_and_takes_back(self, scene: Scene) -> None:
        claim = alices(scene, turn="claimant", due_at=clock.now() + timedelta(days=2))
        page = f"/events/pir/tasks/{scene.tasks[1].pk}/"
        client = client_of(scene.mei)
        assert "Give more time" in client.get(page).content.decode()
        assert "Give more time" not in client_of(scene.bob).get(page).content.decode()
        client.post(f"{DESK}claims/{claim.pk}", {"kind": "rejected"})
        made = Decision.objects.get(kind="rejected")
        undo = f'action="{DESK}decisions/{made.pk}/undo"'
        assert undo in client.get(page).content.decode()
        assert undo not in client_of(scene.bob).get(page).content.decode()
        client.post(f"{DESK}decisions/{made.pk}/undo", {"next": page})
        html = client.get(page).content.decode()
        assert "taken back" in html
        assert undo not in html

    def test_what_was_settled_stands_in_its_tab(self, scene: Scene) -> None:
        claim = alices(scene, turn="reviewer")
        client_of(scene.mei).post(f"{DESK}claims/{claim.pk}", {"kind": "partial"})
        made = Decision.objects.get(kind="partial")
        for person in (scene.mei, scene.olga):
            html = client_of(person).get(DESK + "?show=handled").content.decode()
            assert "alice’s work was accepted in part" in html
            assert f"decisions/{made.pk}/undo" in html
        with CaptureQueriesContext(connection) as few:
            html_of(scene, "?show=handled")
        scenes.crowd(scene, 10)
        for other in Claim.objects.filter(task__number__gte="100"):
            client_of(scene.olga).post(f"{DESK}claims/{other.pk}", {"kind": "partial"})
        with CaptureQueriesContext(connection) as many:
            html_of(scene, "?show=handled")
        assert len(many) == len(few)
