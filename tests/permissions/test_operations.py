"""The operations themselves ask for the right, whoever calls them."""

from collections.abc import Callable

import pytest

from claims.operations import cloning, comment_texts, deciding, reshaping, texts, writing
from claims.operations.importing import IssueText
from portal.common.errors import NotAllowed
from portal.models import Person
from tasks_board.models import Event
from tasks_board.operations import events, life
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
    "confirm_history": lambda w, p: deciding.confirm_history(event=w.here.event, acting_user=p, now=NOW),
    "settle_conflict": lambda w, p: deciding.settle_conflict(
        conflict=w.here.conflict, keep_ours=True, acting_user=p, now=NOW
    ),
}


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
