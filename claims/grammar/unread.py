"""What of a comment is read at all (cases/README.md, section 2: text that is not read).

Quotes, code, HTML comments and mail tails are somebody else's words or an example. What is taken out becomes
blank, except inline code, of which a word that means nothing stays, so that nothing closes up over it.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from claims.grammar.tokens import spell_out
from tasks_board.documents import text as texts

# Stands for inline code; a private-use character, which no rule knows.
CODE = "\ue000"

# A fence may open behind a list bullet.
_FENCE = re.compile(r"\s*+(?:(?:[-*+•]|[0-9]{1,9}[.)])\s++){0,3}+(?P<fence>`{3,}+|~{3,}+)(?P<info>.*)")
_CODE_OR_COMMENT = re.compile(r"`++|<!--|\n[^\S\n]*+\n")
_MAIL_MARK = re.compile(
    r"(?<![-‐–—−])[-‐–—−]++\s*+"
    r"(?:原始邮件|回复的原邮件|回复的邮件信息|Original(?:[ ]Message)?|Replied[ ]Message|Forwarded[ ]message)"
    r"\s*+[-‐–—−]",
    re.IGNORECASE,
)
_MAIL_HEADER = re.compile(r"[*\s]*+(?:发件人|From)[*\s]*+:")
_BOT_ANSWER = re.compile(r"赛题编号【[^【】\n]*+】\s*+不存在|赛题【[^【】\n]*+】\s*+已删除")


@dataclass(frozen=True, slots=True)
class ReadableText:
    """The part of a comment that counts, after NFKC.

    Strike tildes are written as emphasis marks; ``struck[i]`` says whether ``text[i]`` is struck. So every
    tilde left in ``text`` is a range mark.
    """

    text: str
    struck: bytes

    def is_struck(self, place: int) -> bool:
        return self.struck[place : place + 1] == b"\x01"

    def without_struck(self) -> str:
        """The text with blanks for what is struck."""
        if 1 not in self.struck:
            return self.text
        return "".join(
            " " if struck and character != "\n" else character
            for character, struck in zip(self.text, self.struck, strict=True)
        )


def readable(comment: str) -> ReadableText:
    """Take out what is not read and note what is struck."""
    folded = texts.fold(spell_out(comment)).text.replace("\r\n", "\n").replace("&nbsp;", " ")
    lines = _without_quotes_and_fences(folded.split("\n"))
    text = _without_mail_tail(_without_code_and_comments("\n".join(lines)))
    return _mark_struck(text)


def holds_bot_answer(text: str) -> bool:
    """Does an answer of the older table bots stand in a text? They post through people's accounts too."""
    return _BOT_ANSWER.search(text) is not None


def _without_quotes_and_fences(lines: list[str]) -> Iterator[str]:
    """Blank lines for them; inside an HTML comment nothing begins a quote or a fence."""
    fence, in_comment = "", False
    for line in lines:
        if in_comment:
            _, _, behind = line.partition("-->")
            in_comment = "-->" not in line or _leaves_comment_open(behind)
            yield line
        elif fence:
            closing = line.strip()
            fence = "" if closing.startswith(fence) and not closing.strip(fence[0]) else fence
            yield ""
        elif line.lstrip().startswith(">"):
            yield ""
        elif (opening := _FENCE.match(line)) and not (opening["fence"][0] == "`" and "`" in opening["info"]):
            fence = opening["fence"]
            yield ""
        else:
            in_comment = _leaves_comment_open(line)
            yield line


def _leaves_comment_open(line: str) -> bool:
    """Does an HTML comment begin on a line and go on behind it, so that it swallows what is written there?"""
    return "<!--" in line and not _without_code_and_comments(line + CODE).endswith(CODE)


def _without_code_and_comments(text: str) -> str:
    """Blank HTML comments and put a word for inline code, whichever begins first."""
    marks = list(_CODE_OR_COMMENT.finditer(text))
    if not marks:
        return text
    runs = _places_by_length(marks)
    paragraph_ends = [mark.start() for mark in marks if mark[0].isspace()] + [len(text)]
    parts, place = [], 0
    for mark in marks:
        if mark.start() < place or mark[0].isspace():
            continue
        if mark[0] == "<!--":
            end, stand_in = text.find("-->", mark.end()), " "
            end = end + 3 if end != -1 else len(text)
        else:
            paragraph_end = paragraph_ends[bisect_right(paragraph_ends, mark.start())]
            closing = _next(runs[len(mark[0])], mark.start())
            if closing is None or closing > paragraph_end:
                continue
            end, stand_in = closing + len(mark[0]), CODE
        parts += [text[place : mark.start()], stand_in]
        place = end
    return "".join([*parts, text[place:]])


def _places_by_length(marks: list[re.Match[str]]) -> dict[int, list[int]]:
    runs: dict[int, list[int]] = defaultdict(list)
    for mark in marks:
        if mark[0].startswith("`"):
            runs[len(mark[0])].append(mark.start())
    return runs


def _next(places: list[int], place: int) -> int | None:
    index = bisect_right(places, place)
    return places[index] if index < len(places) else None


def _without_mail_tail(text: str) -> str:
    mark = _MAIL_MARK.search(text)
    text = text[: mark.start()] if mark else text
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if _begins_mail_tail(line, lines[number + 1] if number + 1 < len(lines) else ""):
            return "\n".join(lines[:number])
    return text


def _begins_mail_tail(line: str, next_line: str) -> bool:
    if _MAIL_HEADER.match(line):
        return True
    end = line.rstrip()
    if line.lstrip().startswith("On ") and (end.endswith("wrote:") or next_line.rstrip().endswith("wrote:")):
        return True
    return end.endswith("写道:")


def _mark_struck(text: str) -> ReadableText:
    struck = bytearray(len(text))
    for strike in texts.strikes(text):
        struck[strike.span.start : strike.span.end] = b"\x01" * (strike.span.end - strike.span.start)
    return ReadableText(_with_emphasis_for_strikes(text), bytes(struck))


def _with_emphasis_for_strikes(text: str) -> str:
    """Emphasis marks in place of the tildes that strike, those inside another strike too."""
    parts, place = [], 0
    for strike in texts.strikes(text):
        outer, inner = strike.span, strike.inner
        opening, closing = inner.start - outer.start, outer.end - inner.end
        struck = _with_emphasis_for_strikes(inner.of(text))
        parts += [text[place : outer.start], "*" * opening, struck, "*" * closing]
        place = outer.end
    return "".join([*parts, text[place:]])
