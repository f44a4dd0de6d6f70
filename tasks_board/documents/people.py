"""People and teams in a cell, outside the parenthesis dialect (TABLES.md section 4, People)."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tasks_board.documents import cells, entries, plain, pointers, references
from tasks_board.documents import text as texts
from tasks_board.documents.entries import CellText, Entry
from tasks_board.documents.marks import Badge, find_badges, state_of_words
from tasks_board.documents.model import Dialect, Span, State
from tasks_board.documents.once import remembers_words

_NOBODY = frozenset(
    ["待定", "无", "暂无", "空", "空缺", "tbd", "tba", "n/a", "na", "nil", "null", "none", "nobody", "todo"]
)
_INVITATIONS = frozenset(
    [
        "待认领",
        "未认领",
        "无人认领",
        "可认领",
        "待报名",
        "未报名",
        "可报名",
        "待领取",
        "可领取",
        "待招募",
        "招募中",
        "待分配",
        "欢迎认领",
        "欢迎报名",
        "欢迎领取",
        "虚位以待",
    ]
)
_NO_WORD = re.compile(r"[\W_]+")
_MAIL = re.compile(r"(?<![A-Za-z0-9_.+-])[A-Za-z0-9_.+-]++@[A-Za-z0-9-]++(?:\.[A-Za-z0-9-]++)+")
_HIDDEN_MAIL = re.compile(rf"<?{_MAIL.pattern}>?")
_LINKED_MENTION = re.compile(r"\s*@([A-Za-z0-9][A-Za-z0-9-]*)\s*")
_TEAM_BREAK = re.compile(r"[、,&]")
_OPENS_NEXT = re.compile(r"[\s、,;&/]+(?:[*_`(\[]|<[A-Za-z]{1,16}>)++\Z")
_CLOSER = re.compile(r"(?:\*{1,3}|_{1,2}|`{1,3}|[)\]]|</[A-Za-z]{1,16}>)\Z")
_LAST_OF_CLOSERS = frozenset("*_`)]>")
_OPENERS = {")": "(", "]": "["}
_MOST_CLOSERS = 8  # nobody types more of them behind a name
_CUT_ENTITY = re.compile(r"&#?[A-Za-z0-9]{1,8}\Z")
_FILLER = re.compile(rf"(?:{plain.TAG.pattern}|[\s*_`(\[<:])*")
_MOST_EDGES = (
    400  # of strikes between the bare names of one item; beyond, they are no names that anybody typed
)
_HIDDEN = "\0"
_MAY_HIDE = re.compile(r"[@<!#\[/&\0]")
_SHOWN = re.compile("[^\0]+")
_ROLE_LABEL = re.compile(r"(?P<mentor>导师|mentor)s?[\s*_]*:|(?P<assistant>助教)[\s*_]*:", re.IGNORECASE)
_ENTITY = re.compile(r"&(?!amp;)#?[A-Za-z0-9]{1,8};", re.IGNORECASE)
_AND_ENTITY = re.compile(r"(?<=&)amp;", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mention:
    """A person named by mention or profile link; the span is in the folded text."""

    login: str
    span: Span


def find_mentions(folded: str, start: int = 0, end: int | None = None) -> Iterator[Mention]:
    """Mentions and profile links of a folded text; mail addresses and teams of organizations are none."""
    end = len(folded) if end is None else end
    if folded.find("@", start, end) == -1 and folded.find("/", start, end) == -1:
        return
    behind_mention = start  # where the mention before ends: ``@a@b`` are two
    for token in references.TOKENS.finditer(folded, start, end):
        login = _login_of(token, folded, is_behind_mention=token.start() == behind_mention)
        if login is not None:
            behind_mention = token.end()
            yield Mention(login, Span(*token.span()))


def _login_of(token: "re.Match[str]", folded: str, *, is_behind_mention: bool) -> str | None:
    mention = token["mention"]
    if mention:
        before, behind = folded[token.start() - 1 : token.start()], folded[token.end() : token.end() + 1]
        if before in ("_", "-", "."):  # emphasis and lists begin with these too
            before = folded[token.start() - 2 : token.start() - 1]
        is_host = behind == "." and folded[token.end() + 1 : token.end() + 2].isalnum()
        is_mail = before.isascii() and before.isalnum() and (is_host or not is_behind_mention)
        is_group = behind == "/" and folded[token.end() + 1 : token.end() + 2].isalnum()
        return None if is_mail or is_group else mention[1:].rstrip("-") or None
    address = references.address_of(token)
    if not address:
        return None
    linked = _LINKED_MENTION.fullmatch(token["link_text"] or token["anchor_text"] or "")
    return cells.profile_login(address) or (linked[1] if linked else None)


def parts_names(between: str) -> bool:
    """Whether what stands between two bare names makes two of them."""
    folded = texts.normalise(between)
    return bool(_TEAM_BREAK.search(folded) or plain.BREAK.search(folded))


@remembers_words
def names_nobody(source: str) -> bool:
    """``-``, 待定, 无 and the like: the cell says that nobody is there yet."""
    name = texts.comparison_key(plain.plain_text(source)).strip("()[]【】 ")
    return not cells.has_words(name) or name in _NOBODY


@remembers_words
def invites(source: str) -> bool:
    """待认领, 欢迎报名 and the like, with whatever signs: an invitation stands where people will."""
    return _NO_WORD.sub("", texts.comparison_key(plain.plain_text(source))) in _INVITATIONS


def read_item(cell: CellText, item: Span) -> list[Entry]:
    """The people of one item: at each mention or profile link a new one; without any, bare names are teams."""
    text = cell.folded.text
    if not text[item.start : item.end].strip():
        return []
    is_badge, words = cell.dialect is Dialect.BADGE, cell.marks.chosen.words
    badges = find_badges(text[item.start : item.end], words) if is_badge else []
    placed = [Badge(item.start + b.start, item.start + b.end, b.word, b.state) for b in badges]
    mentions = list(find_mentions(text, item.start, item.end))
    if not mentions:
        return [_entry(cell, team, placed) for team in _bare_names(cell, item)]
    return [_entry(cell, found, placed) for found in _parted(cell, item, mentions, placed)]


@dataclass(frozen=True, slots=True)
class _Part:
    """The stretch of an item that belongs to one person, in the folded text."""

    login: str | None
    name: Span
    stretch: Span
    mark: "re.Match[str] | None"
    item: Span


def _parted(
    cell: CellText, item: Span, mentions: Sequence[Mention], badges: Sequence[Badge]
) -> Iterator[_Part]:
    marks = [_mark_before(cell, item, mentions, index) for index in range(len(mentions))]
    starts = [
        mark.start() if mark else mention.span.start for mark, mention in zip(marks, mentions, strict=True)
    ]
    if badges and badges[0].start < mentions[0].span.start:  # here badges stand before the people
        starts = _starts_at_badges(mentions, badges)
    for index, (mention, mark) in enumerate(zip(mentions, marks, strict=True)):
        end = starts[index + 1] if index + 1 < len(mentions) else item.end
        mark = mark or _mark_behind(cell, mention.span.end, end)
        yield _Part(mention.login, mention.span, Span(starts[index], end), mark, item)


def _starts_at_badges(mentions: Sequence[Mention], badges: Sequence[Badge]) -> list[int]:
    """Where each person begins who has a badge before the name; without one, at the name."""
    starts = [mention.span.start for mention in mentions]
    for badge in reversed(badges):
        behind = bisect_left(mentions, badge.end, key=lambda mention: mention.span.start)
        if behind < len(mentions):
            starts[behind] = min(starts[behind], badge.start)
    return starts


def _mark_before(
    cell: CellText, item: Span, mentions: Sequence[Mention], index: int
) -> "re.Match[str] | None":
    """The mark that stands directly before a name, unless it sits glued behind the person before."""
    if cell.dialect is Dialect.BADGE:
        return None
    text, name = cell.folded.text, mentions[index].span
    earliest = mentions[index - 1].span.end if index else item.start
    last = None
    for mark in cell.marks.pattern.finditer(text, earliest, name.start):
        last = mark
    if last is None or not _FILLER.fullmatch(text, last.end(), name.start):
        return None
    glued_behind = index > 0 and last.start() == earliest and last.end() < name.start
    return None if glued_behind else last


def _mark_behind(cell: CellText, start: int, end: int) -> "re.Match[str] | None":
    if cell.dialect is Dialect.BADGE:
        return None
    filler = _FILLER.match(cell.folded.text, start, end)
    return cell.marks.pattern.match(cell.folded.text, filler.end() if filler else start, end)


def _bare_names(cell: CellText, item: Span) -> Iterator[_Part]:
    """Bare names separated by 、 , or & are several teams; a name is what is left between links and marks."""
    shown = _shown_text(cell, item)
    breaks = [match.start() for match in _TEAM_BREAK.finditer(shown)]
    if cell.struck:
        breaks = sorted({*breaks, *_ends_of_strikes(cell, item, shown)})
    start = 0
    for end in [*breaks, len(shown)]:
        name = _first_name(shown, start, end)
        if name is not None:
            stretch = Span(item.start + start, item.start + end)
            marks = cell.marks.pattern.finditer(cell.folded.text, stretch.start, stretch.end)
            mark = None if cell.dialect is Dialect.BADGE else next(marks, None)
            yield _Part(None, name.shifted(item.start), stretch, mark, item)
        start = end + 1


def _ends_of_strikes(cell: CellText, item: Span, shown: str) -> Iterator[int]:
    """Where a strike parts two bare names; a remark in parentheses behind it begins none."""
    edges = [place - item.start for place in cell.strike_edges(item)]
    if len(edges) > _MOST_EDGES:
        return
    for edge, following in pairwise([*edges, len(shown)]):
        name = _first_name(shown, edge, following)
        if name is not None and shown[name.start] != "(":
            yield edge


def _shown_text(cell: CellText, item: Span) -> str:
    """An item with everything hidden that is no bare name: links, badges, tags, references, marks, the signs of strikes."""
    text = cell.folded.text[item.start : item.end]
    hidden = [match.span() for match in cell.marks.pattern.finditer(text)]
    hidden += [(place - item.start, place - item.start + 1) for place in cell.strike_edges(item)]
    if not hidden and not _MAY_HIDE.search(text):
        return text
    hidden += [
        match.span()
        for pattern in (_HIDDEN_MAIL, plain.TAG, plain.IMAGE, _ENTITY, _AND_ENTITY)
        for match in pattern.finditer(text)
    ]
    for token in references.TOKENS.finditer(text):
        if references.address_of(token) or token["bare_number"] or token["path_number"]:
            hidden.append(token.span())
    characters = list(text)
    for start, end in hidden:
        characters[start:end] = _HIDDEN * (end - start)
    return "".join(characters)


@remembers_words
def _may_be_team(name: str) -> bool:
    """Words that may be a team's name; 待认领 is an invitation and no team."""
    if not cells.has_words(name) or names_nobody(name) or invites(name) or name.isdigit():
        return False
    return state_of_words(name) is not State.OPEN


