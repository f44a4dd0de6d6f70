"""People in an event: teams and their members, and what is marked about a person there."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from portal.models import Person


class Team(models.Model):
    """Members of one event acting as one claimant. Teams of old tables are names until someone links them.

    `canonical` of a name points to the team that it means; the name stays, so that texts still find it.
    """

    event = models.ForeignKey("tasks_board.Event", on_delete=models.CASCADE, related_name="teams")
    name = models.CharField(max_length=120)
    captain = models.ForeignKey(Person, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    canonical = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="aliases"
    )
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint("event", Lower("name"), name="one_team_per_event_and_name"),
            models.CheckConstraint(
                condition=Q(canonical__isnull=True) | ~Q(canonical=F("id")), name="no_team_is_its_own_alias"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class TeamMemberQuerySet(models.QuerySet["TeamMember"]):
    """Filters on seats in teams."""

    def seated(self) -> "TeamMemberQuerySet":
        """Those who said yes and have not left. An invitation alone makes nobody a member."""
        return self.filter(accepted_at__isnull=False, left_at=None)


class TeamMember(models.Model):
    """A person in a team. Invited until accepted; gone from `left_at` on."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="members")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="team_memberships")
    invited_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    left_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[TeamMemberQuerySet] = TeamMemberQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["team", "person"], condition=Q(left_at=None), name="one_seat_per_team_and_person"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person} in {self.team}"


class EventMark(models.Model):
    """What organizers note about a person in an event, until it is lifted: banned, invited, unpaid."""

    class Kind(models.TextChoices):
        BANNED = "banned", _("Banned")
        INVITED = "invited", _("Invited")
        UNPAID = "unpaid", _("Takes part unpaid")

    event = models.ForeignKey("tasks_board.Event", on_delete=models.CASCADE, related_name="marks")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="event_marks")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    note = models.TextField(blank=True)  # for organizers only
    set_by = models.ForeignKey(Person, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    set_at = models.DateTimeField()
    lifted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event", "person", "kind"],
                condition=Q(lifted_at=None),
                name="one_mark_per_event_person_and_kind",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["banned", "invited", "unpaid"]), name="mark_kind_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person} {self.kind}"


class Registration(models.Model):
    """A line of a registration list from outside: a person or a team. `contact` is for organizers only, never exported."""

    event = models.ForeignKey("tasks_board.Event", on_delete=models.CASCADE, related_name="registrations")
    name = models.CharField(max_length=200)  # as the list calls them
    login = models.CharField(max_length=80, blank=True)
    team_name = models.CharField(max_length=120, blank=True)
    contact = models.TextField(blank=True)
    person = models.ForeignKey(
        Person, null=True, blank=True, on_delete=models.PROTECT, related_name="registrations"
    )
    team = models.ForeignKey(
        Team, null=True, blank=True, on_delete=models.SET_NULL, related_name="registrations"
    )
    imported_by = models.ForeignKey(Person, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    imported_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)  # no longer in the list
    key = models.CharField(max_length=200)  # the login, else the name with its team, in lower case

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "key"], name="one_registration_per_event_and_key"),
        ]

    def __str__(self) -> str:
        return self.name
