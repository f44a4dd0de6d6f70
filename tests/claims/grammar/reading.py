"""Short ways to read a comment or a title in a test."""

from claims.grammar.comments import read_comment
from claims.grammar.ids import TaskIds
from claims.grammar.model import CommentReading, IntentKind, TitlePrefix, TitleReading
from claims.grammar.titles import read_title

PLAIN = TaskIds.from_compact(["1-80"])
LETTERS = TaskIds.from_compact(["A-1..A-60", "B-01..B-30"])
ODD = TaskIds.from_compact(["=1-1", "=1-2", "=1-3", "=2-1", "赛题五", "4-9"])
DOTTED = TaskIds.from_compact(["1.1..1.6", "2.1..2.4"])
ALL_IDS = (PLAIN, LETTERS, ODD, DOTTED)


def read(comment: str, ids: TaskIds = PLAIN, *, edited_from: str | None = None) -> CommentReading:
    return read_comment(
        comment,
        author="moss07",
        author_type="User",
        repository="PaddlePaddle/Paddle",
        task_ids=ids,
        edited_from=edited_from,
    )


def tasks(reading: CommentReading, kind: IntentKind) -> tuple[str, ...]:
    return tuple(task for intent in reading.intents if intent.kind is kind for task in intent.tasks)


def claimed(comment: str, ids: TaskIds = PLAIN) -> tuple[str, ...]:
    return tasks(read(comment, ids), IntentKind.CLAIM)


def released(comment: str, ids: TaskIds = PLAIN) -> tuple[str, ...]:
    return tasks(read(comment, ids), IntentKind.RELEASE)


def handed_in(comment: str, ids: TaskIds = PLAIN) -> list[str]:
    return [
        str(ref)
        for intent in read(comment, ids).intents
        if intent.kind is IntentKind.SUBMIT
        for ref in intent.pull_requests
    ]


def prefix(key: str, written: str, *compact: str, aliases: tuple[str, ...] = ()) -> TitlePrefix:
    return TitlePrefix(
        key=key,
        prefix=written,
        repositories=frozenset({"PaddlePaddle/Paddle"}),
        task_ids=TaskIds.from_compact(compact or ["1-80"]),
        aliases=aliases,
    )


EVENTS = (
    prefix("seventh", "Hackathon 7th No."),
    prefix("any", "Hackathon No.", aliases=("PaddlePaddle Hackathon",)),
    prefix("typing", "[Typing]", "A-1..A-60"),
    prefix("kernel", "CUDA Kernel No."),
    prefix("early", "Camp No.", "1-11"),
    prefix("late", "Camp No.", "12-43"),
    prefix("cmake", "CMake opt"),
)


def title(written: str, repository: str = "PaddlePaddle/Paddle") -> TitleReading:
    return read_title(written, repository=repository, events=EVENTS)
