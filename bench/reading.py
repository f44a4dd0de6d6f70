"""Figures of the pure packages: reading and writing tables, reading comments."""

from bench.clocks import best_cpu_seconds
from bench.texts import badge_body, comments, hostile_bodies
from claims.grammar.comments import read_comment
from claims.grammar.ids import TaskIds
from tasks_board.documents.editing import SetClaimant, apply_edit, apply_edits
from tasks_board.documents.identity import identity_of_row, pair_rows
from tasks_board.documents.merge import merge_texts
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
    """All that a text of people costs while a write of ours covers another one of theirs.

    The new text is read and its rows are followed; the covered one is merged into it as text; then ours, one cell of every
    tenth row, is written over both.
    """
    covered = body.replace("| op 333 |", "| op 333 ✅ |")
    written = apply_edits(body, _ours(), repository=REPOSITORY)
    current = written.replace("| op 500 |", "| op 500, later |")

    def merge() -> None:
        before, now = (read_body(text, repository=REPOSITORY) for text in (written, current))
        pair_rows([identity_of_row(row) for row in before.tasks], [identity_of_row(row) for row in now.tasks])
        merged = merge_texts(base=body, mine=current, theirs=covered, prefer_theirs=True)
        apply_edits(merged.text, _ours(), repository=REPOSITORY)

    return best_cpu_seconds(merge, runs=3)


def _ours() -> list[SetClaimant]:
    return [
        SetClaimant(number=str(n), title=f"op {n}", login=f"wake-{n}", state=State.CLAIMED)
        for n in range(1, ROWS, 10)
        if n not in (331, 501)
    ]


def _read_comments() -> None:
    ids = TaskIds.from_compact(["1-80"])
    for comment in comments(10_000):
        read_comment(comment, author="moss07", author_type="User", repository=REPOSITORY, task_ids=ids)
