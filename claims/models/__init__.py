"""Claims, and all that is known about them: facts from GitHub, statements in texts, dated decisions."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from claims.models.drafts import ImportDraft as ImportDraft
from claims.models.facts import CoAuthor as CoAuthor
from claims.models.facts import PullRequest as PullRequest
from claims.models.facts import PullRequestLink as PullRequestLink
from claims.models.facts import Review as Review
from claims.models.facts import WatchedRepository as WatchedRepository
from claims.models.notices import Notice as Notice
from portal.models import Person
from tasks_board.models import IssueRevision, Task, Team, TrackingIssue


class IssueComment(models.Model):
    """A comment under a tracking issue: a fact. `reading` is what the grammar made of the current text."""

    tracking_issue = models.ForeignKey(TrackingIssue, on_delete=models.CASCADE, related_name="comments")
    github_id = models.BigIntegerField()
    author = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="issue_comments")
    body = models.TextField()
    written_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    deleted_at = models.DateTimeField(null=True, blank=True)
    reading = models.JSONField(default=dict)
    needs_help = models.BooleanField(default=False)  # looked like an attempt and could not be fully read
    handled_at = models.DateTimeField(null=True, blank=True)  # a mentor has seen to it

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tracking_issue", "github_id"], name="one_row_per_issue_and_comment"
            ),
        ]
        indexes = [models.Index(fields=["github_id"], name="comments_by_github_id")]

    def __str__(self) -> str:
        return f"comment {self.github_id}"


class Reply(models.Model):
    """What an event makes of a person's comment, and our one answer to it, edited in place when either changes.

    Where several events hear one comment, the earliest of their replies carries the one answer of all.
    """

    comment = models.OneToOneField(IssueComment, on_delete=models.CASCADE, related_name="reply")
    github_id = models.BigIntegerField(null=True, blank=True)
    body = models.TextField(blank=True)  # as it stands at GitHub
    wanted = models.TextField(blank=True)  # as it shall stand
    posted_at = models.DateTimeField(null=True, blank=True)  # since when what the event says is a part of it
    # What became of each number (`claims.replies.Line`); none: of days when words alone were kept, which stay as they are.
    lines = models.JSONField(null=True, blank=True)
    # In a quiet event a reaction answers in place of words: the one that stands at GitHub, and the one that shall.
    reaction = models.CharField(max_length=20, blank=True, db_default="")
    wanted_reaction = models.CharField(max_length=20, blank=True, db_default="")

    class Meta:
        verbose_name_plural = "replies"

    def __str__(self) -> str:
        return f"reply to {self.comment_id}"


class ClaimQuerySet(models.QuerySet["Claim"]):
    """Filters on claims."""

    def in_hand(self) -> "ClaimQuerySet":
        """Claims that wait for their claimant; what waits for a review is in nobody's hands."""
        return self.filter(turn=Claim.Turn.CLAIMANT, shown=True)

    def live(self) -> "ClaimQuerySet":
        """Claims that count for the state of their task."""
        return self.exclude(standing__in=Claim.GONE)


