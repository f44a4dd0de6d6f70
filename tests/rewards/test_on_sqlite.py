"""The demo keeps its ledger in SQLite: the same tests of guards, awards and boards, in a run of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

HERE = Path(__file__).parent
FILES = ["append_only", "check_ledger", "leaderboards", "ledger", "operations", "pools", "queries"]


@pytest.mark.processes
@pytest.mark.skipif(connection.vendor == "sqlite", reason="This run is on SQLite already")
def test_the_ledger_holds_on_sqlite() -> None:
    apart = {"DATABASE_URL", "PYTEST_ADDOPTS"}
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-n", "0"]
        + [str(HERE / f"test_{name}.py") for name in FILES],
        cwd=HERE.parent.parent,
        env={name: value for name, value in os.environ.items() if name not in apart},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "passed" in run.stdout
