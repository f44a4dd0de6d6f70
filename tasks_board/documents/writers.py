"""Writing people into a claimants cell, in each dialect (TABLES.md section 5).

Each writer takes the cell as it is read and gives the cell's new text; what it does not have to change
stays byte by byte.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tasks_board.documents import cells, people, plain, references, splice, teams
from tasks_board.documents.entries import SEPARATORS, CellText, Entry
from tasks_board.documents.marks import Marks, badge_state
from tasks_board.documents.model import NEAREST_WRITTEN, Dialect, PullRequestRef, Span, State
from tasks_board.documents.splice import Change

_BADGE_WORDS: Mapping[State, str] = {
    State.CLAIMED: "报名-2ECC71",
    State.CLOSED_UNMERGED: "报名-2ECC71",
    State.RFC_SUBMITTED: "提交RFC-F1C40F",
    State.RFC_MERGED: "完成设计文档-3498DB",
    State.PR_OPEN: "提交PR-F39C12",
    State.APPROVED: "提交PR-F39C12",
    State.PARTLY_DONE: "部分完成-FFC0CB",
    State.DONE: "完成任务-9B59B6",
}
_REMARK = re.compile(r"(?:[~\s]|</[A-Za-z]+>)*+[(（]")
# What a reader sees of a state that shares its form with another.
_SEEN: Mapping[State, State] = {State.CLOSED_UNMERGED: State.CLAIMED}
_SEEN_ON_BADGE: Mapping[State, State] = {**_SEEN, State.APPROVED: State.PR_OPEN}


@dataclass(frozen=True, slots=True)
class Wish:
    """What a claimants cell should say about one person. ``new`` are the references not there yet."""

    name: str  # as the row spells it, else with @ for a login
    state: State
    pull_requests: Sequence[PullRequestRef]
    new: Sequence[PullRequestRef]
    as_read: State | None  # None for somebody the row does not name yet
    is_brief: bool = False  # the text is near GitHub's limit: the shortest form that says the same

    @property
    def written(self) -> State:
        return NEAREST_WRITTEN.get(self.state, self.state)

    @property
    def withdraws(self) -> bool:
        return self.written is State.WITHDRAWN


def has_form(dialect: Dialect, state: State, marks: Marks) -> bool:
    """Badges and words have no form for blocked and deferred: then nothing changes.

    Nor has what lost its mark, or its badge's word, to another meaning.
    """
    written = NEAREST_WRITTEN.get(state, state)
    if dialect is Dialect.EMOJI:
        return marks.can_say(State.CLAIMED)
    if dialect is Dialect.BADGE and written in _BADGE_WORDS:
        return _badge_word(written, marks) is not None
    forms = {Dialect.BADGE: _BADGE_WORDS, Dialect.PARENTHESIS: teams.WRITTEN_WORDS}.get(dialect)
    return forms is None or written is State.WITHDRAWN or written in forms


def write(cell: CellText, mine: Sequence[Entry], wish: Wish) -> str:
    """The cell with the wish fulfilled; ``mine`` is where it names the person."""
    return _WRITERS[cell.dialect](cell, mine, wish)


def _standing(mine: Sequence[Entry]) -> Sequence[Entry]:
    """The entries to change: those not struck, else the last (who comes back after a withdrawal)."""
    return [entry for entry in mine if not entry.struck] or mine[-1:]


def _unstruck(cell: CellText, entry: Entry) -> list[Change]:
    if not entry.struck:
        return []
    in_badges = cell.dialect is Dialect.BADGE
    return splice.unstrike(cell.struck, entry.name, entry.whole, cell.source, break_inside=in_badges)


def _struck(cell: CellText, mine: Sequence[Entry], stretch: Callable[[Entry], Span]) -> str:
    spans = [stretch(entry) for entry in mine if not entry.struck]
    return splice.splice(cell.source, [(span, splice.strike(span.of(cell.source))) for span in spans])


# ----------------------------------------------------------------------------------------------- badge


def _write_badges(cell: CellText, mine: Sequence[Entry], wish: Wish) -> str:
    if wish.withdraws and mine:
        return _struck(cell, mine, lambda entry: entry.whole)
    if not mine:
        item = _new_badge_item(cell, wish)
        separator = "<br>" if _would_join_names(cell, wish.name) else " "
        return splice.append(cell.source, splice.strike(item) if wish.withdraws else item, separator)
    standing = _standing(mine)
    changes: list[Change] = []
    for entry in standing:
        new = wish.new if entry is standing[-1] else ()
        changes += _unstruck(cell, entry)
        if entry.sign:
            changes += _new_badge(cell, entry, wish, new)
        elif not (wish.is_brief and entry.state is wish.written and not new):
            changes.append(_rewritten(cell, entry, wish, new))
    return splice.splice(cell.source, changes)


def _badge_word(state: State, marks: Marks) -> str | None:
    """The word and colour that say a state, also where words were given other meanings; None if none does."""
    usual = _BADGE_WORDS.get(state, _BADGE_WORDS[State.CLAIMED])
    seen = _SEEN_ON_BADGE.get(state, state)
    word, _, colour = usual.partition("-")
    words = marks.chosen.words
    if not words or state not in _BADGE_WORDS or badge_state(word, words) is seen:
        return usual
    own = next((w for w, meaning in words.items() if meaning is seen and w.isalnum()), None)
    return f"{own}-{colour}" if own else None


def _badge(state: State, marks: Marks) -> str:
    word = _badge_word(state, marks) or _BADGE_WORDS[State.CLAIMED]
    return f'<img src="https://img.shields.io/badge/状态-{word}" />'


def _links(refs: Sequence[PullRequestRef]) -> str:
    return " ".join(f"[#{ref.number}]({ref.url})" for ref in refs)


def _new_badge_item(cell: CellText, wish: Wish) -> str:
    """Briefly, a bare name says claimed, and a bare number stands for a link."""
    if not wish.is_brief:
        return _badge_item(wish.name, wish.written, _links(wish.new), cell.marks)
    if wish.written is State.CLAIMED and not wish.new:
        return f"{wish.name}<br>"
    return f"{wish.name} {_badge(wish.written, cell.marks)}{_brief_references(cell, wish.new)}<br>"


def _brief_references(cell: CellText, refs: Sequence[PullRequestRef]) -> str:
    is_here = [ref.repository.lower() == cell.repository.lower() for ref in refs]
    return "".join(f" #{ref.number}" if here else f" {ref}" for here, ref in zip(is_here, refs, strict=True))


def _badge_item(name: str, state: State, links: str, marks: Marks) -> str:
    return f"{name} {_badge(state, marks)} {links}<br>"


def _new_badge(cell: CellText, entry: Entry, wish: Wish, new: Sequence[PullRequestRef]) -> list[Change]:
    """The new badge in the old one's place, new links behind the old ones."""
    sign = entry.sign or entry.name
    changes = (
        []
        if entry.state is _SEEN_ON_BADGE.get(wish.written, wish.written)
        else [(sign, _badge(wish.written, cell.marks))]
    )
    if not new:
        return changes
    end = max(entry.span.end, sign.end)
    covering = next((strike for strike in cell.struck if entry.struck and strike.span.end == end), None)
    end = covering.inner.end if covering else end
    blanks = len(cell.source[end:]) - len(cell.source[end:].lstrip(" "))
    before_break = plain.BREAK.match(cell.source, end + blanks) and end == sign.end
    links = _brief_references(cell, new) if wish.is_brief else f" {_links(new)}"
    return [*changes, (Span(end, end + blanks if before_break else end), links)]


