"""What somebody changed of a task here, on its way into the table."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from portal.models import Person


class TaskEdit(models.Model):
    """A cell of a task's row that somebody changed here: from `base` to `value`, until the table says the same.

    If a person changes the cell in the issue meanwhile, `theirs` holds what they wrote, and an organizer chooses.
    """

    class Outcome(models.TextChoices):
        WRITTEN = "written", _("Written into the table")
        OURS = "ours", _("Ours kept over the table’s")
        THEIRS = "theirs", _("The table’s kept")
        TAKEN_BACK = "taken_back", _("Taken back")

    task = models.ForeignKey("tasks_board.Task", on_delete=models.CASCADE, related_name="edits")
    field = models.CharField(max_length=40)
    base = models.TextField(blank=True)
    value = models.TextField(blank=True)
    theirs = models.TextField(blank=True)
    made_by = models.ForeignKey(Person, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    conflict_at = models.DateTimeField(null=True, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(Person, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    outcome = models.CharField(max_length=10, choices=Outcome.choices, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["task", "field"],
                condition=Q(settled_at=None),
                name="one_open_edit_per_task_and_field",
            ),
            models.CheckConstraint(
                condition=Q(outcome__in=["", "written", "ours", "theirs", "taken_back"]),
                name="outcome_of_edit_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.field} of {self.task_id}"