def _first_name(shown: str, start: int, end: int) -> Span | None:
    for piece in _SHOWN.finditer(shown, start, end):
        name = piece[0].strip(entries.SEPARATORS + "*_`:+")
        if not _may_be_team(name):
            continue
        place = shown.index(name, piece.start())
        return Span(place, place + len(name))
    return None


def _entry(cell: CellText, part: _Part, badges: Sequence[Badge]) -> Entry:
    text = cell.folded.text
    place = bisect_left(badges, part.stretch.start, key=lambda badge: badge.start)
    badge = badges[place] if place < len(badges) and badges[place].start < part.stretch.end else None
    sign = Span(badge.start, badge.end) if badge else Span(*part.mark.span()) if part.mark else None
    state = badge.state if badge else cell.marks.state_of(part.mark) if part.mark else None
    begin = min([part.name.start, *([sign.start] if sign else [])])
    named, pointer = _references(cell, Span(part.name.start, part.stretch.end))
    reach = Span(begin, max(pointer, sign.end if sign else begin))
    end = begin + len(_own(reach.of(text), is_last=reach.end == part.item.end))
    name = cell.original(part.name)
    span = cell.with_own_strikes(cell.original(_wrapped(text, Span(begin, end), part.item)))
    return Entry(
        login=part.login,
        team=None if part.login is not None else texts.squeeze(name.of(cell.source)),
        name=name,
        span=span,
        whole=_with_break(cell, part, span),
        sign=cell.original(sign) if sign else None,
        state=state,
        references=named,
        struck=cell.is_struck(name),
    )


