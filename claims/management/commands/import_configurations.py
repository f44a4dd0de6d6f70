"""`manage.py import_configurations FILE`: every event that HackathonBot was told about, in one go.

Entries are taken in order, and a later one about the same event revises it. One that fails costs nothing but itself.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from claims import github_reading
from claims.births.configuration_words import configuration_sentence
from claims.operations import configuring, importing
from claims.operations.importing import IssueText
from portal.accounts import people
from portal.common import clock
from portal.common.errors import DomainError
from portal.github.connect import connect
from portal.github.gateway import Gateway
from tasks_board.configurations.hackathonbot import NotAConfiguration, read_entries
from tasks_board.configurations.model import Configuration, Entry, count
from tasks_board.documents.reading import read_body
from tasks_board.tracking import choices_of


class Command(BaseCommand):
    help = "Create the events of a HackathonBot configuration, or bring them up to date. Nothing is written to GitHub."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the configuration as JSON; - reads standard input")
        parser.add_argument("--dry-run", action="store_true", help="say how it is read and change nothing")
        parser.add_argument(
            "--only", type=int, action="append", metavar="N", help="only the N-th entry (from 1); repeatable"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        entries = _chosen(_read(options["file"]), options["only"])
        for entry in entries:
            for problem in entry.problems:
                self.stderr.write(f"{entry.place}: {configuration_sentence(problem)}")
        if options["dry_run"]:
            for entry in entries:
                self.stdout.write(_described(entry))
            failed = [entry.place for entry in entries if entry.configuration is None]
        else:
            failed = self._import(entries, clock.now())
        self.stdout.write(_summary(entries))
        if failed:
            raise CommandError(f"Not imported: {', '.join(map(str, failed))}. The others are.")

    def _import(self, entries: Sequence[Entry], now: datetime) -> list[int]:
        """The places of the entries that failed."""
        texts = _Texts(connect(), now)
        failed = []
        for entry in entries:
            try:
                if entry.configuration is None:
                    raise CommandError("the entry names no issue or no event")
                self._import_one(entry.place, entry.configuration, texts, now)
            except (DomainError, CommandError) as error:
                self.stderr.write(f"{entry.place}: {error}")
                failed.append(entry.place)
        return failed

    def _import_one(self, place: int, configuration: Configuration, texts: "_Texts", now: datetime) -> None:
        done = configuring.import_configuration(
            text=texts.get(configuration), configuration=configuration, acting_user=None, now=now
        )
        tasks = done.issue.tasks.on_board().count()
        what = "new" if done.is_new else "revised"
        slug = done.issue.event.slug
        self.stdout.write(
            f"{place}: {configuration.name} ({what}): {tasks} tasks from {done.issue}, at /events/{slug}/"
        )


class _Texts:
    """The issues' texts, each read from GitHub once, their people looked up."""

    def __init__(self, gateway: Gateway, now: datetime) -> None:
        self.gateway, self.now = gateway, now
        self.known: dict[str, IssueText] = {}
        people.remember_portal(gateway.get_me(), seen_at=now)

    def get(self, configuration: Configuration) -> IssueText:
        """Raises NoTasksFound and what the gateway raises."""
        if configuration.address not in self.known:
            fact = self.gateway.get_issue(configuration.repository, configuration.number)
            known = configuring.find_configured(configuration)
            choices = choices_of(known) if known else None
            reading = read_body(fact.body, repository=fact.repository, choices=choices)
            importing.check_reading(reading, configuration.address)
            github_reading.resolve_people(readings=[reading], gateway=self.gateway, now=self.now)
            text = IssueText(fact.repository, fact.number, fact.title, fact.body, fact.updated_at)
            self.known[configuration.address] = text
        return self.known[configuration.address]


def _read(path: Path) -> tuple[Entry, ...]:
    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
        return read_entries(text)
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not text in UTF-8. Save it as UTF-8 and try again.") from error
    except NotAConfiguration as error:
        raise CommandError(f"{path} is no configuration of HackathonBot: {error}.") from error


def _chosen(entries: Sequence[Entry], places: Sequence[int] | None) -> Sequence[Entry]:
    if places is None:
        return entries
    for place in places:
        if not 1 <= place <= len(entries):
            raise CommandError(f"There is no entry {place}: the file has {len(entries)}.")
    return [entry for entry in entries if entry.place in places]


def _described(entry: Entry) -> str:
    c = entry.configuration
    if c is None:
        return f"{entry.place}: not readable"
    directions = "; ".join(f"{name}: {len(numbers)}" for name, numbers in c.assigned.directions)
    left_out = f", left to people {len(c.assigned.excluded)}, removed {len(c.assigned.removed)}"
    watched = ", ".join(c.repositories) or "-"
    return (
        f"{entry.place}: {c.name}  {c.repository}#{c.number}  titles: {c.prefix or '-'}  since: {c.since or '-'}\n"
        f"    tasks by direction: {directions}{left_out}\n    watches: {watched}"
    )


def _summary(entries: Sequence[Entry]) -> str:
    found = count(entry.configuration for entry in entries if entry.configuration is not None)
    return (
        f"{found.entries} entries: {found.issues} issues, {found.events} events, {found.revisions} revisions; "
        f"{found.shared_issues} issues carry more than one event."
    )
