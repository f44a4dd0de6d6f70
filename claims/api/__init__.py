"""Tasks with their claims, and people, over the API."""

from claims.api.people import ClaimList, PersonList, show_person
from claims.api.tasks import TaskList, show_task

__all__ = ["ClaimList", "PersonList", "TaskList", "show_person", "show_task"]
