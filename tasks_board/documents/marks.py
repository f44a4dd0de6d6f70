"""Signs of state: status marks, badges, words in parentheses, and the legend (TABLES.md section 4, States)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import unquote

from tasks_board.documents import plain, tables
from tasks_board.documents import text as texts
from tasks_board.documents.columns import is_legend
from tasks_board.documents.model import NEAREST_WRITTEN, State

PRESET: Mapping[str, State] = {
    "🔵": State.OPEN,
    "🙋": State.CLAIMED,
    "🚧": State.PR_OPEN,
    "🟢": State.APPROVED,
    "🟡": State.DEFERRED,
    "❌": State.BLOCKED,
    "✅": State.DONE,
}
TICK = "✅"

# The first line that fits the words gives the meaning; negated words stand before the words they hold.
_LEGEND_LINES: Sequence[tuple[Sequence[str], State]] = (
    (("下阶段", "暂缓", "推迟"), State.DEFERRED),
    (("待合入", "等待合入"), State.APPROVED),
    (("可认领", "可报名", "待认领", "待分析", "未开始", "未认领"), State.OPEN),
    (("迁移中", "进行中", "修复中", "开发中", "适配中"), State.PR_OPEN),
    (("部分完成",), State.PARTLY_DONE),
    (("没有通过", "未通过", "阻塞", "人力跟进"), State.BLOCKED),
    (("未完成", "没有完成", "待完成"), State.OPEN),
    (("报名", "已认领"), State.CLAIMED),
    (("完成", "完毕", "完全"), State.DONE),
)
_ANY_LEGEND_WORD = re.compile("|".join(sign for signs, _ in _LEGEND_LINES for sign in signs))
_DEFENCE_PASSED = frozenset({"通过", "及格", "良好", "优秀", "特别优秀"})

# Emoji of any kind, but no circled numbers: those number things.
_EMOJI = (
    "(?:[\u2300-\u245f\u2500-\u2775\u2794-\u27bf\u2900-\u297f\u2b00-\u2bff\U0001f000-\U0001faff]"
    "\ufe0f?[\U0001f3fb-\U0001f3ff]?)"
)
_VARIANT = "\ufe0f?[\U0001f3fb-\U0001f3ff]?\u200d?[♀♂]?\ufe0f?"  # what may follow a mark without changing it
_LEGEND_ENTRY = re.compile(rf"({_EMOJI})(?:\u200d?[♀♂]\ufe0f?)?(?:[\s*_`]|&nbsp;)*:")
_LEGEND_MARK = re.compile(_EMOJI)
_NO_STATE = frozenset("⭐🌟🆕")  # stars tell the difficulty, whatever else their line says

_BADGE = re.compile(
    r"""<img\s(?>[^<>]*?img\.shields\.io/badge/)(?P<html>[^"'\s<>]*+)[^<>]*+>
    |  !\[[^\[\]\n]*+\]\(\s*+https?://img\.shields\.io/badge/(?P<image>[^\s()]*+)[^()]*+\)""",
    re.VERBOSE | re.IGNORECASE,
)
_BADGE_STATES: Mapping[str, State] = {
    "报名": State.CLAIMED,
    "提交rfc": State.RFC_SUBMITTED,
    "完成设计文档": State.RFC_MERGED,
    "提交pr": State.PR_OPEN,
    "部分完成": State.PARTLY_DONE,
    "完成任务": State.DONE,
}

# As what a state is written (section 5, Nearest form): the first of these that still has a mark.
_CLAIMED_FORMS = (State.CLAIMED, State.OPEN)
_AT_WORK_FORMS = (State.PR_OPEN, *_CLAIMED_FORMS)
_NEAREST_FIRST: Mapping[State, Sequence[State]] = {
    **dict.fromkeys(State, _CLAIMED_FORMS),
    State.OPEN: (State.OPEN,),
    State.BLOCKED: (State.BLOCKED, *_CLAIMED_FORMS),
    State.PR_OPEN: _AT_WORK_FORMS,
    State.APPROVED: (State.APPROVED, *_AT_WORK_FORMS),
    State.DEFERRED: (State.DEFERRED, *_CLAIMED_FORMS),
    State.PARTLY_DONE: _AT_WORK_FORMS,
    State.DONE: (State.DONE, *_AT_WORK_FORMS),
}


def state_of_words(words: str) -> State | None:
    """What the words of a legend or of a state column mean."""
    read = texts.normalise(words)
    if not _ANY_LEGEND_WORD.search(read):
        return None
    return next((state for signs, state in _LEGEND_LINES if any(sign in read for sign in signs)), None)


def state_of_defence(words: str) -> State | None:
    """The result of a defence: passed is done, other words read like a legend's."""
    return (
        State.DONE
        if texts.comparison_key(plain.plain_text(words)) in _DEFENCE_PASSED
        else state_of_words(words)
    )


def is_mark(text: str) -> bool:
    """Whether a text is one emoji, and nothing else."""
    return _LEGEND_MARK.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Chosen:
    """Meanings that somebody gave by hand, of emoji and of words (badges, state columns); None: it says nothing."""

    emoji: Mapping[str, State | None] = field(default_factory=dict)
    words: Mapping[str, State | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Badge:
    """A state badge and its place in a text; ``state`` is None for words we do not know."""

    start: int
    end: int
    word: str
    state: State | None


def find_badges(text: str, chosen: Mapping[str, State | None] | None = None) -> list[Badge]:
    """All state badges of a text; badges about other things are pictures. `chosen` are words with other meanings."""
    if "shields.io" not in text:
        return []
    found: list[Badge] = []
    for match in _BADGE.finditer(text):
        kind, _, rest = texts.normalise(unquote(match["html"] or match["image"] or "")).partition("-")
        if kind == "状态":
            word = rest.rsplit("-", 1)[0]
            found.append(Badge(match.start(), match.end(), word, badge_state(word, chosen)))
    return found


def badge_state(word: str, chosen: Mapping[str, State | None] | None = None) -> State | None:
    """What the word of a badge means."""
    usual = _BADGE_STATES.get(word.casefold())
    return chosen.get(texts.comparison_key(word), usual) if chosen else usual


@dataclass(frozen=True)
class Marks:
    """The status marks of one body: the preset, before it the body's own legend, and before both what was corrected."""

    legend: Mapping[str, State]
    chosen: Chosen = field(default_factory=Chosen)

    @cached_property
    def meanings(self) -> Mapping[str, State]:
        found: dict[str, State | None] = {**PRESET, **self.legend, **self.chosen.emoji}
        return {mark: state for mark, state in found.items() if state is not None}

    @property
    def ticks(self) -> bool:
        """Whether a tick behind a pull request says that it is done."""
        return self.chosen.emoji.get(TICK, State.DONE) is State.DONE

    def can_say(self, state: State) -> bool:
        """Whether some mark is left for a state, or for its nearest form."""
        return self.mark_for(state) in self.meanings

    @cached_property
    def pattern(self) -> "re.Pattern[str]":
        """One mark; group 1 is the bare mark, without signs that only change its looks."""
        return _any_of(self.meanings)

    @cached_property
    def every(self) -> "re.Pattern[str]":
        """The same for a mark that was said to mean nothing too: it still is no part of a number or a title."""
        return _any_of({**self.meanings, **self.chosen.emoji}) if self.chosen.emoji else self.pattern

    @cached_property
    def title_noise(self) -> "re.Pattern[str]":
        """What a title carries without being part of it: marks, the word behind them, the new-mark."""
        return re.compile(rf"(?:{self.every.pattern}\s*(?:已完成)?|🆕\ufe0f?)")

    def state_of(self, mark: "re.Match[str]") -> State:
        return self.meanings[mark[1]]

    def first_state(self, text: str) -> State | None:
        if text.isascii():
            return None  # marks are emoji
        match = self.pattern.search(text)
        return self.state_of(match) if match else None

    def mark_for(self, state: State) -> str:
        """The mark that says a state: the legend's first, else the preset, else the nearest form.

        A preset mark to which the legend gives another meaning says nothing any more; then the next lower
        state with a mark is written, so that nobody reads more than we mean.
        """
        wanted = NEAREST_WRITTEN.get(state, state)
        first = {**self.legend, **self.chosen.emoji}
        own = next((mark for mark, meaning in first.items() if meaning is wanted), None)
        if own is not None:
            return own
        for nearest in _NEAREST_FIRST[wanted]:
            for mark, meaning in self.meanings.items():
                if meaning is nearest:
                    return mark
        return "🔵"


def _any_of(marks: Iterable[str]) -> "re.Pattern[str]":
    longest_first = sorted(marks, key=len, reverse=True)
    return re.compile(f"({'|'.join(map(re.escape, longest_first)) or '(?!)'}){_VARIANT}")


def written_state(state: State, marks: Marks) -> State:
    """The state that a reader sees where ``state`` is written as a mark."""
    return marks.meanings.get(marks.mark_for(state), State.OPEN)


def read_marks(body_outline: tables.Outline, chosen: Chosen | None = None) -> Marks:
    """The marks of a body, with the meanings that its own legend gives them."""
    legend: dict[str, State] = {}
    for mark, words in _legend_pairs(body_outline):
        state = state_of_words(words)
        if state is not None and bare_mark(mark) not in _NO_STATE:
            legend.setdefault(bare_mark(mark), state)
    return Marks(legend, chosen or Chosen())


def bare_mark(mark: str) -> str:
    """A mark without the signs that only change its looks."""
    return re.sub("[\ufe0f\U0001f3fb-\U0001f3ff]", "", mark)


def _legend_pairs(body_outline: tables.Outline) -> Iterable[tuple[str, str]]:
    masked = body_outline.masked
    for line in body_outline.outside:
        yield from _pairs_of_line(line.span.of(masked))
    for table in body_outline.tables:
        if is_legend([cell.of(masked) for cell in table.header.cells]):
            yield from _pairs_of_table(table, masked)


def _pairs_of_line(line: str) -> Iterable[tuple[str, str]]:
    if line.isascii() or (":" not in line and "：" not in line):
        return
    folded = texts.fold(line).text
    entries = list(_LEGEND_ENTRY.finditer(folded))
    ends = [*(entry.start() for entry in entries[1:]), len(folded)]
    for entry, end in zip(entries, ends, strict=False):
        yield entry[1], folded[entry.end() : end]


def _pairs_of_table(table: tables.RawTable, masked: str) -> Iterable[tuple[str, str]]:
    for row in table.rows:
        match = _LEGEND_MARK.search(row.cells[0].of(masked)) if len(row.cells) > 1 else None
        if match:
            yield match[0], row.cells[1].of(masked)
