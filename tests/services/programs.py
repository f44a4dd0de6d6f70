"""The programs the suite needs, where they stand, and how they get there."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


class Missing(Exception):
    """A program is not there; the text says what to install."""


def _version(folder: Path) -> int:
    return int(folder.parent.name) if folder.parent.name.isdigit() else 0


def find_postgres(program: str) -> str | None:
    """Debian keeps the server's programs off the path, by version; those first, newest first."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_version, reverse=True)
    for folder in debian:
        if (folder / program).exists():
            return str(folder / program)
    return shutil.which(program)


def find_redis() -> str | None:
    return shutil.which("redis-server") or shutil.which("valkey-server")


def find_chromium() -> str | None:
    """The browser: REGATTA_CHROMIUM, the system's, or the one that Playwright keeps."""
    named = os.environ.get("REGATTA_CHROMIUM")
    if named:
        return named
    for program in ("chromium", "chromium-browser", "google-chrome"):
        found = shutil.which(program)
        if found:
            return found
    return next((str(path) for pattern in _PLAYWRIGHT for path in sorted(Path.home().glob(pattern))), None)


_PLAYWRIGHT = (
    ".cache/ms-playwright/chromium-*/chrome-linux*/chrome",
    "Library/Caches/ms-playwright/chromium-*/chrome-mac*/*.app/Contents/MacOS/*",
)


def has_font(kind: str, file: str) -> bool:
    """Whether the pages' letters of a kind (fontconfig's name of a language) can be drawn. Only Linux without a desktop cannot."""
    if sys.platform != "linux":
        return True
    if shutil.which("fc-list"):
        listed = subprocess.run(["fc-list", f":lang={kind}"], capture_output=True, text=True, check=False)
        return bool(listed.stdout.strip())
    return any(Path("/usr/share/fonts").glob(f"**/{file}"))


@dataclass(frozen=True)
class Program:
    """Something the suite needs: how to see that it is there, and Debian's package for it."""

    name: str
    package: str
    is_there: Callable[[], bool]


POSTGRES = Program("PostgreSQL", "postgresql", lambda: find_postgres("postgres") is not None)
REDIS = Program("Redis", "redis-server", lambda: find_redis() is not None)
CHROMIUM = Program("Chromium", "chromium", lambda: find_chromium() is not None)
CHINESE_FONT = Program("a Chinese font", "fonts-wqy-microhei", lambda: has_font("zh", "wqy*"))
EMOJI_FONT = Program(
    "a font with emoji", "fonts-noto-color-emoji", lambda: has_font("und-zsye", "NotoColorEmoji*")
)
GETTEXT = Program("gettext", "gettext", lambda: shutil.which("xgettext") is not None)


def ensure(programs: Sequence[Program]) -> None:
    """Install what is missing, saying so; raises Missing where we cannot."""
    missing = [program for program in programs if not program.is_there()]
    if not missing:
        return
    names, packages = ", ".join(p.name for p in missing), [p.package for p in missing]
    if shutil.which("apt-get") is None:
        raise Missing(f"Please install {names}, so that the programs are on the PATH, and start again.")
    if os.geteuid() != 0:
        raise Missing(f"Please install {names}: sudo apt-get install {' '.join(packages)}")
    for program in missing:
        print(f"Installing {program.name} (Debian's {program.package}).", flush=True)
    _apt_get("update", "-qq")
    _apt_get("install", "-qq", "-y", "--no-install-recommends", *packages)
    still = [program.name for program in programs if not program.is_there()]
    if still:
        raise Missing(f"{', '.join(still)}: still not found after installing {' '.join(packages)}.")


def _apt_get(*arguments: str) -> None:
    # RUNLEVEL=1 keeps the packages from starting their own servers.
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    done = subprocess.run(
        ["apt-get", *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        reason = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise Missing(f"apt-get {' '.join(arguments)} failed: {''.join(reason)}")
