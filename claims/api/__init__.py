"""Tasks with their claims, people, and what changed for the reader, over the API."""

from claims.api.notices import NoticeList
from claims.api.people import ClaimList, PersonList, show_person
from claims.api.tasks import TaskList, show_task

__all__ = ["ClaimList", "NoticeList", "PersonList", "TaskList", "show_person", "show_task"]
