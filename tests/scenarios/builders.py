"""Any event in any phase.

    event = builders.build(driver, HACKATHON, Phase.MIDWAY)

The stand-in gets its people, repositories and issue; the event is imported by `manage.py import_event` as an organizer
would; then the story happens on the stand-in, at times over the weeks that end now, and the webhooks it would have sent
are handed to the portal one by one, each at its own time. Build before `driver.set_webhook`, or the same news comes
twice. What is drawn comes from `seed`, so a phase is always the same but for today's date.
"""

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest import mock
from zoneinfo import ZoneInfo

from django.core.management import call_command
from django.db import transaction
from django.utils.dateparse import parse_datetime

from claims.models import Claim, Decision, WatchedRepository
from claims.operations import answering, deciding, pull_requests
from portal.common import clock
from portal.github import routing
from portal.models import Person
from tasks_board.documents.reading import read_body
from tasks_board.models import Event, EventRole, TrackingIssue
from tasks_board.operations import events
from tests.demo import people
from tests.github_stand_in.driver import Driver
from tests.scenarios import world
from tests.scenarios.campaigns import Campaign, Phase
from tests.scenarios.happenings import Story, Verdict, stamp, tell

SEED = 36
_ZONE = ZoneInfo("Asia/Shanghai")
_NEWS = ("issues", "issue_comment", "pull_request", "pull_request_review")


@dataclass(frozen=True)
class Told:
    """A webhook and when it came."""

    at: datetime
    event: str
    payload: dict[str, Any]


def build(
    driver: Driver, campaign: Campaign, phase: Phase, *, writing: bool = False, seed: int = SEED
) -> Event:
    """The event in that phase. `writing`: its organizer has switched on that the issue's table is kept up to date.

    Announced: people can see it, and claim from its first day on; an event without dates is a draft still.
    """
    now = clock.now()
    opened_at = _opening(campaign, phase, now)
    announced_at = min(opened_at, now) - timedelta(days=3)
    world.raise_it(driver, campaign, at=stamp(announced_at))
    _import(campaign, phase, opened_at)
    event = Event.objects.get(slug=campaign.slug)
    Event.objects.filter(pk=event.pk).update(created_at=announced_at)
    olga = Person.objects.get(github_id=people.ORGANIZER.id)
    if phase is not Phase.ANNOUNCED:
        events.grant_named_mentors(event=event, acting_user=olga, now=opened_at)
    if writing:
        issue = TrackingIssue.objects.get(event=event)
        events.set_writing(tracking_issue=issue, on=True, acting_user=olga, now=now)
    if phase in (Phase.MIDWAY, Phase.CLOSING):
        deciding.confirm_history(event=event, acting_user=olga, now=opened_at)
    if phase is not Phase.ANNOUNCED:
        _play(driver, event, _story(campaign, seed), opened_at=opened_at, now=now)
    _read_until(event, now)
    event.refresh_from_db()
    return event


def _opening(campaign: Campaign, phase: Phase, now: datetime) -> datetime:
    """The beginning of a day in Beijing, so many days ago."""
    day = now.astimezone(_ZONE).date() - timedelta(days=campaign.days[phase])
    return datetime(day.year, day.month, day.day, tzinfo=_ZONE)


def _import(campaign: Campaign, phase: Phase, opened_at: datetime) -> None:
    arguments = [f"{campaign.repository}#{campaign.number}", "--preset", campaign.preset]
    arguments += ["--organizer", people.ORGANIZER.login, "--mentor", people.MENTOR.login]
    if campaign.has_dates:
        arguments += ["--opens", f"{opened_at:%Y-%m-%d}"]
    if campaign.has_dates or phase is not Phase.ANNOUNCED:
        arguments.append("--publish")
    call_command("import_event", *arguments, stdout=io.StringIO())


