"""What has to be merged for a task, where and in which order: its steps as they are stored, typed and shown."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from portal.common.errors import DomainError

PROPOSAL, CODE = "proposal", "code"
MOST_STEPS = 10

_KINDS: Mapping[str, str] = {
    **dict.fromkeys(("proposal", "rfc", "设计文档", "方案"), PROPOSAL),
    **dict.fromkeys(("code", "pr", "代码"), CODE),
}
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9_.-]{1,100}")
_STEP = re.compile(r"(?P<kind>[^\s:：@]+)[\s:：@]*(?P<repository>\S*)")

Step = dict[str, Any]


def read_chain(text: str) -> list[Step]:
    """Steps typed as `proposal owner/name > code owner/name`; a step without a repository is done in any watched one.

    Raises DomainError (bad_chain).
    """
    steps = [part.strip() for part in re.split(r">|＞|→|\n", text.replace("->", ">")) if part.strip()]
    return check_chain([_read_step(step) for step in steps])


def check_chain(steps: Sequence[Mapping[str, Any]]) -> list[Step]:
    """The steps as they are stored. Raises DomainError (bad_chain)."""
    checked = []
    for step in steps:
        kind, repository = str(step.get("kind", "")), str(step.get("repository", ""))
        if kind not in (PROPOSAL, CODE) or (repository and not _REPOSITORY.fullmatch(repository)):
            raise _bad(f"{kind} {repository}".strip())
        checked.append({"kind": kind, "repository": repository})
    if len(checked) > MOST_STEPS:
        raise _bad(show_chain(checked))
    return checked


def show_chain(steps: Sequence[Mapping[str, Any]]) -> str:
    """The steps as `read_chain` takes them."""
    return " > ".join(f"{step['kind']} {step.get('repository', '')}".strip() for step in steps)


def _read_step(text: str) -> Step:
    match = _STEP.fullmatch(text)
    kind = _KINDS.get(match["kind"].lower()) if match else None
    if match is None or kind is None:
        raise _bad(text)
    return {"kind": kind, "repository": match["repository"]}


def _bad(step: str) -> DomainError:
    return DomainError(
        "bad_chain",
        _("“%(step)s” is no step. Write steps like “proposal owner/name > code owner/name”.")
        % {"step": step[:80]},
    )
