"""No file names a package registry: where packages come from is the machine's business."""

import re
from collections.abc import Iterable
from pathlib import Path

from tests.house.sources import ROOT

# Written in two halves, so that this file passes its own check.
_HOSTS = (
    "pypi" + r"\.org",
    "python" + r"hosted\.org",
    "registry\\." + r"npmjs\.org",
    "registry\\." + r"yarnpkg\.com",
)
_OPTIONS = ("--index" + "-url", "--extra-index" + "-url", "--find" + "-links", "--default" + "-index")
_ADDRESS = re.compile("|".join([*_HOSTS, *_OPTIONS]))


def breaches(files: Iterable[Path], root: Path = ROOT) -> list[str]:
    found = []
    for path in files:
        try:
            text = (root / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture or a font
        for number, line in enumerate(text.splitlines(), 1):
            match = _ADDRESS.search(line)
            if match:
                found.append(f"{path}:{number}: names a registry ({match.group()})")
    return found
