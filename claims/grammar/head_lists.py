"""The list of a head: the rest of its line, or the next, and the lines that go on with it (section 2)."""

from collections.abc import Container, Sequence
from dataclasses import dataclass

from claims.grammar.heads import behind_bullet, is_empty, next_filled_line
from claims.grammar.id_list import COMMENT_LIST, SUBMIT_LIST, ListedIds, read_id_list
from claims.grammar.ids import TaskIds
from tasks_board.documents.model import Span

_SEPARATOR_AT_END = ("、", ",", ";", "/", "&", "和", "与", "及", "and")


@dataclass(frozen=True, slots=True)
class HeadList:
    """The ids behind a head, and the number of the line where their list stands."""

    items: tuple[ListedIds, ...]
    line: int


def read_list_of_head(
    text: str,
    lines: Sequence[Span],
    first: int,
    behind: int,
    ids: TaskIds,
    *,
    heads: Container[int] = (),
    submitting: bool = False,
) -> HeadList:
    """Read the list that begins at ``behind`` on line ``first``; lines in ``heads`` belong to others.

    That of a submit head is one line only, and ends before a pull request.
    """
    rules = SUBMIT_LIST if submitting else COMMENT_LIST
    listed_at = first
    start = behind
    if is_empty(text, Span(behind, lines[first].end)):
        following = next_filled_line(text, lines, first)
        if following is None or following in heads:
            return HeadList((), first)
        listed_at, start = following, behind_bullet(text, lines[following])
    listed = read_id_list(text, start, lines[listed_at].end, ids, rules)
    items, line = list(listed.items), listed_at
    while not submitting and listed.end == lines[line].end:
        following = _continuation(text, lines, line)
        if following is None or following in heads:
            break
        listed = read_id_list(text, behind_bullet(text, lines[following]), lines[following].end, ids)
        if not listed.items or listed.end != lines[following].end:
            break
        items.extend(listed.items)
        line = following
    return HeadList(tuple(items), listed_at)


def _continuation(text: str, lines: Sequence[Span], line: int) -> int | None:
    """The line on which a list may go on: the next one, beyond empty ones only behind a separator."""
    following = next_filled_line(text, lines, line)
    if following is None or following == line + 1:
        return following
    ended_open = lines[line].of(text).rstrip().lower().endswith(_SEPARATOR_AT_END)
    return following if ended_open else None
