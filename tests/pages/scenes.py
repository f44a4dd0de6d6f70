"""An event as its pages show it: a board with people on it, in every kind of state."""

from dataclasses import dataclass
from datetime import UTC, datetime

from django.test import Client

from claims.models import Claim, Decision, IssueComment, PullRequest, PullRequestLink
from portal.models import Person, User
from tasks_board.models import (
    Direction,
    Event,
    EventMark,
    EventRole,
    Registration,
    Task,
    TaskHelper,
    Team,
    TeamMember,
    TrackingIssue,
)

NOW = datetime(2026, 4, 12, 8, 0, tzinfo=UTC)
BACKEND = "django.contrib.auth.backends.ModelBackend"


@dataclass
class Scene:
    """The event with its cast."""

    event: Event
    issue: TrackingIssue
    sections: list[Direction]
    tasks: list[Task]
    alice: Person  # has a pull request open
    bob: Person  # newcomer
    mei: Person  # granted mentor
    olga: Person  # organizer


def make_person(login: str, github_id: int | None) -> Person:
    person = Person.objects.create(login=login, github_id=github_id, login_seen_at=NOW)
    if github_id is not None:
        User.objects.create(username=login, person=person)
    return person


def make_event(slug: str = "pir", **values: object) -> Event:
    defaults = {
        "name": "PIR 快乐开源表单",
        "kind": "happy_open_source",
        "status": "running",
        "created_at": NOW,
    }
    return Event.objects.create(slug=slug, **{**defaults, **values})


def make_task(
    event: Event, number: int, title: str, direction: Direction | None = None, **values: object
) -> Task:
    return Task.objects.create(
        event=event,
        number=str(number),
        sort_key=f"{number:05}",
        title=title,
        direction=direction,
        position=number,
        created_at=NOW,
        **values,
    )


def make_claim(task: Task, person: Person, standing: str, **values: object) -> Claim:
    values.setdefault("reason", {"code": "claimed", "about": ""})
    claim = Claim.objects.create(
        task=task, person=person, standing=standing, standing_at=NOW, created_at=NOW, **values
    )
    Decision.objects.create(
        claim=claim, kind="claimed", at=NOW, decided_by=person, source="web", key=f"scene:{claim.pk}"
    )
    return claim


def make_pull_request(
    task: Task, author: Person, number: int, state: str = "open", **values: object
) -> PullRequest:
    merged = NOW if state == "merged" else None
    pull_request = PullRequest.objects.create(
        github_id=number,
        repository="PaddlePaddle/Paddle",
        number=number,
        title=f"[PIR No.{task.number}] work",
        author=author,
        state=state,
        base_branch="develop",
        opened_at=NOW,
        updated_at=NOW,
        merged_at=merged,
        closed_at=merged,
        **values,
    )
    PullRequestLink.objects.create(pull_request=pull_request, task=task, reason="title")
    return pull_request


def make_scene() -> Scene:
    alice, bob = make_person("alice", 1), make_person("bob", 2)
    mei, olga = make_person("mei", 3), make_person("olga", 4)
    event = make_event(
        repositories=["PaddlePaddle/Paddle"], title_prefix="PIR No.", summary="**收尾** <b>raw</b>"
    )
    body = "| 任务标题 | 认领人 |\n| - | - |\n| dtype 动静统一 | @alice |"
    issue = TrackingIssue.objects.create(
        event=event, repository="PaddlePaddle/Paddle", number=62704, body=body, agreed_body=body, read_at=NOW
    )
    sections = [
        Direction.objects.create(event=event, name=name, position=i)
        for i, name in enumerate(["执行机制", "独立任务"])
    ]
    tasks = [
        make_task(event, 1, "单测问题修复", sections[0], state="open"),
        make_task(
            event, 2, "dtype 动静统一", sections[1], state="pr_open", state_at=NOW, tracking_issue=issue
        ),
        make_task(
            event, 3, "op_callstack 适配", sections[1], state="done", star_steps=2000, difficulty="⭐⭐"
        ),
        make_task(event, 10, "<script>alert(1)</script> 整图训练", sections[1], state="open"),
    ]
    make_claim(
        tasks[1], alice, "pr_open", basis="fact", reason={"code": "open", "about": "PaddlePaddle/Paddle#7"}
    )
    make_pull_request(tasks[1], alice, 7)
    TaskHelper.objects.create(task=tasks[1], person=mei, role="mentor", granted_at=NOW)
    EventRole.objects.create(event=event, person=olga, role="organizer", granted_at=NOW)
    return Scene(event, issue, sections, tasks, alice, bob, mei, olga)


