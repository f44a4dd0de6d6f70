"""What is on the stand-in when the demo starts: one repository, its people, the form of the rolling event.

The hackathon and the contest come after it (`tests.demo.prepare`, from `tests.scenarios`).
"""

import re
from datetime import timedelta

from portal.common import clock
from tests.demo import people
from tests.github_stand_in.driver import Driver
from tests.scenarios.campaigns import BODIES, PIR
from tests.scenarios.happenings import stamp
from tests.scenarios.reading import mentioned
from tests.scenarios.world import FIRST_ID_OF_THE_FORM

REPOSITORY = PIR.repository
FORM_NUMBER = PIR.number
FORM_TITLE = PIR.title
FORM = BODIES / PIR.body_name
PREFIX = PIR.prefix
FREE_TASK = 6  # the last row of the form, which nobody has claimed
IMPORT = (
    f"{REPOSITORY}#{FORM_NUMBER}",
    *("--preset", PIR.preset),
    *("--organizer", people.ORGANIZER.login, "--publish"),
)

_ROW = re.compile(r"^\| (?!-|任务标题)([^|]+?) \|", re.MULTILINE)
_MARKS = "✅🚧"


def task_titles(text: str) -> list[str]:
    """The titles of the rows, in order: row n is task n."""
    return [title.strip(_MARKS).strip() for title in _ROW.findall(text)]


def seed(driver: Driver, *, token: str) -> None:
    """People, repository and form; the portal's token belongs to its account from now on."""
    for person in people.EVERYBODY:
        driver.create_user(person.login, id=person.id, name=person.name)
    form = FORM.read_text(encoding="utf-8")
    for number, login in enumerate(mentioned(form)):
        driver.create_user(login, id=FIRST_ID_OF_THE_FORM + number)
    driver.create_repository(REPOSITORY, description="The repository whose issues the event runs from")
    for person in people.EVERYBODY:
        if person.permission != "none":
            driver.set_permission(REPOSITORY, person.login, person.permission)
    asked_at = stamp(clock.now() - timedelta(days=30))
    driver.create_issue(REPOSITORY, FORM_TITLE, form, people.ORGANIZER.login, FORM_NUMBER, at=asked_at)
    driver.set_token(token, people.PORTAL.login)
