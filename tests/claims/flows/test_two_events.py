"""One issue may carry two events: both hear its comments, and their writing comes to rest."""

import io

from django.core.management import call_command

from claims.models import Claim, Statement
from tasks_board.models import TrackingIssue
from tests.claims.flows.scene import NEWCOMER, NUMBER, ORGANIZER, REPOSITORY, Scene


def test_two_events_of_one_issue_hear_it_and_come_to_rest(scene: Scene) -> None:
    call_command(
        "import_event",
        f"{REPOSITORY}#{NUMBER}",
        "--slug",
        "twin",
        "--organizer",
        ORGANIZER,
        "--publish",
        stdout=io.StringIO(),
    )
    TrackingIssue.objects.update(writing=TrackingIssue.Writing.ON)
    scene.comment(NEWCOMER, "/claim 6")
    scene.settle()
    assert Claim.objects.filter(person__login=NEWCOMER, standing="claimed").count() == 2
    assert scene.body().count(f"@{NEWCOMER}") == 1
    assert not Statement.objects.filter(claim__person__login=NEWCOMER).exists()
    assert {issue.body for issue in TrackingIssue.objects.all()} == {scene.body()}
