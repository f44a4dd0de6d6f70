"""Pointers: words that point at somebody else's work, whose references do not count (cases/README.md, section 1)."""

import re
from collections.abc import Sequence

from tasks_board.documents.model import Span

POINTER_WORDS = r"依赖|参考|基于|\bsee(?:\s+also)?\b|\bdepends\s+on\b|\bfollow(?:-|\s+)up\s+(?:of|to)\b"
_POINTER = re.compile(POINTER_WORDS, re.IGNORECASE | re.ASCII)
# A comma, a stop or a parenthesis ends what a pointer points at; so does the line.
_POINTER_ENDS = re.compile(r"[,。()!?\n]|\.(?=\s|$)")
# A label leads to the lines below it: ``依赖：`` and a list of bullets.
_BULLET = r"\n[^\S\n]*+(?:[-*+•]|[0-9]{1,9}[.)])\s"
_BELOW_LABEL = re.compile(rf"[\s*_】\]]*+:[*_]*+[^\S\n]*+(?:{_BULLET}|\n)[^\S\n]*+")
_NEXT_BULLET = re.compile(rf"[^:\n]*+{_BULLET}[^:\n]*+")
_JOINED = re.compile(r"(?:[^\S\n]|[、,;/&]|和|与|及|以及|and)*+", re.IGNORECASE)
# A label that the reference before has not begins something new: 依赖 #1, PR #2.
_LABELLED = re.compile(r"prs?\s*+\#", re.IGNORECASE)


def pointed_at(text: str, found: Sequence[Span], start: int = 0) -> dict[Span, int]:
    """Those of the references (where they stand, in order) that are behind a pointer word, or joined to one that is.

    With each the place where its pointer word begins. ``text`` is normalised and read from ``start``.
    """
    if not found or _POINTER.search(text, start, found[-1].start) is None:
        return {}
    pointed: dict[Span, int] = {}
    before, below_label = Span(start, start), False
    for reference in found:
        gap = Span(before.end, reference.start)
        pointer = _last_pointer(text, gap)
        if pointer is not None:
            below_label = _BELOW_LABEL.fullmatch(text, pointer.end, gap.end) is not None
            reached = below_label or _POINTER_ENDS.search(text, pointer.end, gap.end) is None
        else:
            below_label = below_label and _NEXT_BULLET.fullmatch(text, gap.start, gap.end) is not None
            reached = before in pointed and (below_label or _is_joined(text, before, reference))
        if reached:
            pointed[reference] = pointer.start if pointer is not None else pointed[before]
        before = reference
    return pointed


def _is_joined(text: str, before: Span, behind: Span) -> bool:
    """Do only separators part two references, and is the second no other kind of thing by its label?"""
    newly_labelled = _LABELLED.match(text, behind.start) and not _LABELLED.match(text, before.start)
    return not newly_labelled and _JOINED.fullmatch(text, before.end, behind.start) is not None


def _last_pointer(text: str, gap: Span) -> Span | None:
    pointers = list(_POINTER.finditer(text, gap.start, gap.end))
    return Span(*pointers[-1].span()) if pointers else None
