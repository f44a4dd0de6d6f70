"""`manage.py import_event OWNER/REPO#N`: an event is born from its tracking issue, or brought up to date by it."""

import re
import sys
from argparse import ArgumentParser
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from claims import github_reading
from claims.operations import importing
from claims.operations.importing import EventPlan, IssueText
from claims.presets import PRESETS, EventPreset
from portal.accounts import people
from portal.common import clock
from portal.common.errors import DomainError
from portal.github.connect import connect
from portal.github.gateway import Gateway
from portal.models import Person
from tasks_board.configurations.autotable import AutoTable, read_markers
from tasks_board.documents.model import Reading
from tasks_board.documents.reading import read_body
from tasks_board.operations import events

_ADDRESS = re.compile(r"(?:https?://[\w.:-]+/)?([\w.-]+/[\w.-]+)(?:#|/issues/)(\d{1,9})(?:[#?].*)?", re.ASCII)
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Source:
    """The text to import, and the gateway if GitHub was asked for it."""

    text: IssueText
    gateway: Gateway | None


class Command(BaseCommand):
    help = "Create an event from the tables in a GitHub issue, or bring it up to date. Nothing is written to GitHub."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("issue", nargs="?", default="", help="OWNER/REPO#N or the issue's web address")
        parser.add_argument("--file", type=Path, help="read the body from this file instead of GitHub")
        parser.add_argument("--repository", default="", help="with --file: the repository that #n refers to")
        parser.add_argument("--dry-run", action="store_true", help="print the reading and change nothing")
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
            reading = read_body(source.text.body, repository=source.text.repository)
            importing.check_reading(reading, _name_of(source.text, options["file"]))
            if options["dry_run"]:
                self.stdout.write(_describe(reading))
                return
            self._import(source, reading, options, now)
        except DomainError as error:
            raise CommandError(str(error)) from error

    def _import(self, source: Source, reading: Reading, options: dict[str, Any], now: datetime) -> None:
        organizers = _people(options["organizer"], source.gateway, now)
        mentors = _people(options["mentor"], source.gateway, now)
        if source.gateway is not None:
            people.remember_portal(source.gateway.get_me(), seen_at=now)
            github_reading.resolve_people(readings=[reading], gateway=source.gateway, now=now)
        plan = _plan(source.text, organizers, mentors, options)
        issue = importing.import_event(
            text=source.text, plan=plan, acting_user=organizers[0] if organizers else None, now=now
        )
        if options["publish"]:
            events.publish_event(
                event=issue.event, acting_user=organizers[0] if organizers else None, now=now
            )
        if source.gateway is None:
            self.stderr.write("GitHub was not asked: the people in the tables are names until it is.")
        count = issue.tasks.on_board().count()
        self.stdout.write(f"{issue.event.name}: {count} tasks from {issue}, at /events/{issue.event.slug}/")


def _read_source(options: dict[str, Any], now: datetime) -> Source:
    address = _ADDRESS.fullmatch(options["issue"].strip())
    if options["issue"] and not address:
        raise CommandError(
            f"{options['issue']!r} is no address of an issue. Write OWNER/REPO#N, or the issue's web address."
        )
    if options["file"] is not None:
        return Source(_read_file(options, address, now), None)
    if address is None:
        raise CommandError(
            "Name the issue as OWNER/REPO#N, or give --file BODY.md with --repository OWNER/REPO."
        )
    gateway = connect()
    fact = gateway.get_issue(address[1], int(address[2]))
    return Source(IssueText(fact.repository, fact.number, fact.title, fact.body, fact.updated_at), gateway)


def _read_file(options: dict[str, Any], address: re.Match[str] | None, now: datetime) -> IssueText:
    path: Path = options["file"]
    repository = options["repository"] or (address[1] if address else "")
    if not _REPOSITORY.fullmatch(repository):
        raise CommandError("With --file, say which repository #n refers to: --repository OWNER/REPO.")
    try:
        body = sys.stdin.read() if str(path) == "-" else path.read_bytes().decode("utf-8")
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not text in UTF-8. Save it as UTF-8 and try again.") from error
    return IssueText(repository, int(address[2]) if address else None, path.stem, body, now)


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


def _plan(
    text: IssueText, organizers: tuple[Person, ...], mentors: tuple[Person, ...], options: dict[str, Any]
) -> EventPlan:
    preset: EventPreset = PRESETS[options["preset"]]
    default_slug = f"{text.repository.rpartition('/')[2]}-{text.number or text.title}".lower()
    markers = read_markers(text.body) or AutoTable()
    slug = options["slug"] or preset.slug or re.sub(r"[^a-z0-9_-]+", "-", default_slug).strip("-")[:70]
    return EventPlan(
        name=options["name"] or preset.name or text.title,
        slug=slug,
        preset=preset.kind,
        title_prefix=options["prefix"] or preset.title_prefix or markers.prefix[:120],
        repositories=tuple(options["watch"])
        or preset.repositories
        or markers.repositories
        or (text.repository,),
        proposal_repositories=tuple(options["proposals"]) or preset.proposal_repositories,
        summary=preset.summary,
        pool=options["pool"] or preset.pool,
        unit=preset.unit,
        per=preset.per,
        amount=_points(options["points"], preset),
        phases=preset.planned_phases(options["opens"]),
        links=preset.links,
        organizers=organizers,
        mentors=mentors,
        fields={
            "accent": preset.accent,
            "pull_requests_since": markers.since,
            **preset.dates(options["opens"]),
        },
    )


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


def _describe(reading: Reading) -> str:
    """The reading, row by row, as a person can check it."""
    lines = [f"dialect: {reading.dialect}"]
    for table in reading.tables:
        columns = ", ".join(f"{role}={header}" for role, header in table.columns.items())
        lines += ["", f"{table.section or '(no heading)'}  [{table.dialect}]  {columns}"]
        for task in table.tasks:
            who = ", ".join(f"{c.name} ({c.state})" for c in task.claimants) or "-"
            mentors = ", ".join(task.mentors) or "-"
            lines.append(
                f"  {task.number or '(no number)'}  {task.title}  {task.state}  claimants: {who}  mentors: {mentors}"
            )
        lines += [f"  ! {problem.code} {dict(problem.message_args)}" for problem in table.problems]
    lines += [f"! {problem.code} {dict(problem.message_args)}" for problem in reading.problems]
    return "\n".join(lines)
