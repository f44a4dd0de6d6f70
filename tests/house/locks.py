"""The locks pin what pyproject.toml asks for, all of it and nothing else.

Looked up in the installed packages, not at a registry: a newer version published elsewhere breaks no check.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house.sources import ROOT

RUN, DEVELOPMENT = "requirements.lock", "requirements-dev.lock"
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)")

Requires = Callable[[str], list[str]]


@dataclass(frozen=True)
class Wanted:
    """A requirement, by whom, with the extras of the one who asks."""

    requirement: Requirement
    by: str
    extras: tuple[str, ...] = ()

    @property
    def applies(self) -> bool:
        marker = self.requirement.marker
        return marker is None or any(marker.evaluate({"extra": extra}) for extra in (self.extras or ("",)))


def read_pins(text: str) -> dict[str, str]:
    """Name -> version of each pin in a lock."""
    pins: dict[str, str] = {}
    for line in text.splitlines():
        match = _PIN.match(line)
        if match:
            pins[canonicalize_name(match.group(1))] = match.group(2)
    return pins


def installed_requirements(name: str) -> list[str]:
    """What an installed package asks for; nothing for one that is not here (another platform's)."""
    try:
        return metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return []


def check_lock(
    name: str, roots: list[str], pins: Mapping[str, str], requires: Requires = installed_requirements
) -> list[str]:
    """Walk from the roots through what each pinned package asks for."""
    found: list[str] = []
    waiting = [Wanted(Requirement(root), "pyproject.toml") for root in roots]
    reached: set[tuple[str, tuple[str, ...]]] = set()
    while waiting:
        wanted = waiting.pop()
        if not wanted.applies:
            continue
        package = canonicalize_name(wanted.requirement.name)
        pin = pins.get(package)
        if pin is None:
            found.append(f"{name}: {package} is missing ({wanted.by} asks for it); run make lock")
            continue
        if not wanted.requirement.specifier.contains(pin, prereleases=True):
            found.append(
                f"{name}: {package}=={pin} does not fit {wanted.requirement} of {wanted.by}; run make lock"
            )
        extras = tuple(sorted(wanted.requirement.extras))
        if (package, extras) not in reached:
            reached.add((package, extras))
            waiting += [Wanted(Requirement(text), package, extras) for text in requires(package)]
    left = sorted(set(pins) - {package for package, _ in reached})
    return found + [f"{name}: nobody asks for {package}; run make lock" for package in left]


def breaches(root: Path = ROOT, requires: Requires = installed_requirements) -> list[str]:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    run_time: list[str] = project["project"]["dependencies"]
    development: list[str] = project["dependency-groups"]["dev"]
    pins = {name: read_pins((root / name).read_text(encoding="utf-8")) for name in (RUN, DEVELOPMENT)}
    found = check_lock(RUN, run_time, pins[RUN], requires)
    found += check_lock(DEVELOPMENT, run_time + development, pins[DEVELOPMENT], requires)
    for package, version in pins[RUN].items():
        other = pins[DEVELOPMENT].get(package)
        if other != version:
            found.append(f"{package}: {RUN} pins {version}, {DEVELOPMENT} {other}; run make lock")
    return found
