"""The organizers' page about writing costs the same however much waits there."""

from datetime import timedelta

from django.db import connection
from django.test.utils import CaptureQueriesContext

from claims.models import TableConflict
from portal.common import clock
from tasks_board.models import IssueRevision, Team, TeamMember, TrackingIssue
from tests.pages import scenes
from tests.pages.scenes import NOW, Scene, client_of, make_claim, make_person, make_task

STATED = {"board": [["PIR", {"tasks": 9}]], "people": [["alice", 3]], "struck": []}


def cost(scene: Scene) -> int:
    client = client_of(scene.olga)
    client.get("/events/pir/organize/writing/")
    with CaptureQueriesContext(connection) as queries:
        assert client.get("/events/pir/organize/writing/").status_code == 200
    return len(queries)


def raise_conflicts(scene: Scene, numbers: range) -> None:
    for number in numbers:
        task = make_task(scene.event, 500 + number, f"题 {number}", tracking_issue=scene.issue)
        claim = make_claim(task, make_person(f"hull-{number}", 5_000 + number), "claimed")
        if number % 2:
            team = Team.objects.create(event=scene.event, name=f"队 {number}", created_at=NOW)
            TeamMember.objects.create(
                team=team,
                person=make_person(f"keel-{number}", 6_000 + number),
                invited_at=NOW,
                accepted_at=NOW,
            )
            claim.person, claim.team = None, team
            claim.save()
        revision = IssueRevision.objects.create(
            tracking_issue=scene.issue,
            sha256=f"{number:064}",
            at=NOW + timedelta(seconds=number),
            editor=scene.alice,
        )
        TableConflict.objects.create(
            claim=claim, ours="claimed", theirs="done", revision=revision, raised_at=NOW
        )


def test_many_conflicts_cost_what_few_cost(scene: Scene) -> None:
    TrackingIssue.objects.update(
        stated=STATED, alarm="another_writer", alarm_about="paddle-bot", lacks_column=True
    )
    raise_conflicts(scene, range(2))
    few = cost(scene)
    raise_conflicts(scene, range(2, 14))
    assert cost(scene) == few
    assert few <= 25


def test_alarms_are_seen_on_every_page_of_the_event_by_organizers_alone(scene: Scene) -> None:
    TrackingIssue.objects.update(alarm="another_writer", alarm_about="paddle-bot", alarm_at=scenes.NOW)
    assert "1 alarm" in client_of(scene.olga).get("/events/pir/").content.decode()
    assert "paddle-bot" in client_of(scene.olga).get("/events/pir/organize/").content.decode()
    assert "1 alarm" not in client_of(scene.bob).get("/events/pir/").content.decode()


def test_what_waits_for_an_organizer_counts_alarms_and_a_hold_is_not_called_up_to_date(scene: Scene) -> None:
    organizer, nothing = client_of(scene.olga), "Nothing waits for an organizer"
    scene.issue.writing = "on"
    scene.issue.save()
    page = organizer.get("/events/pir/organize/").content.decode()
    assert "Kept up to date" in page
    scene.event.writing_held_at = NOW
    scene.event.save()
    page = organizer.get("/events/pir/organize/").content.decode()
    assert "Kept up to date" not in page
    assert "Held back" in page
    assert nothing in page
    scene.issue.alarm = "another_writer"
    scene.issue.save()
    assert nothing not in organizer.get("/events/pir/organize/").content.decode()


def test_organizers_see_what_github_has_not_let_us_read(scene: Scene) -> None:
    def shown() -> bool:
        page = client_of(scene.olga).get("/events/pir/organize/").content.decode()
        return "last read from GitHub" in page

    texts = TrackingIssue.objects.filter(pk=scene.issue.pk)
    texts.update(read_at=clock.now() - timedelta(minutes=29))
    assert not shown()
    texts.update(read_at=clock.now() - timedelta(minutes=31))
    assert shown()
    assert "last read from GitHub" not in client_of(None).get("/events/pir/").content.decode()
    scene.event.status = "archived"  # nobody asks GitHub about it any more
    scene.event.save()
    assert not shown()
