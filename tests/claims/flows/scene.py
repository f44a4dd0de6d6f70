"""The PIR form on the stand-in, imported into the portal, and GitHub's webhooks brought to the portal's door by hand."""

import hashlib
import hmac
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.test import Client

from claims.models import Claim
from portal import inbox, outbox
from portal.common import clock
from portal.models import Person
from rewards.models import Completion
from tasks_board.models import Event, Task, TrackingIssue
from tests.demo import people, scenario
from tests.github_stand_in.driver import Driver
from tests.services.deliveries import process_due

REPOSITORY = scenario.REPOSITORY
NUMBER = scenario.FORM_NUMBER
ORGANIZER = people.ORGANIZER.login
MENTOR = people.MENTOR.login
NEWCOMER = people.CONTRIBUTOR.login
OTHER = people.OTHERS[0].login


@dataclass
class Scene:
    """The stand-in, the portal's door, and what has been brought there."""

    driver: Driver
    client: Client
    brought: set[str] = field(default_factory=set)
    passed: timedelta = timedelta(0)
    kept_pace: timedelta = timedelta(0)  # how much of that GitHub's clock has been given
    looked_at: int = 0  # how many of GitHub's deliveries a play that takes them in turn has seen

    def now(self) -> datetime:
        """The portal's time: real, plus what the scene has let pass."""
        return clock.now() + self.passed

    def keep_pace(self) -> None:
        """Let the same time pass at GitHub."""
        self.driver.advance_clock((self.passed - self.kept_pace).total_seconds())
        self.kept_pace = self.passed

    # what waits at the stand-in, and bringing it

    def waiting(self) -> list[dict[str, Any]]:
        """Deliveries that the portal has not had."""
        everything = self.driver.deliveries(with_payload=True)
        return [delivery for delivery in everything if delivery["id"] not in self.brought]

    def post(self, delivery: dict[str, Any]) -> int:
        """One signed webhook through the front door; the status it got."""
        body = delivery["body"].encode()
        signature = hmac.new(settings.GITHUB_WEBHOOK_SECRET.encode(), body, hashlib.sha256).hexdigest()
        answer = self.client.post(
            "/webhooks/github",
            data=body,
            content_type="application/json",
            headers={
                "X-GitHub-Event": delivery["event"],
                "X-GitHub-Delivery": delivery["id"],
                "X-Hub-Signature-256": f"sha256={signature}",
            },
        )
        self.brought.add(delivery["id"])
        return int(answer.status_code)

    def bring(self, deliveries: Sequence[dict[str, Any]] | None = None) -> None:
        """Post what waits (or these), and let the jobs run until nothing is due."""
        for delivery in self.waiting() if deliveries is None else deliveries:
            assert self.post(delivery) in (200, 202)
        self.work()

    def hear(self) -> None:
        """Post what waits and take it in; nothing of ours goes out yet."""
        for delivery in self.waiting():
            self.post(delivery)
        process_due(self.now())

    def work(self) -> None:
        """Run the jobs until nothing is due, letting the spacing of writes pass."""
        for _round in range(20):
            process_due(self.now())
            self.passed += timedelta(seconds=61)
            if not outbox.drain_due(self.now()) and not inbox.sweep(self.now()):
                return
        raise AssertionError("The jobs never come to rest.")

    def settle(self) -> None:
        """Bring everything, the echoes of our own writes too, until GitHub has nothing new."""
        for _round in range(10):
            waiting = self.waiting()
            self.bring(waiting)
            if not waiting:
                return
        raise AssertionError("GitHub and the portal never come to rest.")

    # what is there

    @property
    def event(self) -> Event:
        return Event.objects.get(slug="pir")

    @property
    def issue(self) -> TrackingIssue:
        return TrackingIssue.objects.select_related("event").get(number=NUMBER)

    def task(self, number: int) -> Task:
        return Task.objects.select_related("event").get(number=str(number))

    def claim(self, number: int, login: str) -> Claim:
        return Claim.objects.get(task__number=str(number), person__login=login)

    def person(self, login: str) -> Person:
        return Person.objects.get(login=login)

    def body(self) -> str:
        """The issue's body at GitHub."""
        return str(self.driver.get_issue(REPOSITORY, NUMBER)["body"])

    def rows(self) -> list[str]:
        """The lines of the body that are rows."""
        return [line for line in self.body().splitlines() if line.startswith("|")]

    def answers(self) -> list[str]:
        """What the portal wrote under the issue."""
        written = self.driver.list_comments(REPOSITORY, NUMBER)
        return [comment["body"] for comment in written if comment["user"]["login"] == people.PORTAL.login]

    def completions(self) -> set[tuple[str, str]]:
        """Who has completed which task at present."""
        active = Completion.objects.filter(revoked_at=None).select_related("task", "person")
        return {(c.task.number, str(c.person)) for c in active}

    # what people do

    def comment(self, author: str, body: str) -> dict[str, Any]:
        return self.driver.comment(REPOSITORY, NUMBER, author, body)

    def open_pull_request(self, author: str, title: str, **more: Any) -> int:
        return int(self.driver.open_pull_request(REPOSITORY, title, author, **more)["number"])

    def merge(self, number: int) -> None:
        self.driver.merge(REPOSITORY, number, MENTOR)

    def write_table(self) -> None:
        """Switch writing on, as an organizer has."""
        self.issue_update(writing=TrackingIssue.Writing.ON)

    def issue_update(self, **values: Any) -> None:
        TrackingIssue.objects.filter(number=NUMBER).update(**values)

    def edit_body(self, editor: str, old: str, new: str) -> None:
        """A person edits the issue's text."""
        body = self.body()
        assert old in body
        self.driver.edit_issue(REPOSITORY, NUMBER, editor, body.replace(old, new, 1))


def open_scene(driver: Driver, client: Client) -> Scene:
    """The form imported and published; nothing has happened yet."""
    driver.set_webhook("http://127.0.0.1:9/webhooks/github", settings.GITHUB_WEBHOOK_SECRET)
    driver.set_delivery_mode(hold=True)
    scenario.seed(driver, token=settings.GITHUB_TOKEN)
    call_command("import_event", *scenario.IMPORT, stdout=io.StringIO())
    scene = Scene(driver, client)
    scene.brought.update(delivery["id"] for delivery in scene.waiting())
    return scene


def open_stage(driver: Driver, client: Client, body: str) -> Scene:
    """An event of our own, whose tables are those of a given text; nothing has happened yet."""
    driver.set_webhook("http://127.0.0.1:9/webhooks/github", settings.GITHUB_WEBHOOK_SECRET)
    driver.set_delivery_mode(hold=True)
    for person in people.EVERYBODY:
        driver.create_user(person.login, id=person.id, name=person.name)
    driver.create_user("moss07", id=7001)
    driver.create_user("fern-9", id=7002)
    driver.create_repository(REPOSITORY)
    for person in people.EVERYBODY:
        if person.permission != "none":
            driver.set_permission(REPOSITORY, person.login, person.permission)
    driver.create_issue(REPOSITORY, "【PIR】任务", body, ORGANIZER, NUMBER)
    driver.set_token(settings.GITHUB_TOKEN, people.PORTAL.login)
    named = ("--slug", "pir", "--preset", "happy_open_source", "--prefix", "PIR No.")
    wanted = (f"{REPOSITORY}#{NUMBER}", *named, "--organizer", ORGANIZER, "--publish")
    call_command("import_event", *wanted, stdout=io.StringIO())
    return Scene(driver, client)
