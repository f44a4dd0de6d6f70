"""Nobody decides on their own claim, in any way in."""

from dataclasses import dataclass

import pytest

from claims.desk.several import Action
from claims.models import Claim, Decision, IssueComment, TableConflict
from claims.operations import deciding
from portal.common import clock
from portal.models import Person
from tasks_board.models import EventRole, IssueRevision, Team, TeamMember
from tests.pages.scenes import NOW, make_claim, make_person, make_pull_request, make_task
from tests.permissions import table
from tests.permissions.outcomes import attempt
from tests.permissions.table import Row
from tests.permissions.world import FORMS, World, address, sign_in


@dataclass
class Own:
    """A claim, and the organizer whose own it is in one way or another."""

    claim: Claim
    organizer: Person


def owns(world: World, column: str) -> list[Own]:
    event, olga = world.here.event, world.olga
    if column == "team’s":
        team = Team.objects.create(event=event, name="潮汐", created_at=NOW)
        TeamMember.objects.create(team=team, person=olga, invited_at=NOW, accepted_at=NOW)
        task = make_task(event, 5, "队伍")
        claim = Claim.objects.create(
            task=task,
            team=team,
            standing="requested",
            standing_at=NOW,
            created_at=NOW,
            reason={"code": "requested"},
        )
        return [Own(claim, olga)]
    if column == "own":
        return [Own(make_claim(make_task(event, 5, "自己"), olga, "requested"), olga)]
    assert column == "other account’s"
    return [other_account(world, 5, of_main=True), other_account(world, 6, of_main=False)]


def other_account(world: World, number: int, *, of_main: bool) -> Own:
    """Two accounts of one person: one claims, the other one organizes."""
    main, second = make_person(f"main{number}", 50 + number), make_person(f"second{number}", 60 + number)
    second.canonical = main
    second.save()
    claimant, organizer = (main, second) if of_main else (second, main)
    EventRole.objects.create(event=world.here.event, person=organizer, role="organizer", granted_at=NOW)
    return Own(make_claim(make_task(world.here.event, number, "两个帐号"), claimant, "requested"), organizer)


def requests(world: World, row: Row, own: Own) -> list[tuple[str, dict[str, str]]]:
    """What the row's way in is asked with."""
    here, claim = world.here, own.claim
    if row.route == "decide":
        where = address("decide", here, pk=claim.pk)
        return [(where, {"kind": kind.value}) for kind in Decision.BY_MENTORS]
    if row.route == "decide_many":
        return _several(world, claim)
    if row.route == "extend":
        return [(address("extend", here, pk=claim.pk), {"days": "7"})]
    if row.route == "undo":
        decision = Decision.objects.create(
            claim=claim,
            kind="rejected",
            at=NOW,
            decided_by=world.here.decision.decided_by,
            source="web",
            key=f"no:{claim.pk}",
            recorded_at=clock.now(),
        )
        return [(address("undo", here, pk=decision.pk), {})]
    if row.route == "take_comment":
        assert claim.person is not None
        IssueComment.objects.filter(pk=here.comment.pk).update(author=claim.person)
        return [(address("take_comment", here), {"task": str(here.task.pk)})]
    if row.route == "admit_author":
        assert claim.person is not None
        pull_request = make_pull_request(claim.task, claim.person, 800 + claim.pk)
        return [(address("admit_author", here, pk=claim.task_id, pull_request=pull_request.pk), {})]
    if row.route == "settle_conflict":
        revision = IssueRevision.objects.create(tracking_issue=here.issue, sha256=str(claim.pk), at=NOW)
        conflict = TableConflict.objects.create(
            claim=claim, ours="claimed", theirs="done", revision=revision, raised_at=NOW
        )
        keep = "ours" if "our way" in row.what else "theirs"
        return [(address("settle_conflict", here, pk=conflict.pk), {"keep": keep})]
    if row.route == "settle_conflicts":  # beside the one that is not theirs
        revision = IssueRevision.objects.create(tracking_issue=here.issue, sha256=str(claim.pk), at=NOW)
        TableConflict.objects.create(
            claim=claim, ours="claimed", theirs="done", revision=revision, raised_at=NOW
        )
    return [(address(row.route, here), FORMS.get(row.route, {}))]


def _several(world: World, claim: Claim) -> list[tuple[str, dict[str, str]]]:
    """Every action about a claim; of a person, also about their work and what they wrote."""
    where, here = address("decide_many", world.here), world.here
    forms = [{"kind": action.value, "chosen": f"claim-{claim.pk}", "days": "7"} for action in Action]
    if claim.person is not None:
        IssueComment.objects.filter(pk=here.comment.pk).update(author=claim.person)
        theirs = make_pull_request(claim.task, claim.person, 800 + claim.pk)
        forms += [
            {"kind": "admitted", "chosen": f"author-{claim.task_id}-{theirs.pk}"},
            {"kind": "admitted", "chosen": f"comment-{here.comment.pk}-{here.task.pk}"},
            {"kind": "linked", "chosen": f"claim-{claim.pk}-{theirs.pk}"},
        ]
    return [(where, form) for form in forms]


CELLS = [(row, column) for row in table.rows("Own claims") for column in row.cells if row.cells[column]]


@pytest.mark.parametrize(("row", "column"), CELLS, ids=str)
def test_nobody_decides_on_their_own(world: World, row: Row, column: str) -> None:
    for own in owns(world, column):
        client = sign_in(own.organizer)
        for where, form in requests(world, row, own):
            assert attempt(client, row.method, where, form) == row.cells[column], (where, form)


@pytest.mark.parametrize("column", ["own", "team’s", "other account’s"])
def test_history_leaves_their_own_out(world: World, column: str) -> None:
    for own in owns(world, column):
        own.claim.decisions.all().delete()
        task = own.claim.task
        task.tracking_issue = world.here.issue
        task.save()
        Claim.objects.filter(pk=own.claim.pk).update(standing="done", basis="statement", shown=True)
        assert own.claim in deciding.ticked_at_first(world.here.event)
        sign_in(own.organizer).post(address("confirm_history", world.here))
        assert not Decision.objects.filter(claim=own.claim).exists()
        assert Claim.objects.get(pk=own.claim.pk).basis == "statement"
