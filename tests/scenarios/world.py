"""What stands on the stand-in before anything happens: people, repositories, the event's issue. Raising it again is fine."""

from contextlib import suppress

from tests.demo import people
from tests.github_stand_in.driver import Driver, DriverError
from tests.scenarios import cast
from tests.scenarios.campaigns import Campaign
from tests.scenarios.reading import mentioned

FIRST_ID_OF_THE_FORM = 80_000_001


def raise_it(driver: Driver, campaign: Campaign, *, at: str) -> None:
    """Everything that the campaign's story needs, since then; the issue unless it stands already."""
    known = {person.login: person for person in people.EVERYBODY}
    for login, github_id in cast.IDS.items():
        with suppress(DriverError):
            driver.create_user(login, id=github_id, name=known[login].name if login in known else None, at=at)
    for place, login in enumerate(mentioned(campaign.body)):
        with suppress(DriverError):  # who is invented exists by now
            driver.create_user(login, id=FIRST_ID_OF_THE_FORM + place, at=at)
    for repository in dict.fromkeys((campaign.repository, *campaign.pulls)):
        with suppress(DriverError):
            driver.create_repository(repository, at=at)
        for login in (people.PORTAL.login, people.ORGANIZER.login, people.MENTOR.login, *campaign.mentors):
            driver.set_permission(repository, login, "write")
    with suppress(DriverError):
        arguments = (campaign.repository, campaign.title, campaign.body, people.ORGANIZER.login)
        driver.create_issue(*arguments, campaign.number, at=at)
