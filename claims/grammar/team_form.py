"""The team form of four fields: 【队名】 【序号】 【状态】 【链接】 (cases/README.md, section 2)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claims.grammar.head_lists import read_list_of_head
from claims.grammar.heads import lines_of
from claims.grammar.id_list import read_id_list
from claims.grammar.ids import TaskIds
from claims.grammar.model import IntentKind
from claims.grammar.references import CommentReferences
from claims.grammar.unread import ReadableText
from claims.grammar.wishes import Wish
from tasks_board.documents.model import Span

TEAM, NUMBER, STATE, LINK = "队名", "序号", "状态", "链接"

# A remark may stand before the colon (【队名】（选填）：); a square bracket before a parenthesis is a link.
_BRACKETED = re.compile(
    r"[【\[][\s*_]*+(?P<name>[^【】\[\]\n(){}#]{1,30})(?:】|\](?!\())(?:[ \t*_]*+\([^()\n]{0,30}\)(?=[\s*_]*:))?"
    r"[\s*_]*+(?P<colon>:?)"
)
_LINKS = re.compile(r"\[[^\[\]\n]*+\]\([^()\s]*+\)|https?://[!-~]++")
_REMARKS = re.compile(r"\([^()\n]*+\)")
_OFFERED = re.compile(r"/|或")
_BETWEEN_STATES = re.compile(r"[&+、\s和]++")
_BETWEEN_FIELDS = ",;、| "  # of a form on one line
_NOBODY = ("", "无", "-", "none")


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a form and where its value stands."""

    name: str
    value: Span


@dataclass(frozen=True, slots=True)
class TeamForms:
    """All forms of a comment: each a list of fields in which no name is repeated."""

    forms: tuple[tuple[Field, ...], ...]


def find_team_forms(source: ReadableText, ids: TaskIds) -> TeamForms | None:
    """The forms, if the comment has a number and a state or a team; else it is no team form."""
    fields = list(_fields(source, ids))
    names = {field.name for field in fields}
    if NUMBER not in names or not names & {STATE, TEAM}:
        return None
    forms: list[list[Field]] = [[]]
    for field in fields:
        if any(field.name == earlier.name for earlier in forms[-1]):
            forms.append([])
        forms[-1].append(field)
    return TeamForms(tuple(map(tuple, forms)))


def team_of(source: ReadableText, forms: TeamForms) -> str | None:
    """The first team that a form names."""
    for form in forms.forms:
        for field in form:
            team = _value(source, field).rstrip(_BETWEEN_FIELDS) if field.name == TEAM else ""
            if team.lower() not in _NOBODY:
                return team
    return None


def wishes_of(
    source: ReadableText, forms: TeamForms, ids: TaskIds, found: CommentReferences
) -> Iterator[Wish]:
    """What each form asks for, by its state; a struck state strikes its form."""
    lines = lines_of(source.text)
    for form in forms.forms:
        state, struck = _state_of(source, form)
        items = tuple(
            item
            for field in form
            if field.name == NUMBER
            for item in read_list_of_head(source.text, *_lines_of_field(lines, field), ids).items
        )
        linked = tuple(
            ref for field in form if field.name.endswith(LINK) for ref in found.counted_in(field.value)
        )
        for kind in _kinds_of(state):
            submitted = tuple({ref.key: ref for ref in linked}.values()) if kind is IntentKind.SUBMIT else ()
            yield Wish(kind, items, struck, submitted)


def _fields(source: ReadableText, ids: TaskIds) -> Iterator[Field]:
    """Bracketed names, each with the text up to the next one."""
    text = source.text
    brackets = [match for match in _BRACKETED.finditer(text) if _names_field(text, match, ids)]
    for place, match in enumerate(brackets):
        is_last = place == len(brackets) - 1
        yield Field(_name(match), Span(match.end(), len(text) if is_last else brackets[place + 1].start()))


def _name(match: re.Match[str]) -> str:
    return match["name"].strip("*_: ")


def _names_field(text: str, match: re.Match[str], ids: TaskIds) -> bool:
    """A known name anywhere; any other at the start of a line or with a colon, unless it is an id."""
    name = _name(match)
    if name in (TEAM, NUMBER, STATE) or name.endswith(LINK):
        return True
    line_start = text.rfind("\n", max(0, match.start() - 40), match.start()) + 1
    starts_line = not text[line_start : match.start()].strip(" \t*_#-+•")
    listed = read_id_list(text, match.start(), match.end(), ids)
    is_id = bool(listed.items) and listed.end >= match.end() - len(match["colon"])
    return (starts_line or bool(match["colon"])) and not is_id


def _value(source: ReadableText, field: Field) -> str:
    """The first non-empty line of a field, without what is struck."""
    return _first_line(field.value.of(source.without_struck()))


def _first_line(value: str) -> str:
    return next(filter(None, (line.strip().strip("*_ \t") for line in value.split("\n"))), "")


def _state_of(source: ReadableText, form: Sequence[Field]) -> tuple[str, bool]:
    """The state of a form, and whether it is struck."""
    for field in form:
        if field.name == STATE:
            state = _value(source, field)
            return state or _first_line(field.value.of(source.text)), not state
    return "", False


def _lines_of_field(lines: Sequence[Span], field: Field) -> tuple[list[Span], int, int]:
    """The lines of a field, cut at its end; its first line; the place where its value begins."""
    start, end = field.value.start, field.value.end
    inside = [
        Span(max(line.start, start), min(line.end, end))
        for line in lines
        if line.start <= end and line.end >= start
    ]
    return inside, 0, start


def _kinds_of(state: str) -> list[IntentKind]:
    """What a state asks for; one that offers a choice was never filled in."""
    plain = _REMARKS.sub(" ", _LINKS.sub(" ", state))
    if _OFFERED.search(plain):
        return []
    kinds = (_kind_of(part.strip("【】[]*_")) for part in _BETWEEN_STATES.split(plain))
    return list(dict.fromkeys(kind for kind in kinds if kind is not None))


def _kind_of(part: str) -> IntentKind | None:
    if part.startswith("报名"):
        return IntentKind.CLAIM
    if part.startswith(("提交", "二次提交")):
        return IntentKind.SUBMIT
    if part.startswith(("放弃", "退出", "取消报名")):
        return IntentKind.RELEASE
    return None
