"""What organizers find on the stage beside the three events: work that waits, and a draft for next time.

It stands where only organizers look, so the pictures of everybody's pages do not change with it.
"""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from tests.demo import people

if TYPE_CHECKING:
    from portal.models import Person
    from tasks_board.models import Event, TrackingIssue

NEXT = "night-race"
_ZONE = ZoneInfo("Asia/Shanghai")
_STATED = {
    "board": [
        ["API 开发", {"tasks": 34, "claimed": 12, "in_progress": 9, "done": 3}],
        ["算子性能优化", {"tasks": 8, "claimed": 3, "done": 1}],
    ],
    "people": [["ines-codes", 3], ["sora-ships", 1]],
}
_TABLE = "| 题号 | 任务标题 | 认领人 |\n| - | - | - |\n| 201 | 给 `paddle.vsplit` 加一个例子 | |\n| 202 | 补一篇迁移指南 | |\n"


def furnish(now: datetime) -> None:
    """Set it up. The three events stand already."""
    from portal.models import Person
    from tasks_board.models import Event

    olga = Person.objects.get(login=people.ORGANIZER.login)
    hackathon = Event.objects.get(slug="hackathon-3")
    _mark_and_register(hackathon, olga, now)
    _disagree(hackathon, olga, now)
    draft = _draft_the_next(hackathon, olga, now)
    _spread_its_texts(draft, olga, now)
    _name_strangers(draft, now)


def _mark_and_register(event: "Event", olga: "Person", now: datetime) -> None:
    from portal.models import Person
    from tasks_board.models import EventMark, Registration

    marks = (
        ("ines-codes", "unpaid", "Works at the sponsor; takes part for the fun of it."),
        ("tariq-tests", "invited", ""),
        (
            "bao-builds",
            "banned",
            "同一份代码交了三次，见 https://example.org/long/address/of/a/thread#comment-1234567890",
        ),
    )
    for login, kind, note in marks:
        person = Person.objects.get(login=login)
        EventMark.objects.create(event=event, person=person, kind=kind, note=note, set_by=olga, set_at=now)
    lines = (
        ("Inês", "ines-codes", "青柠队", "ines@example.org"),
        ("空", "sora-ships", "", "微信 sora_ships"),
        ("Somebody with a long name of the old kind", "not-here-yet-with-a-long-login-000", "Old Boat", ""),
        ("王小明", "", "青柠队", "13800138000"),
        ("Tariq", "tariq-tests", "", "tariq@example.org"),
    )
    for name, login, team, contact in lines:
        Registration.objects.create(
            event=event,
            name=name,
            login=login,
            team_name=team,
            contact=contact,
            person=Person.objects.filter(login=login, github_id__isnull=False).first(),
            key=login or f"{name} {team}",
            imported_by=olga,
            imported_at=now,
            withdrawn_at=now if login == "tariq-tests" else None,
        )


def _disagree(event: "Event", olga: "Person", now: datetime) -> None:
    """Rows and cells that both sides changed, edits on their way, figures that the text states otherwise."""
    from claims.models import Claim, TableConflict
    from portal.models import Person
    from tasks_board.models import IssueRevision, TaskEdit, TrackingIssue

    issue = TrackingIssue.objects.get(event=event)
    issue.stated = _STATED
    issue.save(update_fields=["stated"])
    revision = IssueRevision.objects.create(
        tracking_issue=issue,
        sha256="0" * 64,
        body=issue.body.replace("⭐⭐", "⭐", 2),
        editor=Person.objects.get(login="sora-ships"),
        at=now - timedelta(hours=3),
    )
    claims = Claim.objects.filter(task__event=event, standing="pr_open").order_by("task__position")
    for claim in claims[:3]:
        TableConflict.objects.create(
            claim=claim, ours="pr_open", theirs="done", revision=revision, raised_at=now - timedelta(hours=2)
        )
    tasks = list(event.tasks.order_by("position")[5:9])
    for place, task in enumerate(tasks):
        is_conflict = place < 2
        TaskEdit.objects.create(
            task=task,
            field="title" if place % 2 else "difficulty",
            base=task.title if place % 2 else "⭐",
            value=f"{task.title}，补单测" if place % 2 else "⭐⭐⭐",
            theirs=(
                "为 Paddle 新增 paddle.nn.functional.some_long_name_without_spaces API"
                if place % 2
                else "⭐⭐"
            )
            if is_conflict
            else "",
            made_by=olga,
            made_at=now - timedelta(hours=5),
            conflict_at=now - timedelta(hours=1) if is_conflict else None,
        )


