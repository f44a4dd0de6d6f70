"""What the tests of claims share."""

import pytest
from django.test import Client

from portal.models import Person, User
from tasks_board.models import EventRole, TrackingIssue
from tests.claims.flows.births import BODY, begin, browser, post
from tests.claims.flows.scene import Scene, open_scene
from tests.github_stand_in.driver import Driver
from tests.github_stand_in.process import StandInProcess
from tests.pages.scenes import NOW, make_event


@pytest.fixture
def scene(db: None, stand_in: StandInProcess, client: Client) -> Scene:
    """The PIR form, imported and published."""
    return open_scene(stand_in.driver, client)


@pytest.fixture
def olga(db: None) -> Person:
    """Organizes some other event."""
    person = Person.objects.create(login="olga", github_id=41)
    User.objects.create(username="olga", person=person)
    EventRole.objects.create(event=make_event("other"), person=person, role="organizer", granted_at=NOW)
    return person


@pytest.fixture
def lantern(driver: Driver) -> Driver:
    """An issue with a table, and a pull request beside it."""
    for place, login in enumerate(("mei", "moss07", "kelp-0")):
        driver.create_user(login, id=7_100 + place)
    driver.create_repository("harbor/lantern")
    driver.create_issue("harbor/lantern", "灯塔计划", BODY, "mei", 7)
    driver.open_pull_request("harbor/lantern", "[Light No.1] lit", "mei", number=8)
    return driver


@pytest.fixture
def lights(olga: Person, lantern: Driver) -> TrackingIssue:
    """That issue as an event, still a draft."""
    client = browser(olga)
    post(client, begin(client, issue="harbor/lantern#7"), "create")
    return TrackingIssue.objects.select_related("event").get(event__slug="lights")
