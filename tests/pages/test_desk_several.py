"""Several things of the desk at once, at the door: each with its own verdict, and the way back."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from claims.models import Claim, Decision, IssueComment, PullRequest, PullRequestLink
from portal.common import clock
from portal.models import AuditEntry
from tasks_board.models import Event, EventRole
from tests.pages import scenes
from tests.pages.scenes import Scene, client_of

DESK = "/events/pir/desk/"


def settle(scene: Scene, kind: str, *chosen: str, **more: str) -> str:
    """What the organizer's page says after one action about these."""
    form = {"kind": kind, "chosen": list(chosen), **more}
    return client_of(scene.olga).post(f"{DESK}claims/", form, follow=True).content.decode()


def messages(html: str) -> list[str]:
    found = re.findall(
        r'class="rg-(?:note|toast)[^>]*role="(?:status|alert)">.*?<div>(.*?)</div>', html, re.S
    )
    return [text.strip() for text in found]


def by_branch(scene: Scene) -> tuple[Claim, PullRequest]:
    """Bob claimed No.1, and merged work that nothing but its branch ties to it."""
    claim = scenes.make_claim(scene.tasks[0], scene.bob, "claimed", turn="claimant")
    made = scenes.make_pull_request(scene.tasks[0], scene.bob, 70, "merged", head_branch="pir-no-1")
    made.links.all().delete()
    return claim, made


def choices(scene: Scene, query: str = "") -> list[str]:
    html = client_of(scene.olga).get(DESK + query).content.decode()
    return re.findall(r'name="chosen" value="([^"]+)"', html)


def actions(scene: Scene, query: str) -> list[str]:
    """What may be done, the one chosen already with a star."""
    html = client_of(scene.olga).get(DESK + query).content.decode()
    if 'id="desk-kind"' not in html:
        return []
    select = html[html.index('id="desk-kind"') : html.index("</select>", html.index('id="desk-kind"'))]
    found = re.findall(r'<option value="(\w+)"( selected)?>', select)
    return [code + ("*" if chosen else "") for code, chosen in found]


class TestWhatFits:
    def test_each_category_offers_what_it_asks_for_first(self, scene: Scene) -> None:
        by_branch(scene)
        Claim.objects.filter(person=scene.alice).update(turn="claimant", standing="claimed")
        scenes.make_claim(scene.tasks[3], scene.bob, "requested")
        scenes.make_comment(scene, "求带")
        assert actions(scene, "?show=merged")[:3] == ["accepted*", "linked", "partial"]
        assert actions(scene, "?show=stale")[:3] == ["extended*", "released", "admitted"]
        assert actions(scene, "?show=approve")[:2] == ["admitted*", "declined"]
        assert "seen" not in actions(scene, "?show=approve")
        assert actions(scene, "?show=doubtful") == ["seen", "admitted"]
        assert not any(code.endswith("*") for code in actions(scene, ""))

    def test_own_things_are_not_to_be_ticked(self, scene: Scene) -> None:
        Claim.objects.filter(person=scene.alice).update(turn="", standing="withdrawn")
        scenes.make_claim(scene.tasks[3], scene.olga, "requested")
        assert choices(scene) == []
        assert actions(scene, "") == []

    def test_all_of_a_kind_are_ticked_without_a_script(self, scene: Scene) -> None:
        scenes.make_claim(scene.tasks[3], scene.bob, "requested")
        Claim.objects.filter(person=scene.alice).update(turn="reviewer")
        html = client_of(scene.olga).get(f"{DESK}?ticked=approve").content.decode()
        assert len(re.findall(r'name="chosen" value="[^"]+" checked', html)) == 1
        bulk = html[html.index('id="desk-bulk"') : html.index("</form>", html.index('id="desk-bulk"'))]
        assert "ticked" not in bulk, "what comes next must not stand ticked"


