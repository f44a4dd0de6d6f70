"""Reads the Dockerfile: its stages, and the instructions of each. And .dockerignore, as far as ours goes."""

import json
import re
import shlex
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from tests.house.sources import ROOT

FILE = ROOT / "Dockerfile"
IGNORE = ROOT / ".dockerignore"


@dataclass(frozen=True)
class Instruction:
    """One instruction: its word, and the rest on one line."""

    word: str
    rest: str

    def words(self) -> list[str]:
        """The rest, in either of Docker's two forms."""
        if self.rest.startswith("["):
            listed: list[str] = json.loads(self.rest)
            return listed
        return shlex.split(self.rest)


@dataclass
class Stage:
    """What stands between one FROM and the next."""

    image: str
    name: str
    instructions: list[Instruction] = field(default_factory=list)

    def all(self, word: str) -> list[Instruction]:
        return [instruction for instruction in self.instructions if instruction.word == word]

    def last(self, word: str) -> Instruction:
        return self.all(word)[-1]

    def environment(self) -> dict[str, str]:
        return dict(pair.split("=", 1) for each in self.all("ENV") for pair in each.words())

    def copies(self) -> list[tuple[list[str], str]]:
        """What is copied from the checkout, and where to."""
        found = [copy.words() for copy in self.all("COPY") if "--from=" not in copy.rest]
        return [(words[:-1], words[-1]) for words in found]


def instructions(text: str) -> list[Instruction]:
    """In order; comments gone, continued lines joined."""
    lines = [line for line in text.splitlines() if not re.match(r"\s*(#|$)", line)]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [Instruction(*line.split(maxsplit=1)) for line in joined.splitlines()]


def read() -> list[Stage]:
    stages: list[Stage] = []
    for instruction in instructions(FILE.read_text(encoding="utf-8")):
        if instruction.word == "FROM":
            image, _, name = instruction.rest.partition(" AS ")
            stages.append(Stage(image, name))
        else:
            stages[-1].instructions.append(instruction)
    return stages


def health_check(stage: Stage) -> list[str]:
    """The command of HEALTHCHECK, which is a list."""
    _, _, command = stage.last("HEALTHCHECK").rest.partition("CMD ")
    return Instruction("CMD", command).words()


def is_ignored(path: Path) -> bool:
    """Whether .dockerignore keeps a file of the checkout from the builder: the last pattern that fits decides."""
    ignored = False
    for line in IGNORE.read_text(encoding="utf-8").splitlines():
        pattern = line.strip()
        if pattern and not pattern.startswith("#"):
            keep = pattern.startswith("!")
            if _fits(path, pattern.removeprefix("!")):
                ignored = not keep
    return ignored


def _fits(path: Path, pattern: str) -> bool:
    """A pattern names a file or a folder with all below it; `**/` is any depth."""
    anywhere = pattern.startswith("**/")
    names = [part for part in (path, *path.parents) if part != Path()]
    if anywhere:
        return any(fnmatch(part.name, pattern.removeprefix("**/")) for part in names)
    return any(len(part.parts) == len(Path(pattern).parts) and fnmatch(str(part), pattern) for part in names)
