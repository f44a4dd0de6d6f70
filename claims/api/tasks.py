"""An event's tasks with everybody on them, over the API."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import django_filters
from django import forms
from django.db.models import Q, QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import generics, serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from claims import board, queries
from claims.api.shapes import ClaimSerializer, PullRequestSerializer
from claims.board import BoardClaim, BoardRow
from claims.pull_requests import SeenPullRequest
from portal.common import clock
from portal.models import Person
from portal.rest import answers
from portal.rest.fields import Exact, Moment, Page
from portal.rest.shapes import IssueSerializer
from rewards import rules
from tasks_board import queries as events
from tasks_board.models import STAR_STEPS, Event, Task, TaskHelper

BIGGEST_ID = 2**63 - 1


class OnBoard(NamedTuple):
    """A task and its row."""

    task: Task
    row: BoardRow

    @property
    def claims(self) -> list[BoardClaim]:
        """The lines that are claims."""
        return [line for line in self.row.claims if line.claim]

    @property
    def other_pull_requests(self) -> list[SeenPullRequest]:
        """The pull requests of people without a claim."""
        return [pr for line in self.row.claims if not line.claim for pr in line.pull_requests]

    @property
    def rules(self) -> list[queries.RuleLine]:
        """What each of the event's rules says to the reader's claiming it, those that refuse first."""
        return queries.describe_rules(self.row.ruling)

    @property
    def stars(self) -> Decimal | None:
        """The task's stars, exact."""
        steps = self.task.star_steps
        return None if steps is None else rules.from_steps(steps, scale=STAR_STEPS)


class TaskDirectionSerializer(serializers.Serializer[Any]):
    """A direction of a task."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()


class ClaimOnTaskSerializer(ClaimSerializer):
    """A claim on the task, with the claimant's pull requests."""

    place = serializers.IntegerField(allow_null=True, help_text="In the waiting line, from 1.")
    pull_requests = PullRequestSerializer(many=True)


class TaskSerializer(serializers.Serializer[Any]):
    """A task with everybody on it."""

    id = serializers.IntegerField(source="task.pk")
    number = serializers.CharField(
        source="task.number", help_text="As the table has it: 12, A-3, 1.4. Two tasks may bear the same."
    )
    number_is_ours = serializers.BooleanField(
        source="task.number_is_ours", help_text="The row has no number; this one is given by Regatta."
    )
    title = serializers.CharField(source="task.title")
    state = serializers.ChoiceField(choices=Task.State.choices, source="task.state")
    state_since = Moment(source="task.state_at", allow_null=True)
    is_free = serializers.BooleanField(source="row.is_free", help_text="Nobody is on it.")
    may_claim = serializers.BooleanField(
        source="row.may_claim", help_text="Whether the event's rules would let the reader claim it now."
    )
    difficulty = serializers.CharField(source="task.difficulty", help_text="As written in the table.")
    stars = Exact(allow_null=True, help_text="Exact, as text.")
    direction = TaskDirectionSerializer(source="task.direction", allow_null=True)
    also_in = TaskDirectionSerializer(source="task.also_in.all", many=True)
    mentors = serializers.ListField(child=serializers.CharField(), source="row.mentors", help_text="Logins.")
    claims = ClaimOnTaskSerializer(many=True)
    other_pull_requests = PullRequestSerializer(many=True, help_text="Of people without a claim.")
    url = Page("api:task", "task.event.slug", "task.pk")
    html_url = Page("task", "task.event.slug", "task.pk")


class RuleSerializer(serializers.Serializer[Any]):
    """The verdict of one rule on the reader's claiming the task now: the same that a button and a comment get."""

    rule = serializers.CharField(help_text="Its name, which stays.")
    passed = serializers.BooleanField()
    asks = serializers.CharField(help_text="What it asks, in words.")
    answer = serializers.CharField(help_text="How that stands with the reader, in words.")


