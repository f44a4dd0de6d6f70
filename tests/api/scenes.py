"""An event with something of everything that the API tells, and a draft that it does not tell to strangers."""

from datetime import timedelta
from typing import Any

from claims.models import Claim, Notice
from portal.models import Person, User
from tasks_board.models import Direction, Phase, Team, TeamMember
from tests.pages.scenes import (
    NOW,
    Scene,
    client_of,
    make_claim,
    make_event,
    make_person,
    make_pull_request,
    make_scene,
    make_task,
)
from tests.rewards.scenes import complete, pay, points, stars

__all__ = ["Scene", "ask", "fetch", "make_full_scene", "tell"]


def make_full_scene() -> Scene:
    scene = make_scene()
    event, tasks = scene.event, scene.tasks
    event.opens_at, event.closes_at = NOW, NOW + timedelta(days=30)
    event.save()
    Phase.objects.create(event=event, name="认领", ends_at=event.closes_at)
    area = Direction.objects.create(event=event, name="IR", source="column")
    tasks[1].also_in.add(area)
    make_claim(tasks[1], scene.bob, "waiting", table_pull_requests=["PaddlePaddle/Paddle#70"])
    make_pull_request(tasks[1], make_person("dan", 5), 8, "merged")
    team = Team.objects.create(event=event, name="潮汐", created_at=NOW)
    TeamMember.objects.create(team=team, person=scene.bob, invited_at=NOW, accepted_at=NOW)
    Claim.objects.create(
        task=tasks[2],
        team=team,
        standing="done",
        standing_at=NOW,
        created_at=NOW,
        basis="decision",
        reason={"code": "accepted", "about": ""},
    )
    reward(scene, team)
    draft(scene)
    tell(scene, scene.alice, "completed", amounts=[[points("快乐开源").pk, 150]])
    User.objects.filter(person=scene.alice).update(email="alice@example.org")
    return scene


def reward(scene: Scene, team: Team) -> None:
    """Two pools; alice has two accounts and holds 2.05 stars with both; then the team, and a name without account."""
    second = Person.objects.create(login="alice-2", github_id=11, canonical=scene.alice)
    pay(scene.event, stars("星"), "1", per="star")
    pay(scene.event, points("快乐开源"), "1")
    scene.tasks[0].star_steps = 50
    scene.tasks[0].save()
    complete(scene.tasks[2], scene.alice)
    complete(scene.tasks[0], second)
    complete(scene.tasks[2], team)
    complete(scene.tasks[1], Person.objects.create(login="旧名/字"), "partly")


def draft(scene: Scene) -> None:
    """An event that only its organizer knows of, with somebody who takes part in nothing else."""
    hidden = make_event("hidden", name="Hidden", status="draft")
    task = make_task(hidden, 1, "secret plan")
    make_claim(task, make_person("ghost", 6), "claimed")
    make_claim(task, scene.alice, "claimed")
    hidden.roles.create(person=scene.olga, role="organizer", granted_at=NOW)


def tell(scene: Scene, person: Person, kind: str, *, seen: bool = False, **data: object) -> Notice:
    """Something that changed for somebody, each an hour after the one before."""
    at = NOW + timedelta(hours=Notice.objects.count())
    return Notice.objects.create(
        person=person,
        event=scene.event,
        task=scene.tasks[1],
        kind=kind,
        data=data,
        at=at,
        seen_at=at if seen else None,
        key=f"{kind}:{at.isoformat()}",
    )


def ask(address: str, reader: Person | None = None, headers: dict[str, str] | None = None) -> Any:
    """The response to a GET, by a stranger unless somebody is named."""
    return client_of(reader).get(f"/api/v1/{address}", headers=headers)


def fetch(address: str, reader: Person | None = None) -> Any:
    """The answer of an endpoint that answers."""
    response = ask(address, reader)
    assert response.status_code == 200, response.content
    return response.json()
