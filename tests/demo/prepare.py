"""`python -m tests.demo.prepare`: the demo's database and accounts, and the three events, imported from the stand-in.

The form as published, the hackathon midway, the contest just opened, each with what somebody has to look at
(`tests.demo.loose_ends`). With `--without-event` all events are left to
somebody else.
"""

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import django
from django.core.management import call_command

from tests.demo import people, prepared, scenario
from tests.github_stand_in.driver import Driver
from tests.scenarios.campaigns import CONTEST, HACKATHON, PIR, Phase

if TYPE_CHECKING:
    from portal.models import Person


def main(arguments: list[str]) -> None:
    django.setup()
    from django.conf import settings

    if "--without-event" in arguments:
        _open_accounts()
        return
    database = Path(settings.DATABASES["default"]["NAME"])
    if prepared.restore(database, Driver(settings.GITHUB_API_URL)):
        return
    _wake_nobody()
    recorder = prepared.Recorder(settings.GITHUB_API_URL)
    persons = _open_accounts()
    call_command("import_event", *scenario.IMPORT, stdout=io.StringIO())
    _grant(persons[people.MENTOR.login], by=persons[people.ORGANIZER.login])
    _stage_the_others(recorder)
    prepared.keep(database, recorder)


def _open_accounts() -> "dict[str, Person]":
    """An empty database with accounts: everybody but the portal itself may be signed in as."""
    from portal.accounts import sign_in
    from portal.common import clock
    from portal.github.types import Account

    call_command("migrate", verbosity=0, interactive=False)
    persons = {}
    for invented in people.EVERYBODY:
        if invented is not people.PORTAL:
            user = sign_in.account_for(Account(invented.id, invented.login), now=clock.now())
            assert user.person is not None
            persons[invented.login] = user.person
    return persons


def _grant(mentor: "Person", *, by: "Person") -> None:
    """The mentor may decide on every task of the form, as an organizer would grant it."""
    from portal.common import clock
    from tasks_board.models import Event, EventRole
    from tasks_board.operations import events

    event = Event.objects.get(slug=PIR.slug)
    events.grant_role(event=event, person=mentor, role=EventRole.Role.MENTOR, acting_user=by, now=clock.now())


def _stage_the_others(recorder: prepared.Recorder) -> None:
    from portal import outbox
    from portal.common import clock
    from tests.demo.loose_ends import LooseEnds
    from tests.scenarios import builders

    builders.build(recorder, CONTEST, Phase.OPEN)
    builders.build(recorder, HACKATHON, Phase.MIDWAY, writing=True)
    LooseEnds(recorder, clock.now()).lay()
    outbox.drain_due(clock.now())
    for campaign in (CONTEST, HACKATHON):
        recorder.note_edits_of(people.PORTAL.login, campaign.repository, campaign.number)


def _wake_nobody() -> None:
    """The worker runs already; what is to be done here is done here, and at once: nobody reads these tables yet."""
    from django.conf import settings

    settings.CELERY_BROKER_URL = "memory://"
    settings.TABLE_WRITE_SPACING = 0


if __name__ == "__main__":
    main(sys.argv[1:])
