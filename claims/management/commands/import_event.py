"""`manage.py import_event OWNER/REPO#N`: an event is born from its tracking issue, or brought up to date by it."""

import json
import re
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from claims import github_reading
from claims.births import describing, sources
from claims.operations import configuring, importing, reshaping
from claims.operations.importing import EventPlan, IssueText
from claims.operations.revising import Update
from claims.presets import PRESETS, EventPreset
from portal.accounts import people
from portal.common import clock
from portal.common.errors import DomainError
from portal.github.connect import connect
from portal.github.gateway import Gateway
from portal.models import Person
from tasks_board.configurations.autotable import AutoTable, read_markers
from tasks_board.configurations.model import Configuration, Entry
from tasks_board.documents.choices import ReadingChoices
from tasks_board.documents.model import Reading
from tasks_board.documents.reading import read_body
from tasks_board.models import TrackingIssue
from tasks_board.operations import events
from tasks_board.tracking import choices_of, list_bodies

_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Source:
    """The text to import, the gateway if GitHub was asked for it, and what a bot was told about the event.

    `asked`: the address that was asked for; GitHub may have led on from there.
    """

    text: IssueText
    gateway: Gateway | None
    configuration: Configuration | None = None
    asked: tuple[str, int] = ("", 0)


class Command(BaseCommand):
    help = "Create an event from the tables in a GitHub issue, or bring it up to date. Nothing is written to GitHub."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("issue", nargs="?", default="", help="OWNER/REPO#N or the issue's web address")
        parser.add_argument(
            "--file", type=Path, help="read the body from this file instead of GitHub; - is standard input"
        )
        parser.add_argument("--configuration", type=Path, help="what HackathonBot was told, as JSON")
        parser.add_argument(
            "--entry", default="", metavar="N", help="which of its entries, or its event's name"
        )
        parser.add_argument("--choices", type=Path, help="how to read the text: corrections as JSON")
        parser.add_argument("--repository", default="", help="with --file: the repository that #n refers to")
        parser.add_argument(
            "--dry-run",
            action="store_true",
            help="print the reading, and what it would change; store nothing",
        )
        parser.add_argument("--preset", choices=sorted(PRESETS), default="happy_open_source")
        parser.add_argument("--name", default="", help="the event's name (default: the issue's title)")
        parser.add_argument("--slug", default="", help="the event's address (default: from the issue)")
        parser.add_argument("--prefix", default="", help="how titles of pull requests begin, e.g. 'PIR No.'")
        parser.add_argument(
            "--watch",
            action="append",
            default=[],
            metavar="OWNER/REPO",
            help="repository to watch; repeatable",
        )
        parser.add_argument("--proposals", action="append", default=[], metavar="OWNER/REPO")
        parser.add_argument("--organizer", action="append", default=[], metavar="LOGIN")
        parser.add_argument(
            "--mentor", action="append", default=[], metavar="LOGIN", help="of the whole event"
        )
        parser.add_argument("--pool", default="", help="the reward pool's name")
        parser.add_argument(
            "--points", default="", help="what a task earns, or each of its stars where the preset says so"
        )
        parser.add_argument(
            "--opens",
            type=date.fromisoformat,
            metavar="YYYY-MM-DD",
            help="the first day; the preset's other dates move along",
        )
        parser.add_argument("--publish", action="store_true", help="show the event to everyone at once")

    def handle(self, *args: Any, **options: Any) -> None:
        now = clock.now()
        try:
            source = _read_source(options, now)
            if source.gateway is not None and not options["dry_run"]:
                github_reading.follow_moved(
                    asked=source.asked, found=source.text, gateway=source.gateway, now=now
                )
            plan = _plan(source, options)
            known = _known(source, plan, options)
            plan = replace(plan, slug=_slug(plan, known, options))
            choices = _choices_given(options["choices"], self.stderr)
            holds = choices if choices is not None else choices_of(known) if known else ReadingChoices()
            reading = read_body(source.text.body, repository=source.text.repository, choices=holds)
            if options["dry_run"]:
                self.stdout.write(describing.describe(reading))
                if known is not None:
                    update = Update(source.text, holds, source.configuration)
                    self.stdout.write(describing.describe_changes(known, update, now=now))
            importing.check_reading(reading, _name_of(source.text, options["file"]))
            if known is not None:
                importing.check_is_read(known)
            if not options["dry_run"]:
                self._import(source, reading, replace(plan, choices=choices), options, now)
        except DomainError as error:
            raise CommandError(str(error)) from error

    def _import(
        self, source: Source, reading: Reading, plan: EventPlan, options: dict[str, Any], now: datetime
    ) -> None:
        organizers = _people(options["organizer"], source.gateway, now)
        mentors = _people(options["mentor"], source.gateway, now)
        if source.gateway is not None:
            people.remember_portal(source.gateway.get_me(), seen_at=now)
            github_reading.resolve_people(readings=[reading], gateway=source.gateway, now=now)
        issue = configuring.import_told(
            text=source.text,
            plan=replace(plan, organizers=organizers, mentors=mentors),
            configuration=source.configuration,
            acting_user=organizers[0] if organizers else None,
            now=now,
        )
        if options["publish"]:
            reshaping.publish(event=issue.event, acting_user=organizers[0] if organizers else None, now=now)
        if source.gateway is None:
            self.stderr.write("GitHub was not asked: the people in the tables are names until it is.")
        count = issue.tasks.on_board().count()
        self.stdout.write(f"{issue.event.name}: {count} tasks from {issue}, at /events/{issue.event.slug}/")


