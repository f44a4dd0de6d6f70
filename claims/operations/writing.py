"""The switch that lets the portal write into an issue's table."""

from datetime import datetime

from django.db import transaction

from claims.operations import tables
from portal.models import Person
from tasks_board.models import TrackingIssue
from tasks_board.operations import events


@transaction.atomic
def switch_writing(
    *, tracking_issue: TrackingIssue, on: bool, acting_user: Person | None, now: datetime
) -> None:
    """Keep an issue's table up to date from now on (and bring it up to date at once), or only read it again.

    The permission probe and the reviewed difference come before, in the caller. Raises NotAllowed.
    """
    events.set_writing(tracking_issue=tracking_issue, on=on, acting_user=acting_user, now=now)
    if on:
        tables.request_write_of(tracking_issue=tracking_issue, now=now)