class TestOneActionAboutSeveral:
    def test_all_that_ask_to_be_let_in(self, scene: Scene) -> None:
        """A claim that was asked for, work without a claim, and a comment that was hard to read."""
        asked = scenes.make_claim(scene.tasks[3], scene.alice, "requested")
        scenes.make_pull_request(scene.tasks[0], scene.bob, 71)
        said = scenes.make_comment(scene, "我想试试第十题")
        ticks = choices(scene, "?show=approve")
        assert len(ticks) == 3
        html = settle(scene, "admitted", *ticks, note="Welcome")
        assert messages(html)[0].startswith("Admitted (3): ")
        assert (
            list(Decision.objects.filter(kind="admitted").values_list("note", flat=True)) == ["Welcome"] * 3
        )
        for thing in ("alice, No.10", "bob, No.1", "bob, No.10"):
            assert thing in messages(html)[0]
        standings = dict(Claim.objects.values_list("task__number", "standing").filter(person=scene.bob))
        assert standings == {"1": "pr_open", "10": "claimed"}
        asked.refresh_from_db()
        said.refresh_from_db()
        assert asked.standing == "claimed"
        assert said.handled_at is not None
        back = re.search(r'action="(/events/pir/desk/decisions/\d+/undo\?[^"]+)"', html)
        assert back is not None
        client_of(scene.olga).post(back[1].replace("&amp;", "&"))
        assert Decision.objects.filter(kind="undone").count() == 3
        assert Claim.objects.get(pk=asked.pk).standing == "claimed"  # as its own claimant had it
        assert not Claim.objects.filter(person=scene.bob, shown=True).exists()

    def test_merged_work_is_accepted_or_linked(self, scene: Scene) -> None:
        claim, made = by_branch(scene)
        PullRequest.objects.filter(number=7).update(state="merged", merged_at=scenes.NOW)
        PullRequestLink.objects.filter(pull_request__number=7).update(reason="comment")
        Claim.objects.filter(person=scene.alice).update(
            doubts=[{"code": "named_only", "about": "PaddlePaddle/Paddle#7", "at": scenes.NOW.isoformat()}]
        )
        ticks = choices(scene, "?show=merged")
        assert set(ticks) == {
            f"claim-{claim.pk}-{made.pk}",
            f"claim-{Claim.objects.get(person=scene.alice).pk}",
        }
        said = messages(settle(scene, "linked", *ticks))
        assert said[0] == "Linked to its task (1): bob, No.1"
        assert said[1].startswith("alice, No.2: This cannot be done about it.")
        assert PullRequestLink.objects.filter(pull_request=made, reason="mentor").exists()
        assert Claim.objects.get(pk=claim.pk).standing == "done"
        assert messages(settle(scene, "accepted", *choices(scene, "?show=merged"))) == [
            "Accepted as done (1): alice, No.2"
        ]
        assert choices(scene, "?show=merged") == []

    def test_quiet_claims_get_more_time_and_then_ask_nobody(self, scene: Scene) -> None:
        for task, person in ((scene.tasks[0], scene.bob), (scene.tasks[3], scene.bob)):
            scenes.make_claim(task, person, "claimed", turn="claimant")
        ticks = choices(scene, "?show=stale")
        assert len(ticks) == 2
        html = settle(scene, "extended", *ticks, days="9")
        assert messages(html)[0].startswith("Given more time (2): ")
        untils = Decision.objects.filter(kind="extended").values_list("until", flat=True)
        assert all(until and until > clock.now() + timedelta(days=8) for until in untils)
        assert choices(scene, "?show=stale") == []
        client = client_of(scene.olga)
        back = re.search(r'action="([^"]+/undo\?also=\d+)"', html)
        assert back is not None
        client.post(back[1])
        assert len(choices(scene, "?show=stale")) == 2
        for days in ("0", "366", "soon", ""):
            assert len(messages(settle(scene, "extended", *ticks, days=days))) == 1
        assert Decision.objects.filter(kind="extended").count() == 2

    def test_only_what_is_under_way_gets_more_time(self, scene: Scene) -> None:
        gone = [
            scenes.make_claim(scene.tasks[n], scene.bob, standing)
            for n, standing in ((0, "withdrawn"), (2, "done"), (3, "requested"))
        ]
        said = messages(settle(scene, "extended", *(f"claim-{claim.pk}" for claim in gone), days="5"))
        assert len(said) == 1
        assert said[0].endswith("Nothing is under way here that could get more time.")
        assert not Decision.objects.filter(kind="extended").exists()

    def test_a_time_that_is_given_lasts_until_it_is_over(self, scene: Scene) -> None:
        claim = scenes.make_claim(scene.tasks[0], scene.bob, "claimed", turn="claimant")
        given = Decision.objects.create(
            claim=claim,
            kind="extended",
            at=scenes.NOW,
            source="web",
            key="x",
            until=clock.now() + timedelta(1),
        )
        assert choices(scene, "?show=stale") == []
        Decision.objects.filter(pk=given.pk).update(until=clock.now() - timedelta(seconds=1))
        assert choices(scene, "?show=stale") == [f"claim-{claim.pk}"]

    def test_quiet_claims_are_released(self, scene: Scene) -> None:
        for task in (scene.tasks[0], scene.tasks[3]):
            scenes.make_claim(task, scene.bob, "claimed", turn="claimant")
        settle(scene, "released", *choices(scene, "?show=stale"), note="No answer for weeks")
        assert set(Claim.objects.filter(person=scene.bob).values_list("standing", flat=True)) == {"withdrawn"}
        notes = Decision.objects.filter(kind="released").values_list("note", flat=True)
        assert list(notes) == ["No answer for weeks"] * 2

    def test_doubtful_comments_are_put_off_or_say_why_not(self, scene: Scene) -> None:
        unread, two = (
            scenes.make_comment(scene, "求带"),
            scenes.make_comment(scene, "我想试试第十题和第一题", 6),
        )
        said = messages(settle(scene, "admitted", *choices(scene)))
        assert said == [
            "A comment by bob; A comment by bob: It may mean several tasks, or none. Open it and choose there."
        ]
        assert messages(settle(scene, "seen", f"comment-{unread.pk}", f"comment-{two.pk}")) == [
            "Seen to, off the list (2): A comment by bob; A comment by bob"
        ]
        assert choices(scene) == []

    def test_comments_come_back_onto_the_list_for_a_day(self, scene: Scene) -> None:
        first, second = scenes.make_comment(scene, "求带"), scenes.make_comment(scene, "带带我", 6)
        html = settle(scene, "seen", f"comment-{first.pk}", f"comment-{second.pk}")
        back = re.search(r'action="(/events/pir/desk/comments/\d+/again\?also=\d+)"', html)
        assert back is not None
        for person, code in ((scene.bob, 403), (scene.mei, 302)):  # a mentor, who did not put them off
            assert client_of(person).post(back[1]).status_code == code
        assert choices(scene) == []
        for _twice in range(2):
            client_of(scene.olga).post(back[1])
        assert len(choices(scene)) == 2
        settle(scene, "seen", f"comment-{first.pk}")
        for person, count in ((scene.olga, 1), (scene.mei, 0)):
            handled = client_of(person).get(f"{DESK}?show=handled").content.decode()
            assert handled.count(f"comments/{first.pk}/again") == count * 2  # with and without a script
        IssueComment.objects.filter(pk=first.pk).update(handled_at=clock.now() - timedelta(hours=25))
        AuditEntry.objects.filter(target_id=first.pk).update(at=clock.now() - timedelta(hours=25))
        late = client_of(scene.olga).post(f"{DESK}comments/{first.pk}/again", follow=True)
        assert "put back" in messages(late.content.decode())[0]
        assert choices(scene) == [f"comment-{second.pk}"]

    def test_what_was_taken_for_a_claim_is_not_put_back_by_itself(self, scene: Scene) -> None:
        said = scenes.make_comment(scene, "我想试试第十题")
        client = client_of(scene.olga)
        client.post(f"{DESK}comments/{said.pk}/claim", {"task": scene.tasks[3].pk})
        client.post(f"{DESK}comments/{said.pk}/again")
        said.refresh_from_db()
        assert said.handled_at is not None

    def test_doubtful_claims_are_left_to_the_facts(self, scene: Scene) -> None:
        claims = [scenes.make_claim(scene.tasks[n], scene.bob, "declined") for n in (0, 3)]
        for number, claim in enumerate(claims):
            Decision.objects.create(
                claim=claim,
                kind="declined",
                at=scenes.NOW,
                decided_by=scene.mei,
                source="web",
                key=f"d{number}",
            )
            later = scenes.make_pull_request(claim.task, scene.bob, 80 + number)
            PullRequest.objects.filter(pk=later.pk).update(opened_at=scenes.NOW + timedelta(hours=1))
            settle(scene, "declined", f"claim-{claim.pk}")  # derives it anew
            Decision.objects.filter(claim=claim, decided_by=scene.olga).update(at=scenes.NOW)
        Claim.objects.filter(person=scene.bob).update(
            doubts=[{"code": "pull_request_after_declined", "about": "x", "at": scenes.NOW.isoformat()}]
        )
        ticks = choices(scene, "?show=doubtful")
        assert len(ticks) == 2
        settle(scene, "follows_facts", *ticks)
        assert choices(scene, "?show=doubtful") == []

    def test_each_refusal_is_named_once_with_all_that_it_kept(self, scene: Scene) -> None:
        own = [scenes.make_claim(scene.tasks[n], scene.olga, "requested") for n in (0, 3)]
        good = scenes.make_claim(scene.tasks[3], scene.bob, "requested")
        gone = "claim-999999"
        said = messages(
            settle(
                scene, "admitted", *(f"claim-{claim.pk}" for claim in (*own, good)), gone, "x", "claim-%00"
            )
        )
        assert said == [
            "Admitted (1): bob, No.10",
            "olga, No.1; olga, No.10: Nobody decides on their own claim. Ask another mentor.",
            "3 of what was selected are not here any more.",
        ]
        assert Decision.objects.filter(kind="admitted").count() == 1

    def test_a_mentor_of_one_task_decides_on_that_one(self, scene: Scene) -> None:
        theirs = Claim.objects.get(person=scene.alice)
        other = scenes.make_claim(scene.tasks[0], scene.bob, "claimed")
        stray = scenes.make_pull_request(scene.tasks[0], scene.alice, 71)
        ticks = [f"claim-{theirs.pk}", f"claim-{other.pk}", f"author-{scene.tasks[0].pk}-{stray.pk}"]
        client_of(scene.mei).post(f"{DESK}claims/", {"kind": "admitted", "chosen": ticks})
        made = Decision.objects.filter(decided_by=scene.mei)
        assert [decision.claim for decision in made] == [theirs]

    @pytest.mark.parametrize(
        "form",
        [
            {},
            {"kind": "admitted"},
            {"kind": "deferred", "chosen": "claim-1"},
            {"kind": "seen", "chosen": "claim-1", "note": "that nobody would ever see"},
        ],
    )
    def test_what_is_not_filled_in_is_said(self, scene: Scene, form: dict[str, str]) -> None:
        response = client_of(scene.olga).post(f"{DESK}claims/", form, follow=True, headers={"Referer": DESK})
        assert response.content.decode().count('role="alert"') == 1
        assert not Decision.objects.filter(decided_by=scene.olga).exists()

    def test_more_than_a_hundred_are_refused_as_a_whole(self, scene: Scene) -> None:
        ticks = [f"claim-{number}" for number in range(101)]
        assert messages(settle(scene, "released", *ticks)) == ["Select at most 100 things at once."]

    def test_two_clicks_on_one_form_are_one_decision(self, scene: Scene) -> None:
        claim = scenes.make_claim(scene.tasks[0], scene.bob, "requested")
        for _twice in range(2):
            settle(scene, "declined", f"claim-{claim.pk}", once="same")
        assert Decision.objects.filter(kind="declined").count() == 1

    def test_nothing_of_another_event_is_touched(self, scene: Scene) -> None:
        other = scenes.make_event("other", name="Other")
        EventRole.objects.create(event=other, person=scene.olga, role="organizer", granted_at=scenes.NOW)
        task = scenes.make_task(other, 1, "Elsewhere")
        claim = scenes.make_claim(task, scene.bob, "requested")
        work = scenes.make_pull_request(task, scene.alice, 90)
        said = messages(settle(scene, "admitted", f"claim-{claim.pk}", f"author-{task.pk}-{work.pk}"))
        assert said == ["2 of what was selected are not here any more."]
        assert Claim.objects.filter(task=task).get() == claim


