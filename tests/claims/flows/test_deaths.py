"""Workers die: before GitHub is called, between two calls, and between the last call and its record.

Every effect is killed at each of these places in turn. Afterwards everything stands once, here and at GitHub, and is right.
"""

from collections.abc import Callable
from typing import Any

import pytest

from claims import github_reading
from claims.models import CoAuthor, Notice, PullRequestLink, Reply
from claims.operations import comment_texts
from claims.operations.checking import check_standings
from portal import github_routes, outbox
from portal.github import routing
from portal.github.connect import connect
from portal.github.gateway import Gateway
from portal.models import OutboxMessage, Person
from tasks_board.models import Event, TeamMember, TrackingIssue
from tests.claims.flows.scene import MENTOR, NEWCOMER, NUMBER, ORGANIZER, OTHER, REPOSITORY, Scene

TABLE = "| 序号 | 题目 | 认领人 |\n| - | - | - |\n| 61 | Lamp | |\n| 62 | Rope | @carl |\n"


class Killed(BaseException):
    """The worker is gone; nothing catches that."""


class Dying:
    """A gateway whose worker dies before its n-th call."""

    def __init__(self, gateway: Gateway, lives: int) -> None:
        self.gateway, self.lives = gateway, lives

    def connect(self) -> Gateway:
        return self

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any, **options: Any) -> Any:
            self.lives -= 1
            if self.lives < 0:
                raise Killed
            return getattr(self.gateway, name)(*arguments, **options)

        return call


def die(scene: Scene, kind: str, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[Scene], None]) -> int:
    """Kill the worker at every place in turn, `meanwhile` after each; how often it died."""
    deaths, is_recorded = 0, False
    while not is_recorded:
        with monkeypatch.context() as patch:
            effect = type(routing.get_effect(kind))

            def record(*_arguments: Any) -> None:
                raise Killed

            patch.setattr(effect, "record", record)
            [message] = OutboxMessage.objects.filter(kind=kind)
            lives = deaths
            dying = Dying(connect(), lives)
            try:
                outbox.drain_one(message.pk, dying.connect, scene.now())
            except Killed:
                pass
            else:  # found done: what the dead worker did was read meanwhile
                return deaths
        deaths += 1
        is_recorded = dying.lives >= 0
        message.refresh_from_db()
        assert message.taken_until is not None
        assert message.pk not in outbox.sweep(scene.now())
        meanwhile(scene)
        scene.passed += outbox.LEASE
        scene.keep_pace()
        assert deaths < 20
    return deaths


# What each effect is asked for, and how it is seen that it was carried out once.


def reply(scene: Scene) -> Callable[[], None]:
    scene.comment(NEWCOMER, "/claim 6")

    return reply_check(scene)


def reply_again(scene: Scene) -> Callable[[], None]:
    made = scene.comment(NEWCOMER, "/claim 6")
    scene.settle()
    scene.driver.edit_comment(made["id"], NEWCOMER, "/claim 5")
    return reply_check(scene)


def reply_check(scene: Scene) -> Callable[[], None]:
    def check() -> None:
        [answer], reply = scene.answers(), Reply.objects.get()
        assert reply.wanted in answer
        assert reply.body == reply.wanted

    return check


def reaction(scene: Scene) -> Callable[[], None]:
    Event.objects.filter(slug="pir").update(rules={"quiet": True})
    made = scene.comment(NEWCOMER, "/claim 99")
    scene.settle()
    scene.driver.edit_comment(made["id"], NEWCOMER, "/claim 6")

    def check() -> None:
        [found] = [c for c in scene.driver.list_comments(REPOSITORY, NUMBER) if c["id"] == made["id"]]
        assert {k: n for k, n in found["reactions"].items() if k in ("+1", "eyes", "confused")} == {
            "+1": 1,
            "eyes": 0,
            "confused": 0,
        }
        assert Reply.objects.get().reaction == "+1"

    return check


def table(scene: Scene) -> Callable[[], None]:
    scene.write_table()
    scene.comment(NEWCOMER, "/claim 6")

    def check() -> None:
        assert scene.body().count(f"@{NEWCOMER}") == 1
        assert scene.issue.body == scene.issue.agreed_body == scene.body()
        assert not scene.issue.revisions.filter(is_merged=False).exists()

    return check


