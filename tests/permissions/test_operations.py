"""The operations themselves ask for the right, whoever calls them."""

from collections.abc import Callable

import pytest

from claims.operations import conflicts, deciding, writing
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
