"""The plain text of Markdown: what a reader of the page sees in a cell or a heading."""

import html
import re
from collections.abc import Callable, Iterator
from itertools import islice

from tasks_board.documents import references
from tasks_board.documents import text as texts

BREAK = re.compile(r"</?br\s*/?>", re.IGNORECASE)
TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>")
IMAGE_TAG = re.compile(r"<img\s[^<>]*>", re.IGNORECASE)
IMAGE = re.compile(r"!\[[^\[\]\n]*\]\([^()\n]*\)")
URL = re.compile(r"(?:https?://)[A-Za-z0-9\-._~:/?#@!$&*+=%]++", re.IGNORECASE)
_LINK = re.compile(references.MARKDOWN_LINK.pattern, re.VERBOSE)
_STRONG = re.compile(r"\*\*(?=\S)([^*]+)(?<=\S)\*\*")
_EMPHASIS = re.compile(r"(?<!\*)\*(?=\S)([^*]+)(?<=\S)\*(?!\*)")
_UNDERSCORES = re.compile(r"(?<!\S)(__?)(?=[^\s_])([^_]+)(?<=\S)\1(?!\S)")
_AUTOLINK = re.compile(r"<(https?://[^\s<>]*|[^\s<>@]*@[^\s<>@]*)>", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_ESCAPED_MARK = re.compile(r"\\([*_~<>\[\]\\`])")
_BACKTICKS = re.compile(r"`+")
_NEEDS_CARE = re.compile(r"[`*_~<>\\&\[:]")
# Private characters stand for code spans while the rest of the text is worked on.
_SHIELD = re.compile("[\ue000-\uf8ff]")
_FIRST_SHIELD, _MOST_SHIELDS = 0xE000, 0x1900


def without_tags(text: str) -> str:
    """The text without HTML tags; a break is a blank."""
    return TAG.sub("", BREAK.sub(" ", text)) if "<" in text else text


def plain_text(source: str, *, clean: Callable[[str], str] = str, keep_urls: bool = True) -> str:
    """Without links (their text stays), emphasis, code marks, strike and HTML; blanks squeezed.

    ``clean`` sees the text before code spans come back, so what it takes away is never code. With
    ``keep_urls=False`` bare addresses go as well, unless nothing else is there.
    """
    if not _NEEDS_CARE.search(source):
        return texts.squeeze(clean(source))
    shielded, codes = _shield(source)
    text = _LINK.sub(r"\g<link_text>", IMAGE.sub("", shielded))
    text = _AUTOLINK.sub(r"\1", text) if "<" in text else text
    text = texts.without_strike_marks(without_tags(text))
    for emphasis, kept in ((_STRONG, r"\1"), (_EMPHASIS, r"\1"), (_UNDERSCORES, r"\2")):
        text = emphasis.sub(kept, text)
    if not keep_urls:
        text = URL.sub(" ", text) if texts.squeeze(URL.sub("", text)) else text
    text = html.unescape(_ESCAPED.sub(r"\1", clean(text)))
    if codes:
        text = _SHIELD.sub(lambda shield: codes[ord(shield[0]) - _FIRST_SHIELD], text)
    return texts.squeeze(text)


def _shield(source: str) -> tuple[str, list[str]]:
    """Replace code spans and escaped signs by one character each; a run of backticks ends at the next of its length."""
    if "`" not in source and "\\" not in source:
        return source, []
    source = _SHIELD.sub("", source)
    parts: list[str] = []
    codes: list[str] = []
    place = 0
    for start, end, ticks in islice(_code_spans(source), _MOST_SHIELDS):
        parts += [source[place:start], chr(_FIRST_SHIELD + len(codes))]
        codes.append(source[start + ticks : end - ticks].replace("\\|", "|"))
        place = end

    def shield(escaped: "re.Match[str]") -> str:
        if len(codes) == _MOST_SHIELDS:
            return escaped[0]
        codes.append(escaped[1])
        return chr(_FIRST_SHIELD + len(codes) - 1)

    return _ESCAPED_MARK.sub(shield, "".join([*parts, source[place:]])), codes


def _code_spans(source: str) -> Iterator[tuple[int, int, int]]:
    runs = [match.span() for match in _BACKTICKS.finditer(source)]
    later: dict[int, list[int]] = {}
    for index in range(len(runs) - 1, -1, -1):
        later.setdefault(runs[index][1] - runs[index][0], []).append(index)
    index = 0
    while index < len(runs):
        start, end = runs[index]
        if source[start - 1 : start] == "\\":
            index += 1
            continue
        same = later[end - start]
        while same and same[-1] <= index:
            same.pop()
        if not same:
            index += 1
            continue
        closing = same.pop()
        yield start, runs[closing][1], end - start
        index = closing + 1
