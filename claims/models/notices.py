"""What a person is told in the portal: the bell."""

from django.db import models

from portal.models import Person
from tasks_board.models import Event, Task


class Notice(models.Model):
    """Something that changed for somebody. `kind` is a stable code, `data` what its words need; told once for each key."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="notices")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="+")
    task = models.ForeignKey(Task, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    claim = models.ForeignKey(
        "claims.Claim", null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    kind = models.CharField(max_length=40)
    data = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField()
    seen_at = models.DateTimeField(null=True, blank=True)
    key = models.CharField(max_length=160)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "key"], name="one_notice_per_person_and_key")
        ]
        indexes = [
            models.Index(fields=["person", "-at"], name="notices_latest"),
            models.Index(fields=["person"], condition=models.Q(seen_at=None), name="notices_unseen"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.person_id}"
