"""What comments and titles of pull requests say: the values this package gives back.

The rules of reading are ``cases/README.md`` (the copy of its cases is in ``tests/cases``).
"""

from dataclasses import dataclass
from enum import StrEnum

from claims.grammar.ids import TaskIds
from tasks_board.documents.model import PullRequestRef


class IntentKind(StrEnum):
    """What a comment asks for."""

    CLAIM = "claim"
    RELEASE = "release"
    ALTERNATIVE = "alternative"
    SUBMIT = "submit"


@dataclass(frozen=True, slots=True)
class Intent:
    """One wish of a comment; only a submit names pull requests."""

    kind: IntentKind
    tasks: tuple[str, ...]
    pull_requests: tuple[PullRequestRef, ...] = ()


class Attempt(StrEnum):
    """What a comment has that books nothing but looks as if its author wanted a task."""

    HEAD = "head"  # a head, and behind it no id that counts
    SUBMIT = "submit"  # the same for work that is handed in
    WORDS = "words"  # an id, and words of a claim or release that are no head or not alone with it
    FORM = "form"  # the team form without a number or a state
    LIST = "list"  # nothing but ids
    TABLE = "table"  # a table of ids


@dataclass(frozen=True, slots=True)
class CommentReading:
    """All that a comment says.

    ``unknown`` are ids it names that the event does not have; with an ``attempt`` it books nothing, and its
    author should be told the right form.
    """

    intents: tuple[Intent, ...] = ()
    unknown: tuple[str, ...] = ()
    team: str | None = None
    members: tuple[str, ...] = ()
    flexible: bool | None = None
    attempt: Attempt | None = None

    @property
    def hint(self) -> bool:
        """Should its author be told the right form?"""
        return self.attempt is not None


@dataclass(frozen=True, slots=True)
class TitlePrefix:
    """How titles name an event: its prefix and aliases, where it is looked for, and its ids.

    ``rfc_repositories`` is None where the organizer said nothing: then it is the usual one.
    """

    key: str
    prefix: str
    repositories: frozenset[str]
    task_ids: TaskIds
    aliases: tuple[str, ...] = ()
    rfc_repositories: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class TitleReading:
    """Which tasks of which event a title names; with ``revert`` their credit is to be taken back."""

    event: str | None = None
    tasks: tuple[str, ...] = ()
    partial: bool = False
    revert: bool = False
    rfc: bool = False
