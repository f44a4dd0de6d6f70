"""The operations themselves ask for the right, whoever calls them."""

from collections.abc import Callable

import pytest

from claims.operations import deciding, editing_tasks, writing
from claims.operations.task_desk import TaskChange
from portal.common.errors import NotAllowed
from portal.models import Person
from tasks_board.operations import events
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
    "confirm_history": lambda w, p: deciding.confirm_history(event=w.here.event, acting_user=p, now=NOW),
    "settle_conflict": lambda w, p: deciding.settle_conflict(
        conflict=w.here.conflict, keep_ours=True, acting_user=p, now=NOW
    ),
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