def _read_source(options: dict[str, Any], now: datetime) -> Source:
    if options["configuration"] is not None:
        return _read_configured(options, now)
    address = sources.need_address(options["issue"]) if options["issue"] else None
    if options["file"] is not None:
        return Source(_read_file(options, address, now), None)
    if address is None:
        raise CommandError(
            "Name the issue as OWNER/REPO#N, or give --file BODY.md with --repository OWNER/REPO."
        )
    return _read_issue((address.repository, address.number), None)


def _read_configured(options: dict[str, Any], now: datetime) -> Source:
    """The entry by its place or its event's name; its issue is read from GitHub, unless a file holds the text."""
    if options["issue"]:
        raise CommandError("With --configuration, its entry names the issue: leave the address out.")
    entries = sources.configured(_read_text(options["configuration"]))
    entry = _chosen_entry(entries, options["entry"])
    told = sources.need_configuration(entry)
    if options["file"] is not None:
        text = IssueText(told.repository, told.number, told.name, _read_text(options["file"]), now)
        return Source(text, None, told)
    return _read_issue((told.repository, told.number), told)


def _read_issue(asked: tuple[str, int], told: Configuration | None) -> Source:
    gateway = connect()
    fact = gateway.get_issue(*asked)
    text = IssueText(fact.repository, fact.number, fact.title, fact.body, fact.updated_at)
    return Source(text, gateway, told, asked)


def _chosen_entry(entries: Sequence[Entry], wanted: str) -> Entry:
    found = [
        e for e in entries if wanted == str(e.place) or (e.configuration and e.configuration.name == wanted)
    ]
    if not wanted and len(entries) == 1:
        return entries[0]
    if not found:
        about = (
            f"There is no entry {wanted!r}" if wanted else "Say which entry: --entry N, or its event's name"
        )
        raise CommandError(f"{about}: the file has {len(entries)}.")
    return found[-1]  # a later entry revises the ones before


def _read_text(path: Path) -> str:
    try:
        return sys.stdin.read() if str(path) == "-" else path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not text in UTF-8. Save it as UTF-8 and try again.") from error


def _choices_given(path: Path | None, stderr: Any) -> ReadingChoices | None:
    """The corrections of a file, as `reading_choices` or as a person writes them; None without a file."""
    if path is None:
        return None
    try:
        choices = ReadingChoices.from_json(json.loads(_read_text(path)), by_hand=True)
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{path} is no JSON: {error}.") from error
    for unusable in choices.unusable:
        stderr.write(f"{path}: {unusable.kind}: {unusable.about!r} cannot be {unusable.value!r}")
    return choices


