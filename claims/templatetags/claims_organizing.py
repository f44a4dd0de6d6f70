"""What the organizers' pages have in common."""

from django import template

from claims.organizing import waiting
from tasks_board.models import Event

register = template.Library()


@register.simple_tag
def what_waits(event: Event) -> waiting.Waiting:
    """How much waits for an organizer, for the counts in the navigation."""
    return waiting.count_waiting(event)
