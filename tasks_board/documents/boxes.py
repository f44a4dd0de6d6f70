"""Boxes in a state column: ``[x]`` and ☑ say done, ``[ ]`` and ☐ leave the word to the people of the row."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tasks_board.documents.model import Span

_BOX = re.compile(
    r"\s*(?:[-*+]\s+)?(?P<box>\[[ xX]\]|[☐☑✔✓√])\ufe0f?\s*"
)  # a whole cell: beside words, the words speak
_TICKED = frozenset({"[x]", "☑", "✔", "✓", "√"})
_PARTNERS: Mapping[str, str] = {"[ ]": "[x]", "[x]": "[ ]", "☐": "☑", "☑": "☐"}


@dataclass(frozen=True, slots=True)
class Box:
    """A box that fills a cell, and where in it the box stands."""

    sign: str
    span: Span

    @property
    def is_ticked(self) -> bool:
        return self.sign in _TICKED

    def saying(self, ticked: bool) -> str | None:
        """The box of the same kind that is ticked or not; None if the kind has none."""
        return self.sign if self.is_ticked is ticked else _PARTNERS.get(self.sign)


def read_box(source: str) -> Box | None:
    """The box that a cell is, if it is nothing else."""
    match = _BOX.fullmatch(source)
    return Box(match["box"].lower(), Span(*match.span("box"))) if match else None
