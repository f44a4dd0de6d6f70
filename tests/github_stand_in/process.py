"""Starts the stand-in as a process of its own and waits until it answers."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.github_stand_in.driver import Driver

CHECKOUT = Path(__file__).resolve().parents[2]
_READY = "stand-in ready "
_SECRET_NAME = "STAND_IN_WEBHOOK_SECRET"


@dataclass
class StandInProcess:
    process: subprocess.Popen[str]
    url: str

    @property
    def driver(self) -> Driver:
        return Driver(self.url)

    def stop(self) -> None:
        """End it; a state file is written on the way out."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


def start(
    *,
    port: int = 0,
    webhook_url: str | None = None,
    webhook_secret: str = "",
    state: Path | None = None,
    scenario: Path | None = None,
    clock: str = "0",
    extra: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    timeout: float = 20,
) -> StandInProcess:
    """Start it on a free port (or `port`) and come back once it is ready. The secret travels in the environment."""
    command = [sys.executable, "-m", "tests.github_stand_in", "--port", str(port), "--clock", clock]
    command += ["--with-parent", *extra]
    for option, value in (("--webhook-url", webhook_url), ("--state", state), ("--scenario", scenario)):
        if value is not None:
            command += [option, str(value)]
    if webhook_secret:
        command += ["--webhook-secret-env", _SECRET_NAME]
    variables = {**os.environ, **(environment or {}), _SECRET_NAME: webhook_secret, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(command, cwd=CHECKOUT, env=variables, stdout=subprocess.PIPE, text=True)
    return StandInProcess(process, _wait_until_ready(process, timeout))


def _wait_until_ready(process: subprocess.Popen[str], timeout: float) -> str:
    alarm = threading.Timer(timeout, process.kill)
    alarm.start()
    try:
        line = process.stdout.readline() if process.stdout else ""
    finally:
        alarm.cancel()
    if not line.startswith(_READY):
        process.kill()
        process.wait()
        raise RuntimeError(f"the stand-in did not start: {line!r}, exit code {process.returncode}")
    return line.removeprefix(_READY).strip()


@contextmanager
def running(
    *, webhook_url: str | None = None, webhook_secret: str = "", state: Path | None = None, clock: str = "0"
) -> Iterator[StandInProcess]:
    """The stand-in for the length of a `with` block."""
    stand_in = start(webhook_url=webhook_url, webhook_secret=webhook_secret, state=state, clock=clock)
    try:
        yield stand_in
    finally:
        stand_in.stop()
