"""Teams written as ``name(states)(links)`` or ``name(states)[link](url)`` (TABLES.md section 4, People)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from tasks_board.documents import cells, entries, pointers, references
from tasks_board.documents import text as texts
from tasks_board.documents.entries import CellText, Entry
from tasks_board.documents.model import PullRequestRef, Span, State, best_state

_WORD_STATES: Mapping[State, str] = {
    State.CLAIMED: "报名 | 未提交",
    State.RFC_SUBMITTED: "提交提案 | 提交RFC",
    State.RFC_MERGED: "提案通过 | 沿用上期提案",
    State.PR_OPEN: "提交 | 提交作品 | 提交PR | 提交代码 | 二次提交作品",
    State.APPROVED: "技术approve | 锁定贡献",
    State.PARTLY_DONE: "作品合入",
    State.DONE: "完成贡献 | 通过答辩",
}
_STATES: Mapping[str, State] = {
    word.casefold(): state for state, words in _WORD_STATES.items() for word in words.split(" | ")
}
# A blank inside a known word does not split it; the longest word first.
_WORD = "|".join(r"\s*".join(map(re.escape, word)) for word in sorted(_STATES, key=len, reverse=True))
_KNOWN_WORD = re.compile(rf"(?<![^\s&+、,和])(?:{_WORD})(?![^\s&+、,和])", re.IGNORECASE)
_CHOICE = re.compile("[/或]")  # 报名/提交 was never filled in
_OPENER = re.compile(r"[(\[]")
_LINK = re.compile(references.MARKDOWN_LINK.pattern, re.VERBOSE)
_HINT = re.compile("报名|提交|提案|approve|锁定贡献|合入|完成贡献|通过答辩", re.IGNORECASE)

# How a state is written, and how a link to a pull request is (section 5, parenthesis).
WRITTEN_WORDS: Mapping[State, str] = {
    State.CLOSED_UNMERGED: "报名",
    State.CLAIMED: "报名",
    State.RFC_SUBMITTED: "提交提案",
    State.RFC_MERGED: "提案通过",
    State.PR_OPEN: "提交作品",
    State.APPROVED: "技术approve",
    State.PARTLY_DONE: "作品合入",
    State.DONE: "完成贡献",
}


def speaks_in_parentheses(cell: CellText) -> bool:
    """Is a claimant of this cell written 队名(状态…), struck or not?"""
    if not _HINT.search(cell.folded.text) or "(" not in cell.folded.text:
        return False
    as_unstruck = replace(cell, struck=())
    return any(entry.state is not None for item in cell.items() for entry in read_item(as_unstruck, item))


def read_item(cell: CellText, item: Span) -> list[Entry]:
    """The teams of one item; empty if none of them is written with parentheses."""
    return [_entry(cell, *_with_own_parentheses(cell, *found)) for found in _groups(cell, item)]


def link_text(ref: PullRequestRef, repository: str) -> str:
    """``#n`` for the issue's repository, ``repo#n`` for others of PaddlePaddle, else ``owner/repo#n``."""
    if ref.repository.lower() == repository.lower():
        return f"#{ref.number}"
    owner, _, name = ref.repository.partition("/")
    return f"{name}#{ref.number}" if owner.lower() == references.DEFAULT_OWNER.lower() else str(ref)


def _groups(cell: CellText, item: Span) -> Iterator[tuple[Span, str | None, list[Span]]]:
    """Names with the parentheses and links behind them, in the folded text; the first group holds states."""
    text = cell.folded.text
    closers = _closers(text, item)
    name: Span | None = None
    login: str | None = None
    groups: list[Span] = []
    linked: tuple[Span, str] | None = None
    cursor = place = item.start
    while match := _OPENER.search(text, place, item.end):
        at = match.start()
        cursor = _past_references(cell, cursor, at, groups)
        link = _LINK.match(text, at, item.end) if match[0] == "[" else None
        end = link.end() if link else closers.get(at)
        if end is None:
            place = at + 1
            continue
        written = _trimmed(text, cursor, at)
        profile = cells.profile_login(link["link_url"]) if link else None
        if match[0] == "(" and (linked or written):
            if name is not None:
                yield name, login, groups
            name, login = linked or (written, None)
            groups, linked = [Span(at, end)], None
        elif profile and written is None:
            linked = (Span(at, end), profile)
        else:
            groups.append(Span(at, end))
        cursor = place = end
    if name is not None:
        _past_references(cell, cursor, item.end, groups)
        yield name, login, groups


