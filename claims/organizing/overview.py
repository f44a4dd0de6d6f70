"""What an organizer has to settle: writing into issues, mentors named in tables, history that tables tick, conflicts."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q

from claims.models import Claim
from claims.operations import deciding
from claims.organizing.writing import Conflict, list_conflicts
from portal.models import Person
from tasks_board.models import Event, TaskHelper, TrackingIssue


@dataclass(frozen=True, slots=True)
class NamedMentor:
    """A mentor whom the tables name and nobody has granted anything. A bare name can hold no right."""

    person: Person
    tasks: int


@dataclass(frozen=True, slots=True)
class ToSettle:
    """All that waits for an organizer."""

    issues: Sequence[TrackingIssue]
    mentors: Sequence[NamedMentor]
    history: Sequence[Claim]
    conflicts: Sequence[Conflict]

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits."""
        alarms = any(issue.alarm for issue in self.issues)
        return not (alarms or self.mentors or self.history or self.conflicts)


def gather(event: Event, *, viewer: Person | None = None) -> ToSettle:
    """What waits for the event's organizers."""
    return ToSettle(
        issues=list(
            event.tracking_issues.filter(retired_at=None).defer("body", "agreed_body").order_by("pk")
        ),
        mentors=_named_mentors(event),
        history=list(deciding.ticked_at_first(event).order_by("task__position", "pk")),
        conflicts=list_conflicts(event, viewer=viewer),
    )


def _named_mentors(event: Event) -> list[NamedMentor]:
    waiting = TaskHelper.objects.filter(task__event=event, role="mentor", granted_at=None)
    counts = waiting.values("person").annotate(tasks=Count("task", filter=Q(task__is_removed=False)))
    rows = list(counts.order_by("-tasks", "person"))
    people = Person.objects.in_bulk([row["person"] for row in rows])
    return [NamedMentor(people[row["person"]], row["tasks"]) for row in rows]
