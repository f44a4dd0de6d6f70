"""The mentor line between a heading and its table (TABLES.md section 4, Fields of a task)."""

import re
from collections.abc import Iterable, Mapping, Sequence

from tasks_board.documents import ids, people
from tasks_board.documents import text as texts

_MENTOR_LINE = re.compile(
    r"[\s>*_`+-]*(?:[0-9]{1,9}[.)]\s+)?[*_`]*(?:mentors?|导师)[*_`]*\s*:?[*_`]*(?=[\s@\[h(<~])", re.IGNORECASE
)
_ID = re.compile("[0-9]")
_WORDS = re.compile(r"[^\s:*_(<~]")
_FORMATTING = re.compile(r"</?(?:b|strong|i|em|u|p|span|font|small)(?:\s[^<>]*)?>", re.IGNORECASE)
Guide = tuple[str, str]  # the role and the login


def guides_by_number(lines: Iterable[str], numbers: Sequence[str]) -> Mapping[str | None, Sequence[Guide]]:
    """Who guides which row: ``(role, login)`` by id key. Those of the key None guide every row.

    Logins directly before ids belong to those rows; several in a row share the ids behind them. Struck ones are
    left out, and who stands behind the label 助教： assists.
    """
    guides: dict[str | None, list[Guide]] = {}
    for line in lines:
        bare = _FORMATTING.sub("", line)
        folded = texts.fold(bare)
        label = _MENTOR_LINE.match(folded.text)
        if label:
            struck = texts.every_strike(bare)
            mentions = [
                (mention, texts.is_struck(folded.span(mention.span.start, mention.span.end), struck))
                for mention in people.find_mentions(folded.text)
            ]
            _read_line(folded.text, label.end(), mentions, numbers, guides)
    return guides


def _read_line(
    folded: str,
    start: int,
    mentions: Sequence[tuple[people.Mention, bool]],
    numbers: Sequence[str],
    guides: dict[str | None, list[Guide]],
) -> None:
    if not mentions or _WORDS.search(folded, start, mentions[0][0].span.start):
        return  # a sentence about mentors names none
    ends = [*(mention.span.start for mention, _ in mentions[1:]), len(folded)]
    role = "mentor"
    waiting: list[Guide] = []
    for (mention, is_struck), end in zip(mentions, ends, strict=True):
        if not is_struck:
            waiting.append((role, mention.login))
        behind = folded[mention.span.end : end]
        if _ID.search(behind):
            for key in ids.read_known_ids(behind, numbers):
                guides.setdefault(key, []).extend(waiting)
            waiting = []
        role = people.role_named_in(behind) or role
    if waiting:
        guides.setdefault(None, []).extend(waiting)


def guides_of(number: str | None, guides: Mapping[str | None, Sequence[Guide]]) -> list[Guide]:
    """The people of the mentor line for one row."""
    own = guides.get(ids.id_key(number), ()) if number is not None else ()
    return [*own, *guides.get(None, ())]
