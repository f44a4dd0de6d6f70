"""The image made by hand: the files that the Dockerfile copies, and the build steps that run our code."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.containers import dockerfile
from tests.house.sources import ROOT

WORKDIR = "/srv/regatta"
PROGRAMS = str(Path(sys.executable).parent)  # stands for the image's /opt/regatta/bin


class BuildFailed(Exception):
    """A step of the build ended badly; the text holds what it said."""


def clean_environment(**values: str) -> dict[str, str]:
    """What a process in a container sees: a path to programs, and what it is given."""
    return {"PATH": f"{PROGRAMS}:{os.defpath}", **values}


def _files(source: Path) -> Iterator[Path]:
    """Those below it that reach the builder, relative to the checkout."""
    found = [source] if source.is_file() else sorted(path for path in source.rglob("*") if path.is_file())
    for path in found:
        relative = path.relative_to(ROOT)
        if not dockerfile.is_ignored(relative):
            yield relative


def copy_files(stage: dockerfile.Stage, folder: Path) -> None:
    """Do the stage's COPY instructions, with the folder for the working folder."""
    for sources, target in stage.copies():
        below = folder / target.removeprefix(WORKDIR).strip("/").removeprefix(".")
        for source in sources:
            is_folder = (ROOT / source).is_dir()
            for path in _files(ROOT / source):
                copied = below / (path.relative_to(source) if is_folder else path.name)
                copied.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / path, copied)


def run_steps(stage: dockerfile.Stage, folder: Path) -> None:
    """Do those RUN instructions that run manage.py; installing packages is what the venv is for."""
    for step in stage.all("RUN"):
        if "manage.py" in step.rest:
            _run(step.rest, folder, clean_environment())


def _run(command: str, folder: Path, environment: Mapping[str, str]) -> None:
    done = subprocess.run(
        ["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BuildFailed(f"{command}\n{done.stdout}{done.stderr}")


def build(folder: Path) -> Path:
    """The first stage, as far as it is ours; returns the folder, which is the image's working folder."""
    stage = dockerfile.read()[0]
    copy_files(stage, folder)
    run_steps(stage, folder)
    return folder
