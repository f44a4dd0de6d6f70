"""Heads: the words at the start of a line that say what its ids are for (cases/README.md, section 2)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from claims.grammar import tokens
from claims.grammar.id_list import IdList, id_at, place_of_id, read_id_list
from claims.grammar.ids import TaskIds
from claims.grammar.model import IntentKind
from claims.grammar.unread import ReadableText
from tasks_board.documents.model import Span

_KINDS = {
    "报名": IntentKind.CLAIM,
    "報名": IntentKind.CLAIM,
    "认领": IntentKind.CLAIM,
    "claim": IntentKind.CLAIM,
    "其他意向": IntentKind.ALTERNATIVE,
}
_CLAIM_WORDS = "报名|報名|认领|claim"
_RELEASE_WORDS = "取消报名|取消认领|放弃报名|放弃|退出|释放|unclaim"
_WORDS = f"{_RELEASE_WORDS}|{_CLAIM_WORDS}"
_MARKS = r"[\s*_]*+"

# Blanks, heading marks, emphasis (strike marks are written so) and mentions, and among them one bullet.
_DRESS = r"(?:[\s#*_]|@[A-Za-z0-9][A-Za-z0-9_-]*+)*+"
_BEFORE_HEAD = re.compile(rf"{_DRESS}(?:(?:[-+•]|[0-9]{{1,9}}[.)]\s){_DRESS})?+")
_BULLET = re.compile(r"\s*+(?:[-*+•]\s*+|[0-9]{1,9}[.)]\s++)?")
_BRACKET = re.compile(
    rf"(?:(?P<verb>放弃|退出|取消|释放)\s*+)?[\[【]{_MARKS}"
    rf"(?:(?P<word>{_WORDS}|其他意向)|(?P<submit>提交[^\[\]【】:\n0-9#]*+))(?P<gap>{_MARKS}:?){_MARKS}",
    re.IGNORECASE,
)
_SLASH = re.compile(r"/(?P<word>claim|release|unclaim)(?![a-z_/-])", re.IGNORECASE)
_PLAIN = re.compile(rf"(?P<word>{_WORDS}|其他意向)(?P<colon>{_MARKS}:)?", re.IGNORECASE)
_TILDES = f"~〜{tokens.WIDE_TILDE}"
_NO_SUBMIT = ("链接", "时间", "截止", "格式", "说明", "要求")
_NOTHING = re.compile(_MARKS)
_COLON = re.compile(rf"{_MARKS}:")
_COURTESY_AT_LAST = re.compile(rf"(?:{tokens.COURTESY_WORDS})(?P<behind>.*+)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Head:
    """A head: its line, where the list behind it begins, and whether its word is struck."""

    kind: IntentKind
    line: int
    behind: int
    struck: bool = False


@dataclass(frozen=True, slots=True)
class Heads:
    """The heads of a comment by their line; ``near_miss`` is a bare word that is nearly one."""

    by_line: dict[int, Head]
    near_miss: bool


@dataclass(frozen=True, slots=True)
class _Form:
    """What may be a head: where its word stands, and where the list begins.

    A bare word has neither bracket nor slash nor colon: it needs plain company.
    """

    kind: IntentKind
    word: int
    behind: int
    bare: bool = False


def lines_of(text: str) -> list[Span]:
    """The lines of a text, without their ends."""
    lines, start = [], 0
    for line in text.split("\n"):
        lines.append(Span(start, start + len(line)))
        start += len(line) + 1
    return lines


def is_empty(text: str, span: Span) -> bool:
    """Does a stretch hold blanks and emphasis marks at most?"""
    match = _NOTHING.match(text, span.start, span.end)
    return match is not None and match.end() == span.end


def next_filled_line(text: str, lines: Sequence[Span], line: int) -> int | None:
    """The first line behind this one that is not empty."""
    for number in range(line + 1, len(lines)):
        if not is_empty(text, lines[number]):
            return number
    return None


def find_heads(source: ReadableText, lines: Sequence[Span], ids: TaskIds) -> Heads:
    """All heads of a comment, at most one a line."""
    text, found, near_miss = source.text, {}, False
    for number, line in enumerate(lines):
        form = _form_at(text, line, ids)
        if form is None:
            continue
        struck = source.is_struck(form.word)
        if not form.bare or _is_plainly_meant(text, lines, number, form, ids):
            found[number] = Head(form.kind, number, form.behind, struck)
        elif not struck and _ids_on_next_line(text, lines, number, form, ids):
            near_miss = True
    return Heads(found, near_miss)


def _form_at(text: str, line: Span, ids: TaskIds) -> _Form | None:
    start = tokens.end_of(_BEFORE_HEAD, text, line.start, line.end)
    if bracket := _BRACKET.match(text, start, line.end):
        kind = _kind_of_bracket(bracket)
        behind = _behind_bracket(text, line.end, bracket, ids)
        word = bracket.start("submit" if bracket["submit"] else "word")
        return None if kind is None or behind is None else _Form(kind, word, behind)
    if slash := _SLASH.match(text, start, line.end):
        return _Form(_kind_of(slash["word"]), start, _behind_colon(text, slash.end(), line.end))
    return _plain_word_at(text, start, line.end, mentioned="@" in text[line.start : start])


def _plain_word_at(text: str, start: int, end: int, *, mentioned: bool) -> _Form | None:
    plain = _PLAIN.match(text, start, end)
    if plain is None:
        return None
    if plain["colon"]:
        return _Form(_kind_of(plain["word"]), start, plain.end())
    glued = plain["word"].isascii() and text[plain.end() : plain.end() + 1].isalpha()
    if mentioned or glued or plain["word"] == "其他意向":
        return None
    return _Form(_kind_of(plain["word"]), start, plain.end(), bare=True)


def _kind_of(word: str) -> IntentKind:
    return _KINDS.get(word.lower(), IntentKind.RELEASE)


def _kind_of_bracket(bracket: re.Match[str]) -> IntentKind | None:
    if bracket["submit"]:
        name = bracket["submit"].rstrip("*_ ")
        return None if bracket["verb"] or name.endswith(_NO_SUBMIT) else IntentKind.SUBMIT
    kind = _kind_of(bracket["word"])
    if bracket["verb"]:
        return IntentKind.RELEASE if kind is IntentKind.CLAIM else None
    return kind


def _behind_bracket(text: str, end: int, bracket: re.Match[str], ids: TaskIds) -> int | None:
    """Where the list begins: behind the bracket, or inside it if nothing else is in there."""
    inside = bracket.end()
    if text[inside : inside + 1] in ("]", "】"):
        is_link = text.startswith("](", inside)
        return None if is_link else _behind_colon(text, inside + 1, end)
    closing = min((place for place in (text.find(c, inside, end) for c in "]】") if place != -1), default=-1)
    if closing == -1 or (bracket["submit"] and not bracket["gap"] and not bracket["submit"].endswith(" ")):
        return None
    listed = read_id_list(text, inside, closing, ids)
    return inside if listed.items and listed.end == closing else None


def _behind_colon(text: str, place: int, end: int) -> int:
    return tokens.end_of(_COLON, text, place, end)


def _is_plainly_meant(text: str, lines: Sequence[Span], number: int, word: _Form, ids: TaskIds) -> bool:
    """An id follows the bare word at once and the line closes politely, or the next line is a list."""
    line = lines[number]
    if is_empty(text, Span(word.behind, line.end)):
        listed, end = _list_on_next_line(text, lines, number, ids)
        return bool(listed.items) and listed.end == end
    if not _id_follows(text, word.behind, line.end, ids):
        return False
    listed = read_id_list(text, word.behind, line.end, ids)
    return bool(listed.items) and _closes_politely(text, listed.end, line.end)


def _ids_on_next_line(text: str, lines: Sequence[Span], number: int, word: _Form, ids: TaskIds) -> bool:
    """The bare word is alone, and below it more than the list stands: worth a hint."""
    if not is_empty(text, Span(word.behind, lines[number].end)):
        return False
    listed, _ = _list_on_next_line(text, lines, number, ids)
    return any(ids.has_any(item.named) for item in listed.items)


def _list_on_next_line(text: str, lines: Sequence[Span], number: int, ids: TaskIds) -> tuple[IdList, int]:
    """The list on the next filled line, and where that line ends."""
    following = next_filled_line(text, lines, number)
    if following is None:
        return IdList((), len(text)), len(text)
    below = lines[following]
    return read_id_list(text, behind_bullet(text, below), below.end, ids), below.end


def behind_bullet(text: str, line: Span) -> int:
    """Where a line begins if a list bullet at its start is skipped."""
    return tokens.end_of(_BULLET, text, line.start, line.end)


def _id_follows(text: str, place: int, end: int, ids: TaskIds) -> bool:
    place = place_of_id(text, place, end, ids)
    return bool(id_at(text, place, end, ids) or tokens.LETTER_BEFORE_BRACKET.match(text, place, end))


def _closes_politely(text: str, place: int, end: int) -> bool:
    """Only blanks, punctuation, remarks, mentions, emoji and at last a courtesy; nothing that asks."""
    while place < end:
        character = text[place]
        if courtesy := _COURTESY_AT_LAST.match(text, place, end):
            return _is_courteous_end(courtesy[0], courtesy["behind"])
        if character == "(":
            place = tokens.closing_parenthesis(text, place, end)
            if place == -1:
                return False
        elif mention := tokens.MENTION.match(text, place, end):
            place = mention.end()
        elif character in "?❓❔" or not (character.isspace() or _closes(character)):
            return False
        else:
            place += 1
    return True


def _is_courteous_end(courtesy: str, behind: str) -> bool:
    if courtesy.lower().startswith("please"):
        return all(character.isspace() or _closes(character) for character in behind) and "?" not in behind
    return not any(
        character.isdigit() or character in "?❓❔" for character in tokens.MENTION.sub("", behind)
    )


def _closes(character: str) -> bool:
    """Punctuation or an emoji; a lone tilde closes a line in a friendly tone (报名 5～)."""
    return character in _TILDES or tokens.is_punctuation(character) or tokens.is_emoji(character)