def _own(stretch: str, *, is_last: bool) -> str:
    """What of a stretch is somebody's own: without the separators behind, and without signs that open the next."""
    own = stretch.rstrip(entries.SEPARATORS)
    opening = None if is_last else _OPENS_NEXT.search(own)
    if opening:
        return own[: opening.start()].rstrip(entries.SEPARATORS)
    return stretch[: len(own) + 1] if _CUT_ENTITY.search(own) else own


def _wrapped(text: str, own: Span, item: Span) -> Span:
    """``**@a**`` as a whole; of ``**@a @b**``, whose emphasis is round both, nobody's stretch reaches over a sign of it."""
    start, end = own.start, own.end
    if text[end - 1] not in _LAST_OF_CLOSERS:
        return own
    for _ in range(_MOST_CLOSERS):
        closer = _CLOSER.search(text, max(start, end - 20), end)
        if closer is None:
            break
        opener = _OPENERS.get(closer[0], closer[0].replace("</", "<"))
        opened = text.count(opener, start, closer.start())
        if opened > (text.count(closer[0], start, closer.start()) if opener != closer[0] else 0):
            break
        before = start - len(opener)
        if text.startswith(opener, max(before, item.start)) and (
            before == item.start or text[before - 1] in entries.SEPARATORS
        ):
            start = before
        else:
            end = start + len(text[start : closer.start()].rstrip(entries.SEPARATORS))
    return Span(start, end)