class TaskDetailSerializer(TaskSerializer):
    """A task with everybody on it, what the table says of it, and what each rule says to claiming it."""

    rules = RuleSerializer(
        many=True, help_text="Those that refuse come first; none refuses: it may be claimed."
    )

    description = serializers.CharField(source="task.description", help_text="Markdown.")
    link = serializers.CharField(
        source="task.url", help_text="Where the row's title leads to, as written; may be empty."
    )
    needs_proposal = serializers.BooleanField(
        source="task.needs_proposal", help_text="Whether a proposal has to be merged before code counts."
    )
    is_removed = serializers.BooleanField(
        source="task.is_removed", help_text="It is struck out of the table, or gone; claims and history stay."
    )
    tracking_issue = IssueSerializer(source="task.tracking_issue", allow_null=True)


class DirectionFilter(django_filters.NumberFilter):
    """Tasks of a direction, as a section or as a value of the direction column."""

    field_class = forms.IntegerField  # type: ignore[assignment] # whole numbers only

    def filter(self, tasks: QuerySet[Task], value: int | None) -> QuerySet[Task]:
        if value is None:
            return tasks
        tagged = Task.also_in.through._default_manager.filter(direction_id=value).values("task_id")
        return tasks.filter(Q(direction=value) | Q(pk__in=tagged))


class TaskFilter(django_filters.FilterSet):
    """Which tasks of the event."""

    q = django_filters.CharFilter(
        method="keep_about", max_length=200, help_text="Every word is in the number, the title or the people."
    )
    number = django_filters.CharFilter(lookup_expr="iexact", help_text="The number, whole.")
    state = django_filters.MultipleChoiceFilter(choices=Task.State.choices)
    direction = DirectionFilter(
        min_value=1,
        max_value=BIGGEST_ID,
        help_text="The id of a direction: a section, or a value of the column.",
    )
    mentor = django_filters.CharFilter(method="keep_mentored", help_text="The login of a mentor, whole.")
    free = django_filters.BooleanFilter(method="keep_free", help_text="Whether nobody is on it.")

    def keep_about(self, tasks: QuerySet[Task], name: str, value: str) -> QuerySet[Task]:
        """Tasks with every word."""
        return tasks.filter(queries.tasks_about(value))

    def keep_mentored(self, tasks: QuerySet[Task], name: str, value: str) -> QuerySet[Task]:
        """Tasks of this mentor."""
        theirs = TaskHelper.objects.filter(role=TaskHelper.Role.MENTOR, person__login__iexact=value)
        return tasks.filter(pk__in=theirs.values("task_id"))

    def keep_free(self, tasks: QuerySet[Task], name: str, value: bool) -> QuerySet[Task]:
        """Tasks that nobody is on, or those that somebody is on."""
        return tasks.filter(state=Task.State.OPEN) if value else tasks.exclude(state=Task.State.OPEN)


@extend_schema_view(
    get=extend_schema(operation_id="list_tasks", summary="An event's tasks with their claims", tags=["tasks"])
)
class TaskList(generics.ListAPIView[Task]):
    """The tasks on the event's board, in the order of its tables, with everybody on them."""

    queryset = Task.objects.none()
    serializer_class = TaskSerializer
    filterset_class = TaskFilter

    def get_queryset(self) -> QuerySet[Task]:
        if getattr(self, "swagger_fake_view", False):
            return Task.objects.none()
        self.event = events.get_event(self.kwargs["slug"], viewer=answers.viewer(self.request))
        return events.list_tasks(self.event)

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        tasks = super().paginate_queryset(queryset) or []
        return on_board(self.event, tasks, viewer=answers.viewer(self.request))


def on_board(event: Event, tasks: Sequence[Task], *, viewer: Person | None) -> list[OnBoard]:
    """Tasks with their rows."""
    rows = board.list_rows_of(event, tasks, viewer=viewer, now=clock.now())
    return [OnBoard(task, row) for task, row in zip(tasks, rows, strict=True)]


@extend_schema(operation_id="get_task", summary="One task", tags=["tasks"], responses=TaskDetailSerializer)
@api_view(["GET"])
def show_task(request: Request, slug: str, pk: int) -> Response:
    """A task with everybody on it; also one that has left the table."""
    viewer = answers.viewer(request)
    event = events.get_event(slug, viewer=viewer)
    [found] = on_board(event, [events.get_task(event, pk)], viewer=viewer)
    return answers.one(request, TaskDetailSerializer, found)