class Claim(models.Model):
    """A person or team takes a task. One row for each task and claimant, whatever happens to it.

    `standing` and what follows are derived by `claims.standing` from the claim's decisions, facts and statements;
    `operations.standings` alone writes them.
    """

    class Standing(models.TextChoices):
        REQUESTED = "requested", _("Requested")
        WAITING = "waiting", _("Waiting")
        CLAIMED = "claimed", _("Claimed")
        RFC_SUBMITTED = "rfc_submitted", _("RFC in review")
        RFC_MERGED = "rfc_merged", _("RFC merged")
        PR_OPEN = "pr_open", _("PR open")
        APPROVED = "approved", _("Approved")
        PARTLY_DONE = "partly_done", _("Partly done")
        DONE = "done", _("Done")
        DEFERRED = "deferred", _("Deferred")
        BLOCKED = "blocked", _("Blocked")
        CLOSED_UNMERGED = "closed_unmerged", _("Closed unmerged")
        WITHDRAWN = "withdrawn", _("Withdrawn")
        DECLINED = "declined", _("Declined")
        EXPIRED = "expired", _("Expired")
        SUPERSEDED = "superseded", _("Superseded")

    class Basis(models.TextChoices):
        DECISION = "decision", _("a decision")
        FACT = "fact", _("a fact at GitHub")
        STATEMENT = "statement", _("a statement in a text")

    class Turn(models.TextChoices):
        CLAIMANT = "claimant", _("the claimant’s turn")
        REVIEWER = "reviewer", _("the reviewers’ turn")

    GONE = ("withdrawn", "declined", "expired", "superseded", "closed_unmerged")
    ENDED = (*GONE, "done")
    IN_HAND = (
        "claimed",
        "rfc_submitted",
        "rfc_merged",
        "pr_open",
        "approved",
        "partly_done",
        "closed_unmerged",
    )
    # Whoever stands so has one of the task's places, until a release, a decision or the rules free it.
    HOLDS_PLACE = (*IN_HAND, "done", "deferred", "blocked")

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="claims")
    person = models.ForeignKey(Person, null=True, blank=True, on_delete=models.PROTECT, related_name="claims")
    team = models.ForeignKey(Team, null=True, blank=True, on_delete=models.PROTECT, related_name="claims")
    standing = models.CharField(max_length=20, choices=Standing.choices, default=Standing.CLAIMED)
    standing_at = models.DateTimeField()
    basis = models.CharField(max_length=10, choices=Basis.choices, default=Basis.DECISION)
    reason = models.JSONField(
        default=dict
    )  # {"code": …, "pull_request": …}: why it stands so, for words see reasons
    doubts = models.JSONField(default=list)  # [{"code": …, …}] for the mentor's queue
    shown = models.BooleanField(default=True)  # False: only a release is known, its claim may still arrive
    turn = models.CharField(max_length=10, choices=Turn.choices, blank=True)  # whose it is; empty: nobody's
    due_at = models.DateTimeField(null=True, blank=True)  # when its time is over, by the event's limits
    # What the table in the issue says about this claim as far as both sides agree; empty: not there.
    table_standing = models.CharField(max_length=20, blank=True)
    table_pull_requests = models.JSONField(default=list)
    created_at = models.DateTimeField()

    objects = ClaimQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(person__isnull=False, team=None) | Q(person=None, team__isnull=False),
                name="a_claim_is_by_a_person_or_a_team",
            ),
            models.UniqueConstraint(fields=["task", "person"], name="one_claim_per_task_and_person"),
            models.UniqueConstraint(fields=["task", "team"], name="one_claim_per_task_and_team"),
            models.CheckConstraint(
                condition=Q(
                    standing__in=[
                        "requested",
                        "waiting",
                        "claimed",
                        "rfc_submitted",
                        "rfc_merged",
                        "pr_open",
                        "approved",
                        "partly_done",
                        "done",
                        "deferred",
                        "blocked",
                        "closed_unmerged",
                        "withdrawn",
                        "declined",
                        "expired",
                        "superseded",
                    ]
                ),
                name="standing_is_known",
            ),
            models.CheckConstraint(
                condition=Q(basis__in=["decision", "fact", "statement"]), name="basis_is_known"
            ),
            models.CheckConstraint(condition=Q(turn__in=["", "claimant", "reviewer"]), name="turn_is_known"),
        ]
        indexes = [
            models.Index(fields=["person", "standing"], name="claims_of_a_person"),
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="claims_by_due_time"),
            models.Index(fields=["task"], condition=Q(standing="waiting"), name="claims_in_line"),
        ]

    def __str__(self) -> str:
        return f"{self.claimant} on {self.task_id}"

    @property
    def claimant(self) -> Person | Team:
        """Whoever took the task."""
        claimant = self.person or self.team
        assert claimant is not None  # noqa: S101 (a constraint says so)
        return claimant


