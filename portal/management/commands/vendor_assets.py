"""Fetch Bootstrap and GitHub's Octicons from their npm packages and keep what we serve of them.

`manage.py vendor_assets` needs npm; which registry is asked is npm's own business. What is kept, from which version,
with which checksum, stands in static/vendor/VERSIONS.txt.
"""

import hashlib
import json
import re
import subprocess
import tarfile
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

VENDOR_DIR = Path(settings.BASE_DIR) / "static" / "vendor"
# A new icon: add its name here, run the command, commit the sprite.
ICONS = """
    archive arrow-left arrow-right bell blocked broadcast calendar check check-circle check-circle-fill checklist
    circle-slash clock code comment comment-discussion device-desktop download eye file-badge file-diff
    gear git-merge git-pull-request git-pull-request-closed git-pull-request-draft globe history hourglass inbox info
    issue-opened link link-external list-unordered lock mark-github mortar-board pause pencil people person person-add
    pin question repo rows search shield sign-in sign-out sort-asc sort-desc star star-fill stopwatch sun moon sync
    table tasklist three-bars triangle-down trophy undo x x-circle x-circle-fill
""".split()  # noqa: SIM905 (a list to read)
_SOURCE_MAP = re.compile(r"\n?/\*# sourceMappingURL=\S+ \*/\s*$")
_PATHS = re.compile(r"<svg[^>]*>(.*)</svg>", re.DOTALL)


class Package(NamedTuple):
    """An npm package as fetched: its version, the registry's checksum of it, and its unpacked files."""

    name: str
    version: str
    integrity: str
    files: Path

    def read(self, path: str) -> str:
        """The text of one file of the package."""
        return (self.files / "package" / path).read_text(encoding="utf-8")


class Command(BaseCommand):
    """Vendor the static files of others."""

    help = "Fetches Bootstrap 5.3 and Octicons with npm and writes static/vendor."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Versions, as npm understands them."""
        parser.add_argument(
            "--bootstrap", default="5.3", help="version of bootstrap (default: the newest 5.3)"
        )
        parser.add_argument(
            "--octicons", default="19", help="version of @primer/octicons (default: the newest 19)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Fetch both packages, then write everything."""
        with tempfile.TemporaryDirectory() as folder:
            bootstrap = fetch("bootstrap", options["bootstrap"], Path(folder) / "bootstrap")
            octicons = fetch("@primer/octicons", options["octicons"], Path(folder) / "octicons")
            written = {
                bootstrap: {
                    "bootstrap/bootstrap.min.css": without_source_map(
                        bootstrap.read("dist/css/bootstrap.min.css")
                    ),
                    "bootstrap/LICENSE": bootstrap.read("LICENSE"),
                },
                octicons: {
                    "octicons/sprite.svg": sprite(octicons),
                    "octicons/LICENSE": octicons.read("LICENSE"),
                },
            }
            write(written)
        self.stdout.write((VENDOR_DIR / "VERSIONS.txt").read_text(encoding="utf-8"))


def fetch(name: str, version: str, folder: Path) -> Package:
    """The package of that version, unpacked in the folder."""
    folder.mkdir()
    command = ["npm", "pack", "--json", "--ignore-scripts", f"{name}@{version}"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=300)
    except FileNotFoundError as error:
        raise CommandError("npm is not installed; on Debian: apt-get install npm") from error
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise CommandError(f"npm could not fetch {name}@{version}:\n{error.stderr!s} {error}") from error
    [info] = json.loads(done.stdout)
    with tarfile.open(next(folder.glob("*.tgz"))) as archive:
        archive.extractall(folder, filter="data")
    return Package(name, info["version"], info["integrity"], folder)


def without_source_map(css: str) -> str:
    """The style sheet without the pointer to a source map, which we do not serve."""
    return _SOURCE_MAP.sub("\n", css)


def sprite(octicons: Package) -> str:
    """All our icons in one file, each as `<symbol id="o-NAME">`."""
    symbols = []
    for name in ICONS:
        drawing = _PATHS.search(octicons.read(f"build/svg/{name}-16.svg"))
        if drawing is None:
            raise CommandError(f"The icon {name} has another shape than expected")
        symbols.append(f'<symbol id="o-{name}" viewBox="0 0 16 16">{drawing[1].strip()}</symbol>')
    return '<svg xmlns="http://www.w3.org/2000/svg">\n' + "\n".join(symbols) + "\n</svg>\n"


def write(written: dict[Package, dict[str, str]]) -> None:
    """Write the files and the list of versions and checksums."""
    lines = ["Made by `manage.py vendor_assets`. SHA-256 is of the file as it stands here.", ""]
    for package, files in written.items():
        lines += [f"{package.name} {package.version} (npm, {package.integrity})"]
        for path, text in files.items():
            target = VENDOR_DIR / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
            lines += [f"  {hashlib.sha256(text.encode()).hexdigest()}  {path}"]
        lines += [""]
    (VENDOR_DIR / "VERSIONS.txt").write_text("\n".join(lines), encoding="utf-8")