def _read_file(options: dict[str, Any], address: sources.Address | None, now: datetime) -> IssueText:
    path: Path = options["file"]
    repository = options["repository"] or (address.repository if address else "")
    if not _REPOSITORY.fullmatch(repository):
        raise CommandError("With --file, say which repository #n refers to: --repository OWNER/REPO.")
    body = _read_text(path)
    return IssueText(repository, address.number if address else None, path.stem, body, now)


def _name_of(text: IssueText, path: Path | None) -> str:
    return str(path) if path is not None else f"{text.repository}#{text.number}"


def _people(logins: list[str], gateway: Gateway | None, now: datetime) -> tuple[Person, ...]:
    found = []
    for login in logins:
        known = people.find_by_logins([login]).get(login.lower())
        if known is None or not known.is_resolved:
            account = gateway.find_account(login) if gateway else None
            if account is None:
                raise CommandError(f"GitHub knows no account {login!r}. Check the spelling.")
            known = people.remember(account, seen_at=now)
        found.append(known)
    return tuple(found)


def _plan(source: Source, options: dict[str, Any]) -> EventPlan:
    """The event that the options ask for; what they leave open comes from the configuration, the preset or the text."""
    text, preset = source.text, PRESETS[options["preset"]]
    told = source.configuration
    default_slug = f"{text.repository.rpartition('/')[2]}-{text.number or text.title}".lower()
    markers = read_markers(text.body) or AutoTable()
    slug = options["slug"] or preset.slug or re.sub(r"[^a-z0-9_-]+", "-", default_slug).strip("-")[:70]
    watched = (told.repositories if told else ()) or markers.repositories or (text.repository,)
    since = (told.since if told else None) or markers.since
    dates = {"opens_at": told.since} if told and told.since else {}
    return EventPlan(
        name=options["name"] or (told.name if told else "") or preset.name or text.title,
        slug=slug,
        preset=preset.kind,
        title_prefix=options["prefix"]
        or (told.prefix if told else "")
        or preset.title_prefix
        or markers.prefix[:120],
        repositories=tuple(options["watch"]) or preset.repositories or watched,
        proposal_repositories=tuple(options["proposals"]) or preset.proposal_repositories,
        summary=preset.summary,
        pool=options["pool"] or preset.pool,
        unit=preset.unit,
        per=preset.per,
        amount=_points(options["points"], preset),
        phases=preset.planned_phases(options["opens"]),
        links=preset.links,
        fields={
            "accent": preset.accent,
            "pull_requests_since": since,
            **dates,
            **preset.dates(options["opens"]),
        },
        configuration=told.to_json() if told else {},
    )


def _known(source: Source, plan: EventPlan, options: dict[str, Any]) -> TrackingIssue | None:
    """The text of the event that is meant: by its address where that is given, else by the issue and the event's name."""
    text, told = source.text, source.configuration
    if options["slug"] or PRESETS[options["preset"]].slug or text.number is None:
        return importing.find_imported(text, plan)
    if told is not None:
        return configuring.find_told(told, text)
    texts = list_bodies(repository=text.repository, number=text.number)
    if not texts and source.gateway is not None:
        texts = list_bodies(repository=source.asked[0], number=source.asked[1])
    if options["name"]:
        return next((known for known in texts if known.event.name == options["name"]), None)
    if len(texts) < 2:
        return texts[0] if texts else None
    names = "; ".join(f"{known.event.name} (--slug {known.event.slug})" for known in texts)
    raise CommandError(f"This issue carries several events. Say which, or a new --name: {names}.")


def _slug(plan: EventPlan, known: TrackingIssue | None, options: dict[str, Any]) -> str:
    if known is not None:
        return known.event.slug
    is_given = options["slug"] or PRESETS[options["preset"]].slug
    return plan.slug if is_given else events.free_slug(plan.slug)


def _points(written: str, preset: EventPreset) -> Decimal | None:
    if not written:
        return preset.amount
    try:
        points = Decimal(written)
    except InvalidOperation as error:
        raise CommandError(f"{written!r} is no number of points. Write it like 1 or 0.5.") from error
    if not points.is_finite() or points < 0:
        raise CommandError(f"{written!r} is no number of points. Write it like 1 or 0.5.")
    return points
