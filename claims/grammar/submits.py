"""What a submit head hands in: its ids and its pull requests (cases/README.md, section 2)."""

import re
from collections.abc import Container, Sequence
from itertools import takewhile

from claims.grammar.heads import is_empty
from claims.grammar.id_list import ListedIds
from claims.grammar.references import CommentReferences
from tasks_board.documents.model import PullRequestRef, Span

_OTHER_FIELD = re.compile(r"[\s*_#+•-]*+[【\[][^【】\[\]\n]++[】\]](?!\()")
_COLON_AND_MARKS = ":*_ \t"


def items_before_references(items: Sequence[ListedIds], found: CommentReferences) -> tuple[ListedIds, ...]:
    """A list ends before a link or a pull request of a named repository."""
    return tuple(takewhile(lambda item: not found.is_inside_link(item.start), items))


def pull_requests_of(
    text: str,
    lines: Sequence[Span],
    *,
    behind: int,
    listed_at: int,
    items: Sequence[ListedIds],
    heads: Container[int],
    found: CommentReferences,
) -> tuple[PullRequestRef, ...]:
    """All references from behind the head to the next head or the first line without one."""
    end = lines[listed_at].end
    for number in range(listed_at + 1, len(lines)):
        if number in heads or not _goes_on(text, lines[number], found):
            break
        end = lines[number].end
    return found.counted_in(Span(behind, end), except_ids=[Span(item.start, item.end) for item in items])


def _goes_on(text: str, line: Span, found: CommentReferences) -> bool:
    """Lines with a reference, empty ones, labels and other fields do not end what is handed in."""
    return (
        is_empty(text, line)
        or ":" in line.of(text)[len(line.of(text).rstrip(_COLON_AND_MARKS)) :]
        or _OTHER_FIELD.match(text, line.start, line.end) is not None
        or found.any_in(line)
    )
