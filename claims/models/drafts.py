"""Events that somebody is setting up, before there is anything of them that others could see."""

from django.conf import settings
from django.db import models

from tasks_board.models import Event


class ImportDraft(models.Model):
    """A text that shall become an event, with what was corrected and filled in so far. Only its owner sees it.

    It holds the text as it was read, so that nothing which counts goes through the browser. Once it has made an event, or
    brought one up to date, it points there, and a second click finds it.
    One with `entries` is a bot's configuration of several (`title` is the file's name): it has no text, and each entry that
    is taken from it is a draft of its own, so that the file is there for the next one.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    repository = models.CharField(max_length=140, blank=True)
    number = models.PositiveIntegerField(null=True, blank=True)
    title = models.CharField(max_length=300, blank=True)
    body = models.TextField(blank=True)
    body_at = models.DateTimeField(null=True, blank=True)
    entries = models.JSONField(default=list, blank=True)
    entry = models.JSONField(default=dict, blank=True)  # of a configuration, which the text is about
    reading_choices = models.JSONField(default=dict, blank=True)
    # The form as it was filled in; whether the text was given by hand; corrections for events that it may revise;
    # the configuration from which its entry was taken, and the place there; of a configuration, how many it has.
    plan = models.JSONField(default=dict, blank=True)
    event = models.ForeignKey(Event, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["owner", "-created_at"], name="drafts_of_owner")]

    def __str__(self) -> str:
        return self.title or self.repository