def make_people(scene: Scene) -> None:
    """A team that the organizer leads, names that nobody has linked, marks, and a registration list."""
    event, olga, bob = scene.event, scene.olga, scene.bob
    team = Team.objects.create(event=event, name="青柠队", captain=olga, created_at=NOW)
    for person, accepted in ((olga, NOW), (bob, NOW), (scene.mei, None)):
        TeamMember.objects.create(team=team, person=person, invited_at=NOW, accepted_at=accepted)
    old = Team.objects.create(event=event, name="Old Boat", created_at=NOW)
    bare = Person.objects.create(login="老王")
    for claimant in ({"team": team}, {"team": old}, {"person": bare}):
        Claim.objects.create(task=scene.tasks[0], standing_at=NOW, created_at=NOW, **claimant)
    EventMark.objects.create(event=event, person=bob, kind="unpaid", note="staff", set_by=olga, set_at=NOW)
    for login, matched, withdrawn in (
        ("bob", bob, None),
        ("nobody", None, None),
        ("alice", scene.alice, NOW),
    ):
        Registration.objects.create(
            event=event,
            name=login.title(),
            login=login,
            team_name="青柠队",
            contact="13800138000",
            person=matched,
            key=login,
            imported_at=NOW,
            withdrawn_at=withdrawn,
        )


def crowd(scene: Scene, count: int) -> None:
    """More rows, each with a claim, a pull request and a mentor."""
    event, alice = scene.event, scene.alice
    first = 100 + Task.objects.filter(event=event).count()
    tasks = Task.objects.bulk_create(
        Task(
            event=event,
            number=str(number),
            title=f"任务 {number}",
            direction=scene.sections[1],
            position=number,
            state="pr_open",
            state_at=NOW,
            created_at=NOW,
        )
        for number in range(first, first + count)
    )
    Claim.objects.bulk_create(
        Claim(task=task, person=alice, standing="pr_open", standing_at=NOW, created_at=NOW) for task in tasks
    )
    pull_requests = PullRequest.objects.bulk_create(
        PullRequest(
            github_id=int(task.number),
            repository="PaddlePaddle/Paddle",
            number=int(task.number),
            title="work",
            author=alice,
            state="open",
            base_branch="develop",
            opened_at=NOW,
            updated_at=NOW,
        )
        for task in tasks
    )
    PullRequestLink.objects.bulk_create(
        PullRequestLink(pull_request=pull_request, task=task, reason="title")
        for task, pull_request in zip(tasks, pull_requests, strict=True)
    )
    TaskHelper.objects.bulk_create(TaskHelper(task=task, person=scene.mei, role="mentor") for task in tasks)


def client_of(person: Person | None, language: str = "en") -> Client:
    client = Client()
    client.cookies["regatta_language"] = language
    if person is not None:
        client.force_login(User.objects.get(person=person), backend=BACKEND)
    return client


def make_comment(scene: Scene, body: str, number: int = 5) -> IssueComment:
    """Bob wrote something that nobody could be sure of."""
    return IssueComment.objects.create(
        tracking_issue=scene.issue,
        github_id=number,
        author=scene.bob,
        body=body,
        written_at=NOW,
        updated_at=NOW,
        needs_help=True,
    )