def _with_break(cell: CellText, part: _Part, span: Span) -> Span:
    following = plain.BREAK.match(cell.folded.text, part.item.end)
    if part.stretch.end < part.item.end or following is None:
        return span
    return Span(span.start, cell.folded.span_of(following).end)


def _references(cell: CellText, stretch: Span) -> tuple[tuple[references.FoundReference, ...], int]:
    """The pull requests behind a name; and where the stretch ends, or the pointer to others' work at its end begins."""
    text = cell.folded.text
    if text.find("#", stretch.start, stretch.end) == -1 and text.find("/", stretch.start, stretch.end) == -1:
        return (), stretch.end
    places: list[Span] = []
    found: list[references.FoundReference] = []
    for token in references.TOKENS.finditer(text, stretch.start, stretch.end):
        ref = references.reference_of(token, cell.repository)
        if ref is not None:
            span = cell.folded.span_of(token)
            places.append(Span(*token.span()))
            found.append(references.FoundReference(ref, span, cell.is_struck(span)))
    pointed = pointers.pointed_at(text, places, stretch.start)
    if not pointed:
        return tuple(found), stretch.end
    counted = [one for one, place in zip(found, places, strict=True) if place not in pointed]
    return tuple(counted), pointed.get(places[-1], stretch.end)


# --------------------------------------------------------------------------- winners, mentors, assistants


def read_names(cell: CellText) -> tuple[str, ...]:
    """The names of a winner or locked cell: split at breaks, ``&``, 、 and commas; struck ones left out."""
    found: dict[str, str] = {}
    for item in cell.items():
        shown = _shown_text(cell, item)
        start = 0
        for end in [*(match.start() for match in _TEAM_BREAK.finditer(shown)), len(shown)]:
            read = read_item(cell, Span(item.start + start, item.start + end))
            for entry in entries.named(read, cell.names):
                if not entry.struck:
                    found.setdefault(entry.key, entry.login or entry.team or "")
            start = end + 1
    return tuple(found.values())


def role_named_in(text: str) -> str | None:
    """Whom the last label of a folded text, 导师： or 助教：, announces."""
    labels = list(_ROLE_LABEL.finditer(text))
    return labels[-1].lastgroup if labels else None


def read_guides(cell: CellText, *, role: str, keep_struck: bool) -> list[tuple[str, str]]:
    """``(role, login)`` of a mentor or assistant cell; the labels 导师： and 助教： inside it say which."""
    text = cell.folded.text
    labels = [(label.start(), label.lastgroup or role) for label in _ROLE_LABEL.finditer(text)]
    found: list[tuple[str, str]] = []
    for mention in find_mentions(text):
        while labels and labels[0][0] < mention.span.start:
            role = labels.pop(0)[1]
        if keep_struck or not cell.is_struck(cell.original(mention.span)):
            found.append((role, mention.login))
    return _guides_by_name(cell, found, role) if cell.names else found


def _guides_by_name(cell: CellText, found: list[tuple[str, str]], role: str) -> list[tuple[str, str]]:
    """The guides as somebody corrected them, with those whose bare names were given a login."""
    bare = [
        (role, login)
        for item in cell.items()
        for part in _bare_names(cell, item)
        if (login := cell.names.get(texts.comparison_key(part.name.of(cell.folded.text))))
    ]
    return [*called(found, cell.names), *bare]


def called(guides: Iterable[tuple[str, str]], names: Mapping[str, str]) -> list[tuple[str, str]]:
    """`(role, login)` with the logins that were meant; who is nobody is left out."""
    meant = [(role, names.get(texts.comparison_key(login), login)) for role, login in guides]
    return [(role, login) for role, login in meant if login]
