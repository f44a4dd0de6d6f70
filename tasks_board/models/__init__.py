"""Events and their tasks: what is offered, where it is written down, and who helps with it."""

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from portal.models import Person
from tasks_board.chains import Chain, chain_from_json, chain_of
from tasks_board.models.edits import TaskEdit as TaskEdit
from tasks_board.models.issues import IssueRevision as IssueRevision
from tasks_board.models.issues import TrackingIssue as TrackingIssue
from tasks_board.models.people import EventMark as EventMark
from tasks_board.models.people import Registration as Registration
from tasks_board.models.people import Team as Team
from tasks_board.models.people import TeamMember as TeamMember
from tasks_board.rules import EventRules, Preset

STAR_STEPS = 1000  # a star is stored in thousandths: 0.025 stars is 25 steps


class Event(models.Model):
    """One campaign: a rolling happy-open-source form, a hackathon edition, a contest."""

    class Status(models.TextChoices):
        DRAFT = "draft", _("Draft")
        RUNNING = "running", _("Running")
        CLOSED = "closed", _("Closed")
        ARCHIVED = "archived", _("Archived")

    class Kind(models.TextChoices):
        HAPPY_OPEN_SOURCE = Preset.HAPPY_OPEN_SOURCE.value, _("Happy open source")
        HACKATHON = Preset.HACKATHON.value, _("Hackathon")
        CONTEST = Preset.CONTEST.value, _("Contest")

    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=200)
    summary = models.TextField(blank=True)  # Markdown
    language = models.CharField(max_length=12, default="zh-hans")  # of the event's own texts
    kind = models.CharField(max_length=30, choices=Kind.choices)
    status = models.CharField(max_length=20, choices=Status.choices, default=Status.DRAFT)
    accent = models.CharField(max_length=20, default="harbour")  # harbour signal deep brass kelp slate
    time_zone = models.CharField(max_length=60, default="Asia/Shanghai")
    opens_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    title_prefix = models.CharField(max_length=120, blank=True)
    title_aliases = models.JSONField(default=list, blank=True)
    repositories = models.JSONField(default=list, blank=True)  # watched for pull requests, owner/name
    proposal_repositories = models.JSONField(default=list, blank=True)
    pull_requests_since = models.DateTimeField(null=True, blank=True)  # older ones belong to something else
    rules = models.JSONField(default=dict, blank=True)
    history_confirmed_at = models.DateTimeField(null=True, blank=True)
    # One switch holds back every write into the event's issues and comments.
    writing_held_at = models.DateTimeField(null=True, blank=True)
    writing_held_by = models.ForeignKey(
        Person, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=["draft", "running", "closed", "archived"]),
                name="event_status_is_known",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["happy_open_source", "hackathon", "contest"]),
                name="event_kind_is_known",
            ),
            models.CheckConstraint(
                condition=Q(opens_at=None) | Q(closes_at=None) | Q(closes_at__gt=models.F("opens_at")),
                name="event_closes_after_it_opens",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def came_at(self) -> datetime:
        """When it came to us, as GitHub's times are: in whole seconds. What is older there is no news of it."""
        return self.created_at.replace(microsecond=0)

    @property
    def rule_set(self) -> EventRules:
        """The rules that hold: the kind's preset with the event's own changes laid over."""
        return EventRules.from_json(Preset(self.kind), self.rules)

    @property
    def is_silent(self) -> bool:
        """Whether nothing is written for it now: an organizer holds it, or it is in the archive."""
        return self.writing_held_at is not None or self.status == self.Status.ARCHIVED


class EventLink(models.Model):
    """How an event hangs together with another campaign, in Regatta or known by its issue only."""

    class Kind(models.TextChoices):
        SHARED_POOL = "shared_pool", _("Shares the reward pool of")
        PREDECESSOR = "predecessor", _("Follows on from")
        LEADS_INTO = "leads_into", _("Leads into")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="links")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    other = models.ForeignKey(Event, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    title = models.CharField(max_length=200)
    repository = models.CharField(max_length=140, blank=True)
    issue_number = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["shared_pool", "predecessor", "leads_into"]),
                name="event_link_kind_is_known",
            ),
        ]

    def __str__(self) -> str:
        return self.title


