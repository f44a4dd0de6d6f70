"""The operations themselves ask for the right, whoever calls them."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from claims.models import Decision
from claims.operations import (
    cloning,
    comment_texts,
    conflicts,
    crediting,
    deadlines,
    deciding,
    editing_tasks,
    eligibility,
    naming,
    naming_pull_requests,
    offering,
    reshaping,
    ruling,
    teaming,
    texts,
    undoing,
    writing,
)
from claims.operations.importing import IssueText
from claims.operations.task_desk import TaskChange
from portal.common.errors import NotAllowed
from portal.models import Person
from tasks_board.models import Event, EventMark, EventRole
from tasks_board.operations import events, life, list_effects, registrations
from tasks_board.operations.list_effects import Effects
from tests.pages.scenes import NOW
from tests.permissions.outcomes import fingerprint
from tests.permissions.world import World

Operation = Callable[[World, Person], object]

OF_ORGANIZERS: dict[str, Operation] = {
    "publish_event": lambda w, p: events.publish_event(event=w.hidden.event, acting_user=p, now=NOW),
    "grant_named_mentors": lambda w, p: events.grant_named_mentors(
        event=w.here.event, acting_user=p, now=NOW
    ),
    "set_writing": lambda w, p: events.set_writing(
        tracking_issue=w.here.issue, on=True, acting_user=p, now=NOW
    ),
    "switch_writing": lambda w, p: writing.switch_writing(
        tracking_issue=w.here.issue, on=True, acting_user=p, now=NOW
    ),
    "add_issue": lambda w, p: texts.add_issue(
        event=w.here.event,
        text=IssueText("o/r", 900, "Form", "| 序号 | 任务 |\n| - | - |\n| 77 | 灯 |", NOW),
        acting_user=p,
        now=NOW,
    ),
    "retire_text": lambda w, p: texts.retire_text(tracking_issue=w.here.issue, acting_user=p, now=NOW),
    "read_text_again": lambda w, p: texts.read_text_again(
        tracking_issue=w.here.issue, acting_user=p, now=NOW
    ),
    "take_in_comment": lambda w, p: comment_texts.take_in_comment(
        event=w.here.event, comment=w.here.comment, acting_user=p, now=NOW
    ),
    "set_status": lambda w, p: reshaping.set_status(
        event=w.here.event, status=Event.Status.CLOSED, acting_user=p, now=NOW
    ),
    "change_event": lambda w, p: reshaping.change_event(
        event=w.here.event, values={"name": "x"}, acting_user=p, now=NOW
    ),
    "save_phase": lambda w, p: life.save_phase(
        event=w.here.event, phase=None, values={"name": "x"}, acting_user=p, now=NOW
    ),
    "remove_phase": lambda w, p: life.remove_phase(phase=w.here.phase, acting_user=p, now=NOW),
    "clone_event": lambda w, p: cloning.clone_event(
        event=w.here.event, into=cloning.Next("Next"), acting_user=p, now=NOW
    ),
    "hold_event": lambda w, p: writing.hold_event(event=w.here.event, held=True, acting_user=p, now=NOW),
    "dismiss_alarm": lambda w, p: events.dismiss_alarm(tracking_issue=w.here.issue, acting_user=p, now=NOW),
    "add_column": lambda w, p: writing.add_column(tracking_issue=w.here.issue, acting_user=p, now=NOW),
    "settle_all": lambda w, p: conflicts.settle_all(
        event=w.here.event, keep_ours=True, acting_user=p, now=NOW
    ),
    "confirm_history": lambda w, p: deciding.confirm_history(event=w.here.event, acting_user=p, now=NOW),
    "settle_conflict": lambda w, p: deciding.settle_conflict(
        conflict=w.here.conflict, keep_ours=True, acting_user=p, now=NOW
    ),
    "mark_people": lambda w, p: eligibility.mark_people(
        event=w.here.event, logins=["bea", "jo"], kind=EventMark.Kind.BANNED, note="", acting_user=p, now=NOW
    ),
    "lift_mark": lambda w, p: eligibility.lift_mark(
        event=w.here.event, mark=w.here.mark, acting_user=p, now=NOW
    ),
    "grant_role": lambda w, p: eligibility.grant_role(
        event=w.here.event,
        logins=["bea", "jo"],
        role=EventRole.Role.ORGANIZER,
        tasks=[],
        acting_user=p,
        now=NOW,
    ),
    "revoke_role": lambda w, p: eligibility.revoke_role(
        event=w.here.event, granted=w.here.role, acting_user=p, now=NOW
    ),
    "link_name": lambda w, p: naming.link_name(
        event=w.here.event, name=w.here.person_name, person=w.olga, acting_user=p, now=NOW
    ),
    "link_team_name": lambda w, p: teaming.link_team_name(
        team=w.here.team_name, members=[w.olga], acting_user=p, now=NOW
    ),
    "change_rules": lambda w, p: ruling.change_rules(
        event=w.here.event, changes={"places_per_task": 2}, acting_user=p, now=NOW
    ),
    "change_task_chain": lambda w, p: ruling.change_task_chain(
        task=w.here.task, text="code", acting_user=p, now=NOW
    ),
    "point_team_name": lambda w, p: teaming.point_team_name(
        name=w.here.team_name, team=w.here.team, acting_user=p, now=NOW
    ),
    "take_in": lambda w, p: registrations.take_in(
        event=w.here.event, entries=[], effects=Effects(), acting_user=p, now=NOW
    ),
    "settle": lambda w, p: list_effects.settle(
        event=w.here.event, effects=Effects(invitations=True), acting_user=p, now=NOW
    ),
    "show_contacts": lambda w, p: registrations.show_contacts(event=w.here.event, acting_user=p, now=NOW),
    "change_tasks": lambda w, p: editing_tasks.change_tasks(
        event=w.here.event, changes=[TaskChange(w.here.task.pk, {"places": "3"})], acting_user=p, now=NOW
    ),
    "remove_tasks": lambda w, p: editing_tasks.remove_tasks(
        event=w.here.event, tasks=[w.here.task.pk], acting_user=p, now=NOW
    ),
    "try_changes": lambda w, p: editing_tasks.try_changes(
        event=w.here.event, changes=[], additions=[], acting_user=p
    ),
    "settle_cell_conflict": lambda w, p: editing_tasks.settle_cell_conflict(
        edit=w.here.cell, keep_ours=False, acting_user=p, now=NOW
    ),
}


# Of mentors, about the claim, the task and its pull request; the comment is under the event's issue.
OF_MENTORS: dict[str, Operation] = {
    "decide": lambda w, p: deciding.decide(
        claim=w.here.claim, kind=Decision.Kind.DECLINED, acting_user=p, key="x", now=NOW
    ),
    "admit_author": lambda w, p: deciding.admit_author(
        task=w.here.task, pull_request=w.here.pull_request, acting_user=p, now=NOW
    ),
    "extend_claim": lambda w, p: deadlines.extend_claim(
        claim=w.here.claim, until=NOW + timedelta(days=1), acting_user=p, key="x", now=NOW
    ),
    "undo_decision": lambda w, p: undoing.undo_decision(decision=w.here.decision, acting_user=p, now=NOW),
    "take_as_claim": lambda w, p: offering.take_as_claim(
        comment=w.here.comment, task=w.here.task, acting_user=p, key="x", now=NOW
    ),
    "link": lambda w, p: crediting.link(
        task=w.here.task, pull_request=w.here.pull_request, acting_user=p, now=NOW
    ),
    "link_by_address": lambda w, p: naming_pull_requests.link_by_address(
        task=w.here.task, text="o/r#1", acting_user=p, now=NOW
    ),
    "unlink": lambda w, p: crediting.unlink(
        task=w.here.task, pull_request=w.here.pull_request, acting_user=p, now=NOW
    ),
    "keep_apart": lambda w, p: crediting.keep_apart(
        task=w.here.task, pull_request=w.here.pull_request, acting_user=p, now=NOW
    ),
    "mark_part": lambda w, p: crediting.mark_part(
        task=w.here.task, pull_request=w.here.pull_request, is_partial=True, acting_user=p, now=NOW
    ),
    "split_credit": lambda w, p: crediting.split_credit(
        task=w.here.task, pull_request=w.here.pull_request, points={}, acting_user=p, now=NOW
    ),
    "accept_without_pull_request": lambda w, p: crediting.accept_without_pull_request(
        claim=w.here.claim, note="seen", acting_user=p, key="x", now=NOW
    ),
}
OF_ALL_MENTORS: dict[str, Operation] = {
    "mark_handled": lambda w, p: deciding.mark_handled(comment=w.here.comment, acting_user=p, now=NOW),
    "reopen": lambda w, p: deciding.reopen(comment=w.here.comment, acting_user=p, now=NOW),
}


@pytest.mark.parametrize("name", [*OF_MENTORS, *OF_ALL_MENTORS])
@pytest.mark.parametrize(
    "column", ["contributor", "claimant", "mentor of another task", "judge, assistant", "organizer elsewhere"]
)
def test_only_mentors(world: World, name: str, column: str) -> None:
    if name in OF_ALL_MENTORS and column == "mentor of another task":
        return
    for person in world.people[column]:
        assert isinstance(person, Person)
        before = fingerprint()
        with pytest.raises(NotAllowed):
            (OF_MENTORS | OF_ALL_MENTORS)[name](world, person)
        assert fingerprint() == before


@pytest.mark.parametrize("name", OF_ORGANIZERS)
@pytest.mark.parametrize("column", ["contributor", "claimant", "mentor of the event", "judge, assistant"])
def test_only_organizers(world: World, name: str, column: str) -> None:
    for person in world.people[column]:
        assert isinstance(person, Person)
        before = fingerprint()
        with pytest.raises(NotAllowed):
            OF_ORGANIZERS[name](world, person)
        assert fingerprint() == before


def test_the_console_needs_no_right(world: World) -> None:
    events.publish_event(event=world.hidden.event, acting_user=None, now=NOW)
    assert world.hidden.event.status == "running"
