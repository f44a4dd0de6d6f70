"""A demo's beginning is kept and used again: its database, and what was done on the stand-in until then.

Building an event's weeks takes some seconds; copying what came of it takes none. What is kept belongs to the code that
made it, and is used for a few days only, so that the latest news stays fresh.
"""

import hashlib
import json
import os
import sqlite3
import time
from collections import Counter
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

from tests.demo.portal import ROOT
from tests.github_stand_in.driver import Driver

FOLDER = ROOT / "var" / "demo-prepared"
FRESH_SECONDS = 2 * 24 * 3600
_CODE = (
    "portal",
    "tasks_board",
    "claims",
    "rewards",
    "tests/demo",
    "tests/scenarios",
    "tests/github_stand_in",
)
_KINDS = {".py", ".md", ".sql"}
_READING = {"deliveries", "get_issue", "get_pull_request", "issue_history", "list_comments", "requests"}


class Recorder(Driver):
    """A driver that remembers what it did, as steps of a scenario."""

    def __init__(self, base_url: str) -> None:
        super().__init__(base_url)
        self.steps: list[dict[str, Any]] = []
        self._noted: Counter[tuple[str, str, int]] = Counter()

    def call(self, verb: str, /, **arguments: Any) -> Any:
        answer = super().call(verb, **arguments)  # what is refused has not happened
        if verb == "load_scenario":
            self.steps += arguments["scenario"]["steps"]
        elif verb not in _READING:
            self.steps.append({"do": verb, **arguments})
        return answer

    def note_edits_of(self, editor: str, repository: str, number: int) -> None:
        """Remember an issue's edits by the portal's account as well, which it has made itself; each once."""
        key = (editor, repository, number)
        theirs = [
            edit for edit in self.issue_history(repository, number)[1:] if edit["editor"] == editor
        ]  # the first version is no edit
        for edit in theirs[self._noted[key] :]:
            self.steps.append({"do": "edit_issue", "repository": repository, "number": number, **edit})
        self._noted[key] = len(theirs)


def keep(database: Path, recorder: Recorder, folder: Path = FOLDER) -> None:
    """Put by what stands now; what was kept before goes."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / _fingerprint()
    copy = kept.with_suffix(f".{os.getpid()}")
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    kept.with_suffix(".json").write_text(json.dumps(recorder.steps, ensure_ascii=False), encoding="utf-8")
    copy.replace(kept.with_suffix(".sqlite3"))  # last: it says that all is there
    for old in folder.iterdir():
        if old.stem != kept.name:
            old.unlink(missing_ok=True)


def restore(database: Path, driver: Driver, folder: Path = FOLDER) -> bool:
    """Set the demo up from what was kept; False if nothing fits, or it is too old."""
    kept = folder / _fingerprint()
    copy, steps = kept.with_suffix(".sqlite3"), kept.with_suffix(".json")
    if not copy.exists() or time.time() - copy.stat().st_mtime > FRESH_SECONDS:
        return False
    driver.load_scenario({"steps": json.loads(steps.read_text(encoding="utf-8"))})
    with closing(sqlite3.connect(copy)) as source, closing(sqlite3.connect(database)) as target:
        source.backup(target)
    return True


@cache
def _fingerprint() -> str:
    """Of the code that makes a beginning, as it is when first asked: whatever of it changes, all is made anew."""
    digest = hashlib.sha256()
    for folder in _CODE:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in _KINDS:
                digest.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]
