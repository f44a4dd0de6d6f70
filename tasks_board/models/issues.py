"""Where an event's tables stand at GitHub, and every text they had."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from portal.models import Person


class TrackingIssue(models.Model):
    """A text at GitHub that carries an event's tables: the body of an issue, or a comment under one (`comment_id`).

    `body` is the text that GitHub has as far as we know. `agreed_body` is the base of the merge: the text that holds
    every edit of a person we know of; they differ only while an edit that our write covered is on its way back.
    Mirror-only until an organizer switches writing on.
    """

    class Writing(models.TextChoices):
        MIRROR = "mirror", _("Read only")
        ON = "on", _("Kept up to date")
        HELD = "held", _("Held back by an alarm")

    event = models.ForeignKey("tasks_board.Event", on_delete=models.CASCADE, related_name="tracking_issues")
    repository = models.CharField(max_length=140)  # owner/name as GitHub spells it
    number = models.PositiveIntegerField(null=True, blank=True)  # None: pasted text that stands in no issue
    comment_id = models.BigIntegerField(
        null=True, blank=True
    )  # GitHub's id of the comment; None: the issue's body
    former_addresses = models.JSONField(
        default=list, blank=True, db_default=[]
    )  # owner/name#n, before it moved
    retired_at = models.DateTimeField(
        null=True, blank=True
    )  # merged into others; its tasks went with their rows
    title = models.CharField(max_length=300, blank=True)
    body = models.TextField(blank=True)
    body_at = models.DateTimeField(null=True, blank=True)  # GitHub's time of that text
    agreed_body = models.TextField(blank=True)
    writing = models.CharField(max_length=10, choices=Writing.choices, default=Writing.MIRROR)
    writing_changed_by = models.ForeignKey(
        Person, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    writing_changed_at = models.DateTimeField(null=True, blank=True)
    written_at = models.DateTimeField(null=True, blank=True)
    write_spacing = models.PositiveIntegerField(default=0)  # seconds; grows under load
    # A table without a column for claimants says nothing of claims; an organizer may have one put in with the next write.
    lacks_column = models.BooleanField(default=False, db_default=False)
    column_wanted = models.BooleanField(default=False, db_default=False)
    # The figures and people that the text states, as read last: board, people, struck (claims.operations.counting).
    stated = models.JSONField(default=dict, blank=True, db_default={})
    alarm = models.CharField(max_length=60, blank=True)  # code of what is wrong, e.g. body_too_long
    alarm_at = models.DateTimeField(null=True, blank=True)
    alarm_about = models.CharField(
        max_length=300, blank=True, db_default=""
    )  # a login, or what GitHub answered
    read_at = models.DateTimeField(null=True, blank=True)
    comments_read_until = models.DateTimeField(null=True, blank=True)
    # What an imported bot configuration says beside the text: its name, its directions by numbers, what it leaves out.
    configuration = models.JSONField(default=dict, blank=True)
    # What an organizer corrected of our reading: columns, marks, directions, people (tasks_board.documents.choices).
    reading_choices = models.JSONField(default=dict, blank=True, db_default={})

    class Meta:
        constraints = [
            models.UniqueConstraint(
                "event",
                Lower("repository"),
                "number",
                condition=Q(comment_id=None),
                name="one_body_per_event_and_issue",
            ),
            models.UniqueConstraint(
                fields=["event", "comment_id"],
                condition=Q(comment_id__isnull=False),
                name="one_text_per_event_and_comment",
            ),
            models.CheckConstraint(
                condition=Q(writing__in=["mirror", "on", "held"]), name="writing_is_known"
            ),
        ]
        indexes = [models.Index(Lower("repository"), "number", name="tracking_issue_address")]

    def __str__(self) -> str:
        if self.number is None:
            return self.repository
        address = f"{self.repository}#{self.number}"
        return address if self.comment_id is None else gettext("%(issue)s (comment)") % {"issue": address}


class IssueRevision(models.Model):
    """A text that a tracking issue's body once had: by whom, when, and its SHA-256, so that it enters once."""

    tracking_issue = models.ForeignKey(TrackingIssue, on_delete=models.CASCADE, related_name="revisions")
    sha256 = models.CharField(max_length=64)
    body = models.TextField(blank=True)
    editor = models.ForeignKey(Person, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    ours = models.BooleanField(default=False)
    # Whether the agreed text holds it: a late edit is only heard, a write of ours may still be on its way.
    is_merged = models.BooleanField(default=True, db_default=True)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tracking_issue", "sha256", "at"], name="one_revision_per_text_and_time"
            ),
        ]
        indexes = [models.Index(fields=["tracking_issue", "-at"], name="revision_latest")]

    def __str__(self) -> str:
        return self.sha256[:12]