def cost(act: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as found:
        act()
    return len(found)


@pytest.mark.parametrize(("kind", "more"), [("accepted", {}), ("extended", {"days": "5"}), ("released", {})])
def test_each_one_costs_the_same_however_many_there_are(
    scene: Scene, kind: str, more: dict[str, str]
) -> None:
    tasks = [scenes.make_task(scene.event, 100 + n, f"Task {n}") for n in range(14)]
    ticks = [f"claim-{scenes.make_claim(task, scene.bob, 'claimed').pk}" for task in tasks]
    client, found = client_of(scene.olga), []
    for few in (ticks[:1], ticks[1:3], ticks[3:7], ticks[7:]):
        form = {"kind": kind, "chosen": few, **more}
        found.append(cost(lambda form=form: client.post(f"{DESK}claims/", form)))  # type: ignore[misc]
    _first, two, four, seven = found
    assert (seven - four) * 2 == (four - two) * 3, found


def test_looking_at_many_costs_as_much_as_looking_at_few(scene: Scene) -> None:
    client, found = client_of(scene.olga), []
    Event.objects.update(rules={"days_of_silence": 14})
    for number in range(2):
        scenes.crowd(scene, 20) if number else None
        Claim.objects.update(turn="claimant")
        found.append(cost(lambda: client.get(f"{DESK}?ticked=stale")))
    assert found[0] == found[1]
    assert found[0] < 20
