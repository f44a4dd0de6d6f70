"""The kernel's tables: people and accounts, what came from GitHub, what goes to GitHub, and who did what."""

from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.contrib.auth.models import UserManager as AuthUserManager
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower


class PersonQuerySet(models.QuerySet["Person"]):
    """Filters on people."""

    def known(self) -> "PersonQuerySet":
        """People with a GitHub account."""
        return self.filter(github_id__isnull=False)

    def named(self, login: str) -> "PersonQuerySet":
        """People who carry this login now, whole and in any case."""
        return self.alias(login_lower=Lower("login")).filter(login_lower=login.lower())


class Person(models.Model):
    """Somebody in the community: known by numeric GitHub id, or by a bare name until resolved.

    A login is only how the person is called at present; identity is `github_id`. An unresolved person (from an old
    table, a deleted account, a file) has no id, and `login` holds the name as it was written.
    Two accounts of one person: `canonical` of the one points to the other; nothing stored is rewritten.
    """

    github_id = models.BigIntegerField(null=True, blank=True, unique=True)
    login = models.CharField(max_length=100)
    login_seen_at = models.DateTimeField(null=True, blank=True)
    is_bot = models.BooleanField(default=False)
    is_portal = models.BooleanField(default=False)  # the account that we write as
    canonical = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="aliases"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[models.Manager["Person"]] = PersonQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "people"
        constraints = [
            models.UniqueConstraint(
                Lower("login"), condition=Q(github_id__isnull=True), name="one_unresolved_person_per_name"
            ),
            models.CheckConstraint(condition=~Q(login=""), name="a_person_has_a_login_or_name"),
            models.CheckConstraint(
                condition=Q(canonical__isnull=True) | ~Q(canonical=F("id")),
                name="nobody_is_an_alias_of_themselves",
            ),
        ]
        indexes = [models.Index(Lower("login"), name="person_login_lower")]

    def __str__(self) -> str:
        return self.login

    @property
    def whole_id(self) -> int:
        """The key of the account that counts: this one, or the one that it is another account of."""
        return self.canonical_id or self.pk

    @property
    def is_resolved(self) -> bool:
        """Whether the person is known by a GitHub account."""
        return self.github_id is not None


class LoginHistory(models.Model):
    """A login that a person carried, and when it was first and last seen."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="logins")
    login = models.CharField(max_length=100)
    first_seen_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "login history"
        constraints = [models.UniqueConstraint("person", Lower("login"), name="one_row_per_person_and_login")]

    def __str__(self) -> str:
        return self.login


class UserManager(AuthUserManager["User"]):
    """Accounts with their person: every page of somebody signed in asks for both."""

    def get_queryset(self) -> models.QuerySet["User"]:
        """All accounts, the person read along."""
        return super().get_queryset().select_related("person")


class User(AbstractUser):
    """A sign-in account. Points to the person who signs in; staff accounts for the admin may have none."""

    person = models.OneToOneField(
        Person, null=True, blank=True, on_delete=models.PROTECT, related_name="user"
    )

    objects: ClassVar[UserManager] = UserManager()


class AuditEntry(models.Model):
    """One thing that somebody (or, without actor, the system) did, with a stable action code."""

    action = models.CharField(max_length=80)
    actor = models.ForeignKey(Person, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    # Plain numbers, since the kernel knows no event and no task.
    event_id = models.BigIntegerField(null=True, blank=True)
    target_type = models.CharField(max_length=60)
    target_id = models.BigIntegerField()
    data = models.JSONField(default=dict)
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "audit entries"
        indexes = [
            models.Index(fields=["event_id", "-at"], name="audit_by_event"),
            models.Index(fields=["target_type", "target_id", "-at"], name="audit_by_target"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.target_type}:{self.target_id}"


class Delivery(models.Model):
    """A webhook as it arrived, kept until it is processed and some time after. GitHub's delivery id is unique."""

    delivery_id = models.CharField(max_length=64, unique=True)
    event = models.CharField(max_length=60)
    payload = models.JSONField()
    received_at = models.DateTimeField()
    processed_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    next_attempt_at = models.DateTimeField(null=True, blank=True)
    last_error = models.TextField(blank=True)

    class Meta:
        verbose_name_plural = "deliveries"
        indexes = [
            models.Index(fields=["received_at"], condition=Q(processed_at=None), name="delivery_unprocessed"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.delivery_id}"


class OutboxMessage(models.Model):
    """Something to do at GitHub, after the transaction that wanted it. One row per kind and key: the newest wins.

    `version` grows with every enqueue; a row is deleted only if the version that was sent is still the current one.
    What remains is what failed or waits.
    """

    kind = models.CharField(max_length=60)
    key = models.CharField(max_length=200)
    payload = models.JSONField(default=dict)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()
    taken_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    last_error = models.TextField(blank=True)
    refused_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="one_message_per_kind_and_key")]
        indexes = [models.Index(fields=["due_at"], condition=Q(refused_at=None), name="outbox_due")]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class OutboxHold(models.Model):
    """Nothing of this kind (empty: nothing at all) is sent to GitHub until it is lifted; what waits keeps its place."""

    kind = models.CharField(max_length=60, unique=True, blank=True)
    reason = models.CharField(max_length=300, blank=True)
    held_by = models.ForeignKey(Person, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    held_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.kind or "everything"
