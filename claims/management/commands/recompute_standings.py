"""`manage.py recompute_standings`: do the stored standings follow from what is known?"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from claims.operations import checking
from portal.common import clock
from tasks_board.models import Event


class Command(BaseCommand):
    """Says what deriving every standing anew would change, and ends with a code other than zero if anything would."""

    help = (
        "Check that every standing follows from the facts, statements and decisions; --fix stores what does."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--event", help="the slug of one event; without it, all of them")
        parser.add_argument(
            "--fix", action="store_true", help="store what follows, instead of only saying it"
        )

    def handle(self, *args: Any, event: str | None, fix: bool, **options: Any) -> None:
        chosen = Event.objects.filter(slug=event).first() if event else None
        if event and chosen is None:
            raise CommandError(f"There is no event {event}.")
        count = 0
        for difference in checking.check_standings(now=clock.now(), fix=fix, event=chosen):
            self.stdout.write(str(difference))
            count += 1
        if count and not fix:
            raise CommandError(
                f"{count} stored values do not follow from what is known; --fix puts them right."
            )
        self.stdout.write(f"Put right: {count}." if count else "Every standing follows from what is known.")