class Decision(models.Model):
    """What an entitled person, the claimant about their own claim, or the rules settled. Dated, never changed.

    `key` is unique, so that what arrives twice is decided once.
    """

    class Kind(models.TextChoices):
        # of the claimant, or about taking part
        CLAIMED = "claimed", _("Claimed")
        REQUESTED = "requested", _("Asked for")
        WAITING = "waiting", _("Waits in line")
        RENEWED = "renewed", _("Time begun anew")
        EXTENDED = "extended", _("Given more time")
        ADMITTED = "admitted", _("Admitted")
        DECLINED = "declined", _("Declined")
        RELEASED = "released", _("Released")
        EXPIRED = "expired", _("Expired")
        # about the work
        ACCEPTED = "accepted", _("Accepted as done")
        PARTIAL = "partial", _("Accepted in part")
        REJECTED = "rejected", _("Not accepted")
        DEFERRED = "deferred", _("Deferred")
        BLOCKED = "blocked", _("Blocked")
        FOLLOWS_FACTS = "follows_facts", _("Left to the facts again")
        UNDONE = "undone", _("Taken back")  # the decision that `undoes` names counts as never made
        # of the rules
        PROMOTED = "promoted", _("Moved up")
        REMINDED = "reminded", _("Reminded")
        SUPERSEDED = "superseded", _("Another one was merged first")
        RESTORED = "restored", _("Open again")

    # What a mentor may say about a claim; claiming and requesting are the claimant's own.
    BY_MENTORS = (
        Kind.ADMITTED,
        Kind.DECLINED,
        Kind.RELEASED,
        Kind.ACCEPTED,
        Kind.PARTIAL,
        Kind.REJECTED,
        Kind.DEFERRED,
        Kind.BLOCKED,
        Kind.FOLLOWS_FACTS,
    )

    class Source(models.TextChoices):
        WEB = "web", _("on the web")
        COMMENT = "comment", _("in a comment")
        TABLE = "table", _("in the table")
        IMPORT = "import", _("at import")
        RULES = "rules", _("by the rules")

    claim = models.ForeignKey(Claim, on_delete=models.CASCADE, related_name="decisions")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    at = models.DateTimeField()
    decided_by = models.ForeignKey(Person, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    source = models.CharField(max_length=10, choices=Source.choices)
    comment = models.ForeignKey(
        IssueComment, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    revision = models.ForeignKey(
        IssueRevision, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    note = models.TextField(blank=True)
    # What a mentor overruled by it: [{"rule": …, "values": {…}}], as `claims.policy` says them.
    against = models.JSONField(default=list, blank=True, db_default=[])
    until = models.DateTimeField(null=True, blank=True)  # of an extension; of a reminder the end it speaks of
    undoes = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="undone_by"
    )
    key = models.CharField(max_length=160, unique=True)
    # When it was noted down; `at` may lie before, as with what a comment said. Unknown of older rows.
    recorded_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(source__in=["web", "comment", "table", "import", "rules"]),
                name="decision_source_is_known",
            ),
        ]
        indexes = [models.Index(fields=["claim", "at"], name="decisions_in_order")]

    def __str__(self) -> str:
        return f"{self.kind} at {self.at:%Y-%m-%d %H:%M}"


class Statement(models.Model):
    """What a text says about a claim: the state read for a claimant in a revision of the table. Shows, never awards."""

    claim = models.ForeignKey(Claim, on_delete=models.CASCADE, related_name="statements")
    state = models.CharField(max_length=20)
    editor = models.ForeignKey(Person, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    revision = models.ForeignKey(IssueRevision, on_delete=models.PROTECT, related_name="statements")
    at = models.DateTimeField()
    pull_requests = models.JSONField(default=list)  # owner/repo#n

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["claim", "revision"], name="one_statement_per_claim_and_revision"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.state} at {self.at:%Y-%m-%d %H:%M}"


class TableConflict(models.Model):
    """Both a person and the portal changed what the table says about a claim. Waits for an organizer's click."""

    claim = models.ForeignKey(Claim, on_delete=models.CASCADE, related_name="conflicts")
    ours = models.CharField(max_length=20)
    theirs = models.CharField(max_length=20)
    revision = models.ForeignKey(IssueRevision, on_delete=models.PROTECT, related_name="+")
    raised_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(Person, null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["claim"], condition=Q(settled_at=None), name="one_open_conflict_per_claim"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ours} / {self.theirs}"
