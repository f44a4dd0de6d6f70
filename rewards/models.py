"""Who completed what, and what it earned: completions, pools, and the append-only double-entry ledger."""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Lower
from django.db.models.lookups import Exact
from django.utils.translation import gettext_lazy as _

from portal.models import Person
from rewards.rules import ALONE, STAR_STEPS, WHOLE, Degree, Per, Split
from tasks_board.models import Event, Task, Team


class Pool(models.Model):
    """A budget in one unit, possibly shared by several events.

    `scale` is the number of smallest steps in one unit; every amount in the ledger is a whole number of them.
    """

    class Unit(models.TextChoices):
        STAR = "star", _("Star")
        POINT = "point", _("Point")
        CURRENCY = "currency", _("Money")

    name = models.CharField(max_length=200)
    unit = models.CharField(max_length=10, choices=Unit.choices)
    currency = models.CharField(max_length=3, blank=True)  # ISO 4217, e.g. CNY
    scale = models.PositiveIntegerField()
    budget_steps = models.PositiveBigIntegerField(null=True, blank=True)  # None: no limit was named
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("name"), name="one_pool_per_name"),
            models.CheckConstraint(condition=~Q(name=""), name="a_pool_has_a_name"),
            models.CheckConstraint(
                condition=Q(unit__in=["star", "point", "currency"]), name="pool_unit_is_known"
            ),
            models.CheckConstraint(
                condition=(Q(unit="currency") & ~Q(currency="")) | (~Q(unit="currency") & Q(currency="")),
                name="money_and_only_money_names_its_currency",
            ),
            models.CheckConstraint(
                condition=Q(scale__in=[1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]),
                name="a_unit_is_divided_decimally",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class EventRewardQuerySet(models.QuerySet["EventReward"]):
    """Filters on what events pay."""

    def active(self) -> "EventRewardQuerySet":
        """The rules that hold now."""
        return self.filter(ended_at=None)


class EventReward(models.Model):
    """What a completion in an event earns from a pool. Never edited: a change ends one and begins the next."""

    class Per(models.TextChoices):
        TASK = Per.TASK.value, _("per task")
        STAR = Per.STAR.value, _("per star of the task")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rewards")
    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="event_rewards")
    per = models.CharField(max_length=10, choices=Per.choices)
    amount_steps = models.PositiveBigIntegerField()
    partly_percent = models.PositiveSmallIntegerField(default=0)  # what a task done in part earns of it
    set_by = models.ForeignKey(Person, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = EventRewardQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event", "pool"],
                condition=Q(ended_at=None),
                name="one_active_reward_per_event_and_pool",
            ),
            models.CheckConstraint(condition=Q(per__in=["task", "star"]), name="reward_measure_is_known"),
            models.CheckConstraint(
                condition=Q(partly_percent__lte=100), name="a_part_earns_at_most_the_whole"
            ),
            models.CheckConstraint(
                condition=Q(per="task") | Q(Exact(F("amount_steps") % Value(STAR_STEPS), Value(0))),
                name="a_thousandth_of_a_star_earns_whole_steps",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount_steps} steps per {self.per} from {self.pool_id}"


class CompletionQuerySet(models.QuerySet["Completion"]):
    """Filters on completions."""

    def active(self) -> "CompletionQuerySet":
        """Completions that hold: not revoked."""
        return self.filter(revoked_at=None)


