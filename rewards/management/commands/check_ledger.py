"""`manage.py check_ledger`: does the ledger hold what it promises?"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from portal.common import clock
from rewards import guards, operations
from rewards.models import LedgerEntry, Transaction
from tasks_board.models import Event


class Command(BaseCommand):
    """Says in words what does not hold, and ends with a code other than zero if anything does not."""

    help = "Check that the ledger balances, that its guards are in place, and that every completion has its award."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--post-missing",
            action="store_true",
            help="first post the awards that completions have not had yet",
        )

    def handle(self, *args: Any, post_missing: bool, **options: Any) -> None:
        if post_missing:
            events = Event.objects.filter(rewards__ended_at=None, rewards__isnull=False).distinct()
            posted = sum(operations.award_outstanding(event=event, now=clock.now()) for event in events)
            self.stdout.write(f"Posted {posted} missing awards.")
        found = list(guards.problems())
        for problem in found:
            self.stderr.write(f"{problem.code}: {problem.sentence}")
        if found:
            raise CommandError(f"The ledger does not hold: {len(found)} problems.")
        transactions, lines = Transaction.objects.count(), LedgerEntry.objects.count()
        self.stdout.write(f"The ledger holds: {transactions} transactions, {lines} lines, all in balance.")
