"""`python -m tests.house.translate`: collect the texts of the sources into the catalogs and compile these.

With `--check` nothing is changed: it fails if a text of the sources is not in the catalogs.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.house.catalogs import read_messages
from tests.house.sources import ROOT, list_files
from tests.services import programs

LANGUAGES = ("zh_Hans",)  # English is what the sources say
_IGNORED = (".venv", "tests", "bench", "var", "node_modules", "staticfiles", "static")
_CHANGES_EVERY_TIME = re.compile(r'^"POT-Creation-Date:.*\n', re.MULTILINE)


def _manage(folder: Path, *arguments: str) -> None:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "portal.settings.test"}
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")


def _catalog(folder: Path, language: str) -> Path:
    return folder / "locale" / language / "LC_MESSAGES" / "django.po"


def collect(folder: Path) -> None:
    ignored = [part for name in _IGNORED for part in ("--ignore", name)]
    for language in LANGUAGES:
        _manage(folder, "makemessages", "-l", language, "--no-obsolete", "--add-location=file", *ignored)
        catalog = _catalog(folder, language)
        catalog.write_text(_CHANGES_EVERY_TIME.sub("", catalog.read_text(encoding="utf-8")), encoding="utf-8")


def _keys(catalog: Path) -> set[str]:
    if not catalog.exists():
        return set()
    return {message.key for message in read_messages(catalog.read_text(encoding="utf-8"))}


def check() -> list[str]:
    """Collect in a copy, and tell what the catalogs lack or hold too much."""
    found = []
    with tempfile.TemporaryDirectory(prefix="regatta-messages-") as name:
        copy = Path(name)
        for path in list_files():
            if path.parts[0] not in _IGNORED:
                (copy / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / path, copy / path)
        collect(copy)
        for language in LANGUAGES:
            ours, fresh = _keys(_catalog(ROOT, language)), _keys(_catalog(copy, language))
            found += [
                f"{language}: not in the catalog: {key[:70]!r}; run make messages"
                for key in sorted(fresh - ours)
            ]
            found += [
                f"{language}: no longer in the sources: {key[:70]!r}; run make messages"
                for key in sorted(ours - fresh)
            ]
    return found


def main(arguments: list[str]) -> int:
    if "--check" in arguments and not programs.GETTEXT.is_there() and os.geteuid() != 0:
        print("Texts of the sources against the catalogs: not checked, gettext is not installed.")
        return 0
    try:
        programs.ensure([programs.GETTEXT])
    except programs.Missing as problem:
        print(problem, file=sys.stderr)
        return 1
    if "--check" in arguments:
        found = check()
        print("\n".join(found) if found else "Translations: every text of the sources is in the catalogs.")
        return 1 if found else 0
    collect(ROOT)
    _manage(ROOT, "compilemessages", "--ignore", ".venv", *(p for name in LANGUAGES for p in ("-l", name)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
