"""`manage.py hold_writes on|off|status`: the operators' switch for all that we write at GitHub."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from portal import outbox
from portal.common import clock
from portal.models import OutboxMessage


class Command(BaseCommand):
    """Hold back what is written to GitHub; it keeps its place and goes out once the hold is lifted."""

    help = "Hold back everything that writes to GitHub (or one --kind of it); reading goes on."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("switch", choices=("on", "off", "status"))
        parser.add_argument(
            "--kind", default="", help="one kind of message, e.g. write_table; without it, all writes"
        )
        parser.add_argument("--reason", default="", help="shown to organizers")

    def handle(self, *args: Any, switch: str, kind: str, reason: str, **options: Any) -> None:
        if switch == "on":
            try:
                outbox.hold(kind, reason=reason, now=clock.now())
            except LookupError as error:
                raise CommandError(str(error)) from error
        elif switch == "off":
            count = outbox.lift(kind, now=clock.now())
            self.stdout.write(f"Messages that go out now: {count}.")
        for held in outbox.list_holds():
            waiting = OutboxMessage.objects.filter(refused_at=None)
            count = (waiting.filter(kind=held.kind) if held.kind else waiting).count()
            why = f" ({held.reason})" if held.reason else ""
            self.stdout.write(f"Held: {held}{why}, since {held.held_at:%Y-%m-%d %H:%M} UTC; {count} wait.")
        if not outbox.list_holds():
            self.stdout.write("Nothing is held.")