def table_in_comment(scene: Scene) -> Callable[[], None]:
    made = scene.comment(ORGANIZER, TABLE)
    scene.settle()
    [offer] = comment_texts.list_offers(scene.event)
    text = comment_texts.take_in_comment(
        event=scene.event,
        comment=offer.comment,
        acting_user=scene.person(ORGANIZER),
        now=scene.now(),
    )
    scene.settle()
    TrackingIssue.objects.filter(pk=text.pk).update(writing=TrackingIssue.Writing.ON)
    scene.comment(NEWCOMER, "/claim 61")

    def check() -> None:
        [found] = [c for c in scene.driver.list_comments(REPOSITORY, NUMBER) if c["id"] == made["id"]]
        assert found["body"].count(f"@{NEWCOMER}") == 1
        text.refresh_from_db()
        assert text.body == text.agreed_body == found["body"]
        assert not text.revisions.filter(is_merged=False).exists()

    return check


def titles(scene: Scene) -> Callable[[], None]:
    scene.open_pull_request(NEWCOMER, "【PIR No.7】A task that is not there yet")
    scene.settle()
    row = scene.rows()[-1]
    scene.edit_body(ORGANIZER, row, f"{row}\n| 新任务 | API | @SigureMo | |")

    def check() -> None:
        assert [link.task.number for link in PullRequestLink.objects.all()] == ["7"]

    return check


def commits_of_a_merge(scene: Scene) -> Callable[[], None]:
    scene.comment(NEWCOMER, "/claim 6")
    number = scene.open_pull_request(NEWCOMER, "【PIR No.6】Train step")
    scene.driver.push(REPOSITORY, number, OTHER, "Help")
    scene.settle()
    scene.merge(number)

    def check() -> None:
        assert [str(found.person) for found in CoAuthor.objects.all()] == [OTHER]
        assert scene.completions() == {("6", NEWCOMER)}

    return check


def commits_of_a_closing(scene: Scene) -> Callable[[], None]:
    scene.comment(NEWCOMER, "/claim 6")
    number = scene.open_pull_request(NEWCOMER, "【PIR No.6】Train step")
    scene.settle()
    scene.driver.land_commit(REPOSITORY, NEWCOMER, f"Train step (#{number})")
    scene.driver.close(REPOSITORY, number, MENTOR)

    def check() -> None:
        assert scene.completions() == {("6", NEWCOMER)}

    return check


def named_in_table(scene: Scene) -> Callable[[], None]:
    scene.write_table()
    scene.comment(NEWCOMER, "/claim 6")
    scene.settle()
    scene.driver.create_repository("harbor/lantern")
    numbers = [
        int(scene.driver.open_pull_request("harbor/lantern", "Adapt it", NEWCOMER)["number"])
        for _twice in range(2)
    ]
    scene.driver.merge("harbor/lantern", numbers[0], MENTOR)
    row = next(row for row in scene.rows() if f"@{NEWCOMER}" in row)
    named = " ".join(f"harbor/lantern#{number}" for number in numbers)
    scene.edit_body(ORGANIZER, row, row.replace(f"@{NEWCOMER}", f"@{NEWCOMER} {named}"))

    def check() -> None:
        links = PullRequestLink.objects.order_by("pull_request__number")
        assert [(link.pull_request.number, link.reason) for link in links] == [
            (number, "mentor") for number in numbers
        ]
        assert scene.completions() == {("6", NEWCOMER)}

    return check


def elsewhere(scene: Scene) -> Callable[[], None]:
    other = int(scene.driver.create_issue(REPOSITORY, "A bug", "It crashes.", ORGANIZER)["number"])
    scene.settle()
    scene.driver.comment(REPOSITORY, other, NEWCOMER, "/claim 6")

    def check() -> None:
        assert len(scene.driver.list_comments(REPOSITORY, other)) == 2

    return check


