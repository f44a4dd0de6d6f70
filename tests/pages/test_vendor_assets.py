"""`manage.py vendor_assets`: what it keeps of the packages, and what it says when npm cannot help."""

import json
import subprocess
import tarfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from portal.management.commands import vendor_assets


def package_of(name: str) -> dict[str, str]:
    if name == "bootstrap":
        css = ".a{color:red}\n/*# sourceMappingURL=bootstrap.min.css.map */"
        return {"package/dist/css/bootstrap.min.css": css, "package/LICENSE": "MIT"}
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M0 0"/></svg>'
    icons = {f"package/build/svg/{icon}-16.svg": svg for icon in vendor_assets.ICONS}
    return {**icons, "package/LICENSE": "MIT"}


def npm(command: list[str], *, cwd: Path, **_options: Any) -> Any:
    """Stands for `npm pack`."""
    name, _at, version = command[-1].rpartition("@")
    with tarfile.open(cwd / "package.tgz", "w:gz") as archive:
        for path, text in package_of(name).items():
            info = tarfile.TarInfo(path)
            info.size = len(text.encode())
            archive.addfile(info, BytesIO(text.encode()))
    stdout = json.dumps([{"version": f"{version}.9", "integrity": "sha512-x"}])
    return subprocess.CompletedProcess(command, 0, stdout=stdout, stderr="")


def test_it_keeps_what_we_serve_and_notes_where_it_is_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vendor_assets, "VENDOR_DIR", tmp_path)
    monkeypatch.setattr(subprocess, "run", npm)
    call_command("vendor_assets", verbosity=0)
    assert (tmp_path / "bootstrap/bootstrap.min.css").read_text() == ".a{color:red}\n"
    assert (
        '<symbol id="o-star" viewBox="0 0 16 16"><path d="M0 0"/></symbol>'
        in (tmp_path / "octicons/sprite.svg").read_text()
    )
    versions = (tmp_path / "VERSIONS.txt").read_text()
    assert "bootstrap 5.3.9 (npm, sha512-x)" in versions
    assert "@primer/octicons 19.9 (npm, sha512-x)" in versions


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (FileNotFoundError(), "npm is not installed"),
        (subprocess.CalledProcessError(1, "npm", stderr="E404"), "E404"),
    ],
)
def test_it_says_why_it_could_not(problem: Exception, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: object, **_options: object) -> None:
        raise problem

    monkeypatch.setattr(subprocess, "run", fail)
    with pytest.raises(CommandError, match=words):
        call_command("vendor_assets")
