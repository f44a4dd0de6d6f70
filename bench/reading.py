"""Figures of the pure packages: reading and writing tables, reading comments."""

from bench.clocks import best_cpu_seconds
from bench.texts import badge_body, comments, hostile_bodies
from claims.grammar.comments import read_comment
from claims.grammar.ids import TaskIds
from tasks_board.documents.editing import SetClaimant, apply_edit
from tasks_board.documents.merge import DesiredClaimant, plan_merge
from tasks_board.documents.model import State
from tasks_board.documents.reading import read_body

REPOSITORY = "o/r"
ROWS = 664  # the longest event so far


def measure() -> dict[str, float]:
    """Milliseconds and seconds of one core, by the names of the figures."""
    body, longer = badge_body(ROWS), badge_body(4 * ROWS)
    once = best_cpu_seconds(lambda: read_body(body, repository=REPOSITORY))
    four_times = best_cpu_seconds(lambda: read_body(longer, repository=REPOSITORY))
    edit = SetClaimant(number="500", login="fern-9", state=State.CLAIMED)
    written = best_cpu_seconds(lambda: apply_edit(body, edit, repository=REPOSITORY))
    return {
        "boards_read_664_ms": 1_000 * once,
        "boards_read_growth_4x": four_times / once,
        "boards_write_cell_ms": 1_000 * written,
        "boards_merge_664_ms": 1_000 * _merge(body),
        "boards_read_hostile_s": max(
            best_cpu_seconds(lambda text=text: read_body(text, repository=REPOSITORY), runs=2)  # type: ignore[misc]
            for text in hostile_bodies()
        ),
        "comments_10000_s": best_cpu_seconds(_read_comments, runs=2, warm_up=0),
    }


def _merge(body: str) -> float:
    """A merge in which people changed one row and the portal wants something of every tenth."""
    current = body.replace("| op 333 |", "| op 333 ✅ |")
    desired = [
        DesiredClaimant(number=str(n), title=f"op {n}", login=f"wake-{n}", team=None, state=State.CLAIMED)
        for n in range(1, ROWS, 10)
    ]
    return best_cpu_seconds(
        lambda: plan_merge(base=body, current=current, desired=desired, repository=REPOSITORY), runs=3
    )


def _read_comments() -> None:
    ids = TaskIds.from_compact(["1-80"])
    for comment in comments(10_000):
        read_comment(comment, author="moss07", author_type="User", repository=REPOSITORY, task_ids=ids)