def _rewritten(cell: CellText, entry: Entry, wish: Wish, new: Sequence[PullRequestRef]) -> Change:
    """A person without badge is written anew in the form with badge; old references become links."""
    old = [splice.strike(_links([f.ref])) if f.struck else _links([f.ref]) for f in entry.references]
    start, end = entry.name.start if entry.struck else entry.span.start, entry.whole.end
    remark = plain.BREAK.sub("", cell.source[entry.span.end : end]).strip(SEPARATORS + "~")
    name = entry.name.of(cell.source)
    if not cells.has_words(remark):  # what closes emphasis round the name
        name, remark = name + remark, ""
    links = " ".join(filter(None, [*old, _links(new), remark]))
    item = _badge_item(name, wish.written, links, cell.marks)
    if end == entry.span.end:  # no break behind: somebody else, or the end of the cell
        rest = cell.source[end:]
        skipped = len(rest) - len(rest.lstrip(SEPARATORS))
        if rest[skipped:]:
            return Span(start, end + skipped), f"{item} "
    if entry.struck:  # the tildes are taken off by a change of their own
        end = min([end, *(s.inner.end for s in cell.struck if s.span.contains(entry.name))])
    return Span(start, end), item


def _would_join_names(cell: CellText, name: str) -> bool:
    """A bare name beside somebody in one item would be lost or read as one name: a break must part them."""
    if splice.is_free(cell.source) or splice.ends_in_break(cell.source.rstrip()):
        return False
    last = list(cell.items())[-1]
    beside = people.read_item(cell, last)
    by_mention = any(entry.login is not None for entry in beside)
    return bool(beside) and not (by_mention and name.startswith(("@", "[")))


# ------------------------------------------------------------------------------------- emoji and plain