class Phase(models.Model):
    """A named stretch of an event's time. The end is inclusive: 24:00 of a day is the end of that day."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="phases")
    name = models.CharField(max_length=120)
    position = models.PositiveIntegerField(default=0)
    starts_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    claims_open = models.BooleanField(default=True)

    class Meta:
        constraints = [models.UniqueConstraint("event", Lower("name"), name="one_phase_per_event_and_name")]

    def __str__(self) -> str:
        return self.name


class Direction(models.Model):
    """A group of tasks inside an event: a section of the table, or a value of its direction column."""

    class Source(models.TextChoices):
        SECTION = "section", _("Section")
        COLUMN = "column", _("Column")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="directions")
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="children"
    )
    name = models.CharField(max_length=200)
    source = models.CharField(max_length=10, choices=Source.choices, default=Source.SECTION)
    position = models.PositiveIntegerField(default=0)
    note = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event", "source", "name"], name="one_direction_per_event_source_and_name"
            ),
            models.CheckConstraint(
                condition=Q(source__in=["section", "column"]), name="direction_source_is_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class TaskQuerySet(models.QuerySet["Task"]):
    """Filters on tasks."""

    def on_board(self) -> "TaskQuerySet":
        """Tasks that are still in the table."""
        return self.filter(is_removed=False)


class Task(models.Model):
    """One row of an event's tables. `state` is derived and written only by `operations.states.set_task_state`.

    People do type one number twice, so no constraint refuses it: a text that names such a number gets a hint.
    """

    class State(models.TextChoices):
        OPEN = "open", _("Open")
        CLAIMED = "claimed", _("Claimed")
        RFC_SUBMITTED = "rfc_submitted", _("RFC in review")
        RFC_MERGED = "rfc_merged", _("RFC merged")
        PR_OPEN = "pr_open", _("PR open")
        APPROVED = "approved", _("Approved")
        PARTLY_DONE = "partly_done", _("Partly done")
        DONE = "done", _("Done")
        DEFERRED = "deferred", _("Deferred")
        BLOCKED = "blocked", _("Blocked")
        REMOVED = "removed", _("Removed")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="tasks")
    direction = models.ForeignKey(
        Direction, null=True, blank=True, on_delete=models.PROTECT, related_name="tasks"
    )
    also_in = models.ManyToManyField(Direction, blank=True, related_name="tasks_tagged")
    tracking_issue = models.ForeignKey(
        TrackingIssue, null=True, blank=True, on_delete=models.PROTECT, related_name="tasks"
    )
    number = models.CharField(max_length=40)
    number_is_ours = models.BooleanField(default=False)
    sort_key = models.CharField(max_length=200, blank=True)  # so that 2 stands before 10
    title = models.TextField()
    url = models.TextField(blank=True)
    description = models.TextField(blank=True)
    difficulty = models.CharField(max_length=120, blank=True)  # as written
    star_steps = models.PositiveIntegerField(null=True, blank=True)  # thousandths of a star
    proposal_required = models.BooleanField(null=True, blank=True)  # None: as the event says
    places = models.PositiveIntegerField(null=True, blank=True)  # None: as the event says; 1 is exclusive
    claims_open_at = models.DateTimeField(null=True, blank=True)  # None: with the event
    claims_close_at = models.DateTimeField(null=True, blank=True)
    requires = models.ManyToManyField("self", symmetrical=False, blank=True, related_name="required_by")
    # What has to be merged where, in order, if not as the event says: [{"kind": "proposal", "repository": "owner/name"}, …].
    chain = models.JSONField(default=list, blank=True, db_default=[])
    row_wanted_at = models.DateTimeField(null=True, blank=True)  # made here; its row is still to be written
    position = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=20, choices=State.choices, default=State.OPEN)
    state_at = models.DateTimeField(null=True, blank=True)
    # The row's own mark in the table, a statement; whose mark it is stands in the revisions.
    stated_mark = models.CharField(max_length=20, blank=True)
    is_removed = models.BooleanField(
        default=False
    )  # struck out or gone from the table; claims and history stay
    is_excluded = models.BooleanField(
        default=False
    )  # by the event's configuration: people alone look after its row
    created_at = models.DateTimeField()

    objects: ClassVar[models.Manager["Task"]] = TaskQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["event", "sort_key"], name="task_in_order")]

    def __str__(self) -> str:
        return f"{self.number} {self.title}"

    @property
    def state_for_claiming(self) -> str:
        """The state as rules on claims see it: a task that the event's configuration leaves to people is `excluded`."""
        return "excluded" if self.is_excluded else self.state

    def steps_under(self, rules: EventRules) -> Chain:
        """What has to be merged for it, in order, by its own chain and these rules of its event."""
        return chain_of(
            chain_from_json(self.chain),
            of_event=rules.chain,
            proposal_required=self.proposal_required,
            usually=rules.proposal_required,
        )

    @property
    def steps(self) -> Chain:
        """What has to be merged for it, in order."""
        return self.steps_under(self.event.rule_set)

    @property
    def needs_proposal(self) -> bool:
        """Whether a proposal has to be merged before code counts."""
        return any(step.kind == "proposal" for step in self.steps)

    @property
    def capacity(self) -> int | None:
        """How many claimants have room at a time; None: any number."""
        return self.event.rule_set.places_per_task if self.places is None else self.places


class TaskHelper(models.Model):
    """A mentor or assistant of a task. Named in the table it is display; `granted_at` makes it a right."""

    class Role(models.TextChoices):
        MENTOR = "mentor", _("Mentor")
        ASSISTANT = "assistant", _("Assistant")

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="helpers")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="helps_with")
    role = models.CharField(max_length=10, choices=Role.choices)
    position = models.PositiveIntegerField(default=0)
    in_table = models.BooleanField(default=True)
    granted_by = models.ForeignKey(Person, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    granted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["task", "person", "role"], name="one_helper_per_task_person_and_role"
            ),
            models.CheckConstraint(
                condition=Q(role__in=["mentor", "assistant"]), name="helper_role_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person} {self.role}"


class EventRole(models.Model):
    """A right in a whole event, granted in Regatta. A mentor here may decide on every task of the event."""

    class Role(models.TextChoices):
        MENTOR = "mentor", _("Mentor")
        ASSISTANT = "assistant", _("Assistant")
        JUDGE = "judge", _("Judge")
        ORGANIZER = "organizer", _("Organizer")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="roles")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="event_roles")
    role = models.CharField(max_length=10, choices=Role.choices)
    granted_by = models.ForeignKey(Person, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    granted_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event", "person", "role"], name="one_role_per_event_person_and_kind"
            ),
            models.CheckConstraint(
                condition=Q(role__in=["mentor", "assistant", "judge", "organizer"]),
                name="event_role_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person} {self.role}"
