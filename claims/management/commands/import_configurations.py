"""`manage.py import_configurations FILE`: every event that HackathonBot was told about, in one go.

Entries are taken in order, and a later one about the same event revises it. One that fails costs nothing but itself.
"""

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from claims import github_reading
from claims.births import describing, sources
from claims.births.configuration_words import configuration_sentences
from claims.births.rehearsing import Rehearsal
from claims.operations import configuring, importing
from claims.operations.importing import IssueText
from portal.accounts import people
from portal.common import clock
from portal.common.errors import DomainError
from portal.github.connect import connect
from portal.github.gateway import Gateway
from tasks_board.configurations.hackathonbot import NotAConfiguration, read_written
from tasks_board.configurations.model import Configuration, Entry, count, find_past
from tasks_board.documents.reading import read_body
from tasks_board.tracking import choices_of

_Done = tuple[Counter[str], list[int]]  # what came of the entries, counted; the places of those that failed


class Command(BaseCommand):
    help = "Create the events of a HackathonBot configuration, or bring them up to date. Nothing is written to GitHub."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the configuration as JSON; - reads standard input")
        parser.add_argument(
            "--dry-run", action="store_true", help="print what it would make or change; store nothing"
        )
        parser.add_argument(
            "--only", type=int, action="append", metavar="N", help="only the N-th entry (from 1); repeatable"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        entries, now = _chosen(_read(options["file"]), options["only"]), clock.now()
        is_dry: bool = options["dry_run"]
        for entry in entries:
            for sentence in configuration_sentences(entry.problems):
                self.stderr.write(f"{entry.place}: {sentence}")
            if is_dry:
                self.stdout.write(_described(entry))
        try:
            texts = _Texts(connect(), now, is_dry=is_dry)
        except DomainError as error:
            raise CommandError(str(error)) from error
        done, failed = self._rehearse_each(entries, texts) if is_dry else self._import_each(entries, texts)
        self.stdout.write(_summary(entries))
        places = ", ".join(map(str, failed))
        if is_dry:
            self.stdout.write(_total(done, len(failed)))
        if failed and is_dry:
            raise CommandError(f"Would not be imported: {places}. The others would.")
        if failed:
            raise CommandError(f"Not imported: {places}. The others are.")

    def _rehearse_each(self, entries: Sequence[Entry], texts: "_Texts") -> _Done:
        rehearsal = Rehearsal(texts.now)
        return self._each(entries, lambda place, told: self._rehearse(place, told, texts, rehearsal))

    def _import_each(self, entries: Sequence[Entry], texts: "_Texts") -> _Done:
        return self._each(entries, lambda place, told: self._import(place, told, texts))

    def _each(self, entries: Sequence[Entry], action: Callable[[int, Configuration], str]) -> _Done:
        """What came of the entries, counted, and the places of those that failed."""
        done: Counter[str] = Counter()
        failed = []
        past = find_past(entries, [entry.place for entry in entries if _stands(entry)])
        for entry in entries:
            if entry.place in past:
                self.stdout.write(f"{entry.place}: entry {past[entry.place]} has revised it since.")
                done["past"] += 1
                continue
            try:
                done[action(entry.place, sources.need_configuration(entry))] += 1
            except DomainError as error:
                self.stderr.write(f"{entry.place}: {error}")
                failed.append(entry.place)
        return done, failed

    def _rehearse(
        self, place: int, configuration: Configuration, texts: "_Texts", rehearsal: Rehearsal
    ) -> str:
        found = rehearsal.take(place, configuration, texts.get(configuration))
        self.stdout.write(describing.describe_rehearsed(place, found))
        return "created" if found.is_new else "unchanged" if found.is_unchanged else "changed"

    def _import(self, place: int, configuration: Configuration, texts: "_Texts") -> str:
        done = configuring.import_configuration(
            text=texts.get(configuration), configuration=configuration, acting_user=None, now=texts.now
        )
        tasks = done.issue.tasks.on_board().count()
        what = "new" if done.is_new else "revised"
        slug = done.issue.event.slug
        self.stdout.write(
            f"{place}: {configuration.name} ({what}): {tasks} tasks from {done.issue}, at /events/{slug}/"
        )
        return what


class _Texts:
    """The issues' texts, each read from GitHub once; their people are looked up, unless nothing shall be stored."""

    def __init__(self, gateway: Gateway, now: datetime, *, is_dry: bool) -> None:
        self.gateway, self.now, self.is_dry = gateway, now, is_dry
        self.known: dict[str, IssueText] = {}
        portal = gateway.get_me()
        if not is_dry:
            people.remember_portal(portal, seen_at=now)

    def get(self, configuration: Configuration) -> IssueText:
        """Raises NoTasksFound and what the gateway raises."""
        if configuration.address not in self.known:
            fact = self.gateway.get_issue(configuration.repository, configuration.number)
            text = IssueText(fact.repository, fact.number, fact.title, fact.body, fact.updated_at)
            if not self.is_dry:
                self._get_ready(configuration, text)
            self.known[configuration.address] = text
        return self.known[configuration.address]

    def _get_ready(self, configuration: Configuration, text: IssueText) -> None:
        """Events follow an issue that moved, and who its tables name is looked up."""
        asked = (configuration.repository, configuration.number)
        github_reading.follow_moved(asked=asked, found=text, gateway=self.gateway, now=self.now)
        known = configuring.find_told(configuration, text)
        choices = choices_of(known) if known else None
        reading = read_body(text.body, repository=text.repository, choices=choices)
        importing.check_reading(reading, configuration.address)
        github_reading.resolve_people(readings=[reading], gateway=self.gateway, now=self.now)


def _read(path: Path) -> tuple[Entry, ...]:
    try:
        text = sys.stdin.read() if str(path) == "-" else sources.read_file(path.name, path.read_bytes())[0]
        return read_written(sources.written_entries(text))
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
    except DomainError as error:
        raise CommandError(f"{path}: {error}") from error
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


def _stands(entry: Entry) -> bool:
    """Whether what is stored is what the entry says."""
    issue = configuring.find_configured(entry.configuration) if entry.configuration else None
    return (
        issue is not None
        and entry.configuration is not None
        and (configuring.says_the_same(issue, entry.configuration))
    )


def _total(done: Counter[str], failed: int) -> str:
    return (
        f"{done['created']} would be created, {done['changed']} would change, {done['unchanged']} are unchanged, "
        f"{done['past']} were revised since, {failed} cannot be imported. Nothing was stored."
    )


def _summary(entries: Sequence[Entry]) -> str:
    found = count(entry.configuration for entry in entries if entry.configuration is not None)
    return (
        f"{found.entries} entries: {found.issues} issues, {found.events} events, {found.revisions} revisions; "
        f"{found.shared_issues} issues carry more than one event."
    )
