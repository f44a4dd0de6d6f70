"""The one place that writes a task's state."""

from datetime import datetime

from tasks_board.models import Task


def set_task_state(*, task: Task, state: str, at: datetime) -> bool:
    """Store the derived state of a task; whether it changed. `at` is when it came to be so."""
    if task.state == state:
        return False
    task.state = Task.State(state)
    task.state_at = at
    task.save(update_fields=["state", "state_at"])
    return True