def _past_references(cell: CellText, start: int, end: int, groups: list[Span]) -> int:
    """Where a stretch goes on behind the pull requests named in it without parentheses; they join the groups."""
    text = cell.folded.text
    if text.find("#", start, end) == -1 and text.find("://", start, end) == -1:
        return start
    for token in references.TOKENS.finditer(text, start, end):
        if references.reference_of(token, cell.repository) is not None:
            groups.append(Span(*token.span()))
            start = token.end()
    return start


def _with_own_parentheses(
    cell: CellText, name: Span, login: str | None, groups: list[Span]
) -> tuple[Span, str | None, list[Span]]:
    """``name(place)(states)``: parentheses without a known word, before some with one, belong to the name."""
    text = cell.folded.text
    first, second = groups[0], groups[1] if len(groups) > 1 else groups[0]
    is_of_name = login is None and text[second.start] == "(" and not text[first.end : second.start].strip()
    says_more = cells.has_words(first.of(text)) and not _has_word(text, first)
    if is_of_name and says_more and _has_word(text, second):
        return Span(name.start, first.end), login, groups[1:]
    return name, login, groups


def _has_word(text: str, group: Span) -> bool:
    return _KNOWN_WORD.search(_without_remarks(text[group.start + 1 : group.end - 1])) is not None


def _closers(text: str, item: Span) -> dict[int, int]:
    """Where each opening parenthesis of an item is closed (the place behind its closer)."""
    pairs: dict[int, int] = {}
    waiting: list[int] = []
    for place in range(item.start, item.end):
        if text[place] == "(":
            waiting.append(place)
        elif text[place] == ")" and waiting:
            pairs[waiting.pop()] = place + 1
    return pairs


def _trimmed(text: str, start: int, end: int) -> Span | None:
    name = text[start:end].strip(entries.SEPARATORS + "*_")
    if not cells.has_words(name):
        return None
    place = text.index(name, start)
    return Span(place, place + len(name))


def _entry(cell: CellText, name: Span, login: str | None, groups: list[Span]) -> Entry:
    written = cell.original(name)
    spelled = texts.squeeze(written.of(cell.source))
    if login is None and spelled[:1] in ("@", "＠"):
        login = texts.normalise(spelled)[1:]
    found = _links(cell, Span(groups[0].end, groups[-1].end))
    refs = tuple(reference for reference, _ in found if reference is not None)
    span = cell.with_own_strikes(cell.original(Span(name.start, groups[-1].end)))
    return Entry(
        login=login,
        team=None if login is not None else spelled,
        name=written,
        span=span,
        whole=span,
        sign=None,
        state=_state(cell, Span(groups[0].start + 1, groups[0].end - 1)),
        references=refs,
        struck=cell.is_struck(written),
        links=len(found),
        struck_links=sum(struck for _, struck in found),
    )


def _state(cell: CellText, group: Span) -> State | None:
    """The best known word that is not struck; links and remarks in parentheses are dropped."""
    words = _without_remarks(cell.folded.text[group.start : group.end])
    if _CHOICE.search(words):
        return None
    states = [
        _STATES["".join(match[0].split()).casefold()]
        for match in _KNOWN_WORD.finditer(words)
        if not cell.is_struck(cell.original(Span(group.start + match.start(), group.start + match.end())))
    ]
    return best_state(states) if states else None


def _without_remarks(words: str) -> str:
    """Blank out links and nested parentheses; every other character stays at its place."""
    text = _LINK.sub(lambda link: " " * len(link[0]), words)
    depth = 0
    kept: list[str] = []
    for character in text:
        depth += character == "("
        kept.append(" " if depth else character)
        depth -= character == ")" and depth > 0
    return "".join(kept)


def _links(cell: CellText, stretch: Span) -> list[tuple[references.FoundReference | None, bool]]:
    """Each link of any kind, with the pull request it leads to (if any), and whether it is struck."""
    text = cell.folded.text
    tokens = [
        (token, references.reference_of(token, cell.repository))
        for token in references.TOKENS.finditer(text, stretch.start, stretch.end)
    ]
    named = [Span(*token.span()) for token, ref in tokens if ref]
    pointed = pointers.pointed_at(text, named, stretch.start)
    found: list[tuple[references.FoundReference | None, bool]] = []
    for token, ref in tokens:
        if (ref is None and not references.address_of(token)) or Span(*token.span()) in pointed:
            continue
        span = cell.folded.span_of(token)
        struck = cell.is_struck(span)
        found.append((references.FoundReference(ref, span, struck) if ref else None, struck))
    return found
