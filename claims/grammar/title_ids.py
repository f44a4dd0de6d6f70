"""The ids behind a prefix in a title (cases/README.md, section 3: ids)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from claims.grammar import tokens
from claims.grammar.id_list import IdList, ListedIds, ListRules, read_id_list
from claims.grammar.ids import TaskIds
from claims.grammar.title_words import Match
from tasks_board.documents.model import Span

OPENING, CLOSING = "【[「(", "】]」)"
# A tag in any brackets; square ones may hold one more pair: [A-[3-5]].
TAG = re.compile(r"\s*+(?:【[^【】]*+】|\[(?:[^\[\]]|\[[^\[\]]*+\])*+\]|「[^「」]*+」|\([^()]*+\))")
_BRACKET = re.compile(r"[【\[「(】\]」)]")
_REMARK = re.compile(r"\([^()]*+\)")
_BEHIND_MARK = re.compile(r"\s*+[.。:]?\s*+")
_COLON = re.compile(r"\s*+:")
_MARK = re.compile(r"\s*+(?:no(?![a-z])\s*+[.。:]?|#)\s*+(?=[0-9a-z])", re.IGNORECASE)
_CLOSED = re.compile(rf"\s*+[{re.escape(CLOSING)}]+\s*+")
_NUMBER_OF_PULL_REQUEST = re.compile(r"\s*+\(\s*#[0-9]++\s*\)")
_EDITION = re.compile(r"\s*+:?\s*+(?:第\s*)?[0-9一二三四五六七八九十]")

_IN_TAG = ListRules(tokens.SKIPPED_IN_TAGS)


@dataclass(frozen=True, slots=True)
class TitleIds:
    """The ids behind one prefix and the place where they end."""

    items: tuple[ListedIds, ...]
    end: int

    def known(self, ids: TaskIds) -> list[str]:
        return [task for item in self.items for task in ids.known(item.named)]


def ids_behind(title: str, match: Match, editions: frozenset[str]) -> TitleIds:
    """The ids a prefix names; ``editions`` are the words behind which a number is an edition."""
    ids = match.event.task_ids
    if match.marked:
        start = tokens.end_of(_BEHIND_MARK, title, match.end, len(title))
        listed = _list_in_own_bracket(title, start, ids) or _list_at(title, start, ids)
        return _with_further_tags(title, listed, ids)
    if match.last_word in editions and _EDITION.match(title, match.end):
        return TitleIds((), match.end)
    for start in (match.end, tokens.end_of(_CLOSED, title, match.end, len(title))):
        found = _list_without_prefix_mark(title, start, ids)
        if found.items:
            return _with_further_tags(title, found, ids)
    return _id_tags(title, match.end, ids)


def _list_in_own_bracket(title: str, start: int, ids: TaskIds) -> IdList | None:
    """The ids of a mark whose number has a bracket of its own: ``No.[12]``."""
    tag = TAG.match(title, start)
    return _whole_list(title, _inside(title, tag), ids) if tag else None


def _list_without_prefix_mark(title: str, start: int, ids: TaskIds) -> IdList:
    """A list with or without a mark, maybe behind a colon; a number without mark counts only if no word follows."""
    start = tokens.end_of(_COLON, title, start, len(title))
    mark = _MARK.match(title, start)
    if mark is not None and not _NUMBER_OF_PULL_REQUEST.match(title, start):
        return _list_at(title, mark.end(), ids)
    return _list_at(title, tokens.end_of(tokens.BLANKS, title, start, len(title)), ids, unmarked=True)


def _list_at(title: str, start: int, ids: TaskIds, *, unmarked: bool = False) -> IdList:
    closing = _closing_bracket(title, start)
    if title[start : start + 1] in (*OPENING, ""):
        return IdList((), start)
    skipped = tokens.SKIPPED_OUTSIDE_TAGS if closing is None else tokens.SKIPPED_IN_TAGS
    end = len(title) if closing is None else closing
    return read_id_list(title, start, end, ids, ListRules(skipped, starts_weak=unmarked))


def _closing_bracket(title: str, start: int) -> int | None:
    """The bracket round a place: the next one, remarks aside, if it closes."""
    place = start
    while bracket := _BRACKET.search(title, place):
        remark = _REMARK.match(title, bracket.start())
        if remark is None:
            return bracket.start() if bracket[0] in CLOSING else None
        place = remark.end()
    return None


def _with_further_tags(title: str, listed: IdList, ids: TaskIds) -> TitleIds:
    """Tags directly behind that hold only a mark and ids go on with the list; ``(#n)`` never does."""
    items, end = list(listed.items), listed.end
    if items and title[end : end + 1] and title[end] in CLOSING:
        end += 1
    while items and (tag := TAG.match(title, end)) and not _NUMBER_OF_PULL_REQUEST.match(title, end):
        inside = _inside(title, tag)
        mark = _MARK.match(title, inside.start)
        further = _whole_list(title, inside, ids) if mark else None
        if further is None:
            break
        items, end = [*items, *further.items], tag.end()
    return TitleIds(tuple(items), end)


def _id_tags(title: str, start: int, ids: TaskIds) -> TitleIds:
    """Tags are skipped until one that is an id list with an id of the event; its neighbours count too."""
    closing = _closing_bracket(title, start)
    end = start if closing is None else closing + 1
    items: list[ListedIds] = []
    for tag, inside in _tags_from(title, end):
        listed = _whole_list(title, inside, ids)
        if listed is not None and (items or any(ids.has_any(item.named) for item in listed.items)):
            items.extend(listed.items)
            end = tag.end()
        elif items:
            break
    return TitleIds(tuple(items), end if items else start)


def _tags_from(title: str, place: int) -> Iterator[tuple[re.Match[str], Span]]:
    while tag := TAG.match(title, place):
        yield tag, _inside(title, tag)
        place = tag.end()


def _inside(title: str, tag: re.Match[str]) -> Span:
    blanks = len(tag[0]) - len(tag[0].lstrip())
    return Span(tag.start() + blanks + 1, tag.end() - 1)


def _whole_list(title: str, inside: Span, ids: TaskIds) -> IdList | None:
    """The id list that fills a tag; None for any other tag and for ``(#n)``."""
    if _NUMBER_OF_PULL_REQUEST.match(title, inside.start - 1):
        return None
    listed = read_id_list(title, inside.start, inside.end, ids, _IN_TAG)
    return listed if listed.items and listed.end == inside.end else None
