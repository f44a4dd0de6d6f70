"""Comments to intents: what somebody asks for in a comment (cases/README.md, section 2).

The principle: what is not plainly meant books nothing, and its author is told the right form.
"""

from collections.abc import Iterable, Iterator, Sequence

from claims.grammar import hints, people, submits, team_form
from claims.grammar.head_lists import read_list_of_head
from claims.grammar.heads import Head, find_heads, lines_of
from claims.grammar.ids import TaskIds
from claims.grammar.model import Attempt, CommentReading, Intent, IntentKind
from claims.grammar.references import CommentReferences
from claims.grammar.unread import ReadableText, holds_bot_answer, readable
from claims.grammar.wishes import Wish, WishList
from tasks_board.documents.model import Span


def read_comment(
    comment: str,
    *,
    author: str,
    author_type: str,
    repository: str,
    task_ids: TaskIds,
    edited_from: str | None = None,
) -> CommentReading:
    """Read a comment; with ``edited_from``, what the old text claimed and the new drops is released."""
    if author_type.lower() == "bot":
        return CommentReading()
    source = readable(comment)
    if holds_bot_answer(source.text):
        return CommentReading()
    reader = _Reader(source, repository, task_ids)
    before = None if edited_from is None else readable(edited_from)
    if before is not None and not holds_bot_answer(before.text):
        reader.drop(_claimed(before, repository, task_ids))
    return reader.reading(author)


def _claimed(source: ReadableText, repository: str, ids: TaskIds) -> tuple[str, ...]:
    return _tasks(_Reader(source, repository, ids).wishes.intents, IntentKind.CLAIM)


def _tasks(intents: Iterable[Intent], *kinds: IntentKind) -> tuple[str, ...]:
    return tuple(task for intent in intents if intent.kind in kinds for task in intent.tasks)


class _Reader:
    """One text of a comment: its wishes, its team, and whether it tried to speak to us at all."""

    def __init__(self, source: ReadableText, repository: str, ids: TaskIds) -> None:
        self.source, self.ids = source, ids
        self.found = CommentReferences(source, repository)
        self.wishes = WishList(source, ids)
        self.team: str | None = None
        self.attempt: Attempt | None = None
        forms = team_form.find_team_forms(source, ids)
        if forms is None:
            self._read_heads()
        else:
            self._read_forms(forms)

    def _read_heads(self) -> None:
        lines = lines_of(self.source.text)
        heads = find_heads(self.source, lines, self.ids)
        if heads.near_miss:
            self.attempt = Attempt.WORDS
        for wish in _wishes_of_heads(self.source, lines, heads.by_line, self.ids, self.found):
            self.wishes.add(wish)
            if not self._is_struck(wish):
                self.attempt = Attempt.SUBMIT if wish.kind is IntentKind.SUBMIT else Attempt.HEAD

    def _read_forms(self, forms: team_form.TeamForms) -> None:
        self.team = team_form.team_of(self.source, forms)
        wishes = list(team_form.wishes_of(self.source, forms, self.ids, self.found))
        for wish in wishes:
            self.wishes.add(wish)
        if not wishes or not all(map(self._is_struck, wishes)):
            self.attempt = Attempt.FORM

    def _is_struck(self, wish: Wish) -> bool:
        """Whoever struck out a head or its ids needs no hint."""
        return wish.struck or any(self.source.is_struck(item.start) for item in wish.items)

    def drop(self, claimed_before: Iterable[str]) -> None:
        """What the old text claimed and this one neither claims nor submits is released."""
        kept = frozenset(_tasks(self.wishes.intents, IntentKind.CLAIM, IntentKind.SUBMIT))
        self.wishes.release(task for task in claimed_before if task not in kept)

    def reading(self, author: str) -> CommentReading:
        text = self.source.without_struck()
        intents, unknown = self.wishes.intents, self.wishes.unknown
        attempt = None if intents or unknown else self.attempt or hints.attempt_in(text, self.ids)
        return CommentReading(
            intents=intents,
            unknown=unknown,
            team=self.team,
            members=people.members_of(text, author),
            flexible=people.flexible_of(text),
            attempt=attempt,
        )


def _wishes_of_heads(
    source: ReadableText,
    lines: Sequence[Span],
    heads: dict[int, Head],
    ids: TaskIds,
    found: CommentReferences,
) -> Iterator[Wish]:
    for head in heads.values():
        submitting = head.kind is IntentKind.SUBMIT
        listed = read_list_of_head(
            source.text, lines, head.line, head.behind, ids, heads=heads, submitting=submitting
        )
        items = submits.items_before_references(listed.items, found)
        pull_requests = (
            submits.pull_requests_of(
                source.text,
                lines,
                behind=head.behind,
                listed_at=listed.line,
                items=items,
                heads=heads,
                found=found,
            )
            if submitting
            else ()
        )
        yield Wish(head.kind, items, head.struck, pull_requests)
