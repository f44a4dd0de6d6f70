"""How much waits for an organizer, by the page where it is settled."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, IntegerField, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from claims.models import TableConflict
from claims.operations import deciding
from claims.organizing import unlinked
from tasks_board.models import Event, TaskEdit, TaskHelper


@dataclass(frozen=True, slots=True)
class Waiting:
    """Rows that both sides changed, ticks to confirm, mentors to grant, cells that both sides changed, names to link."""

    rows: int
    ticks: int
    mentors: int
    cells: int
    names: int

    @property
    def overview(self) -> int:
        """What is settled on the overview."""
        return self.rows + self.ticks + self.mentors


def count_waiting(event: Event) -> Waiting:
    """What waits for the event's organizers. One query."""
    helpers = TaskHelper.objects.filter(task__event=event, role="mentor", granted_at=None)
    cells = TaskEdit.objects.filter(task__event=event, settled_at=None, conflict_at__isnull=False)
    rows, ticks, mentors, waiting_cells, teams, people = Event.objects.filter(pk=event.pk).values_list(
        _count(TableConflict.objects.filter(claim__task__event=event, settled_at=None)),
        _count(deciding.ticked_at_first(event)),
        _count(helpers, "person"),
        _count(cells),
        _count(unlinked.bare_teams(event)),
        _count(unlinked.bare_people(event)),
    )[0]
    return Waiting(rows, ticks, mentors, waiting_cells, teams + people)


def _count(rows: "QuerySet[Any]", what: str = "pk") -> Coalesce:
    """How many of them there are, as a part of another query."""
    one = rows.order_by().select_related(None).annotate(all=Value(1)).values("all")
    counted = one.annotate(count=Count(what, distinct=True)).values("count")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)
