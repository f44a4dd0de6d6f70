"""Numbers and stars of tasks as they are stored."""

import re
from decimal import Decimal

from tasks_board.models import STAR_STEPS


def sort_key(number: str) -> str:
    """A text that sorts numbers as people do: 2 before 10, A-2 before A-10, 1.4 before 1.10."""
    return re.sub(r"\d+", lambda match: match[0].lstrip("0").rjust(12, "0"), number.lower())[:200]


def star_steps(stars: str | None) -> int | None:
    """Stars as written (a plain decimal) in thousandths; None for none, or for a part of a thousandth."""
    if stars is None:
        return None
    steps = Decimal(stars) * STAR_STEPS
    return int(steps) if steps == steps.to_integral_value() and steps < 2**31 else None