def _write_emoji(cell: CellText, mine: Sequence[Entry], wish: Wish) -> str:
    if wish.withdraws and mine:
        return _struck(cell, mine, lambda entry: entry.span)
    mark = cell.marks.mark_for(wish.state if not wish.withdraws else State.CLAIMED)
    if _is_new(cell, mine):
        item = f"{mark}{wish.name}{_behind_name(cell, wish)}"
        return splice.append_listed(cell.source, [splice.strike(item) if wish.withdraws else item])
    standing = _standing(mine)
    changes: list[Change] = []
    for entry in standing:
        changes += _unstruck(cell, entry)
        if entry.sign is None:
            changes.append((Span(entry.name.start, entry.name.start), mark))
        elif entry.state is not cell.marks.meanings[mark]:
            changes.append((entry.sign, mark))
    changes += _new_references(cell, standing[-1], wish)
    return splice.splice(cell.source, [*changes, *_breaks(cell, standing)])


def _write_plain(cell: CellText, mine: Sequence[Entry], wish: Wish) -> str:
    if wish.withdraws and mine:
        return _struck(cell, mine, lambda entry: entry.name)
    if _is_new(cell, mine):
        item = f"~~{wish.name}~~" if wish.withdraws else wish.name
        parts = _would_join_names(cell, wish.name) or _ends_in_loose_mark(cell)
        separator = "<br/>" if parts else " "
        return splice.append(cell.source, f"{item}{_behind_name(cell, wish)}", separator)
    entry = _standing(mine)[-1]
    changes = [*_unstruck(cell, entry), *_new_references(cell, entry, wish)]
    return splice.splice(cell.source, [*changes, *_breaks(cell, [entry])])


def _is_new(cell: CellText, mine: Sequence[Entry]) -> bool:
    """Nobody is there yet, or only as a struck bare name with a remark behind it, which would become one with the name."""
    remarked = (
        entry.struck and entry.login is None and _REMARK.match(cell.source, entry.name.end, entry.span.end)
        for entry in mine
    )
    return all(remarked)


def _ends_in_loose_mark(cell: CellText) -> bool:
    """A mark behind somebody with a blank between would be taken for the mark of whoever comes next."""
    content = cell.source.rstrip()
    last = next(reversed(list(cell.marks.pattern.finditer(content))), None)
    return last is not None and last.end() == len(content) and content[: last.start()][-1:].isspace()


def _breaks(cell: CellText, standing: Sequence[Entry]) -> list[Change]:
    """Bare names that only a strike parted need a break between them once it is gone."""
    back = [entry for entry in standing if entry.struck and entry.login is None]
    beside = [other for item in cell.items() for other in people.read_item(cell, item)] if back else []
    ends = [
        one.span.end
        for one, other in pairwise(beside)
        if {one.span, other.span} & {entry.span for entry in back}
        and not people.parts_names(cell.source[one.span.end : other.span.start])
    ]
    return [(Span(end, end), "<br/>") for end in ends]


def _behind_name(cell: CellText, wish: Wish) -> str:
    return _brief_references(cell, wish.new) if wish.is_brief else "".join(f" {ref}" for ref in wish.new)


def _new_references(cell: CellText, entry: Entry, wish: Wish) -> list[Change]:
    """References stand behind the person, one blank before each."""
    if not wish.new:
        return []
    end = entry.span.end
    behind = cell.source[end : end + 1]
    glued = behind.isalnum() or (behind and behind in "@＠[")
    return [(Span(end, end), _behind_name(cell, wish) + (" " if glued else ""))]


# ----------------------------------------------------------------------------------------- parenthesis


def _write_parentheses(cell: CellText, mine: Sequence[Entry], wish: Wish) -> str:
    if wish.withdraws and mine:
        return _struck(cell, mine, lambda entry: entry.span)
    seen = _SEEN.get(wish.written, wish.written)
    last_said = [entry.state for entry in mine if not entry.struck][-1:]
    if not wish.new and seen in (wish.as_read, *last_said):
        return cell.source  # the team's items say it already
    word = teams.WRITTEN_WORDS.get(wish.written, teams.WRITTEN_WORDS[State.CLAIMED])
    links = "&".join(
        teams.link_text(ref, cell.repository)
        if wish.is_brief
        else f"[{teams.link_text(ref, cell.repository)}]({ref.url})"
        for ref in references.unique(wish.pull_requests)
    )
    item = f"{wish.name}({word})({links})" if links else f"{wish.name}({word})"
    return splice.append(cell.source, splice.strike(item) if wish.withdraws else item, "</br>")


_WRITERS: Mapping[Dialect, Callable[[CellText, Sequence[Entry], Wish], str]] = {
    Dialect.BADGE: _write_badges,
    Dialect.EMOJI: _write_emoji,
    Dialect.PLAIN: _write_plain,
    Dialect.PARENTHESIS: _write_parentheses,
}
