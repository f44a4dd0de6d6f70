"""Which pull requests a comment hands in, and which it only points at (cases/README.md, section 1)."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

from claims.grammar.unread import ReadableText
from tasks_board.documents import references
from tasks_board.documents.model import PullRequestRef, Span
from tasks_board.documents.references import FoundReference

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


class CommentReferences:
    """The references of a comment from left to right, those that do not count too."""

    def __init__(self, source: ReadableText, repository: str) -> None:
        self._text = source.text
        # Most comments name none; looking for these two is cheaper than reading the text once more.
        may_name_any = "#" in source.text or "://" in source.text
        self._found = references.find_references(source.text, repository=repository) if may_name_any else []
        self._starts = [reference.span.start for reference in self._found]
        pointed = _pointed_at(source.text, self._found)
        self._counted = [
            reference.span not in pointed and not source.is_struck(reference.span.start)
            for reference in self._found
        ]

    def any_in(self, area: Span) -> bool:
        """Does a reference stand in a stretch of the comment, whether it counts or not?"""
        return any(area.contains(self._found[place].span) for place in self._places_in(area))

    def is_inside_link(self, place: int) -> bool:
        """Does a place belong to a reference that is more than ``#n``?"""
        index = bisect_right(self._starts, place) - 1
        if index < 0 or place >= self._found[index].span.end:
            return False
        return not self._text.startswith("#", self._starts[index])

    def counted_in(self, area: Span, except_ids: Iterable[Span] = ()) -> tuple[PullRequestRef, ...]:
        """The pull requests named in a stretch: no struck ones, none pointed at, no ``#n`` that is an id."""
        ids = {place for span in except_ids for place in span}
        return references.unique(
            self._found[place].ref
            for place in self._places_in(area)
            if self._counted[place]
            and area.contains(self._found[place].span)
            and not ids & {self._starts[place] + 1, self._found[place].span.end}
        )

    def _places_in(self, area: Span) -> Iterator[int]:
        yield from range(bisect_left(self._starts, area.start), bisect_left(self._starts, area.end))


def _pointed_at(text: str, found: Iterable[FoundReference]) -> frozenset[Span]:
    """The places of the references that stand behind a pointer word, or are joined to one that does."""
    pointed: set[Span] = set()
    before, below_label = Span(0, 0), False
    for reference in found:
        gap = Span(before.end, reference.span.start)
        behind_pointer = _behind_pointer(text, gap)
        if behind_pointer is not None:
            below_label = _BELOW_LABEL.fullmatch(text, behind_pointer, gap.end) is not None
            reached = below_label or _POINTER_ENDS.search(text, behind_pointer, gap.end) is None
        else:
            below_label = below_label and _NEXT_BULLET.fullmatch(text, gap.start, gap.end) is not None
            reached = before in pointed and (below_label or _is_joined(text, before, reference.span))
        if reached:
            pointed.add(reference.span)
        before = reference.span
    return frozenset(pointed)


def _is_joined(text: str, before: Span, behind: Span) -> bool:
    """Do only separators part two references, and is the second no other kind of thing by its label?"""
    newly_labelled = _LABELLED.match(text, behind.start) and not _LABELLED.match(text, before.start)
    return not newly_labelled and _JOINED.fullmatch(text, before.end, behind.start) is not None


def _behind_pointer(text: str, gap: Span) -> int | None:
    """Where the last pointer word of a stretch ends."""
    pointers = list(_POINTER.finditer(text, gap.start, gap.end))
    return pointers[-1].end() if pointers else None
