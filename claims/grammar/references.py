"""Which pull requests a comment hands in, and which it only points at (cases/README.md, section 1)."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

from claims.grammar.unread import ReadableText
from tasks_board.documents import references
from tasks_board.documents.model import PullRequestRef, Span
from tasks_board.documents.pointers import pointed_at


class CommentReferences:
    """The references of a comment from left to right, those that do not count too."""

    def __init__(self, source: ReadableText, repository: str) -> None:
        self._text = source.text
        # Most comments name none; looking for these two is cheaper than reading the text once more.
        may_name_any = "#" in source.text or "://" in source.text
        self._found = references.find_references(source.text, repository=repository) if may_name_any else []
        self._starts = [reference.span.start for reference in self._found]
        pointed = pointed_at(source.text, [reference.span for reference in self._found])
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