def _draft_the_next(hackathon: "Event", olga: "Person", now: datetime) -> "Event":
    from claims.operations import cloning
    from tasks_board.models import Phase

    into = cloning.Next(
        name="飞桨黑客马拉松 夜航专场", slug=NEXT, title_prefix="Night Race No.", with_roles=True
    )
    draft = cloning.clone_event(event=hackathon, into=into, acting_user=olga, now=now)
    for place, (name, first, last, is_open) in enumerate(
        (("报名与认领", 10, 24, True), ("公示与异议", 25, 27, False), ("开发与评审", 28, 60, True))
    ):
        Phase.objects.create(
            event=draft,
            name=name,
            position=place,
            starts_at=now.astimezone(_ZONE).replace(hour=0, minute=0) + timedelta(days=first),
            ends_at=now.astimezone(_ZONE).replace(hour=0, minute=0) + timedelta(days=last),
            claims_open=is_open,
        )
    return draft


def _spread_its_texts(draft: "Event", olga: "Person", now: datetime) -> None:
    """Four texts, with an alarm, a move, one that is read no more, and tables in comments."""
    from claims.models import IssueComment

    def text(number: int, **values: Any) -> "TrackingIssue":
        return draft.tracking_issues.create(
            repository="PaddlePaddle/Paddle",
            number=number,
            body=_TABLE,
            agreed_body=_TABLE,
            read_at=now,
            **values,
        )

    first = text(
        50631,
        title="【夜航】任务总览",
        writing="held",
        alarm="another_writer",
        alarm_about="sora-ships",
        alarm_at=now - timedelta(hours=1),
        former_addresses=["PaddlePaddle/community#50"],
    )
    text(
        50631,
        comment_id=1_400_000_001,
        title="【夜航】任务总览",
        writing="on",
        written_at=now - timedelta(days=1),
    )
    text(50640, title="【夜航】科学计算方向的任务", lacks_column=True)
    text(50655, title="Merged into the overview", retired_at=now - timedelta(days=2))
    IssueComment.objects.create(
        tracking_issue=first,
        github_id=1_400_000_002,
        author=olga,
        body=_TABLE,
        written_at=now,
        updated_at=now,
    )


def _name_strangers(draft: "Event", now: datetime) -> None:
    """Names from an old table that nobody has linked, and a team that one may link to."""
    from claims.models import Claim
    from portal.models import Person
    from tasks_board.models import TaskHelper, Team, TeamMember

    tasks = list(draft.tasks.order_by("position")[:8])
    ines = Person.objects.get(login="ines-codes")
    team = Team.objects.create(event=draft, name="青柠队", captain=ines, created_at=now)
    TeamMember.objects.create(team=team, person=ines, invited_at=now, accepted_at=now)
    for place, name in enumerate(("Old Boat", "第三开发者俱乐部 a_team_with_a_very_long_name_indeed")):
        old = Team.objects.create(event=draft, name=name, created_at=now)
        for task in tasks[place : place + 2]:
            Claim.objects.create(task=task, team=old, standing="claimed", standing_at=now, created_at=now)
    for place, name in enumerate(("老王", "somebody_from_the_old_table")):
        bare = Person.objects.create(login=name)
        Claim.objects.create(
            task=tasks[4 + place], person=bare, standing="done", standing_at=now, created_at=now
        )
        TaskHelper.objects.create(task=tasks[6], person=bare, role="mentor")
