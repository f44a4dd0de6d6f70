"""A module that grows past what a reader can hold is split."""

from collections.abc import Iterable
from pathlib import Path

from tests.house.sources import ROOT

LIMIT = 400  # every module stays below


def breaches(files: Iterable[Path], root: Path = ROOT) -> list[str]:
    found = []
    for path in files:
        if path.suffix not in {".py", ".js"} or "migrations" in path.parts or "vendor" in path.parts:
            continue
        lines = len((root / path).read_text(encoding="utf-8").splitlines())
        if lines >= LIMIT:
            found.append(f"{path}: {lines} lines; split it, modules stay below {LIMIT}")
    return found
