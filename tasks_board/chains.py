"""What has to be merged for a task, step by step: a proposal, code, docs, each perhaps in a repository of its own.

Pure. Which step a pull request belongs to is told by its repository first, then by its mark.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

KINDS = ("proposal", "code", "docs")
MOST_STEPS = 6
_WORDS = {
    **dict.fromkeys(("rfc", "设计文档", "方案", "提案"), "proposal"),
    **dict.fromkeys(("pr", "代码"), "code"),
    **dict.fromkeys(("doc", "文档"), "docs"),
}
_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}")
_DOCS_NAMES = frozenset({"doc", "docs", "documentation", "documents"})
_DOCS_TITLE = re.compile(r"[\[【(]\s?docs?\s?[\]】)]|^\s?docs?\s?(?:\([^()]{0,80}\))?\s?[:：]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to be merged. Without a repository: in any that is not another step's."""

    kind: str
    repository: str = ""

    def to_json(self) -> dict[str, str]:
        """As it is stored."""
        return {"kind": self.kind, "repository": self.repository}


Chain = tuple[Step, ...]
PROPOSAL, CODE, DOCS = Step("proposal"), Step("code"), Step("docs")


def chain_from_json(stored: Iterable[Mapping[str, Any]]) -> Chain:
    """The steps of a stored list. Raises ValueError for what is none."""
    try:
        steps = tuple(Step(str(step["kind"]), str(step.get("repository") or "")) for step in stored)
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError("A chain is a list of steps, each with its kind.") from error
    if problem := problem_of(steps):
        raise ValueError(problem)
    return steps


def read_chain(text: str) -> Chain:
    """The steps as people write them: `proposal → code → docs owner/name`. Empty: none. Raises ValueError."""
    parts = [part.split() for part in re.split(r"→|->|>|＞|,|，|;|；|\n", text) if part.strip()]
    if any(len(part) > 2 for part in parts):
        raise ValueError("A step is its kind, and perhaps a repository.")
    kinds = [_WORDS.get(part[0].lower(), part[0].lower()) for part in parts]
    steps = tuple(
        Step(kind, part[1] if len(part) > 1 else "") for kind, part in zip(kinds, parts, strict=True)
    )
    if problem := problem_of(steps):
        raise ValueError(problem)
    return steps


def write_chain(chain: Iterable[Step]) -> str:
    """As `read_chain` reads it."""
    return " → ".join(f"{step.kind} {step.repository}".strip() for step in chain)


def problem_of(chain: Sequence[Step]) -> str:
    """What is wrong with a chain; empty if nothing is."""
    if len(chain) > MOST_STEPS:
        return "too_many_steps"
    if any(step.kind not in KINDS for step in chain):
        return "unknown_step"
    if any(step.repository and not _REPOSITORY.fullmatch(step.repository) for step in chain):
        return "bad_repository"
    if len({(step.kind, step.repository.lower()) for step in chain}) != len(chain):
        return "step_twice"
    return ""


def chain_of(own: Chain, *, of_event: Chain, proposal_required: bool | None, usually: bool) -> Chain:
    """The chain of a task: its own, else the event's, else code after a proposal where one is usual.

    `proposal_required` is what the table says of the task, if anything: it puts a proposal before, or takes it away.
    """
    given = own or of_event
    if given and proposal_required is None:
        return given
    needed = usually if proposal_required is None else proposal_required
    work = tuple(step for step in given if step.kind != "proposal") or (CODE,)
    if not needed:
        return work
    return (*([step for step in given if step.kind == "proposal"] or [PROPOSAL]), *work)


def step_of(chain: Sequence[Step], *, repository: str, title: str, is_proposal: bool) -> int | None:
    """The place in the chain of the step that a pull request belongs to; None if no step asks for it."""
    here = [place for place, step in enumerate(chain) if step.repository.lower() == repository.lower()]
    open_to_all = [place for place, step in enumerate(chain) if not step.repository]
    if is_proposal:
        return _first(chain, [*here, *open_to_all], ("proposal",))
    is_docs = _DOCS_TITLE.search(title) is not None or _holds_docs(repository)
    order = ("docs", "code") if is_docs else ("code", "docs")
    found = _first(chain, here, order)
    return found if found is not None else _first(chain, open_to_all, order if is_docs else ("code",))


def _first(chain: Sequence[Step], places: Iterable[int], kinds: Sequence[str]) -> int | None:
    fitting = [(kinds.index(chain[place].kind), place) for place in places if chain[place].kind in kinds]
    return min(fitting)[1] if fitting else None


def _holds_docs(repository: str) -> bool:
    name = repository.rpartition("/")[2].lower()
    return name in _DOCS_NAMES or name.endswith(("-docs", "_docs", ".docs"))