def named_in_comment(scene: Scene) -> Callable[[], None]:
    scene.comment(NEWCOMER, "/claim 6")
    number = scene.open_pull_request(NEWCOMER, "Adapt it")
    scene.settle()
    scene.comment(NEWCOMER, f"【提交】：6 #{number}")

    def check() -> None:
        assert PullRequestLink.objects.get().pull_request.number == number
        assert scene.claim(6, NEWCOMER).standing == "pr_open"

    return check


def members(scene: Scene) -> Callable[[], None]:
    scene.driver.create_user("quill-writes", id=88_001)
    Event.objects.filter(slug="pir").update(rules={"people_per_team": 3})
    form = "【队名】：青柠队\n【序号】：6\n【状态】：报名\n【链接】：\n【队员】：@quill-writes @nobody-at-all"
    scene.comment(NEWCOMER, form)

    def check() -> None:
        [seat] = TeamMember.objects.filter(accepted_at=None).select_related("person")
        assert (seat.team.name, seat.person.github_id) == ("青柠队", 88_001)
        assert Notice.objects.filter(kind="invited", person=seat.person).count() == 1
        assert not Person.objects.filter(login="nobody-at-all").exists()

    return check


ASKED: dict[str, dict[str, Callable[[Scene], Callable[[], None]]]] = {
    "reply_to_comment": {"new": reply, "edited": reply_again},
    "react_to_comment": {"exchanged": reaction},
    "show_the_way": {"elsewhere": elsewhere},
    "write_table": {"body": table, "comment": table_in_comment},
    "relink_titles": {"titles": titles},
    "read_commits": {"merged": commits_of_a_merge, "closed": commits_of_a_closing},
    "read_named_pull_requests": {"table": named_in_table},
    "read_pull_request": {"comment": named_in_comment},
    "meet_members": {"form": members},
}


def nothing(scene: Scene) -> None:
    """Nobody does anything until the lease runs out."""


def echoes(scene: Scene) -> None:
    """GitHub tells of what the dead worker did."""
    scene.hear()


def polls(scene: Scene) -> None:
    """Everything is read before the message is taken up again."""
    scene.keep_pace()
    for pk in github_reading.list_tracking_issues_to_poll():
        text = TrackingIssue.objects.select_related("event").get(pk=pk)
        github_reading.poll_tracking_issue(tracking_issue=text, gateway=connect(), now=scene.now())
    for repository in github_reading.list_repositories_to_watch():
        github_reading.reconcile_repository(repository=repository, gateway=connect(), now=scene.now())


def people_edit(scene: Scene) -> None:
    """A person goes on in the text, on top of whatever the dead worker left."""
    scene.driver.advance_clock(1)
    scene.edit_body(ORGANIZER, "## 背景", "## 背景\n\n又一句。")


def test_every_effect_is_killed() -> None:
    assert set(ASKED) == set(github_routes.EFFECTS)


CASES = [(kind, asked, nothing) for kind, scenes in ASKED.items() for asked in scenes.values()]
CASES += [("write_table", table, meanwhile) for meanwhile in (echoes, polls, people_edit)]
CASES += [("write_table", table_in_comment, polls), ("react_to_comment", reaction, echoes)]


@pytest.mark.parametrize(
    ("kind", "asked", "meanwhile"),
    CASES,
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_what_a_dead_worker_left_is_done_once(
    scene: Scene,
    kind: str,
    asked: Callable[[Scene], Callable[[], None]],
    meanwhile: Callable[[Scene], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    check = asked(scene)
    scene.keep_pace()
    echoes(scene)
    scene.passed += outbox.LEASE
    scene.keep_pace()
    for pk in OutboxMessage.objects.exclude(kind=kind).values_list("pk", flat=True):
        outbox.drain_one(pk, connect, scene.now())
    if kind == "relink_titles":  # done in its plan, within one transaction
        scene.settle()
        check()
        return
    written = len(scene.answers())
    deaths = die(scene, kind, monkeypatch, meanwhile)
    assert deaths > 1
    scene.settle()
    scene.passed += 2 * outbox.LEASE
    polls(scene)
    scene.settle()
    check()
    assert len(scene.answers()) <= max(written, 1)
    assert scene.body().count("又一句。") == (deaths if meanwhile is people_edit else 0)
    assert not OutboxMessage.objects.exists()
    assert list(check_standings(now=scene.now(), fix=False)) == []
