"""The files of the project: what git tracks or would track, or, without git, what lies there."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
_NOT_OURS = {".git", ".venv", "var", "node_modules", "staticfiles", "__pycache__"}


def list_files(root: Path = ROOT) -> list[Path]:
    """Every file of ours, relative to the root."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=root, capture_output=True, check=False)
    if listed.returncode == 0:
        names = [Path(name) for name in listed.stdout.decode().split("\0") if name]
        return sorted(name for name in names if (root / name).is_file())
    found = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
    return sorted(
        path for path in found if not _NOT_OURS.intersection(path.parts) and not path.parts[0].startswith(".")
    )
