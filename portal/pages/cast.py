"""The invented people of the demo: whom one may sign in as, and what they are there."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import QuerySet

from portal.models import User
from tasks_board.models import EventRole, TaskHelper


@dataclass(frozen=True, slots=True)
class Member:
    """One person of the cast with their strongest role: organizer, mentor or contributor."""

    user: User
    login: str
    role: str


_ORDER = {"contributor": 0, "mentor": 1, "organizer": 2}


def demo_users() -> QuerySet[User]:
    """Accounts of people; never one that may enter the admin."""
    return User.objects.filter(person__isnull=False, is_active=True, is_staff=False, is_superuser=False)


def list_cast() -> list[Member]:
    """Everybody one may sign in as, contributors first."""
    users = list(demo_users().select_related("person").order_by("pk"))
    roles: dict[int | None, set[str]] = defaultdict(set)
    people = [user.person_id for user in users]
    for person_id, role in EventRole.objects.filter(person__in=people).values_list("person_id", "role"):
        roles[person_id].add(role)
    granted = TaskHelper.objects.filter(person__in=people, granted_at__isnull=False)
    for person_id in granted.values_list("person_id", flat=True):
        roles[person_id].add("mentor")
    members = [Member(user, str(user.person), _strongest(roles[user.person_id])) for user in users]
    return sorted(members, key=lambda member: _ORDER[member.role])


def _strongest(roles: set[str]) -> str:
    return "organizer" if "organizer" in roles else "mentor" if "mentor" in roles else "contributor"
