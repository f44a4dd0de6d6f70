"""`manage.py write_table OWNER/REPO#N`: what would be written into an issue's table, and writing it now."""

import difflib
import re
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from claims.operations import tables
from claims.organizing import probing
from claims.organizing import writing as written
from portal import outbox
from portal.common import clock
from portal.github.connect import connect
from portal.models import OutboxMessage
from tasks_board.models import TrackingIssue
from tasks_board.tracking import list_tracking_issues

_ADDRESS = re.compile(r"([\w.-]+/[\w.-]+)#(\d{1,9})")


class Command(BaseCommand):
    """Prints the unified difference and the rows that cannot say it; writes only with --now, and where writing is on."""

    help = "Show what would be written into the table of an issue; --now writes it, where an organizer has switched writing on."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("issue", help="OWNER/REPO#N")
        parser.add_argument("--event", default="", help="the slug, where an issue carries several events")
        what = parser.add_mutually_exclusive_group()
        what.add_argument(
            "--dry-run", action="store_true", help="only show the difference (as without any option)"
        )
        what.add_argument("--now", action="store_true", help="write it now")
        parser.add_argument(
            "--column", action="store_true", help="with a column for claimants where a table has none"
        )

    def handle(self, *args: Any, issue: str, event: str, now: bool, column: bool, **options: Any) -> None:
        if now and column:
            raise CommandError(
                "A column is added on the organizers’ page, after its difference was looked at."
            )
        for found in self._find(issue, event):
            self._show(found, with_column=column)
            if now:
                self._write(found)

    def _find(self, address: str, slug: str) -> list[TrackingIssue]:
        match = _ADDRESS.fullmatch(address)
        if match is None:
            raise CommandError(f"{address} is no address of an issue. Write OWNER/REPO#N.")
        found = list_tracking_issues(repository=match[1], number=int(match[2]))
        found = [issue for issue in found if slug in ("", issue.event.slug)]
        if not found:
            raise CommandError(f"No event tracks {address}.")
        return found

    def _show(self, issue: TrackingIssue, *, with_column: bool) -> None:
        probe = probing.probe_issue(issue)
        if probe.error:
            self.stderr.write(f"GitHub was not asked: {probe.error}")
        elif not probe.may_write:
            self.stderr.write(f"GitHub does not let {probe.login} write there.")
        at_github = issue.body if probe.body is None else probe.body
        preview = written.preview_writing(issue, body_at_github=at_github, with_column=with_column)
        if preview.is_stale:
            self.stderr.write(
                "GitHub has a newer text than the one read here; it is read before anything is written."
            )
        lines = difflib.unified_diff(
            preview.before.splitlines(), preview.after.splitlines(), f"a/{issue}", f"b/{issue}", lineterm=""
        )
        self.stdout.write("\n".join(lines) or f"{issue}: nothing differs.")
        for row in preview.refused:
            self.stdout.write(f"left alone: {row.claim.task.number} {row.claim.claimant}: {row.reason}")
        if preview.is_too_long:
            self.stdout.write(
                "Too long for GitHub even in its shortest form: it is not written, and nothing is cut."
            )

    def _write(self, issue: TrackingIssue) -> None:
        issue.refresh_from_db()
        if issue.writing != TrackingIssue.Writing.ON:
            raise CommandError(
                f"Writing is off for {issue}. An organizer switches it on, after a look at the difference."
            )
        if issue.event.writing_held_at is not None:
            raise CommandError("An organizer holds back all writing of this event.")
        at = clock.now()
        tables.request_write_of(tracking_issue=issue, now=at)
        message = OutboxMessage.objects.get(kind="write_table", key=f"issue:{issue.pk}")
        self.stdout.write(f"{issue}: {outbox.drain_one(message.pk, connect, at)}.")
