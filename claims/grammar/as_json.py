"""Readings as the JSON of the cases, and the cases' JSON as arguments (cases/README.md, keys)."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from claims.grammar.comments import read_comment
from claims.grammar.ids import TaskIds
from claims.grammar.model import CommentReading, Intent, IntentKind, TitlePrefix, TitleReading
from claims.grammar.titles import read_title

Json = dict[str, Any]


def read_comments(cases: Sequence[Mapping[str, Any]]) -> list[Json]:
    """The readings of a list of comments."""
    return [comment_as_json(_read_comment_case(case)) for case in cases]


def read_titles(request: Mapping[str, Any]) -> list[Json]:
    """The readings of the titles of ``{"events": […], "titles": […]}``."""
    events = [prefix_from_json(event) for event in request["events"]]
    return [
        title_as_json(read_title(case["title"], repository=case["repository"], events=events))
        for case in request["titles"]
    ]


def prefix_from_json(event: Mapping[str, Any]) -> TitlePrefix:
    """One event of the title cases."""
    rfc_repositories = event.get("rfc_repositories")
    return TitlePrefix(
        key=event["key"],
        prefix=event["prefix"],
        repositories=frozenset(event["repositories"]),
        task_ids=_task_ids(tuple(event["task_ids"])),
        aliases=tuple(event.get("aliases", ())),
        rfc_repositories=None if rfc_repositories is None else frozenset(rfc_repositories),
    )


def comment_as_json(reading: CommentReading) -> Json:
    """A reading of a comment as the ``expect`` of its case."""
    return {
        "intents": [_intent_as_json(intent) for intent in reading.intents],
        "unknown": list(reading.unknown),
        "team": reading.team,
        "members": list(reading.members),
        "flexible": reading.flexible,
        "hint": reading.hint,
    }


def title_as_json(reading: TitleReading) -> Json:
    """A reading of a title as the ``expect`` of its case."""
    return {
        "event": reading.event,
        "tasks": list(reading.tasks),
        "partial": reading.partial,
        "revert": reading.revert,
        "rfc": reading.rfc,
    }


def _read_comment_case(case: Mapping[str, Any]) -> CommentReading:
    return read_comment(
        case["comment"],
        author=case["author"],
        author_type=case["author_type"],
        repository=case["repository"],
        task_ids=_task_ids(tuple(case["task_ids"])),
        edited_from=case.get("edited_from"),
    )


def _intent_as_json(intent: Intent) -> Json:
    written: Json = {"kind": str(intent.kind), "tasks": list(intent.tasks)}
    if intent.kind is IntentKind.SUBMIT:
        written["pull_requests"] = [str(ref) for ref in intent.pull_requests]
    return written


@lru_cache(maxsize=256)
def _task_ids(compact: tuple[str, ...]) -> TaskIds:
    return TaskIds.from_compact(compact)