class Completion(models.Model):
    """A person or team completed a task, to a degree, on some evidence. The only bridge from claims to rewards.

    Never edited but to be revoked. What is completed again is a new row; `sequence` counts them for each task and
    claimant. Written by `rewards.operations` alone.
    """

    class Degree(models.TextChoices):
        DONE = Degree.DONE.value, _("Done")
        PARTLY = Degree.PARTLY.value, _("Partly done")

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="completions")
    person = models.ForeignKey(
        Person, null=True, blank=True, on_delete=models.PROTECT, related_name="completions"
    )
    team = models.ForeignKey(
        Team, null=True, blank=True, on_delete=models.PROTECT, related_name="completions"
    )
    degree = models.CharField(max_length=10, choices=Degree.choices)
    share_points = models.PositiveIntegerField(
        default=WHOLE, db_default=WHOLE
    )  # ten-thousandths of what it earns
    completed_at = models.DateTimeField()
    evidence = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)
    sequence = models.PositiveIntegerField(default=1)
    recorded_by = models.ForeignKey(Person, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    revoked_reason = models.TextField(blank=True)

    objects = CompletionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(person__isnull=False, team=None) | Q(person=None, team__isnull=False),
                name="a_completion_is_by_a_person_or_a_team",
            ),
            models.CheckConstraint(condition=Q(degree__in=["done", "partly"]), name="degree_is_known"),
            models.CheckConstraint(
                condition=Q(share_points__gte=1, share_points__lte=WHOLE),
                name="a_share_is_a_part_of_the_whole",
            ),
            models.CheckConstraint(condition=Q(sequence__gte=1), name="completions_are_counted_from_one"),
            models.CheckConstraint(
                condition=Q(revoked_at__isnull=False) | Q(revoked_reason=""),
                name="only_what_is_revoked_says_why",
            ),
            models.UniqueConstraint(
                fields=["task", "person"],
                condition=Q(revoked_at=None, person__isnull=False),
                name="one_active_completion_per_task_and_person",
            ),
            models.UniqueConstraint(
                fields=["task", "team"],
                condition=Q(revoked_at=None, team__isnull=False),
                name="one_active_completion_per_task_and_team",
            ),
            models.UniqueConstraint(
                fields=["task", "person", "sequence"],
                condition=Q(person__isnull=False),
                name="one_completion_per_task_person_and_sequence",
            ),
            models.UniqueConstraint(
                fields=["task", "team", "sequence"],
                condition=Q(team__isnull=False),
                name="one_completion_per_task_team_and_sequence",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.claimant} on {self.task_id}: {self.degree}"

    @property
    def claimant(self) -> Person | Team:
        """Whoever completed the task."""
        claimant = self.person or self.team
        assert claimant is not None  # noqa: S101 (a constraint says so)
        return claimant

    @property
    def split(self) -> Split:
        """How what it earns is shared, as a mentor settled it: evidence, beside the claimant's own `share_points`."""
        told = self.evidence.get("split")
        return Split(tuple(told["points"]), told["place"]) if told else ALONE

    @property
    def is_active(self) -> bool:
        """Whether the completion holds."""
        return self.revoked_at is None


class Account(models.Model):
    """Where amounts of one pool lie: with the pool itself (neither person nor team), with a person, or with a team.

    An unresolved name is a person without GitHub id and has an account like anybody else.
    """

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="accounts")
    person = models.ForeignKey(
        Person, null=True, blank=True, on_delete=models.PROTECT, related_name="accounts"
    )
    team = models.ForeignKey(Team, null=True, blank=True, on_delete=models.PROTECT, related_name="accounts")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(person=None) | Q(team=None), name="an_account_has_exactly_one_owner"
            ),
            models.UniqueConstraint(
                fields=["pool"], condition=Q(person=None, team=None), name="one_account_per_pool_itself"
            ),
            models.UniqueConstraint(
                fields=["pool", "person"],
                condition=Q(person__isnull=False),
                name="one_account_per_pool_and_person",
            ),
            models.UniqueConstraint(
                fields=["pool", "team"],
                condition=Q(team__isnull=False),
                name="one_account_per_pool_and_team",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.owner} in {self.pool}" if self.is_beneficiary else str(self.pool)

    @property
    def owner(self) -> Pool | Person | Team:
        """Whose account it is."""
        return self.person or self.team or self.pool

    @property
    def is_beneficiary(self) -> bool:
        """Whether it is somebody's, rather than the pool's own."""
        return self.person_id is not None or self.team_id is not None


class Transaction(models.Model):
    """Some lines of the ledger that belong together and balance. Never changed: a reversal points back at it.

    `key` says what the transaction is for, so that nothing is posted twice. `at` is the time it counts from,
    `created_at` the time it was written.
    """

    class Kind(models.TextChoices):
        AWARD = "award", _("Award")
        REVERSAL = "reversal", _("Reversal")

    key = models.CharField(max_length=160, unique=True)
    kind = models.CharField(max_length=20, choices=Kind.choices)
    completion = models.ForeignKey(
        Completion, null=True, blank=True, on_delete=models.PROTECT, related_name="transactions"
    )
    reverses = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="reversal"
    )
    at = models.DateTimeField()
    created_at = models.DateTimeField()
    memo = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(key=""), name="a_transaction_has_a_key"),
            models.CheckConstraint(
                condition=Q(kind__in=["award", "reversal"]), name="transaction_kind_is_known"
            ),
            models.CheckConstraint(
                condition=Q(kind="reversal", reverses__isnull=False)
                | (~Q(kind="reversal") & Q(reverses=None)),
                name="a_reversal_and_only_a_reversal_points_back",
            ),
            models.CheckConstraint(
                condition=~Q(kind="award") | Q(completion__isnull=False),
                name="an_award_names_its_completion",
            ),
        ]

    def __str__(self) -> str:
        return self.key


class LedgerEntry(models.Model):
    """One immutable line of the ledger: so many steps into an account, or out of it when negative."""

    transaction = models.ForeignKey(Transaction, on_delete=models.PROTECT, related_name="entries")
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="entries")
    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="entries")
    amount_steps = models.BigIntegerField()

    class Meta:
        verbose_name_plural = "ledger entries"
        constraints = [
            models.CheckConstraint(condition=~Q(amount_steps=0), name="a_line_moves_something"),
            models.UniqueConstraint(
                fields=["transaction", "account"], name="one_line_per_transaction_and_account"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount_steps:+d} on {self.account_id}"