def _story(campaign: Campaign, seed: int) -> Story:
    rows = read_body(campaign.body, repository=campaign.repository).tasks
    numbered = {int(row.number or place): row for place, row in enumerate(rows, 1)}
    titles = {number: row.title for number, row in numbered.items()}
    # Only invented people act; the mentors of the form as published are others.
    mentors = {n: row.mentors[0] for n, row in numbered.items() if row.mentors and campaign.mentors}
    return tell(campaign, titles, mentors, seed=seed)


def _play(driver: Driver, event: Event, story: Story, *, opened_at: datetime, now: datetime) -> None:
    """Let everything happen that has by now; in one transaction, so that no worker looks on while it does."""
    passed = now - opened_at
    steps = [h.step(opened_at) for h in story.happenings if h.at <= passed]
    verdicts = [v for v in story.verdicts if v.at <= passed]
    told = _let_happen(driver, steps)
    with transaction.atomic(), _unanswered():
        for at, act in _in_order(told, verdicts, opened_at):
            if isinstance(act, Told):
                _hand_over(act)
            else:
                _decide(event, act, at)


def go_on(driver: Driver, steps: Sequence[Mapping[str, Any]]) -> None:
    """More of it, step by step: each happens on the stand-in, and the portal hears of it, at the step's time."""
    told = _let_happen(driver, steps)
    with transaction.atomic(), _unanswered():
        for each in sorted(told, key=lambda told: told.at):
            _hand_over(each)


def _unanswered() -> AbstractContextManager[object]:
    """Nobody is answered about what was written days and weeks ago, neither in words nor by a reaction."""
    return mock.patch.object(answering, "answer")


def _let_happen(driver: Driver, steps: Iterable[Mapping[str, Any]]) -> list[Told]:
    """Play the steps on the stand-in; the webhooks they make, with their times."""
    known = {delivery["id"] for delivery in driver.deliveries()}
    driver.load_scenario({"webhooks": True, "steps": list(steps)})
    fresh = [d for d in driver.deliveries(with_payload=True) if d["id"] not in known and d["event"] in _NEWS]
    return [_told(delivery["event"], json.loads(delivery["body"])) for delivery in fresh]


def _told(event: str, payload: dict[str, Any]) -> Told:
    thing = payload.get("comment") or payload.get("review") or payload.get("pull_request") or payload["issue"]
    at = parse_datetime(thing.get("updated_at") or thing["submitted_at"])
    assert at is not None
    return Told(at, event, payload)


def _in_order(
    told: Iterable[Told], verdicts: Iterable[Verdict], opened_at: datetime
) -> Iterator[tuple[datetime, Told | Verdict]]:
    acts: list[tuple[datetime, Told | Verdict]] = [(each.at, each) for each in told]
    acts += [((opened_at + each.at).astimezone(UTC), each) for each in verdicts]
    yield from sorted(acts, key=lambda act: act[0])


def _hand_over(told: Told) -> None:
    handler = routing.find_handler(told.event)
    assert handler is not None
    handler(told.payload, received_at=told.at, now=told.at)


def _decide(event: Event, verdict: Verdict, at: datetime) -> None:
    """A mentor presses the button on the desk."""
    claim = Claim.objects.select_related("task__event", "person").get(
        task__event=event, task__number=str(verdict.number), person__login=verdict.login
    )
    mentor = EventRole.objects.select_related("person").get(event=event, role=EventRole.Role.MENTOR).person
    deciding.decide(
        claim=claim,
        kind=Decision.Kind(verdict.kind),
        acting_user=mentor,
        key=f"scenario:{claim.pk}:{verdict.kind}",
        now=at,
        note=verdict.note,
    )


def _read_until(event: Event, now: datetime) -> None:
    """All of it is known: polling goes on from here."""
    TrackingIssue.objects.filter(event=event).update(read_at=now, comments_read_until=now)
    for repository in pull_requests.watched_by(event):
        WatchedRepository.objects.get_or_create(repository=repository, defaults={"read_until": now})
