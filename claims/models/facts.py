"""What GitHub said about pull requests: facts, upserted and never argued with."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from portal.models import Person
from tasks_board.models import Task


class PullRequest(models.Model):
    """A pull request as GitHub last told us: a fact. Newer `updated_at` wins; on a tie the terminal state; merged is final."""

    class State(models.TextChoices):
        OPEN = "open", _("Open")
        CLOSED = "closed", _("Closed")
        MERGED = "merged", _("Merged")

    github_id = models.BigIntegerField(unique=True)
    repository = models.CharField(max_length=140)
    number = models.PositiveIntegerField()
    title = models.TextField()
    body = models.TextField(blank=True)
    author = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="pull_requests")
    state = models.CharField(max_length=10, choices=State.choices)
    is_draft = models.BooleanField(default=False)
    base_branch = models.CharField(max_length=250)
    opened_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    merged_at = models.DateTimeField(null=True, blank=True)
    head_branch = models.CharField(max_length=250, blank=True, db_default="")
    labels = models.JSONField(default=list, blank=True, db_default=[])  # their names
    head_sha = models.CharField(max_length=40, blank=True, db_default="")
    # The accounts at GitHub whose review is asked for and not given since; when the author last wrote a comment there.
    reviewers_asked = models.JSONField(default=list, blank=True, db_default=[])
    author_wrote_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(Person, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    # A bot may land the commit and close the pull request: since when it stands on the branch, and as which commit.
    landed_at = models.DateTimeField(null=True, blank=True)
    landed_sha = models.CharField(max_length=40, blank=True, db_default="")
    # The title under which it was merged, as far as we know, or that somebody entitled gave it since.
    merged_title = models.TextField(blank=True, db_default="")
    merged_title_at = models.DateTimeField(null=True, blank=True)
    merged_title_by = models.ForeignKey(
        Person, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("repository"), "number", name="one_pull_request_per_address"),
            models.CheckConstraint(
                condition=Q(state__in=["open", "closed", "merged"]), name="pull_request_state_is_known"
            ),
            models.CheckConstraint(
                condition=Q(state="merged", merged_at__isnull=False)
                | (~Q(state="merged") & Q(merged_at=None)),
                name="merged_means_a_time_of_merge",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.repository}#{self.number}"


class Review(models.Model):
    """A review of a pull request: a fact. `association` is the reviewer's tie to the repository."""

    pull_request = models.ForeignKey(PullRequest, on_delete=models.CASCADE, related_name="reviews")
    github_id = models.BigIntegerField(unique=True)
    reviewer = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    association = models.CharField(max_length=30)
    state = models.CharField(max_length=20)  # approved, changes_requested, commented, dismissed
    submitted_at = models.DateTimeField()
    commit_sha = models.CharField(max_length=40, blank=True, db_default="")  # that the reviewer looked at

    def __str__(self) -> str:
        return f"{self.state} of {self.pull_request_id}"


class PullRequestLinkQuerySet(models.QuerySet["PullRequestLink"]):
    """Filters on links."""

    def holding(self) -> "PullRequestLinkQuerySet":
        """Those that no mentor has taken off."""
        return self.filter(unlinked_at=None)


class PullRequestLink(models.Model):
    """Why a pull request has to do with a task. What a mentor took off stays, and stays off, whatever titles say later."""

    class Reason(models.TextChoices):
        TITLE = "title", _("its title names the task")
        RETITLED = "retitled", _("its title names it since after the merge")
        COMMENT = "comment", _("a comment names it")
        TABLE = "table", _("the table names it")
        MENTOR = "mentor", _("a mentor linked it")

    pull_request = models.ForeignKey(PullRequest, on_delete=models.CASCADE, related_name="links")
    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="pull_request_links")
    reason = models.CharField(max_length=10, choices=Reason.choices)
    is_partial = models.BooleanField(default=False)
    is_revert = models.BooleanField(default=False)
    is_proposal = models.BooleanField(default=False)
    unlinked_at = models.DateTimeField(null=True, blank=True)
    unlinked_by = models.ForeignKey(Person, null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    objects: ClassVar[PullRequestLinkQuerySet] = PullRequestLinkQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pull_request", "task", "reason"], name="one_link_per_pull_request_task_and_reason"
            ),
            models.CheckConstraint(
                condition=Q(reason__in=["title", "retitled", "comment", "table", "mentor"]),
                name="link_reason_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pull_request_id} for {self.task_id}"


class CoAuthor(models.Model):
    """Somebody whom the trailers of a merged pull request name beside its author, or a mentor does: credited by a mentor alone.

    `share_points` of the task's reward, in ten-thousandths, once a mentor has settled the split. No e-mail is kept.
    """

    pull_request = models.ForeignKey(PullRequest, on_delete=models.CASCADE, related_name="co_authors")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="co_authored")
    proposed_at = models.DateTimeField()
    is_credited = models.BooleanField(null=True, blank=True)  # None: a mentor has not said
    decided_by = models.ForeignKey(Person, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    share_points = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pull_request", "person"], name="one_co_author_per_pull_request_and_person"
            ),
            models.CheckConstraint(
                condition=Q(share_points=None) | Q(share_points__lte=10_000),
                name="a_share_is_at_most_the_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person} on {self.pull_request_id}"


class WatchedRepository(models.Model):
    """How far a repository's pull requests have been read by polling; webhooks only make it faster."""

    repository = models.CharField(max_length=140)
    read_until = models.DateTimeField()

    class Meta:
        verbose_name_plural = "watched repositories"
        constraints = [models.UniqueConstraint(Lower("repository"), name="one_row_per_watched_repository")]

    def __str__(self) -> str:
        return self.repository
